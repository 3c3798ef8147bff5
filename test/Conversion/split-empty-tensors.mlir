// RUN: ds-opt %s -ds-split-empty-tensors | FileCheck %s

// Shared fills would become one fill and copies of it.
// CHECK-LABEL: @gives_every_use_its_own_fill
// CHECK-DAG: %[[E0:.*]] = tensor.empty()
// CHECK-DAG: %[[F0:.*]] = linalg.fill ins({{.*}}) outs(%[[E0]]
// CHECK-DAG: %[[E1:.*]] = tensor.empty()
// CHECK-DAG: %[[F1:.*]] = linalg.fill ins({{.*}}) outs(%[[E1]]
// CHECK-DAG: linalg.matmul ins(%arg0, %arg1 : {{.*}}) outs(%[[F0]]
// CHECK-DAG: linalg.matmul ins(%arg1, %arg0 : {{.*}}) outs(%[[F1]]
func.func @gives_every_use_its_own_fill(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %x = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
  %y = linalg.matmul ins(%b, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %x, %y : tensor<4x4xf32>, tensor<4x4xf32>
}
