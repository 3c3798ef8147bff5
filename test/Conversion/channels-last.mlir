// RUN: ds-opt %s -split-input-file -ds-channels-last | FileCheck %s
// RUN: ds-opt %s -split-input-file -ds-channels-last=narrow=true | FileCheck %s --check-prefix=NARROW

#image = affine_map<(n, o, y, x, c, i, j) -> (n, c, y + i, x + j)>
#weights = affine_map<(n, o, y, x, c, i, j) -> (o, c, i, j)>
#result = affine_map<(n, o, y, x, c, i, j) -> (n, o, y, x)>
#id = affine_map<(n, o, y, x) -> (n, o, y, x)>
#bias = affine_map<(n, o, y, x) -> (o)>

// What lies between two convolutions is written and read as they want it; arguments and results of the step stay.
// CHECK-DAG: #[[$FIRST:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 + d5, d3 + d6)>
// CHECK-DAG: #[[$WEIGHTS:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d4, d5, d6)>
// CHECK-DAG: #[[$LAST:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d2, d3, d1)>
// CHECK-DAG: #[[$IMAGE:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d2 + d5, d3 + d6, d4)>
// CHECK-DAG: #[[$SAME:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[$BIAS:.*]] = affine_map<(d0, d1, d2, d3) -> (d3)>
// A GPU's library wants f32 as it is written.
// NARROW-LABEL: func.func @between_convolutions
// NARROW-NOT: tensor<2x6x6x16xf32>
// NARROW: return
// CHECK-LABEL: func.func @between_convolutions
// CHECK-SAME: %[[X:.*]]: tensor<2x4x8x8xf32>
// CHECK: %[[FIRST:.*]] = linalg.generic {indexing_maps = [#[[$FIRST]], #[[$WEIGHTS]], #[[$LAST]]], {{.*}} ins(%[[X]], {{.*}} outs({{.*}} : tensor<2x6x6x16xf32>)
// CHECK: %[[BIASED:.*]] = linalg.generic {indexing_maps = [#[[$SAME]], #[[$BIAS]], #[[$SAME]]], {{.*}} ins(%[[FIRST]], {{.*}} outs({{.*}} : tensor<2x6x6x16xf32>)
// CHECK: %[[SECOND:.*]] = linalg.generic {indexing_maps = [#[[$IMAGE]], #[[$WEIGHTS]], {{.*}} ins(%[[BIASED]], {{.*}} outs({{.*}} : tensor<2x16x4x4xf32>)
// CHECK: return %[[SECOND]]
func.func @between_convolutions(%x: tensor<2x4x8x8xf32>, %w1: tensor<16x4x3x3xf32>, %b: tensor<16xf32>, %w2: tensor<16x16x3x3xf32>)
    -> tensor<2x16x4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<2x16x6x6xf32>
  %z1 = linalg.generic {indexing_maps = [affine_map<(n, o, y, x) -> ()>, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%zero : f32) outs(%e1 : tensor<2x16x6x6xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<2x16x6x6xf32>
  %c1 = linalg.generic {indexing_maps = [#image, #weights, #result],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w1 : tensor<2x4x8x8xf32>, tensor<16x4x3x3xf32>) outs(%z1 : tensor<2x16x6x6xf32>) {
  ^bb0(%a: f32, %k: f32, %o: f32):
    %m = arith.mulf %a, %k : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x16x6x6xf32>
  %r = linalg.generic {indexing_maps = [#id, #bias, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c1, %b : tensor<2x16x6x6xf32>, tensor<16xf32>) outs(%e1 : tensor<2x16x6x6xf32>) {
  ^bb0(%a: f32, %k: f32, %o: f32):
    %s = arith.addf %a, %k : f32
    linalg.yield %s : f32
  } -> tensor<2x16x6x6xf32>
  %e2 = tensor.empty() : tensor<2x16x4x4xf32>
  %z2 = linalg.generic {indexing_maps = [affine_map<(n, o, y, x) -> ()>, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%zero : f32) outs(%e2 : tensor<2x16x4x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<2x16x4x4xf32>
  %c2 = linalg.generic {indexing_maps = [#image, #weights, #result],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%r, %w2 : tensor<2x16x6x6xf32>, tensor<16x16x3x3xf32>) outs(%z2 : tensor<2x16x4x4xf32>) {
  ^bb0(%a: f32, %k: f32, %o: f32):
    %m = arith.mulf %a, %k : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x16x4x4xf32>
  return %c2 : tensor<2x16x4x4xf32>
}

// -----

#image = affine_map<(n, o, x, c, j) -> (n, c, x + j)>
#weights = affine_map<(n, o, x, c, j) -> (o, c, j)>
#result = affine_map<(n, o, x, c, j) -> (n, o, x)>

// Padding, slices and reshapes follow. What is put into a result of another order is copied, once.
// CHECK: #[[$BACK:.*]] = affine_map<(d0, d1, d2) -> (d0, d2, d1)>
// CHECK-LABEL: func.func @what_follows
// CHECK: %[[C:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<2x6x16xf32>)
// CHECK: %[[BACK:.*]] = linalg.generic {indexing_maps = [#[[$BACK]], #{{.*}}], {{.*}} ins(%[[C]] : tensor<2x6x16xf32>) outs(%{{.*}} : tensor<2x16x6xf32>)
// CHECK: %[[PAIRS:.*]] = tensor.expand_shape %[[C]] {{\[}}[0], [1, 2], [3]] output_shape [2, 3, 2, 16]
// CHECK: %[[FLAT:.*]] = tensor.collapse_shape %[[PAIRS]] {{\[}}[0], [1, 2], [3]]
// CHECK: %[[PART:.*]] = tensor.extract_slice %[[FLAT]][0, 1, 8] [2, 4, 8] [1, 1, 1]
// CHECK: %[[WHOLE:.*]] = tensor.insert_slice %[[PART]] into %{{.*}}[0, 0, 8] [2, 4, 8] [1, 1, 1] : tensor<2x4x8xf32> into tensor<2x4x16xf32>
// CHECK: tensor.pad %[[WHOLE]] low[0, 2, 0] high[0, 1, 0]
// CHECK: return %{{.*}}, %[[BACK]], %[[BACK]]
func.func @what_follows(%x: tensor<2x4x8xf32>, %w1: tensor<16x4x3xf32>, %w2: tensor<8x16x3xf32>, %w3: tensor<8x16x5xf32>)
    -> (tensor<2x8x5xf32>, tensor<2x8x3xf32>, tensor<2x16x6xf32>, tensor<2x16x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x16x6xf32>
  %c = linalg.generic {indexing_maps = [#image, #weights, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w1 : tensor<2x4x8xf32>, tensor<16x4x3xf32>) outs(%e : tensor<2x16x6xf32>) {
  ^bb0(%a: f32, %k: f32, %o: f32):
    %m = arith.mulf %a, %k : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x16x6xf32>
  %pairs = tensor.expand_shape %c [[0], [1], [2, 3]] output_shape [2, 16, 3, 2] : tensor<2x16x6xf32> into tensor<2x16x3x2xf32>
  %flat = tensor.collapse_shape %pairs [[0], [1], [2, 3]] : tensor<2x16x3x2xf32> into tensor<2x16x6xf32>
  %part = tensor.extract_slice %flat[0, 8, 1] [2, 8, 4] [1, 1, 1] : tensor<2x16x6xf32> to tensor<2x8x4xf32>
  %empty = tensor.empty() : tensor<2x16x4xf32>
  %whole = tensor.insert_slice %part into %empty[0, 8, 0] [2, 8, 4] [1, 1, 1] : tensor<2x8x4xf32> into tensor<2x16x4xf32>
  %padded = tensor.pad %whole low[0, 0, 2] high[0, 0, 1] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : f32
  } : tensor<2x16x4xf32> to tensor<2x16x7xf32>
  %f = tensor.empty() : tensor<2x8x5xf32>
  %d = linalg.generic {indexing_maps = [#image, #weights, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%padded, %w2 : tensor<2x16x7xf32>, tensor<8x16x3xf32>) outs(%f : tensor<2x8x5xf32>) {
  ^bb0(%a: f32, %k: f32, %o: f32):
    %m = arith.mulf %a, %k : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x8x5xf32>
  %g = tensor.empty() : tensor<2x8x3xf32>
  %h = linalg.generic {indexing_maps = [#image, #weights, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%padded, %w3 : tensor<2x16x7xf32>, tensor<8x16x5xf32>) outs(%g : tensor<2x8x3xf32>) {
  ^bb0(%a: f32, %k: f32, %o: f32):
    %m = arith.mulf %a, %k : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x8x3xf32>
  return %d, %h, %c, %c : tensor<2x8x5xf32>, tensor<2x8x3xf32>, tensor<2x16x6xf32>, tensor<2x16x6xf32>
}

// -----

#image = affine_map<(n, o, x, c, j) -> (n, c, x + j)>
#weights = affine_map<(n, o, x, c, j) -> (o, c, j)>
#result = affine_map<(n, o, x, c, j) -> (n, o, x)>

// A copy would be saved and another one made: features of a product lie in the order of before.
// CHECK-LABEL: func.func @all_of_it_leaves
// CHECK-NOT: tensor<2x6x16xf32>
// CHECK: return
func.func @all_of_it_leaves(%x: tensor<2x4x8xf32>, %w: tensor<16x4x3xf32>) -> tensor<2x96xf32> {
  %e = tensor.empty() : tensor<2x16x6xf32>
  %c = linalg.generic {indexing_maps = [#image, #weights, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<2x4x8xf32>, tensor<16x4x3xf32>) outs(%e : tensor<2x16x6xf32>) {
  ^bb0(%a: f32, %k: f32, %o: f32):
    %m = arith.mulf %a, %k : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x16x6xf32>
  %rows = tensor.collapse_shape %c [[0], [1, 2]] : tensor<2x16x6xf32> into tensor<2x96xf32>
  return %rows : tensor<2x96xf32>
}

// -----

#image = affine_map<(n, o, x, c, j) -> (n, c, x + j)>
#weights = affine_map<(n, o, x, c, j) -> (o, c, j)>
#result = affine_map<(n, o, x, c, j) -> (n, o, x)>

#id = affine_map<(n, o, x) -> (n, o, x)>
#half = affine_map<(n, o, x) -> (n, o, x, 0)>

// Half of it does.
// CHECK-LABEL: func.func @half_of_it_leaves
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<2x6x16xf32>)
// CHECK: %[[WINDOWS:.*]] = tensor.expand_shape %{{.*}} {{\[}}[0], [1, 2], [3]] output_shape [2, 3, 2, 16]
// CHECK: %[[FIRST:.*]] = linalg.generic {{.*}} ins(%[[WINDOWS]] : tensor<2x3x2x16xf32>) outs(%{{.*}} : tensor<2x3x16xf32>)
// CHECK: %[[BACK:.*]] = linalg.generic {{.*}} ins(%[[FIRST]] : tensor<2x3x16xf32>) outs(%{{.*}} : tensor<2x16x3xf32>)
// CHECK: tensor.collapse_shape %[[BACK]] {{\[}}[0], [1, 2]]
func.func @half_of_it_leaves(%x: tensor<2x4x8xf32>, %w: tensor<16x4x3xf32>) -> tensor<2x48xf32> {
  %e = tensor.empty() : tensor<2x16x6xf32>
  %c = linalg.generic {indexing_maps = [#image, #weights, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<2x4x8xf32>, tensor<16x4x3xf32>) outs(%e : tensor<2x16x6xf32>) {
  ^bb0(%a: f32, %k: f32, %o: f32):
    %m = arith.mulf %a, %k : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x16x6xf32>
  %windows = tensor.expand_shape %c [[0], [1], [2, 3]] output_shape [2, 16, 3, 2] : tensor<2x16x6xf32> into tensor<2x16x3x2xf32>
  %f = tensor.empty() : tensor<2x16x3xf32>
  %first = linalg.generic {indexing_maps = [#half, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%windows : tensor<2x16x3x2xf32>) outs(%f : tensor<2x16x3xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<2x16x3xf32>
  %rows = tensor.collapse_shape %first [[0], [1, 2]] : tensor<2x16x3xf32> into tensor<2x48xf32>
  return %rows : tensor<2x48xf32>
}

// -----

#image = affine_map<(n, o, x, j) -> (n, x + j)>
#weights = affine_map<(n, o, x, j) -> (o, j)>
#result = affine_map<(n, o, x, j) -> (n, o, x)>

// One dimension beside the windows may be samples as well as channels.
// CHECK-LABEL: func.func @samples_or_channels
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<2x16x6xf32>)
func.func @samples_or_channels(%x: tensor<2x8xf32>, %w: tensor<16x3xf32>) -> tensor<2x16x6xf32> {
  %e = tensor.empty() : tensor<2x16x6xf32>
  %c = linalg.generic {indexing_maps = [#image, #weights, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<2x8xf32>, tensor<16x3xf32>) outs(%e : tensor<2x16x6xf32>) {
  ^bb0(%a: f32, %k: f32, %o: f32):
    %m = arith.mulf %a, %k : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x16x6xf32>
  return %c : tensor<2x16x6xf32>
}

// -----

#image = affine_map<(n, o, x, c, j) -> (n, c, x + j)>
#weights = affine_map<(n, o, x, c, j) -> (o, c, j)>
#result = affine_map<(n, o, x, c, j) -> (n, o, x)>
#pairs = affine_map<(n, c, d, x) -> (n, c, d, x)>
#first = affine_map<(n, c, d, x) -> (n, c, x)>
#second = affine_map<(n, c, d, x) -> (n, d, x)>

// Products of two channels: the pairs say that both loops walk channels, the value that is read twice that only one of them does.
// CHECK-LABEL: func.func @pairs_of_channels
// CHECK-NOT: tensor<2x6x
// CHECK: return
func.func @pairs_of_channels(%x: tensor<2x4x8xf32>, %w1: tensor<16x4x3xf32>, %w2: tensor<256x4x3xf32>, %w3: tensor<8x256x3xf32>) -> tensor<2x8x4xf32> {
  %e1 = tensor.empty() : tensor<2x16x6xf32>
  %c = linalg.generic {indexing_maps = [#image, #weights, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w1 : tensor<2x4x8xf32>, tensor<16x4x3xf32>) outs(%e1 : tensor<2x16x6xf32>) {
  ^bb0(%a: f32, %k: f32, %o: f32):
    %m = arith.mulf %a, %k : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x16x6xf32>
  %e2 = tensor.empty() : tensor<2x256x6xf32>
  %d = linalg.generic {indexing_maps = [#image, #weights, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w2 : tensor<2x4x8xf32>, tensor<256x4x3xf32>) outs(%e2 : tensor<2x256x6xf32>) {
  ^bb0(%a: f32, %k: f32, %o: f32):
    %m = arith.mulf %a, %k : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x256x6xf32>
  %both = tensor.expand_shape %d [[0], [1, 2], [3]] output_shape [2, 16, 16, 6] : tensor<2x256x6xf32> into tensor<2x16x16x6xf32>
  %e3 = tensor.empty() : tensor<2x16x16x6xf32>
  %p = linalg.generic {indexing_maps = [#pairs, #first, #second, #pairs], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%both, %c, %c : tensor<2x16x16x6xf32>, tensor<2x16x6xf32>, tensor<2x16x6xf32>) outs(%e3 : tensor<2x16x16x6xf32>) {
  ^bb0(%a: f32, %k: f32, %l: f32, %o: f32):
    %m = arith.mulf %k, %l : f32
    %s = arith.addf %a, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x16x16x6xf32>
  %q = tensor.collapse_shape %p [[0], [1, 2], [3]] : tensor<2x16x16x6xf32> into tensor<2x256x6xf32>
  %e4 = tensor.empty() : tensor<2x8x4xf32>
  %r = linalg.generic {indexing_maps = [#image, #weights, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%q, %w3 : tensor<2x256x6xf32>, tensor<8x256x3xf32>) outs(%e4 : tensor<2x8x4xf32>) {
  ^bb0(%a: f32, %k: f32, %o: f32):
    %m = arith.mulf %a, %k : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x8x4xf32>
  return %r : tensor<2x8x4xf32>
}

// -----

#image = affine_map<(n, o, x, c, j) -> (n, c, x + j)>
#weights = affine_map<(n, o, x, c, j) -> (o, c, j)>
#result = affine_map<(n, o, x, c, j) -> (n, o, x)>

// Libraries of CPUs convolve in f32 alone.
// CHECK-LABEL: func.func @sixteen_bits
// CHECK: tensor<2x16x6xbf16>
// NARROW-LABEL: func.func @sixteen_bits
// NARROW: outs({{.*}} : tensor<2x6x16xbf16>)
// NARROW-NOT: tensor<2x16x6xbf16>
// NARROW: return
func.func @sixteen_bits(%x: tensor<2x4x8xbf16>, %w1: tensor<16x4x3xbf16>, %w2: tensor<8x16x3xbf16>) -> tensor<2x8x4xbf16> {
  %zero = arith.constant 0.0 : bf16
  %e1 = tensor.empty() : tensor<2x16x6xbf16>
  %z1 = linalg.generic {indexing_maps = [affine_map<(n, o, x) -> (n, o, x)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%e1 : tensor<2x16x6xbf16>) {
  ^bb0(%o: bf16):
    linalg.yield %zero : bf16
  } -> tensor<2x16x6xbf16>
  %c = linalg.generic {indexing_maps = [#image, #weights, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w1 : tensor<2x4x8xbf16>, tensor<16x4x3xbf16>) outs(%z1 : tensor<2x16x6xbf16>) {
  ^bb0(%a: bf16, %k: bf16, %o: bf16):
    %m = arith.mulf %a, %k : bf16
    %s = arith.addf %o, %m : bf16
    linalg.yield %s : bf16
  } -> tensor<2x16x6xbf16>
  %e2 = tensor.empty() : tensor<2x8x4xbf16>
  %z2 = linalg.generic {indexing_maps = [affine_map<(n, o, x) -> (n, o, x)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%e2 : tensor<2x8x4xbf16>) {
  ^bb0(%o: bf16):
    linalg.yield %zero : bf16
  } -> tensor<2x8x4xbf16>
  %d = linalg.generic {indexing_maps = [#image, #weights, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%c, %w2 : tensor<2x16x6xbf16>, tensor<8x16x3xbf16>) outs(%z2 : tensor<2x8x4xbf16>) {
  ^bb0(%a: bf16, %k: bf16, %o: bf16):
    %m = arith.mulf %a, %k : bf16
    %s = arith.addf %o, %m : bf16
    linalg.yield %s : bf16
  } -> tensor<2x8x4xbf16>
  return %d : tensor<2x8x4xbf16>
}
