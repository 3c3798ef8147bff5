// RUN: ds-opt %s --ds-return-buffers | FileCheck %s

// CHECK-LABEL: func.func @results_are_read_at_the_end(
// CHECK-SAME: -> (memref<4xf32> {ds.updates = "w"}, memref<2x0xi1> {ds.metric = "m"})
// CHECK: %[[N:.*]] = arith.negf
// CHECK: %[[A:.*]] = bufferization.to_buffer %[[N]] read_only : tensor<4xf32> to memref<4xf32>
// CHECK: %[[B:.*]] = bufferization.to_buffer %{{.*}} read_only : tensor<2x0xi1> to memref<2x0xi1>
// CHECK: return %[[A]], %[[B]] : memref<4xf32>, memref<2x0xi1>
func.func @results_are_read_at_the_end(%w: tensor<4xf32> {ds.param = "w"}, %m: tensor<2x0xi1>) -> (tensor<4xf32> {ds.updates = "w"}, tensor<2x0xi1> {ds.metric = "m"}) {
  %n = arith.negf %w : tensor<4xf32>
  return %n, %m : tensor<4xf32>, tensor<2x0xi1>
}

// CHECK-LABEL: func.func @buffers_stay(
// CHECK-NEXT: return %{{.*}} : memref<4xf32>
func.func @buffers_stay(%w: memref<4xf32>) -> memref<4xf32> {
  return %w : memref<4xf32>
}
