// RUN: ds-opt %s --ds-cut-aliases | FileCheck %s
// RUN: %python %bench/long_steps.py --print slices 100 | ds-opt --ds-cut-aliases | FileCheck %s --check-prefix=LONG

// A chain of values that may be in one memory is cut after 32 of them. Short ones stay as they are.
// LONG-COUNT-6: bufferization.alloc_tensor() copy(
// LONG-NOT: bufferization.alloc_tensor

// CHECK-LABEL: func.func @short_chains_stay(
// CHECK-NOT: bufferization.alloc_tensor
// CHECK: return
func.func @short_chains_stay(%v: tensor<3xf32>, %s: tensor<1xf32>) -> tensor<3xf32> {
  %a = tensor.insert_slice %s into %v[0] [1] [1] : tensor<1xf32> into tensor<3xf32>
  %b = tensor.insert_slice %s into %a[1] [1] [1] : tensor<1xf32> into tensor<3xf32>
  return %b : tensor<3xf32>
}

// CHECK-LABEL: func.func @calls_are_left_to_the_pass_that_refuses_them(
func.func private @elsewhere(tensor<3xf32>) -> tensor<3xf32>
func.func @calls_are_left_to_the_pass_that_refuses_them(%v: tensor<3xf32>) -> tensor<3xf32> {
  // CHECK: call @elsewhere
  %a = call @elsewhere(%v) : (tensor<3xf32>) -> tensor<3xf32>
  return %a : tensor<3xf32>
}
