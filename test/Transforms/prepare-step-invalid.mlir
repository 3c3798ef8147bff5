// RUN: ds-opt %s --split-input-file --verify-diagnostics --ds-prepare-step

// As upstream's elementwise fusion makes them of a producer that reads its own destination.
func.func @read_and_written_at_once(%x: tensor<4xf32>, %y: tensor<3xf32>, %e: tensor<4xf32>, %z: tensor<3xf32>) -> (tensor<4xf32>, tensor<3xf32>) {
  // expected-error @below {{iterations of the parallel loop d1 read and write the same element of result 0; make the loop a reduction, or the result one element for each}}
  %r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>],
      iterator_types = ["reduction", "parallel"]} ins(%x, %y : tensor<4xf32>, tensor<3xf32>) outs(%e, %z : tensor<4xf32>, tensor<3xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32, %p: f32):
    %s = arith.addf %o, %a : f32
    %t = arith.mulf %s, %b : f32
    %u = arith.addf %p, %t : f32
    linalg.yield %s, %u : f32, f32
  } -> (tensor<4xf32>, tensor<3xf32>)
  return %r#0, %r#1 : tensor<4xf32>, tensor<3xf32>
}

// -----

// What every iteration writes alike, or a loop of one iteration, is no such thing.
func.func @written_alike(%x: tensor<4xf32>, %y: tensor<1xf32>, %e: tensor<4xf32>, %z: tensor<4x3xf32>) -> (tensor<4xf32>, tensor<4x3xf32>, tensor<4xf32>) {
  %r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4xf32>) outs(%e, %z : tensor<4xf32>, tensor<4x3xf32>) {
  ^bb0(%a: f32, %o: f32, %p: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s, %s : f32, f32
  } -> (tensor<4xf32>, tensor<4x3xf32>)
  %q = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<1xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %o, %a : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %r#0, %r#1, %q : tensor<4xf32>, tensor<4x3xf32>, tensor<4xf32>
}
