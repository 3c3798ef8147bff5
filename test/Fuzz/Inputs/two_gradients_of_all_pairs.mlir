// As gradients_of_all_pairs_return_to_their_samples.mlir, for two independent parameters: what one of them gathers and scatters may travel with what
// the other does.
#ik = affine_map<(i, j, k) -> (i, k)>
#jk = affine_map<(i, j, k) -> (j, k)>
#ij = affine_map<(i, j, k) -> (i, j)>
#row = affine_map<(i, k) -> (i, k)>
#col = affine_map<(i, k) -> (k)>
module attributes {ds.config = #ds.config<batch = global, comm_fusion = "none;allgather=auto;reducescatter=all", device_num = 2>} {
  func.func @step(%w0: tensor<3xf32> {ds.param = "w0"}, %w1: tensor<3xf32> {ds.param = "w1"},
                  %x0: tensor<8x3xf32> {ds.batch = 0 : i64, ds.name = "x0"}, %x1: tensor<8x3xf32> {ds.batch = 0 : i64, ds.name = "x1"})
      -> (tensor<3xf32> {ds.updates = "w0"}, tensor<3xf32> {ds.updates = "w1"}) {
    %zero = arith.constant dense<0.0> : tensor<8x3xf32>
    %zeros = arith.constant dense<0.0> : tensor<8x8xf32>
    %none = arith.constant dense<0.0> : tensor<3xf32>
    %e0 = linalg.generic {indexing_maps = [#row, #col, #row], iterator_types = ["parallel", "parallel"]}
        ins(%x0, %w0 : tensor<8x3xf32>, tensor<3xf32>) outs(%zero : tensor<8x3xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %m = arith.mulf %a, %b : f32
      linalg.yield %m : f32
    } -> tensor<8x3xf32>
    %p0 = linalg.generic {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%e0, %x0 : tensor<8x3xf32>, tensor<8x3xf32>) outs(%zeros : tensor<8x8xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %m = arith.mulf %a, %b : f32
      %s = arith.addf %o, %m : f32
      linalg.yield %s : f32
    } -> tensor<8x8xf32>
    %back0 = linalg.generic {indexing_maps = [affine_map<(j, k, i) -> (i, j)>, affine_map<(j, k, i) -> (i, k)>, affine_map<(j, k, i) -> (j, k)>],
                            iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%p0, %e0 : tensor<8x8xf32>, tensor<8x3xf32>) outs(%zero : tensor<8x3xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %m = arith.mulf %a, %b : f32
      %s = arith.addf %o, %m : f32
      linalg.yield %s : f32
    } -> tensor<8x3xf32>
    %dw0 = linalg.generic {indexing_maps = [#row, #row, #col], iterator_types = ["reduction", "parallel"]}
        ins(%back0, %x0 : tensor<8x3xf32>, tensor<8x3xf32>) outs(%none : tensor<3xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %t = math.tanh %a : f32
      %m = arith.mulf %t, %b : f32
      %s = arith.addf %o, %m : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    %new0 = arith.subf %w0, %dw0 : tensor<3xf32>
    %e1 = linalg.generic {indexing_maps = [#row, #col, #row], iterator_types = ["parallel", "parallel"]}
        ins(%x1, %w1 : tensor<8x3xf32>, tensor<3xf32>) outs(%zero : tensor<8x3xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %m = arith.mulf %a, %b : f32
      linalg.yield %m : f32
    } -> tensor<8x3xf32>
    %p1 = linalg.generic {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%e1, %x1 : tensor<8x3xf32>, tensor<8x3xf32>) outs(%zeros : tensor<8x8xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %m = arith.mulf %a, %b : f32
      %s = arith.addf %o, %m : f32
      linalg.yield %s : f32
    } -> tensor<8x8xf32>
    %back1 = linalg.generic {indexing_maps = [affine_map<(j, k, i) -> (i, j)>, affine_map<(j, k, i) -> (i, k)>, affine_map<(j, k, i) -> (j, k)>],
                            iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%p1, %e1 : tensor<8x8xf32>, tensor<8x3xf32>) outs(%zero : tensor<8x3xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %m = arith.mulf %a, %b : f32
      %s = arith.addf %o, %m : f32
      linalg.yield %s : f32
    } -> tensor<8x3xf32>
    %dw1 = linalg.generic {indexing_maps = [#row, #row, #col], iterator_types = ["reduction", "parallel"]}
        ins(%back1, %x1 : tensor<8x3xf32>, tensor<8x3xf32>) outs(%none : tensor<3xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %t = math.tanh %a : f32
      %m = arith.mulf %t, %b : f32
      %s = arith.addf %o, %m : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    %new1 = arith.subf %w1, %dw1 : tensor<3xf32>
    return %new0, %new1 : tensor<3xf32>, tensor<3xf32>
  }
}
