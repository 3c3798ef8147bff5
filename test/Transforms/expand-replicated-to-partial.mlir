// RUN: ds-opt %s -ds-expand-replicated-to-partial | FileCheck %s

// CHECK-LABEL: func.func @a_scalar_counts_on_rank_zero
// CHECK-SAME: %[[X:.*]]: f32
func.func @a_scalar_counts_on_rank_zero(%x: f32) -> f32 {
  // CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : index
  // CHECK-DAG: %[[RANK:.*]] = ds.rank
  // CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[RANK]], %[[ZERO]]
  // CHECK: %[[NOTHING:.*]] = arith.constant 0.0
  // CHECK: arith.select %[[FIRST]], %[[X]], %[[NOTHING]] : f32
  %y = ds.replicated_to_partial sum %x : f32
  return %y : f32
}

// CHECK-LABEL: func.func @a_factor_is_one_elsewhere
func.func @a_factor_is_one_elsewhere(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: linalg.generic
  // CHECK: %[[ONE:.*]] = arith.constant 1.0
  // CHECK: arith.select %{{.*}}, %{{.*}}, %[[ONE]] : f32
  %y = ds.replicated_to_partial prod %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @a_maximum_of_equals_needs_nothing
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>
func.func @a_maximum_of_equals_needs_nothing(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = ds.replicated_to_partial max %x : tensor<4xf32>
  // CHECK: return %[[X]]
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @integers_count_on_rank_zero
func.func @integers_count_on_rank_zero(%x: tensor<4xi32>, %y: i64) -> (tensor<4xi32>, i64) {
  // CHECK: linalg.generic
  // CHECK: %[[ZERO:.*]] = arith.constant 0 : i32
  // CHECK: arith.select %{{.*}}, %{{.*}}, %[[ZERO]] : i32
  %r = ds.replicated_to_partial sum %x : tensor<4xi32>
  // CHECK: %[[ONE:.*]] = arith.constant 1 : i64
  // CHECK: arith.select %{{.*}}, %{{.*}}, %[[ONE]] : i64
  %s = ds.replicated_to_partial prod %y : i64
  return %r, %s : tensor<4xi32>, i64
}

// CHECK-LABEL: func.func @a_minimum_of_equals_needs_nothing
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>
func.func @a_minimum_of_equals_needs_nothing(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = ds.replicated_to_partial min %x : tensor<4xf32>
  // CHECK: return %[[X]]
  return %y : tensor<4xf32>
}

// What a sum starts from is nothing on all ranks: no rank asks for its number.
// CHECK-LABEL: func.func @zeros_are_zeros_everywhere
func.func @zeros_are_zeros_everywhere() -> (tensor<2x4xf32>, tensor<4xi32>, tensor<f32>) {
  // CHECK-NOT: ds.rank
  // CHECK-NOT: arith.select
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<8xf32>) -> tensor<8xf32>
  %view = tensor.expand_shape %fill [[0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
  %x = ds.replicated_to_partial sum %view : tensor<2x4xf32>
  %integers = arith.constant dense<0> : tensor<4xi32>
  %y = ds.replicated_to_partial sum %integers : tensor<4xi32>
  %one = arith.constant dense<1.0> : tensor<f32>
  %z = ds.replicated_to_partial prod %one : tensor<f32>
  // CHECK: return
  return %x, %y, %z : tensor<2x4xf32>, tensor<4xi32>, tensor<f32>
}

// Ones are no zeros, several values are not one, and -0.0 on rank 0 beside 0.0 elsewhere is not -0.0.
// CHECK-LABEL: func.func @other_constants_count_on_rank_zero
func.func @other_constants_count_on_rank_zero() -> (tensor<4xf32>, tensor<2xf32>, f32) {
  // CHECK-COUNT-3: arith.select
  %ones = arith.constant dense<1.0> : tensor<4xf32>
  %x = ds.replicated_to_partial sum %ones : tensor<4xf32>
  %two = arith.constant dense<[0.0, 1.0]> : tensor<2xf32>
  %y = ds.replicated_to_partial sum %two : tensor<2xf32>
  %minus = arith.constant -0.0 : f32
  %z = ds.replicated_to_partial sum %minus : f32
  return %x, %y, %z : tensor<4xf32>, tensor<2xf32>, f32
}
