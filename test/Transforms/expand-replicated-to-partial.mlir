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
