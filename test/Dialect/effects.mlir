// No pass drops, merges or moves a collective, whether its result is used or not.
// RUN: ds-opt %s --cse --canonicalize --loop-invariant-code-motion --symbol-dce --remove-dead-values | FileCheck %s

// CHECK-LABEL: func.func @equal_all_reduces_stay(
// CHECK-COUNT-2: ds.all_reduce sum
// CHECK-NOT: ds.all_reduce
// CHECK: return
func.func @equal_all_reduces_stay(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %r = ds.all_reduce sum %a : tensor<4xf32>
  %s = ds.all_reduce sum %a : tensor<4xf32>
  return %r, %s : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @unused_results_stay(
// CHECK: ds.all_reduce max
// CHECK: ds.broadcast
// CHECK: ds.reduce_scatter
// CHECK: ds.all_gather
// CHECK: ds.all_to_all
// CHECK: ds.collective_permute
// CHECK: ds.all_reduce_start
// CHECK: ds.wait
// CHECK: ds.barrier
func.func @unused_results_stay(%a: tensor<4xf32>, %s: tensor<2xf32>) {
  %0 = ds.all_reduce max %a : tensor<4xf32>
  %1 = ds.broadcast %a from 0 : tensor<4xf32>
  %2 = ds.reduce_scatter sum %a into %s along 0 : tensor<4xf32> into tensor<2xf32>
  %3 = ds.all_gather %s into %a along 0 : tensor<2xf32> into tensor<4xf32>
  %5 = ds.all_to_all %a into %a split 0 concat 0 : tensor<4xf32> into tensor<4xf32>
  %6 = ds.collective_permute %a into %a from [1, 0] : tensor<4xf32> into tensor<4xf32>
  %t, %p = ds.all_reduce_start sum %a : tensor<4xf32>
  %4 = ds.wait %p, %t : tensor<4xf32>
  ds.barrier
  return
}

// CHECK-LABEL: func.func @invariant_all_reduce_stays_in_the_loop(
// CHECK: scf.for
// CHECK-NEXT: ds.all_reduce
func.func @invariant_all_reduce_stays_in_the_loop(%a: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a) -> tensor<4xf32> {
    %x = ds.all_reduce sum %a : tensor<4xf32>
    scf.yield %x : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @marks_and_identities_are_pure(
// CHECK-NEXT: return
func.func @marks_and_identities_are_pure(%a: tensor<4xf32>) {
  %g = ds.gradient %a of "w" : tensor<4xf32>
  %r = ds.rank : index
  %n = ds.num_ranks : index
  return
}

// CHECK-LABEL: func.func @loads_do_not_cross_an_all_reduce(
// CHECK: memref.load
// CHECK: ds.all_reduce
// CHECK: memref.load
func.func @loads_do_not_cross_an_all_reduce(%a: memref<f32>) -> (f32, f32) {
  %x = memref.load %a[] : memref<f32>
  ds.all_reduce sum %a : memref<f32>
  %y = memref.load %a[] : memref<f32>
  return %x, %y : f32, f32
}

// What is gathered is written, though it is not read.
// CHECK-LABEL: func.func @loads_do_not_cross_an_all_gather(
// CHECK: memref.load
// CHECK: ds.all_gather
// CHECK: memref.load
func.func @loads_do_not_cross_an_all_gather(%s: memref<2xf32>, %a: memref<4xf32>) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %x = memref.load %a[%c0] : memref<4xf32>
  ds.all_gather %s into %a along 0 : memref<2xf32> into memref<4xf32>
  %y = memref.load %a[%c0] : memref<4xf32>
  return %x, %y : f32, f32
}

// What leaves is only read, what arrives is only written.
// CHECK-LABEL: func.func @loads_do_not_cross_an_exchange(
// CHECK: memref.load
// CHECK: ds.all_to_all
// CHECK-COUNT-2: memref.load
// CHECK-NOT: memref.load
func.func @loads_do_not_cross_an_exchange(%s: memref<4xf32>, %a: memref<4xf32>) -> (f32, f32, f32, f32) {
  %c0 = arith.constant 0 : index
  %w = memref.load %s[%c0] : memref<4xf32>
  ds.all_to_all %s into %a split 0 concat 0 : memref<4xf32> into memref<4xf32>
  %x = memref.load %s[%c0] : memref<4xf32>
  %y = memref.load %a[%c0] : memref<4xf32>
  %z = memref.load %a[%c0] : memref<4xf32>
  return %w, %x, %y, %z : f32, f32, f32, f32
}

// CHECK-LABEL: func.func @loads_do_not_cross_a_permutation(
// CHECK: memref.load
// CHECK: ds.collective_permute
// CHECK-COUNT-2: memref.load
// CHECK-NOT: memref.load
func.func @loads_do_not_cross_a_permutation(%s: memref<4xf32>, %a: memref<4xf32>) -> (f32, f32, f32, f32) {
  %c0 = arith.constant 0 : index
  %w = memref.load %s[%c0] : memref<4xf32>
  ds.collective_permute %s into %a from [1, 0] : memref<4xf32> into memref<4xf32>
  %x = memref.load %s[%c0] : memref<4xf32>
  %y = memref.load %a[%c0] : memref<4xf32>
  %z = memref.load %a[%c0] : memref<4xf32>
  return %w, %x, %y, %z : f32, f32, f32, f32
}
