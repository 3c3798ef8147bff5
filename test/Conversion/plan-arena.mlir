// RUN: ds-opt %s -ds-plan-arena -split-input-file -verify-diagnostics | FileCheck %s

func.func private @use(memref<16xf32>)
func.func private @use2(memref<16xf32>, memref<16xf32>)

// The third buffer takes the place of the first, which is dead by then.
// CHECK-LABEL: func.func @dead_memory_is_used_again
// CHECK-SAME: %[[ARENA:.*]]: memref<128xi8> {ds.arena}
// CHECK: %[[A:.*]] = memref.view %[[ARENA]][%[[O:.*]]][]
// CHECK: %[[B:.*]] = memref.view %[[ARENA]][%[[P:.*]]][]
// CHECK: %[[C:.*]] = memref.view %[[ARENA]][%[[O]]][]
func.func @dead_memory_is_used_again() {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  call @use2(%a, %b) : (memref<16xf32>, memref<16xf32>) -> ()
  %c = memref.alloc() : memref<16xf32>
  call @use2(%b, %c) : (memref<16xf32>, memref<16xf32>) -> ()
  return
}

// -----

func.func private @use(memref<16xf32>)
func.func private @use2(memref<16xf32>, memref<16xf32>)

// What is read inside a loop lives as long as the loop runs.
// CHECK-LABEL: func.func @memory_read_in_a_loop_lives_through_it
// CHECK-SAME: memref<128xi8> {ds.arena}
func.func @memory_read_in_a_loop_lives_through_it() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %a = memref.alloc() : memref<16xf32>
  scf.for %i = %c0 to %c3 step %c1 {
    func.call @use(%a) : (memref<16xf32>) -> ()
    %b = memref.alloc() : memref<16xf32>
    func.call @use(%b) : (memref<16xf32>) -> ()
  }
  return
}

// -----

func.func private @use(memref<16xf32>)

// CHECK-LABEL: func.func @a_view_keeps_its_memory_alive
// CHECK-SAME: memref<128xi8> {ds.arena}
func.func private @use2d(memref<4x4xf32>)
func.func @a_view_keeps_its_memory_alive() {
  %a = memref.alloc() : memref<16xf32>
  %v = memref.expand_shape %a [[0, 1]] output_shape [4, 4] : memref<16xf32> into memref<4x4xf32>
  %b = memref.alloc() : memref<16xf32>
  call @use(%b) : (memref<16xf32>) -> ()
  call @use2d(%v) : (memref<4x4xf32>) -> ()
  return
}

// -----

func.func private @use(memref<16xf32>)

// What leaves a loop is the memory that went in: @use of the result comes after that of the second buffer.
// CHECK-LABEL: func.func @the_result_of_a_while_keeps_its_memory_alive
// CHECK-SAME: memref<128xi8> {ds.arena}
func.func @the_result_of_a_while_keeps_its_memory_alive(%go: i1) {
  %a = memref.alloc() : memref<16xf32>
  %r = scf.while (%m = %a) : (memref<16xf32>) -> memref<16xf32> {
    scf.condition(%go) %m : memref<16xf32>
  } do {
  ^bb0(%m: memref<16xf32>):
    scf.yield %m : memref<16xf32>
  }
  %b = memref.alloc() : memref<16xf32>
  func.call @use(%b) : (memref<16xf32>) -> ()
  func.call @use(%r) : (memref<16xf32>) -> ()
  return
}

// -----

func.func private @use(memref<16xf32>)

// CHECK-LABEL: func.func @a_while_without_later_uses_frees_its_memory
// CHECK-SAME: memref<64xi8> {ds.arena}
func.func @a_while_without_later_uses_frees_its_memory(%go: i1) {
  %a = memref.alloc() : memref<16xf32>
  %r = scf.while (%m = %a) : (memref<16xf32>) -> memref<16xf32> {
    scf.condition(%go) %m : memref<16xf32>
  } do {
  ^bb0(%m: memref<16xf32>):
    scf.yield %m : memref<16xf32>
  }
  %b = memref.alloc() : memref<16xf32>
  func.call @use(%b) : (memref<16xf32>) -> ()
  return
}

// -----

func.func private @use(memref<16xf32>)

// The second buffer of the condition goes on to the result: the first stays with the loop.
// CHECK-LABEL: func.func @a_condition_forwards_memory_made_inside
// CHECK-SAME: memref<128xi8> {ds.arena}
func.func @a_condition_forwards_memory_made_inside(%go: i1) {
  %r = scf.while : () -> memref<16xf32> {
    %a = memref.alloc() : memref<16xf32>
    func.call @use(%a) : (memref<16xf32>) -> ()
    scf.condition(%go) %a : memref<16xf32>
  } do {
  ^bb0(%m: memref<16xf32>):
    %b = memref.alloc() : memref<16xf32>
    func.call @use(%b) : (memref<16xf32>) -> ()
    func.call @use(%m) : (memref<16xf32>) -> ()
    scf.yield
  }
  return
}

// -----

func.func private @use(memref<16xf32>)

// What comes out of the condition is the loop's memory still when the next round begins.
// CHECK-LABEL: func.func @a_round_of_a_while_hands_memory_to_the_next
// CHECK-SAME: memref<192xi8> {ds.arena}
func.func @a_round_of_a_while_hands_memory_to_the_next(%go: i1) {
  %a = memref.alloc() : memref<16xf32>
  %r = scf.while (%m = %a) : (memref<16xf32>) -> memref<16xf32> {
    %t = memref.alloc() : memref<16xf32>
    func.call @use(%t) : (memref<16xf32>) -> ()
    scf.condition(%go) %m : memref<16xf32>
  } do {
  ^bb0(%m: memref<16xf32>):
    scf.yield %m : memref<16xf32>
  }
  %b = memref.alloc() : memref<16xf32>
  func.call @use(%b) : (memref<16xf32>) -> ()
  %s = scf.while (%m = %r) : (memref<16xf32>) -> memref<16xf32> {
    scf.condition(%go) %m : memref<16xf32>
  } do {
  ^bb0(%m: memref<16xf32>):
    func.call @use(%m) : (memref<16xf32>) -> ()
    %c = memref.alloc() : memref<16xf32>
    func.call @use(%c) : (memref<16xf32>) -> ()
    %d = memref.alloc() : memref<16xf32>
    func.call @use(%d) : (memref<16xf32>) -> ()
    func.call @use(%c) : (memref<16xf32>) -> ()
    scf.yield %m : memref<16xf32>
  }
  return
}

// -----

// One address cannot hold what a round makes and what it reads of the round before.
func.func @memory_of_a_round_cannot_go_to_the_next(%init: memref<16xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%m = %init) -> memref<16xf32> {
    // expected-error @below {{'memref.alloc' op made in a loop is handed to the next round, expected ds-set-destinations to have stored it where the loop keeps it}}
    %a = memref.alloc() : memref<16xf32>
    memref.copy %m, %a : memref<16xf32> to memref<16xf32>
    scf.yield %a : memref<16xf32>
  }
  return
}

// -----

func.func private @use(memref<16xf32>)

// CHECK-LABEL: func.func @the_result_of_a_for_keeps_its_memory_alive
// CHECK-SAME: memref<128xi8> {ds.arena}
func.func @the_result_of_a_for_keeps_its_memory_alive(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%m = %a) -> memref<16xf32> {
    scf.yield %m : memref<16xf32>
  }
  %b = memref.alloc() : memref<16xf32>
  func.call @use(%b) : (memref<16xf32>) -> ()
  func.call @use(%r) : (memref<16xf32>) -> ()
  return
}

// -----

func.func private @use(memref<16xf32>)

// CHECK-LABEL: func.func @the_result_of_a_branch_keeps_its_memory_alive
// CHECK-SAME: memref<192xi8> {ds.arena}
func.func @the_result_of_a_branch_keeps_its_memory_alive(%p: i1) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %r = scf.if %p -> memref<16xf32> {
    scf.yield %a : memref<16xf32>
  } else {
    scf.yield %b : memref<16xf32>
  }
  %c = memref.alloc() : memref<16xf32>
  func.call @use(%c) : (memref<16xf32>) -> ()
  func.call @use(%r) : (memref<16xf32>) -> ()
  return
}

// -----

func.func private @use(memref<16xf32>)

// CHECK-LABEL: func.func @a_selected_buffer_keeps_both_alive
// CHECK-SAME: memref<192xi8> {ds.arena}
func.func @a_selected_buffer_keeps_both_alive(%p: i1) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %r = arith.select %p, %a, %b : memref<16xf32>
  %c = memref.alloc() : memref<16xf32>
  func.call @use(%c) : (memref<16xf32>) -> ()
  func.call @use(%r) : (memref<16xf32>) -> ()
  return
}

// -----

func.func private @make(memref<3xf32>)
func.func private @make2(memref<5x5xf32>)
func.func private @other(memref<64xf32>)
func.func private @all_reduce_0(memref<5x5xf32>, memref<3xf32>) attributes {ds.collective}

// A bucket is one span: 5 x 5 floats take 128 bytes with padding, the next member follows at once.
// CHECK-LABEL: func.func @members_of_a_bucket_are_neighbours
// CHECK-SAME: %[[ARENA:.*]]: memref<448xi8> {ds.arena}
// CHECK-DAG: %[[FIRST:.*]] = arith.constant 256 : index
// CHECK-DAG: %[[SECOND:.*]] = arith.constant 384 : index
// CHECK-DAG: memref.view %[[ARENA]][%[[SECOND]]][] : memref<448xi8> to memref<3xf32>
// CHECK-DAG: memref.view %[[ARENA]][%[[FIRST]]][] : memref<448xi8> to memref<5x5xf32>
func.func @members_of_a_bucket_are_neighbours() {
  %b = memref.alloc() : memref<3xf32>
  call @make(%b) : (memref<3xf32>) -> ()
  %t = memref.alloc() : memref<64xf32>
  call @other(%t) : (memref<64xf32>) -> ()
  %a = memref.alloc() : memref<5x5xf32>
  call @make2(%a) : (memref<5x5xf32>) -> ()
  call @all_reduce_0(%a, %b) : (memref<5x5xf32>, memref<3xf32>) -> ()
  return
}

// -----

func.func @dynamic_memory_is_refused(%n: index) {
  // expected-error @below {{'memref.alloc' op of type 'memref<?xf32>' cannot be placed in the arena, expected a static shape}}
  %a = memref.alloc(%n) : memref<?xf32>
  return
}

// -----

func.func private @use_both(memref<100000000000000xi8>, memref<200000000000000xi8>)
// expected-error @below {{the step's temporaries take 300000000000000 bytes at once, expected at most 2^48}}
func.func @an_arena_has_at_most_two_to_the_48_bytes() {
  %a = memref.alloc() : memref<100000000000000xi8>
  %b = memref.alloc() : memref<200000000000000xi8>
  call @use_both(%a, %b) : (memref<100000000000000xi8>, memref<200000000000000xi8>) -> ()
  return
}

// -----

func.func private @use_indices(memref<9xindex>)
func.func private @use_pairs(memref<9xcomplex<f32>>, memref<3xcomplex<f64>>)

// Elements that are neither integers nor floats have a size, too: 128, 128 and 64 bytes.
// CHECK-LABEL: func.func @indices_and_complex_numbers_are_stored
// CHECK-SAME: memref<320xi8> {ds.arena}
func.func @indices_and_complex_numbers_are_stored() {
  %a = memref.alloc() : memref<9xindex>
  %b = memref.alloc() : memref<9xcomplex<f32>>
  %c = memref.alloc() : memref<3xcomplex<f64>>
  call @use_pairs(%b, %c) : (memref<9xcomplex<f32>>, memref<3xcomplex<f64>>) -> ()
  call @use_indices(%a) : (memref<9xindex>) -> ()
  call @use_pairs(%b, %c) : (memref<9xcomplex<f32>>, memref<3xcomplex<f64>>) -> ()
  return
}

// -----

func.func private @use(memref<16xf32>)

// What another rank reads stays to the end, and lies at the same place of its arena.
// CHECK-LABEL: func.func @peers_read_to_the_end
// CHECK-SAME: %[[ARENA:.*]]: memref<128xi8> {ds.arena}, %[[PEER:.*]]: memref<128xi8> {ds.peer_arena = 1 : i64}
// CHECK: memref.view %[[ARENA]][%c0][]
// CHECK: %[[THEIRS:.*]] = memref.view %[[PEER]][%c0][] : memref<128xi8> to memref<16xf32>
// CHECK-NEXT: call @use(%[[THEIRS]])
// CHECK: memref.view %[[ARENA]][%c64][]
func.func @peers_read_to_the_end() {
  %g = memref.alloc() : memref<16xf32>
  call @use(%g) : (memref<16xf32>) -> ()
  %theirs = ds.peer %g {rank = 1 : i64} : memref<16xf32>
  call @use(%theirs) : (memref<16xf32>) -> ()
  %b = memref.alloc() : memref<16xf32>
  call @use(%b) : (memref<16xf32>) -> ()
  return
}
