// RUN: ds-opt %s -split-input-file -ds-localize-batch -verify-diagnostics --remarks-filter="ds-.*" --remark-policy=all -o /dev/null

// Two operations read all samples; they are gathered once: 8 x 3 f32.
#o = affine_map<(i, j, k) -> (i, j)>
#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (j, k)>
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  // expected-remark @below {{Remark=layout, Remark=cyclic, rowsPerRank=4}}
  func.func @all_samples_are_gathered_once(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}, tensor<8x8xf32> {ds.batch = 0 : i64}, tensor<8x8xf32> {ds.batch = 0 : i64}) {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x8xf32>
    %init = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    // expected-remark @below {{rows of other samples are read here, so all ranks get all samples", bytes=96}}
    %g = linalg.generic {indexing_maps = [#a, #b, #o], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x, %x : tensor<8x3xf32>, tensor<8x3xf32>) outs(%init : tensor<8x8xf32>) {
    ^bb0(%p: f32, %q: f32, %s: f32):
      %m = arith.mulf %p, %q : f32
      %t = arith.addf %s, %m : f32
      linalg.yield %t : f32
    } -> tensor<8x8xf32>
    %h = linalg.generic {indexing_maps = [#a, #b, #o], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x, %x : tensor<8x3xf32>, tensor<8x3xf32>) outs(%init : tensor<8x8xf32>) {
    ^bb0(%p: f32, %q: f32, %s: f32):
      %m = arith.subf %p, %q : f32
      %t = arith.addf %s, %m : f32
      linalg.yield %t : f32
    } -> tensor<8x8xf32>
    return %w, %g, %h : tensor<3xf32>, tensor<8x8xf32>, tensor<8x8xf32>
  }
}
