// Programs in which all ranks meet.
// RUN: ds-opt %s --ds-verify-spmd --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @equal_sequences_in_both_branches(
func.func @equal_sequences_in_both_branches(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = ds.rank : index
  %c0 = arith.constant 0 : index
  %first = arith.cmpi eq, %r, %c0 : index
  %x = scf.if %first -> tensor<4xf32> {
    %0 = ds.all_reduce sum %a {names = [["w"]]} : tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  } else {
    %n = arith.negf %a : tensor<4xf32>
    %0 = ds.all_reduce sum %n {fusion = 3 : i64} : tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  }
  return %x : tensor<4xf32>
}

// -----
// All ranks take the same branch: hyper-parameters and reduced values are equal everywhere.
// CHECK-LABEL: func.func @a_condition_that_is_equal_everywhere(
func.func @a_condition_that_is_equal_everywhere(%a: tensor<4xf32> {ds.batch = 0 : i64}, %overflow: tensor<i32>, %debug: i1) {
  %all = ds.all_reduce max %overflow : tensor<i32>
  %v = tensor.extract %all[] : tensor<i32>
  %c0 = arith.constant 0 : i32
  %bad = arith.cmpi ne, %v, %c0 : i32
  %either = arith.ori %bad, %debug : i1
  scf.if %either {
    ds.barrier
  }
  return
}

// -----
// Reducing makes the samples' value equal; the rank's own number of iterations would not be.
// CHECK-LABEL: func.func @a_loop_over_micro_batches(
func.func @a_loop_over_micro_batches(%x: tensor<4xf32> {ds.batch = 0 : i64}, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> tensor<4xf32> {
    %0 = ds.all_reduce sum %s : tensor<4xf32>
    %even = arith.cmpi eq, %i, %c0 : index
    scf.if %even {
      ds.barrier
    }
    %1 = arith.addf %0, %x : tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----
// CHECK-LABEL: func.func @other_buffers_may_be_used_in_flight(
func.func @other_buffers_may_be_used_in_flight(%a: memref<4xf32>, %b: memref<4xf32>, %i: index) {
  %v = arith.constant 0.0 : f32
  %p = ds.all_reduce_start sum %a : memref<4xf32>
  memref.store %v, %b[%i] : memref<4xf32>
  %view = memref.cast %a : memref<4xf32> to memref<?xf32>
  ds.wait %p, %a : memref<4xf32>
  memref.store %v, %a[%i] : memref<4xf32>
  return
}

// -----
module attributes {ds.config = #ds.config<device_num = 4>} {
// CHECK-LABEL: func.func @ranks_that_exist(
func.func @ranks_that_exist(%a: tensor<8xf32>, %s: tensor<2xf32>, %h: tensor<4xf32>) {
  %0 = ds.all_reduce sum %a {group = array<i64: 0, 3>} : tensor<8xf32>
  %1 = ds.broadcast %a from 3 : tensor<8xf32>
  %2 = ds.reduce_scatter sum %a into %s along 0 : tensor<8xf32> into tensor<2xf32>
  %3 = ds.all_gather %s into %a along 0 : tensor<2xf32> into tensor<8xf32>
  %4 = ds.reduce_scatter sum %a into %h along 0 {group = array<i64: 0, 1>} : tensor<8xf32> into tensor<4xf32>
  %5 = ds.all_to_all %a into %a split 0 concat 0 : tensor<8xf32> into tensor<8xf32>
  %6 = ds.collective_permute %a into %a from [1, 2, 3, -1] : tensor<8xf32> into tensor<8xf32>
  return
}
}

// -----
// CHECK-LABEL: func.func @equal_groups_roots_and_calls_in_both_branches(
func.func private @both(tensor<4xf32>)
func.func @equal_groups_roots_and_calls_in_both_branches(%a: tensor<4xf32>) {
  %r = ds.rank : index
  %c0 = arith.constant 0 : index
  %first = arith.cmpi eq, %r, %c0 : index
  scf.if %first {
    %0 = ds.all_reduce sum %a {group = array<i64: 0, 1>} : tensor<4xf32>
    %1 = ds.broadcast %0 from 1 : tensor<4xf32>
    func.call @both(%1) : (tensor<4xf32>) -> ()
  } else {
    %0 = ds.all_reduce sum %a {group = array<i64: 0, 1>} : tensor<4xf32>
    %1 = ds.broadcast %a from 1 : tensor<4xf32>
    func.call @both(%a) : (tensor<4xf32>) -> ()
  }
  return
}

// -----
// CHECK-LABEL: func.func @a_sum_over_all_ranks_is_equal(
func.func @a_sum_over_all_ranks_is_equal(%x: tensor<4xf32> {ds.batch = 0 : i64}) {
  %a = ds.all_reduce sum %x : tensor<4xf32>
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %v = tensor.extract %a[%c0] : tensor<4xf32>
  %go = arith.cmpf ogt, %v, %zero : f32
  scf.if %go {
    ds.barrier
  }
  return
}

// -----
// CHECK-LABEL: func.func @a_broadcast_to_all_ranks_is_equal(
func.func @a_broadcast_to_all_ranks_is_equal(%x: tensor<4xf32> {ds.batch = 0 : i64}) {
  %a = ds.broadcast %x from 0 : tensor<4xf32>
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %v = tensor.extract %a[%c0] : tensor<4xf32>
  %go = arith.cmpf ogt, %v, %zero : f32
  scf.if %go {
    ds.barrier
  }
  return
}

// -----
// CHECK-LABEL: func.func @samples_gathered_from_all_ranks_are_equal(
func.func @samples_gathered_from_all_ranks_are_equal(%x: tensor<2xf32> {ds.batch = 0 : i64}, %o: tensor<4xf32>) {
  %a = ds.all_gather %x into %o along 0 : tensor<2xf32> into tensor<4xf32>
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %v = tensor.extract %a[%c0] : tensor<4xf32>
  %go = arith.cmpf ogt, %v, %zero : f32
  scf.if %go {
    ds.barrier
  }
  return
}

// -----
// CHECK-LABEL: func.func @a_started_sum_over_all_ranks_is_equal(
func.func @a_started_sum_over_all_ranks_is_equal(%x: tensor<4xf32> {ds.batch = 0 : i64}) {
  %t, %p = ds.all_reduce_start sum %x : tensor<4xf32>
  %a = ds.wait %p, %t : tensor<4xf32>
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %v = tensor.extract %a[%c0] : tensor<4xf32>
  %go = arith.cmpf ogt, %v, %zero : f32
  scf.if %go {
    ds.barrier
  }
  return
}

// -----
// CHECK-LABEL: func.func @a_loop_beside_samples_carries_what_is_equal(
func.func @a_loop_beside_samples_carries_what_is_equal(%x: tensor<4xf32> {ds.batch = 0 : i64}, %y: tensor<4xf32>, %n: index) {
  %zeroth = arith.constant 0 : index
  %one = arith.constant 1 : index
  %a, %b = scf.for %i = %zeroth to %n step %one iter_args(%s = %y, %t = %x) -> (tensor<4xf32>, tensor<4xf32>) {
    %d = arith.addf %s, %y : tensor<4xf32>
    %u = arith.addf %s, %t : tensor<4xf32>
    scf.yield %d, %u : tensor<4xf32>, tensor<4xf32>
  }
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %v = tensor.extract %a[%c0] : tensor<4xf32>
  %go = arith.cmpf ogt, %v, %zero : f32
  scf.if %go {
    ds.barrier
  }
  return
}

// -----
// Samples go round, but what decides is the sum over all ranks.
// CHECK-LABEL: func.func @a_while_loop_over_samples_that_decides_together(
func.func @a_while_loop_over_samples_that_decides_together(%a: tensor<4xf32> {ds.batch = 0 : i64}) {
  %c0 = arith.constant 0 : index
  %limit = arith.constant 1.0 : f32
  %r = scf.while (%x = %a) : (tensor<4xf32>) -> tensor<4xf32> {
    %s = ds.all_reduce sum %x : tensor<4xf32>
    %v = tensor.extract %s[%c0] : tensor<4xf32>
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

// Ranks that meet along dp have the same number along tp.
module attributes {ds.config = #ds.config<mesh = "dp=2,tp=2", device_num = 4>} {
  // CHECK-LABEL: func.func @alike_along_the_axis
  func.func @alike_along_the_axis(%a: tensor<4xf32>) -> tensor<4xf32> {
    %r = ds.rank {group = ["tp"]} : index
    %zero = arith.constant 0 : index
    %c = arith.cmpi eq, %r, %zero : index
    %v = scf.if %c -> tensor<4xf32> {
      %s = ds.all_reduce sum %a {group = ["dp"]} : tensor<4xf32>
      scf.yield %s : tensor<4xf32>
    } else {
      scf.yield %a : tensor<4xf32>
    }
    return %v : tensor<4xf32>
  }
}
