// A metric that is not linear in a sum over samples (a perplexity, a spread) is that of the rank: nothing of it is combined.
#bi = affine_map<(b, i) -> (b, i)>
#i = affine_map<(b, i) -> (i)>
#one = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>
module attributes {ds.config = #ds.config<device_num = 4, gradients_mean = false>} {
  func.func @step(%w: tensor<3xf64> {ds.param = "w"}, %x: tensor<6x3xf64> {ds.batch = 0 : i64, ds.name = "x"})
      -> (tensor<3xf64> {ds.updates = "w"}, tensor<f64> {ds.metric = "spread"}) {
    %zero = arith.constant dense<0.0> : tensor<3xf64>
    %zero0 = arith.constant dense<0.0> : tensor<f64>
    %sum = linalg.generic {indexing_maps = [#bi, #i, #i], iterator_types = ["reduction", "parallel"]}
        ins(%x, %w : tensor<6x3xf64>, tensor<3xf64>) outs(%zero : tensor<3xf64>) {
    ^bb0(%v: f64, %c: f64, %o: f64):
      %p = arith.mulf %v, %c : f64
      %s = arith.addf %o, %p : f64
      linalg.yield %s : f64
    } -> tensor<3xf64>
    %spread = linalg.generic {indexing_maps = [#one, #none], iterator_types = ["reduction"]}
        ins(%sum : tensor<3xf64>) outs(%zero0 : tensor<f64>) {
    ^bb0(%v: f64, %o: f64):
      %q = arith.mulf %v, %v : f64
      %s = arith.addf %o, %q : f64
      linalg.yield %s : f64
    } -> tensor<f64>
    %gradient = linalg.generic {indexing_maps = [#bi, #i], iterator_types = ["reduction", "parallel"]}
        ins(%x : tensor<6x3xf64>) outs(%zero : tensor<3xf64>) {
    ^bb0(%v: f64, %o: f64):
      %s = arith.addf %o, %v : f64
      linalg.yield %s : f64
    } -> tensor<3xf64>
    %g = ds.gradient %gradient of "w" : tensor<3xf64>
    %e = tensor.empty() : tensor<3xf64>
    %new = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
        ins(%w, %g : tensor<3xf64>, tensor<3xf64>) outs(%e : tensor<3xf64>) {
    ^bb0(%p: f64, %u: f64, %o: f64):
      %r = arith.subf %p, %u : f64
      linalg.yield %r : f64
    } -> tensor<3xf64>
    return %new, %spread : tensor<3xf64>, tensor<f64>
  }
}
