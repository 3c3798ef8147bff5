// RUN: ds-opt %s --ds-map-kernels --split-input-file --verify-diagnostics

#v = affine_map<(i) -> (i)>
func.func @step() { return }
func.func private @function(%x: memref<8xi32>) attributes {ds.kernel} {
  linalg.generic {indexing_maps = [#v], iterator_types = ["parallel"]} outs(%x : memref<8xi32>) {
  ^bb0(%a: i32):
    // expected-error @+1 {{'math.ipowi' op has no code on a GPU}}
    %e = math.ipowi %a, %a : i32
    linalg.yield %e : i32
  }
  return
}

// -----

#cube = affine_map<(i, j) -> (i)>
#all = affine_map<(i, j) -> (i, j)>
func.func @step() { return }
func.func private @partly(%x: memref<8x8xf32>, %y: memref<8xf32>) attributes {ds.kernel} {
  // expected-error @+1 {{has no code on a GPU: result 0 moves along some of the reduced loops}}
  linalg.generic {indexing_maps = [#all, #cube], iterator_types = ["reduction", "reduction"]} ins(%x : memref<8x8xf32>) outs(%y : memref<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  }
  return
}
