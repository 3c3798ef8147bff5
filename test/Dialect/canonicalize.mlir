// RUN: ds-opt %s --canonicalize --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @gradient_of_gradient_is_one_mark(
// CHECK-COUNT-1: ds.gradient
// CHECK-NEXT: return
func.func @gradient_of_gradient_is_one_mark(%a: tensor<4xf32>) -> tensor<4xf32> {
  %g = ds.gradient %a of "w" : tensor<4xf32>
  %h = ds.gradient %g of "w" : tensor<4xf32>
  return %h : tensor<4xf32>
}

// -----
// CHECK-LABEL: func.func @tied_weights_keep_both_marks(
// CHECK-COUNT-2: ds.gradient
func.func @tied_weights_keep_both_marks(%a: tensor<4xf32>) -> tensor<4xf32> {
  %g = ds.gradient %a of "w" : tensor<4xf32>
  %h = ds.gradient %g of "v" : tensor<4xf32>
  return %h : tensor<4xf32>
}

// -----
// CHECK-LABEL: func.func @a_pin_is_kept(
// CHECK-COUNT-2: ds.gradient
func.func @a_pin_is_kept(%a: tensor<4xf32>) -> tensor<4xf32> {
  %g = ds.gradient %a of "w" : tensor<4xf32>
  %h = ds.gradient %g of "w" {pinned} : tensor<4xf32>
  return %h : tensor<4xf32>
}

// -----
module attributes {ds.config = #ds.config<device_num = 4>} {
// CHECK-LABEL: func.func @configured_ranks_are_a_constant(
// CHECK: %[[N:.*]] = arith.constant 4 : index
// CHECK: %[[R:.*]] = ds.rank : index
// CHECK: return %[[N]], %[[R]]
func.func @configured_ranks_are_a_constant() -> (index, index) {
  %n = ds.num_ranks : index
  %r = ds.rank : index
  return %n, %r : index, index
}
// CHECK-LABEL: func.func @four_ranks_meet(
// CHECK: ds.all_reduce
func.func @four_ranks_meet(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = ds.all_reduce sum %a : tensor<4xf32>
  return %r : tensor<4xf32>
}
}

// -----
module attributes {ds.config = {device_num = 1 : i64}} {
// CHECK-LABEL: func.func @one_rank_meets_nobody(
// CHECK-SAME: %[[A:.*]]: tensor<4xf32>, %{{.*}}: memref<4xf32>, %{{.*}}: memref<4xf32>)
// CHECK-NEXT: %[[R:.*]] = arith.constant 0 : index
// CHECK-NEXT: ds.all_to_all
// CHECK-NEXT: return %[[A]], %[[R]]
func.func @one_rank_meets_nobody(%a: tensor<4xf32>, %b: memref<4xf32>, %c: memref<4xf32>) -> (tensor<4xf32>, index) {
  ds.all_to_all %b into %c split 0 concat 0 : memref<4xf32> into memref<4xf32>
  %x = ds.all_to_all %a into %a split 0 concat 0 : tensor<4xf32> into tensor<4xf32>
  %r = ds.all_reduce sum %x : tensor<4xf32>
  ds.all_reduce sum %b : memref<4xf32>
  %i = ds.rank : index
  return %r, %i : tensor<4xf32>, index
}
}

// -----
// CHECK-LABEL: func.func @who_receives_from_itself_keeps_its_value(
// CHECK-SAME: %[[A:.*]]: tensor<4xf32>, %[[B:.*]]: memref<4xf32>, %[[C:.*]]: memref<4xf32>)
// CHECK-NEXT: ds.collective_permute %[[B]] into %[[C]] from [0, 1]
// CHECK-NEXT: return %[[A]], %[[A]]
func.func @who_receives_from_itself_keeps_its_value(%a: tensor<4xf32>, %b: memref<4xf32>, %c: memref<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %0:2 = ds.collective_permute %a, %a into %e, %e from [0, 1, 2] : tensor<4xf32>, tensor<4xf32> into tensor<4xf32>, tensor<4xf32>
  ds.collective_permute %b into %c from [0, 1] : memref<4xf32> into memref<4xf32>
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}

// -----
// CHECK-LABEL: func.func @who_receives_from_others_meets_them(
// CHECK-COUNT-2: ds.collective_permute
// CHECK-NOT: ds.collective_permute
func.func @who_receives_from_others_meets_them(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %0 = ds.collective_permute %a into %e from [0, 2, 1] : tensor<4xf32> into tensor<4xf32>
  %1 = ds.collective_permute %a into %e from [0, -1] : tensor<4xf32> into tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----
// CHECK-LABEL: func.func @a_group_of_one_meets_nobody(
// CHECK-SAME: %[[A:.*]]: tensor<4xf32>
// CHECK-NEXT: return %[[A]]
func.func @a_group_of_one_meets_nobody(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = ds.all_reduce sum %a {group = array<i64: 2>} : tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----
// The number of ranks is known at run time only: nothing may be folded.
// CHECK-LABEL: func.func @unknown_ranks_meet(
// CHECK: ds.all_reduce
// CHECK: ds.num_ranks
func.func @unknown_ranks_meet(%a: tensor<4xf32>) -> (tensor<4xf32>, index) {
  %r = ds.all_reduce sum %a : tensor<4xf32>
  %n = ds.num_ranks : index
  return %r, %n : tensor<4xf32>, index
}
