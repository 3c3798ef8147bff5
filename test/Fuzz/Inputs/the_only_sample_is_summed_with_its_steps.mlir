// One sample per rank, whose dimension is merged with that of its four steps: the sum over the steps looks like one over samples, and was
// taken for the gradient of `mix`, which has as many elements. What `w` is updated from then read it combined, and nothing was left for it.
#t = affine_map<(t, k) -> (t, k)>
#k = affine_map<(t, k) -> (k)>
#e = affine_map<(k) -> (k)>
#nk = affine_map<(n, k) -> (n, k)>
#kn = affine_map<(n, k) -> (k)>
#n = affine_map<(n, k) -> (n)>
module attributes {ds.config = #ds.config<device_num = 2, gradients_mean = false>} {
  func.func @step(%mix: tensor<2xf64> {ds.param = "mix"}, %w: tensor<2x2xf64> {ds.param = "w"},
                  %x: tensor<4x1x2xf64> {ds.batch = 1 : i64, ds.name = "x"})
      -> (tensor<2xf64> {ds.updates = "mix"}, tensor<2x2xf64> {ds.updates = "w"}) {
    %zero = arith.constant dense<0.0> : tensor<2xf64>
    %empty = tensor.empty() : tensor<2xf64>
    %steps = tensor.collapse_shape %x [[0, 1], [2]] : tensor<4x1x2xf64> into tensor<4x2xf64>
    %sum = linalg.generic {indexing_maps = [#t, #k], iterator_types = ["reduction", "parallel"]}
        ins(%steps : tensor<4x2xf64>) outs(%zero : tensor<2xf64>) {
    ^bb0(%in: f64, %out: f64):
      %0 = arith.addf %in, %out : f64
      linalg.yield %0 : f64
    } -> tensor<2xf64>
    %mixed = linalg.generic {indexing_maps = [#e, #e, #e], iterator_types = ["parallel"]}
        ins(%sum, %mix : tensor<2xf64>, tensor<2xf64>) outs(%empty : tensor<2xf64>) {
    ^bb0(%in: f64, %factor: f64, %out: f64):
      %0 = arith.mulf %in, %factor : f64
      linalg.yield %0 : f64
    } -> tensor<2xf64>
    %y = linalg.generic {indexing_maps = [#nk, #kn, #n], iterator_types = ["parallel", "reduction"]}
        ins(%w, %mixed : tensor<2x2xf64>, tensor<2xf64>) outs(%zero : tensor<2xf64>) {
    ^bb0(%in: f64, %factor: f64, %out: f64):
      %0 = arith.mulf %in, %factor : f64
      %1 = arith.addf %out, %0 : f64
      linalg.yield %1 : f64
    } -> tensor<2xf64>
    %dy = linalg.generic {indexing_maps = [#e, #e], iterator_types = ["parallel"]}
        ins(%y : tensor<2xf64>) outs(%empty : tensor<2xf64>) {
    ^bb0(%in: f64, %out: f64):
      %0 = math.tanh %in : f64
      linalg.yield %0 : f64
    } -> tensor<2xf64>
    %empty_w = tensor.empty() : tensor<2x2xf64>
    %new_w = linalg.generic {indexing_maps = [#nk, #n, #kn, #nk], iterator_types = ["parallel", "parallel"]}
        ins(%w, %dy, %mixed : tensor<2x2xf64>, tensor<2xf64>, tensor<2xf64>) outs(%empty_w : tensor<2x2xf64>) {
    ^bb0(%old: f64, %in: f64, %factor: f64, %out: f64):
      %0 = arith.mulf %in, %factor : f64
      %1 = arith.subf %old, %0 : f64
      linalg.yield %1 : f64
    } -> tensor<2x2xf64>
    %dmixed = linalg.generic {indexing_maps = [#nk, #n, #kn], iterator_types = ["reduction", "parallel"]}
        ins(%w, %dy : tensor<2x2xf64>, tensor<2xf64>) outs(%zero : tensor<2xf64>) {
    ^bb0(%in: f64, %factor: f64, %out: f64):
      %0 = arith.mulf %in, %factor : f64
      %1 = arith.addf %out, %0 : f64
      linalg.yield %1 : f64
    } -> tensor<2xf64>
    %new_mix = linalg.generic {indexing_maps = [#e, #e, #e, #e], iterator_types = ["parallel"]}
        ins(%mix, %dmixed, %sum : tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) outs(%empty : tensor<2xf64>) {
    ^bb0(%old: f64, %in: f64, %factor: f64, %out: f64):
      %0 = arith.mulf %in, %factor : f64
      %1 = arith.subf %old, %0 : f64
      linalg.yield %1 : f64
    } -> tensor<2xf64>
    return %new_mix, %new_w : tensor<2xf64>, tensor<2x2xf64>
  }
}
