// Every sample meets every other: what a rank's rows make of all samples is a partial sum over ranks, of which each rank then reads its own
// samples alone. The reduction is a reduce-scatter.
#ik = affine_map<(i, j, k) -> (i, k)>
#jk = affine_map<(i, j, k) -> (j, k)>
#ij = affine_map<(i, j, k) -> (i, j)>
#row = affine_map<(i, k) -> (i, k)>
#col = affine_map<(i, k) -> (k)>
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  func.func @step(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64, ds.name = "x"})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %zero = arith.constant dense<0.0> : tensor<8x3xf32>
    %zeros = arith.constant dense<0.0> : tensor<8x8xf32>
    %none = arith.constant dense<0.0> : tensor<3xf32>
    %e = linalg.generic {indexing_maps = [#row, #col, #row], iterator_types = ["parallel", "parallel"]}
        ins(%x, %w : tensor<8x3xf32>, tensor<3xf32>) outs(%zero : tensor<8x3xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %m = arith.mulf %a, %b : f32
      linalg.yield %m : f32
    } -> tensor<8x3xf32>
    %p = linalg.generic {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%e, %x : tensor<8x3xf32>, tensor<8x3xf32>) outs(%zeros : tensor<8x8xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %m = arith.mulf %a, %b : f32
      %s = arith.addf %o, %m : f32
      linalg.yield %s : f32
    } -> tensor<8x8xf32>
    %back = linalg.generic {indexing_maps = [affine_map<(j, k, i) -> (i, j)>, affine_map<(j, k, i) -> (i, k)>, affine_map<(j, k, i) -> (j, k)>],
                            iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%p, %e : tensor<8x8xf32>, tensor<8x3xf32>) outs(%zero : tensor<8x3xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %m = arith.mulf %a, %b : f32
      %s = arith.addf %o, %m : f32
      linalg.yield %s : f32
    } -> tensor<8x3xf32>
    %dw = linalg.generic {indexing_maps = [#row, #row, #col], iterator_types = ["reduction", "parallel"]}
        ins(%back, %x : tensor<8x3xf32>, tensor<8x3xf32>) outs(%none : tensor<3xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %t = math.tanh %a : f32
      %m = arith.mulf %t, %b : f32
      %s = arith.addf %o, %m : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    %new = arith.subf %w, %dw : tensor<3xf32>
    return %new : tensor<3xf32>
  }
}
