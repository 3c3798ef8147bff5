// RUN: ds-opt %s -split-input-file -ds-expand-windows | FileCheck %s

#window = affine_map<(n, row, column, k, l) -> (n, row * 2 + k, column * 3 + l)>
#size = affine_map<(n, row, column, k, l) -> (k, l)>
#out = affine_map<(n, row, column, k, l) -> (n, row, column)>

// CHECK-DAG: #[[$PARTS:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d2, d4)>
// CHECK-LABEL: func.func @side_by_side
// CHECK: %[[X:.*]] = tensor.expand_shape %{{.*}} {{\[}}[0], [1, 2], [3, 4]] output_shape [4, 3, 2, 5, 3] : tensor<4x6x15xf32> into tensor<4x3x2x5x3xf32>
// CHECK: linalg.generic {indexing_maps = [#[[$PARTS]], {{.*}} ins(%[[X]], %{{.*}} : tensor<4x3x2x5x3xf32>, tensor<2x3xf32>)
func.func @side_by_side(%x: tensor<4x6x15xf32>, %init: tensor<4x3x5xf32>) -> tensor<4x3x5xf32> {
  %shape = tensor.empty() : tensor<2x3xf32>
  %0 = linalg.generic {indexing_maps = [#window, #size, #out], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %shape : tensor<4x6x15xf32>, tensor<2x3xf32>) outs(%init : tensor<4x3x5xf32>) {
  ^bb0(%a: f32, %unused: f32, %b: f32):
    %1 = arith.maximumf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<4x3x5xf32>
  return %0 : tensor<4x3x5xf32>
}

// -----

#window = affine_map<(n, row, k) -> (n, row * 2 + k)>
#size = affine_map<(n, row, k) -> (k)>
#out = affine_map<(n, row, k) -> (n, row)>

// Windows that overlap, and a last element that no window reads.
// CHECK-LABEL: func.func @overlapping
// CHECK-NOT: tensor.expand_shape
func.func @overlapping(%x: tensor<4x7xf32>, %init: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %shape = tensor.empty() : tensor<3xf32>
  %0 = linalg.generic {indexing_maps = [#window, #size, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %shape : tensor<4x7xf32>, tensor<3xf32>) outs(%init : tensor<4x3xf32>) {
  ^bb0(%a: f32, %unused: f32, %b: f32):
    %1 = arith.maximumf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// CHECK-LABEL: func.func @a_rest
// CHECK-NOT: tensor.expand_shape
func.func @a_rest(%x: tensor<4x7xf32>, %init: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %shape = tensor.empty() : tensor<2xf32>
  %0 = linalg.generic {indexing_maps = [#window, #size, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %shape : tensor<4x7xf32>, tensor<2xf32>) outs(%init : tensor<4x3xf32>) {
  ^bb0(%a: f32, %unused: f32, %b: f32):
    %1 = arith.maximumf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// A convolution stays: the library knows its strides.
// CHECK-LABEL: func.func @convolution
// CHECK-NOT: tensor.expand_shape
func.func @convolution(%x: tensor<4x6xf32>, %w: tensor<2xf32>, %init: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %0 = linalg.generic {indexing_maps = [#window, #size, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<4x6xf32>, tensor<2xf32>) outs(%init : tensor<4x3xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}
