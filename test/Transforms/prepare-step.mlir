// RUN: ds-opt %s --ds-prepare-step | FileCheck %s

// An operand that no body reads is no input: a gradient is linear in its error here, whatever is made of the error's square.
// CHECK-LABEL: @unread
// CHECK-SAME: (%[[E:.*]]: tensor<4xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[E]] : tensor<4xf32>)
// CHECK-NOT: linalg.generic
func.func @unread(%error: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %two = arith.constant 2.0 : f32
  %square = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%error : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.mulf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %gradient = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%error, %square : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %unread: f32, %o: f32):
    %s = arith.mulf %a, %two : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %gradient : tensor<4xf32>
}
