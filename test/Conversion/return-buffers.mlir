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

// RUN: %python %bench/long_steps.py --print updates 300 | ds-opt --convert-elementwise-to-linalg --ds-return-buffers | FileCheck %s --check-prefix=MANY

// 300 parameters read one gradient, 64 of them each tensor of its memory, which nobody writes to.
// MANY: %[[SUM:.*]] = linalg.reduce
// MANY-NEXT: %[[READ:.*]] = bufferization.to_buffer %[[SUM]] read_only : tensor<2xf32> to memref<2xf32>
// MANY-COUNT-5: bufferization.to_tensor %[[READ]] restrict : memref<2xf32> to tensor<2xf32>
// MANY-NOT: %[[SUM]]{{[ ,]}}
