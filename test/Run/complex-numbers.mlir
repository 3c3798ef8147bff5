// RUN: rm -rf %t && mkdir %t && %python %inputs/make_data.py linear %t
// RUN: ds-run %s --ranks 2 --config batch=global --data x=%t/x.npy --steps 2 --check=2 --dump-results %t/r.npz | FileCheck %s
// RUN: %python -c "import numpy; print(*numpy.load('%t/r.npz').values())" | FileCheck %s --check-prefix=VALUES

// A body that computes with complex numbers computes with pairs, also where a tensor of them lies between two bodies:
// w becomes Re(exp(w + iw)), which is 1 and then e cos(1).
// CHECK: check: 2 steps, 2 ranks against one device: {{.*}}: equal{{$}}
// VALUES: 1.46869

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
