// RUN: ds-opt %s --ds-verify-spmd --split-input-file --verify-diagnostics

func.func @only_one_branch_meets(%a: tensor<4xf32>) {
  %r = ds.rank : index
  %c0 = arith.constant 0 : index
  %first = arith.cmpi eq, %r, %c0 : index
  // expected-error @below {{the condition can differ between ranks, and its branches hold different collectives}}
  scf.if %first {
    // expected-note @below {{some ranks would wait here for the others}}
    %0 = ds.all_reduce sum %a : tensor<4xf32>
  }
  return
}

// -----
func.func @branches_in_another_order(%a: tensor<4xf32>, %b: tensor<8xf32>, %x: tensor<i1> {ds.state = "s"}, %s: tensor<2xi1> {ds.batch = 0 : i64}) {
  %c0 = arith.constant 0 : index
  %mine = tensor.extract %s[%c0] : tensor<2xi1>
  // expected-error @below {{the condition can differ between ranks, and its branches hold different collectives}}
  scf.if %mine {
    // expected-note @below {{some ranks would wait here for the others}}
    %0 = ds.all_reduce sum %a : tensor<4xf32>
    %1 = ds.all_reduce sum %b : tensor<8xf32>
  } else {
    %1 = ds.all_reduce sum %b : tensor<8xf32>
    %0 = ds.all_reduce sum %a : tensor<4xf32>
  }
  return
}

// -----
func.func @another_kind_in_one_case(%a: tensor<4xf32>) {
  %r = ds.rank : index
  // expected-error @below {{the condition can differ between ranks, and its branches hold different collectives}}
  scf.index_switch %r
  case 0 {
    %0 = ds.all_reduce max %a : tensor<4xf32>
    scf.yield
  }
  default {
    // expected-note @below {{some ranks would wait here for the others}}
    %0 = ds.all_reduce sum %a : tensor<4xf32>
    scf.yield
  }
  return
}

// -----
func.func @another_group_in_one_branch(%a: tensor<4xf32>) {
  %r = ds.rank : index
  %c0 = arith.constant 0 : index
  %first = arith.cmpi eq, %r, %c0 : index
  // expected-error @below {{the condition can differ between ranks, and its branches hold different collectives}}
  scf.if %first {
    // expected-note @below {{some ranks would wait here for the others}}
    %0 = ds.all_reduce sum %a {group = array<i64: 0, 1>} : tensor<4xf32>
  } else {
    %0 = ds.all_reduce sum %a {group = array<i64: 0, 2>} : tensor<4xf32>
  }
  return
}

// -----
func.func @a_group_in_one_branch_and_all_ranks_in_the_other(%a: tensor<4xf32>) {
  %r = ds.rank : index
  %c0 = arith.constant 0 : index
  %first = arith.cmpi eq, %r, %c0 : index
  // expected-error @below {{the condition can differ between ranks, and its branches hold different collectives}}
  scf.if %first {
    // expected-note @below {{some ranks would wait here for the others}}
    %0 = ds.all_reduce sum %a {group = array<i64: 0, 1>} : tensor<4xf32>
  } else {
    %0 = ds.all_reduce sum %a : tensor<4xf32>
  }
  return
}

// -----
func.func @another_root_in_one_branch(%a: tensor<4xf32>) {
  %r = ds.rank : index
  %c0 = arith.constant 0 : index
  %first = arith.cmpi eq, %r, %c0 : index
  // expected-error @below {{the condition can differ between ranks, and its branches hold different collectives}}
  scf.if %first {
    // expected-note @below {{some ranks would wait here for the others}}
    %0 = ds.broadcast %a from 0 : tensor<4xf32>
  } else {
    %0 = ds.broadcast %a from 1 : tensor<4xf32>
  }
  return
}

// -----
func.func @another_dimension_in_one_branch(%a: tensor<4x4xf32>, %b: tensor<2x4xf32>, %c: tensor<4x2xf32>) {
  %r = ds.rank : index
  %c0 = arith.constant 0 : index
  %first = arith.cmpi eq, %r, %c0 : index
  // expected-error @below {{the condition can differ between ranks, and its branches hold different collectives}}
  scf.if %first {
    // expected-note @below {{some ranks would wait here for the others}}
    %0 = ds.reduce_scatter sum %a into %b along 0 : tensor<4x4xf32> into tensor<2x4xf32>
  } else {
    %0 = ds.reduce_scatter sum %a into %c along 1 : tensor<4x4xf32> into tensor<4x2xf32>
  }
  return
}

// -----
func.func @another_type_in_one_branch(%a: tensor<4xf32>, %b: tensor<4xf64>) {
  %r = ds.rank : index
  %c0 = arith.constant 0 : index
  %first = arith.cmpi eq, %r, %c0 : index
  // expected-error @below {{the condition can differ between ranks, and its branches hold different collectives}}
  scf.if %first {
    // expected-note @below {{some ranks would wait here for the others}}
    %0 = ds.all_reduce sum %a : tensor<4xf32>
  } else {
    %0 = ds.all_reduce sum %b : tensor<4xf64>
  }
  return
}

// -----
func.func @another_operation_in_one_branch(%a: tensor<4xf32>) {
  %r = ds.rank : index
  %c0 = arith.constant 0 : index
  %first = arith.cmpi eq, %r, %c0 : index
  // expected-error @below {{the condition can differ between ranks, and its branches hold different collectives}}
  scf.if %first {
    // expected-note @below {{some ranks would wait here for the others}}
    %0 = ds.all_reduce sum %a : tensor<4xf32>
  } else {
    %0 = ds.broadcast %a from 0 : tensor<4xf32>
  }
  return
}

// -----
func.func @a_started_sum_in_one_branch(%a: memref<4xf32>) {
  %r = ds.rank : index
  %c0 = arith.constant 0 : index
  %first = arith.cmpi eq, %r, %c0 : index
  // expected-error @below {{the condition can differ between ranks, and its branches hold different collectives}}
  scf.if %first {
    // expected-note @below {{some ranks would wait here for the others}}
    ds.all_reduce sum %a : memref<4xf32>
  } else {
    %p = ds.all_reduce_start sum %a : memref<4xf32>
    ds.wait %p, %a : memref<4xf32>
  }
  return
}

// -----
// Where a function is called there may be collectives, too.
func.func private @one(tensor<4xf32>)
func.func private @other(tensor<4xf32>)
func.func @another_function_in_one_branch(%a: tensor<4xf32>) {
  %r = ds.rank : index
  %c0 = arith.constant 0 : index
  %first = arith.cmpi eq, %r, %c0 : index
  // expected-error @below {{the condition can differ between ranks, and its branches hold different collectives}}
  scf.if %first {
    ds.barrier
    // expected-note @below {{some ranks would wait here for the others}}
    func.call @one(%a) : (tensor<4xf32>) -> ()
  } else {
    ds.barrier
    func.call @other(%a) : (tensor<4xf32>) -> ()
  }
  return
}

// -----
func.func @a_sum_over_a_group_can_differ(%x: tensor<4xf32> {ds.batch = 0 : i64}) {
  %a = ds.all_reduce sum %x {group = array<i64: 0, 1>} : tensor<4xf32>
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %v = tensor.extract %a[%c0] : tensor<4xf32>
  %go = arith.cmpf ogt, %v, %zero : f32
  // expected-error @below {{the condition can differ between ranks, and its branches hold different collectives}}
  scf.if %go {
    // expected-note @below {{some ranks would wait here for the others}}
    ds.barrier
  }
  return
}

// -----
func.func @a_broadcast_in_a_group_can_differ(%x: tensor<4xf32> {ds.batch = 0 : i64}) {
  %a = ds.broadcast %x from 0 {group = array<i64: 0, 1>} : tensor<4xf32>
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %v = tensor.extract %a[%c0] : tensor<4xf32>
  %go = arith.cmpf ogt, %v, %zero : f32
  // expected-error @below {{the condition can differ between ranks, and its branches hold different collectives}}
  scf.if %go {
    // expected-note @below {{some ranks would wait here for the others}}
    ds.barrier
  }
  return
}

// -----
func.func @samples_gathered_in_a_group_can_differ(%x: tensor<2xf32> {ds.batch = 0 : i64}, %o: tensor<4xf32>) {
  %a = ds.all_gather %x into %o along 0 {group = array<i64: 0, 1>} : tensor<2xf32> into tensor<4xf32>
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %v = tensor.extract %a[%c0] : tensor<4xf32>
  %go = arith.cmpf ogt, %v, %zero : f32
  // expected-error @below {{the condition can differ between ranks, and its branches hold different collectives}}
  scf.if %go {
    // expected-note @below {{some ranks would wait here for the others}}
    ds.barrier
  }
  return
}

// -----
func.func @a_started_sum_over_a_group_can_differ(%x: tensor<4xf32> {ds.batch = 0 : i64}) {
  %t, %p = ds.all_reduce_start sum %x {group = array<i64: 0, 1>} : tensor<4xf32>
  %a = ds.wait %p, %t : tensor<4xf32>
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %v = tensor.extract %a[%c0] : tensor<4xf32>
  %go = arith.cmpf ogt, %v, %zero : f32
  // expected-error @below {{the condition can differ between ranks, and its branches hold different collectives}}
  scf.if %go {
    // expected-note @below {{some ranks would wait here for the others}}
    ds.barrier
  }
  return
}

// -----
func.func @a_share_of_a_sum_can_differ(%x: tensor<8xf32>, %o: tensor<4xf32>) {
  %a = ds.reduce_scatter sum %x into %o along 0 : tensor<8xf32> into tensor<4xf32>
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %v = tensor.extract %a[%c0] : tensor<4xf32>
  %go = arith.cmpf ogt, %v, %zero : f32
  // expected-error @below {{the condition can differ between ranks, and its branches hold different collectives}}
  scf.if %go {
    // expected-note @below {{some ranks would wait here for the others}}
    ds.barrier
  }
  return
}

// -----
func.func @what_a_condition_of_the_ranks_chose_can_differ(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  %rank = ds.rank : index
  %first = arith.cmpi eq, %rank, %rank : index
  %a = scf.if %first -> tensor<4xf32> {
    scf.yield %x : tensor<4xf32>
  } else {
    scf.yield %y : tensor<4xf32>
  }
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %v = tensor.extract %a[%c0] : tensor<4xf32>
  %go = arith.cmpf ogt, %v, %zero : f32
  // expected-error @below {{the condition can differ between ranks, and its branches hold different collectives}}
  scf.if %go {
    // expected-note @below {{some ranks would wait here for the others}}
    ds.barrier
  }
  return
}

// -----
func.func @what_a_number_of_rounds_of_the_ranks_made_can_differ(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  %rank = ds.rank : index
  %zeroth = arith.constant 0 : index
  %one = arith.constant 1 : index
  %a = scf.for %i = %zeroth to %rank step %one iter_args(%s = %x) -> tensor<4xf32> {
    %n = arith.addf %s, %y : tensor<4xf32>
    scf.yield %n : tensor<4xf32>
  }
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %v = tensor.extract %a[%c0] : tensor<4xf32>
  %go = arith.cmpf ogt, %v, %zero : f32
  // expected-error @below {{the condition can differ between ranks, and its branches hold different collectives}}
  scf.if %go {
    // expected-note @below {{some ranks would wait here for the others}}
    ds.barrier
  }
  return
}

// -----
func.func @what_a_loop_carries_from_the_samples_can_differ(%x: tensor<4xf32> {ds.batch = 0 : i64}, %y: tensor<4xf32>, %n: index) {
  %zeroth = arith.constant 0 : index
  %one = arith.constant 1 : index
  %a, %b = scf.for %i = %zeroth to %n step %one iter_args(%s = %y, %t = %x) -> (tensor<4xf32>, tensor<4xf32>) {
    scf.yield %t, %s : tensor<4xf32>, tensor<4xf32>
  }
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %v = tensor.extract %a[%c0] : tensor<4xf32>
  %go = arith.cmpf ogt, %v, %zero : f32
  // expected-error @below {{the condition can differ between ranks, and its branches hold different collectives}}
  scf.if %go {
    // expected-note @below {{some ranks would wait here for the others}}
    ds.barrier
  }
  return
}

// -----
func.func @what_a_body_reads_of_the_samples_can_differ(%x: tensor<4xf32> {ds.batch = 0 : i64}, %y: tensor<4xf32>) {
  %a = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%y : tensor<4xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %e = tensor.extract %x[%i] : tensor<4xf32>
    linalg.yield %e : f32
  } -> tensor<4xf32>
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %v = tensor.extract %a[%c0] : tensor<4xf32>
  %go = arith.cmpf ogt, %v, %zero : f32
  // expected-error @below {{the condition can differ between ranks, and its branches hold different collectives}}
  scf.if %go {
    // expected-note @below {{some ranks would wait here for the others}}
    ds.barrier
  }
  return
}

// -----
// What memory holds is not followed.
func.func @memory_can_differ(%m: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %v = memref.load %m[%c0] : memref<4xf32>
  %go = arith.cmpf ogt, %v, %zero : f32
  // expected-error @below {{the condition can differ between ranks, and its branches hold different collectives}}
  scf.if %go {
    // expected-note @below {{some ranks would wait here for the others}}
    ds.barrier
  }
  return
}

// -----
func.func @iterations_differ(%a: tensor<4xf32>) {
  %r = ds.rank : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{the number of iterations can differ between ranks, and the loop holds a collective}}
  scf.for %i = %c0 to %r step %c1 {
    ds.barrier
  }
  return
}

// -----
func.func @a_while_loop_on_samples(%a: tensor<4xf32> {ds.batch = 0 : i64}) {
  %c0 = arith.constant 0 : index
  %limit = arith.constant 1.0 : f32
  // expected-error @below {{the number of iterations can differ between ranks, and the loop holds a collective}}
  %r = scf.while (%x = %a) : (tensor<4xf32>) -> tensor<4xf32> {
    %v = tensor.extract %x[%c0] : tensor<4xf32>
    %go = arith.cmpf olt, %v, %limit : f32
    scf.condition(%go) %x : tensor<4xf32>
  } do {
  ^bb0(%x: tensor<4xf32>):
    ds.barrier
    scf.yield %x : tensor<4xf32>
  }
  return
}

// -----
// What goes in is equal; what decides is not.
func.func @a_while_loop_that_asks_for_the_rank(%a: tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  // expected-error @below {{the number of iterations can differ between ranks, and the loop holds a collective}}
  %r = scf.while (%x = %a) : (tensor<4xf32>) -> tensor<4xf32> {
    %rank = ds.rank : index
    %go = arith.cmpi ne, %rank, %c0 : index
    scf.condition(%go) %x : tensor<4xf32>
  } do {
  ^bb0(%x: tensor<4xf32>):
    ds.barrier
    scf.yield %x : tensor<4xf32>
  }
  return
}

// -----
// Arguments of a private function can be anything its callers pass.
func.func private @callers_decide(%c: i1) {
  // expected-error @below {{the condition can differ between ranks, and its branches hold different collectives}}
  scf.if %c {
    // expected-note @below {{some ranks would wait here for the others}}
    ds.barrier
  }
  return
}

// -----
// expected-error @below {{expected structured control flow around collectives, got 3 blocks}}
func.func @unstructured(%c: i1) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  ds.barrier
  cf.br ^bb2
^bb2:
  return
}

// -----
func.func @waits_on_one_path_only(%a: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  // expected-error @below {{expected its 'ds.wait' in the same block, so that every path waits}}
  %t, %p = ds.all_reduce_start sum %a : tensor<4xf32>
  %r = scf.if %c -> tensor<4xf32> {
    // expected-note @below {{waited for here}}
    %w = ds.wait %p, %t : tensor<4xf32>
    scf.yield %w : tensor<4xf32>
  } else {
    scf.yield %a : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----
func.func @writes_in_flight(%a: memref<4xf32>, %i: index) {
  %v = arith.constant 0.0 : f32
  // expected-note @below {{started here}}
  %p = ds.all_reduce_start sum %a : memref<4xf32>
  // expected-error @below {{touches a buffer in flight}}
  memref.store %v, %a[%i] : memref<4xf32>
  // expected-note @below {{waited for here}}
  ds.wait %p, %a : memref<4xf32>
  return
}

// -----
func.func @writes_a_view_in_flight(%a: memref<8xf32>, %i: index, %c: i1) {
  %v = arith.constant 0.0 : f32
  %part = memref.subview %a[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  // expected-note @below {{started here}}
  %p = ds.all_reduce_start sum %a : memref<8xf32>
  // expected-error @below {{touches a buffer in flight}}
  scf.if %c {
    memref.store %v, %part[%i] : memref<4xf32, strided<[1]>>
  }
  // expected-note @below {{waited for here}}
  ds.wait %p, %a : memref<8xf32>
  return
}

// -----
module attributes {ds.config = #ds.config<device_num = 4>} {
func.func @group_with_a_rank_too_many(%a: tensor<4xf32>) {
  // expected-error @below {{expected ranks of 'group' below 4, got 4}}
  %0 = ds.all_reduce sum %a {group = array<i64: 0, 4>} : tensor<4xf32>
  return
}
}

// -----
module attributes {ds.config = #ds.config<device_num = 4>} {
func.func @root_too_many(%a: tensor<4xf32>) {
  // expected-error @below {{expected a root below 4, got 4}}
  %0 = ds.broadcast %a from 4 : tensor<4xf32>
  return
}
}

// -----
module attributes {ds.config = #ds.config<device_num = 4>} {
func.func @shares_for_other_ranks(%a: tensor<8xf32>, %s: tensor<4xf32>) {
  // expected-error @below {{expected 4 shares, got 2}}
  %0 = ds.reduce_scatter sum %a into %s along 0 : tensor<8xf32> into tensor<4xf32>
  return
}
}

// -----
module attributes {ds.config = #ds.config<device_num = 4>} {
func.func @gathers_from_other_ranks(%a: tensor<8xf32>, %s: tensor<4xf32>) {
  // expected-error @below {{expected 4 shares, got 2}}
  %0 = ds.all_gather %s into %a along 0 : tensor<4xf32> into tensor<8xf32>
  return
}
}

// -----
// What counts once is another value on each rank.
func.func @once_decides(%n: i32, %a: tensor<8xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0 : i32
  %o = ds.replicated_to_partial sum %n : i32
  %c = arith.cmpi eq, %o, %zero : i32
  // expected-error @below {{the condition can differ between ranks, and its branches hold different collectives}}
  %r = scf.if %c -> tensor<8xf32> {
    // expected-note @below {{some ranks would wait here for the others}}
    %s = ds.all_reduce sum %a : tensor<8xf32>
    scf.yield %s : tensor<8xf32>
  } else {
    scf.yield %a : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

module attributes {ds.config = #ds.config<mesh = "dp=2,tp=2", device_num = 4>} {
  func.func @unknown_axis(%a: tensor<4xf32>) -> tensor<4xf32> {
    // expected-error @below {{expected axes of the mesh in 'group', got ["ep"]}}
    %r = ds.all_reduce sum %a {group = ["ep"]} : tensor<4xf32>
    return %r : tensor<4xf32>
  }
}

// -----

// Ranks along tp part where a condition differs along tp.
module attributes {ds.config = #ds.config<mesh = "dp=2,tp=2", device_num = 4>} {
  func.func @differs_along_the_axis(%a: tensor<4xf32>) -> tensor<4xf32> {
    %r = ds.rank {group = ["tp"]} : index
    %zero = arith.constant 0 : index
    %c = arith.cmpi eq, %r, %zero : index
    // expected-error @below {{the condition can differ between ranks, and its branches hold different collectives}}
    %v = scf.if %c -> tensor<4xf32> {
      // expected-note @below {{some ranks would wait here for the others}}
      %s = ds.all_reduce sum %a {group = ["tp"]} : tensor<4xf32>
      scf.yield %s : tensor<4xf32>
    } else {
      scf.yield %a : tensor<4xf32>
    }
    return %v : tensor<4xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<device_num = 4>} {
  func.func @exchange_of_uneven_blocks(%a: tensor<6xf32>) -> tensor<6xf32> {
    // expected-error @below {{expected a multiple of 4 in dimension 0, got 6}}
    %r = ds.all_to_all %a into %a split 0 concat 0 : tensor<6xf32> into tensor<6xf32>
    return %r : tensor<6xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<device_num = 4>} {
  func.func @exchange_of_too_few_blocks(%a: tensor<4x2xf32>, %o: tensor<2x4xf32>) -> tensor<2x4xf32> {
    // expected-error @below {{expected 4 shares, got 2}}
    %r = ds.all_to_all %a into %o split 0 concat 1 : tensor<4x2xf32> into tensor<2x4xf32>
    return %r : tensor<2x4xf32>
  }
}

// -----

// What ranks receive from one another differs, although all send the same.
module attributes {ds.config = #ds.config<device_num = 2>} {
  func.func @exchanged_values_differ(%a: tensor<2xf32> {ds.param = "a"}, %x: tensor<4xf32>) -> tensor<4xf32> {
    %o = tensor.empty() : tensor<2xf32>
    %e = ds.all_to_all %a into %o split 0 concat 0 : tensor<2xf32> into tensor<2xf32>
    %zero = arith.constant 0 : index
    %first = tensor.extract %e[%zero] : tensor<2xf32>
    %one = arith.constant 1.0 : f32
    %c = arith.cmpf ogt, %first, %one : f32
    // expected-error @below {{the condition can differ between ranks, and its branches hold different collectives}}
    %v = scf.if %c -> tensor<4xf32> {
      // expected-note @below {{some ranks would wait here for the others}}
      %s = ds.all_reduce sum %x : tensor<4xf32>
      scf.yield %s : tensor<4xf32>
    } else {
      scf.yield %x : tensor<4xf32>
    }
    return %v : tensor<4xf32>
  }
}

// -----

// Both exchange, but not alike.
module attributes {ds.config = #ds.config<device_num = 2>} {
  func.func @other_dimensions(%a: tensor<2x2xf32>) {
    %r = ds.rank : index
    %zero = arith.constant 0 : index
    %c = arith.cmpi eq, %r, %zero : index
    // expected-error @below {{the condition can differ between ranks, and its branches hold different collectives}}
    scf.if %c {
      // expected-note @below {{some ranks would wait here for the others}}
      %s = ds.all_to_all %a into %a split 0 concat 0 : tensor<2x2xf32> into tensor<2x2xf32>
    } else {
      %s = ds.all_to_all %a into %a split 1 concat 1 : tensor<2x2xf32> into tensor<2x2xf32>
    }
    return
  }
}

// -----

module attributes {ds.config = #ds.config<mesh = "dp=2,tp=2", device_num = 4>} {
  func.func @permutation_of_too_few_sources(%a: tensor<4xf32>) {
    %0 = ds.collective_permute %a into %a from [1, 0] {group = ["tp"]} : tensor<4xf32> into tensor<4xf32>
    // expected-error @below {{expected a source for each of 4 ranks, got 2}}
    %1 = ds.collective_permute %a into %a from [1, 0] {group = ["dp", "tp"]} : tensor<4xf32> into tensor<4xf32>
    return
  }
}

// -----

// All send the same, but who receives from nobody has zeros.
module attributes {ds.config = #ds.config<device_num = 2>} {
  func.func @permuted_values_differ(%a: tensor<2xf32> {ds.param = "a"}, %x: tensor<4xf32>) -> tensor<4xf32> {
    %e = ds.collective_permute %a into %a from [1, -1] : tensor<2xf32> into tensor<2xf32>
    %zero = arith.constant 0 : index
    %first = tensor.extract %e[%zero] : tensor<2xf32>
    %one = arith.constant 1.0 : f32
    %c = arith.cmpf ogt, %first, %one : f32
    // expected-error @below {{the condition can differ between ranks, and its branches hold different collectives}}
    %v = scf.if %c -> tensor<4xf32> {
      // expected-note @below {{some ranks would wait here for the others}}
      %s = ds.all_reduce sum %x : tensor<4xf32>
      scf.yield %s : tensor<4xf32>
    } else {
      scf.yield %x : tensor<4xf32>
    }
    return %v : tensor<4xf32>
  }
}

// -----

// Both permute, but not alike.
module attributes {ds.config = #ds.config<device_num = 2>} {
  func.func @other_sources(%a: tensor<2xf32>) {
    %r = ds.rank : index
    %zero = arith.constant 0 : index
    %c = arith.cmpi eq, %r, %zero : index
    // expected-error @below {{the condition can differ between ranks, and its branches hold different collectives}}
    scf.if %c {
      // expected-note @below {{some ranks would wait here for the others}}
      %s = ds.collective_permute %a into %a from [1, 0] : tensor<2xf32> into tensor<2xf32>
    } else {
      %s = ds.collective_permute %a into %a from [1, -1] : tensor<2xf32> into tensor<2xf32>
    }
    return
  }
}
