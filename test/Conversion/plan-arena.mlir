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
