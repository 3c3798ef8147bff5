// RUN: ds-opt %s --ds-insert-all-reduce | FileCheck %s

// psum of what all ranks have alike is n times it; its maximum is itself.
module attributes {ds.config = #ds.config<batch = local, device_num = 4>} {
// CHECK-LABEL: func.func @counts_a_replicated_value_in_a_sum_alone
func.func @counts_a_replicated_value_in_a_sum_alone(%w: tensor<4xf32> {ds.param = "w"}, %x: tensor<2x4xf32> {ds.batch = 0 : i64})
    -> (tensor<4xf32> {ds.updates = "w"}) {
  // CHECK: %[[SUM:.*]] = ds.all_reduce sum %arg0
  // CHECK-NOT: ds.all_reduce
  // CHECK: %[[NEW:.*]] = arith.addf %[[SUM]], %arg0
  // CHECK: return %[[NEW]]
  %sum = ds.combine sum %w : tensor<4xf32>
  %max = ds.combine max %w : tensor<4xf32>
  %new = arith.addf %sum, %max : tensor<4xf32>
  return %new : tensor<4xf32>
}
}
