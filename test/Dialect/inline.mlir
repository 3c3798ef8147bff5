// Calls of functions with ds operations are inlined; without the dialect's interface they would silently stay.
// RUN: ds-opt %s --inline | FileCheck %s

func.func private @exchange(%a: tensor<4xf32>) -> tensor<4xf32> {
  %g = ds.gradient %a of "w" : tensor<4xf32>
  %r = ds.all_reduce sum %g : tensor<4xf32>
  ds.barrier
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @step(
// CHECK-NEXT: ds.gradient
// CHECK-NEXT: ds.all_reduce
// CHECK-NEXT: ds.barrier
// CHECK-NEXT: return
func.func @step(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = call @exchange(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
