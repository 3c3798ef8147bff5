// RUN: ds-opt %s -ds-expand-once | FileCheck %s

// CHECK-LABEL: func.func @a_scalar_counts_on_rank_zero
// CHECK-SAME: %[[X:.*]]: f32
func.func @a_scalar_counts_on_rank_zero(%x: f32) -> f32 {
  // CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : index
  // CHECK-DAG: %[[RANK:.*]] = ds.rank
  // CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[RANK]], %[[ZERO]]
  // CHECK: %[[NOTHING:.*]] = arith.constant 0.0
  // CHECK: arith.select %[[FIRST]], %[[X]], %[[NOTHING]] : f32
  %y = ds.once sum %x : f32
  return %y : f32
}

// CHECK-LABEL: func.func @a_factor_is_one_elsewhere
func.func @a_factor_is_one_elsewhere(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: linalg.generic
  // CHECK: %[[ONE:.*]] = arith.constant 1.0
  // CHECK: arith.select %{{.*}}, %{{.*}}, %[[ONE]] : f32
  %y = ds.once prod %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @a_maximum_of_equals_needs_nothing
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>
func.func @a_maximum_of_equals_needs_nothing(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = ds.once max %x : tensor<4xf32>
  // CHECK: return %[[X]]
  return %y : tensor<4xf32>
}
