// RUN: ds-opt %s -split-input-file -ds-tighten-windows | FileCheck %s

#window = affine_map<(n, row, k) -> (n, row * 2 + k)>
#k = affine_map<(n, row, k) -> (k)>
#out = affine_map<(n, row, k) -> (n, row)>

// CHECK-LABEL: @cuts_what_a_single_window_leaves_over
// CHECK: %[[READ:.*]] = tensor.extract_slice %{{.*}}[0, 0] [4, 2] [1, 1] : tensor<4x3xf32> to tensor<4x2xf32>
// CHECK: ins(%[[READ]],
func.func @cuts_what_a_single_window_leaves_over(%x: tensor<4x3xf32>, %w: tensor<2xf32>, %o: tensor<4x1xf32>) -> tensor<4x1xf32> {
  %0 = linalg.generic {indexing_maps = [#window, #k, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<4x3xf32>, tensor<2xf32>) outs(%o : tensor<4x1xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<4x1xf32>
  return %0 : tensor<4x1xf32>
}

// -----

#window = affine_map<(n, row, k) -> (n, row * 2 + k)>
#k = affine_map<(n, row, k) -> (k)>
#out = affine_map<(n, row, k) -> (n, row)>

// Two windows: no loop is folded away, the fifth element may stay.
// CHECK-LABEL: @leaves_several_windows
// CHECK-NOT: tensor.extract_slice
func.func @leaves_several_windows(%x: tensor<4x5xf32>, %w: tensor<2xf32>, %o: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %0 = linalg.generic {indexing_maps = [#window, #k, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<4x5xf32>, tensor<2xf32>) outs(%o : tensor<4x2xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// -----

#window = affine_map<(n, row, k) -> (n, row * 2 + k)>
#k = affine_map<(n, row, k) -> (k)>
#out = affine_map<(n, row, k) -> (n, row)>

// CHECK-LABEL: @leaves_a_window_that_reads_everything
// CHECK-NOT: tensor.extract_slice
func.func @leaves_a_window_that_reads_everything(%x: tensor<1x2xf32>, %w: tensor<2xf32>, %o: tensor<1x1xf32>) -> tensor<1x1xf32> {
  %0 = linalg.generic {indexing_maps = [#window, #k, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<1x2xf32>, tensor<2xf32>) outs(%o : tensor<1x1xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<1x1xf32>
  return %0 : tensor<1x1xf32>
}
