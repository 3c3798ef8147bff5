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
