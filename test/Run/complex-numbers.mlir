// RUN: rm -rf %t && mkdir %t && %python %inputs/make_data.py linear %t
// RUN: not ds-run %s --data x=%t/x.npy 2>&1 | FileCheck %s --check-prefix=ERROR

// No code is made for complex numbers inside of a step: front ends write them as pairs.
// ERROR: {{.*}}complex-numbers.mlir:[[#@LINE+8]]:10: error: 'complex.create' op cannot be executed: there is no code for 'complex<f32>'; expected a pair of f32 or f64

#map = affine_map<(d0) -> (d0)>
func.func @step(%w: tensor<3xf32> {ds.param = "w", ds.init = "zeros"}, %x: tensor<4x3xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<3xf32> {ds.updates = "w"}) {
  %e = tensor.empty() : tensor<3xcomplex<f32>>
  %f = tensor.empty() : tensor<3xf32>
  %c = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%w : tensor<3xf32>) outs(%e : tensor<3xcomplex<f32>>) {
  ^bb0(%a: f32, %b: complex<f32>):
    %z = complex.create %a, %a : complex<f32>
    %s = complex.exp %z : complex<f32>
    linalg.yield %s : complex<f32>
  } -> tensor<3xcomplex<f32>>
  %r = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%c : tensor<3xcomplex<f32>>) outs(%f : tensor<3xf32>) {
  ^bb0(%a: complex<f32>, %b: f32):
    %y = complex.re %a : complex<f32>
    linalg.yield %y : f32
  } -> tensor<3xf32>
  return %r : tensor<3xf32>
}
