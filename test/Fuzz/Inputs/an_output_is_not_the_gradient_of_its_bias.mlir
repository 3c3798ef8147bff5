// One sample per rank, whose dimension is folded away: the gradient of the bias is linear in the layer's output and in the target, which
// have as many elements. Both were taken for it, although the output is masked by its sign; and a loss that decides whether the step is
// taken was left to each rank, since the gradients are values of the rank's own that enter where they are used.
#bk = affine_map<(b, k, n) -> (b, k)>
#kn = affine_map<(b, k, n) -> (k, n)>
#bn = affine_map<(b, k, n) -> (b, n)>
#all = affine_map<(b, n) -> (b, n)>
#row = affine_map<(b, n) -> (n)>
#one = affine_map<(n) -> (n)>
#none = affine_map<(b, n) -> ()>
module attributes {ds.config = #ds.config<device_num = 4, gradients_mean = true>} {
  func.func @step(%w: tensor<3x2xf64> {ds.param = "w"}, %bias: tensor<2xf64> {ds.param = "bias"},
      %x: tensor<1x3xf64> {ds.batch = 0 : i64, ds.name = "x"}, %y: tensor<1x2xf64> {ds.batch = 0 : i64, ds.name = "y"})
      -> (tensor<3x2xf64> {ds.updates = "w"}, tensor<2xf64> {ds.updates = "bias"}) {
    %zero2 = arith.constant dense<0.0> : tensor<2xf64>
    %zero12 = arith.constant dense<0.0> : tensor<1x2xf64>
    %zero32 = arith.constant dense<0.0> : tensor<3x2xf64>
    %none = arith.constant dense<0.0> : tensor<f64>
    %e = tensor.empty() : tensor<1x2xf64>
    %e2 = tensor.empty() : tensor<2xf64>
    %e32 = tensor.empty() : tensor<3x2xf64>
    %z = linalg.generic {indexing_maps = [#bk, #kn, #bn], iterator_types = ["parallel", "reduction", "parallel"]}
        ins(%x, %w : tensor<1x3xf64>, tensor<3x2xf64>) outs(%zero12 : tensor<1x2xf64>) {
    ^bb0(%a: f64, %b: f64, %o: f64):
      %p = arith.mulf %a, %b : f64
      %s = arith.addf %o, %p : f64
      linalg.yield %s : f64
    } -> tensor<1x2xf64>
    %pre = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
        ins(%z, %bias : tensor<1x2xf64>, tensor<2xf64>) outs(%e : tensor<1x2xf64>) {
    ^bb0(%a: f64, %b: f64, %o: f64):
      %s = arith.addf %a, %b : f64
      linalg.yield %s : f64
    } -> tensor<1x2xf64>
    %difference = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel"]}
        ins(%pre, %y : tensor<1x2xf64>, tensor<1x2xf64>) outs(%e : tensor<1x2xf64>) {
    ^bb0(%a: f64, %b: f64, %o: f64):
      %c = arith.constant 0.0 : f64
      %r = arith.maximumf %a, %c : f64
      %s = arith.subf %r, %b : f64
      linalg.yield %s : f64
    } -> tensor<1x2xf64>
    %loss = linalg.generic {indexing_maps = [#all, #none], iterator_types = ["reduction", "reduction"]}
        ins(%difference : tensor<1x2xf64>) outs(%none : tensor<f64>) {
    ^bb0(%a: f64, %o: f64):
      %p = arith.mulf %a, %a : f64
      %s = arith.addf %o, %p : f64
      linalg.yield %s : f64
    } -> tensor<f64>
    %g = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel"]}
        ins(%difference, %pre : tensor<1x2xf64>, tensor<1x2xf64>) outs(%e : tensor<1x2xf64>) {
    ^bb0(%a: f64, %b: f64, %o: f64):
      %c = arith.constant 0.0 : f64
      %open = arith.cmpf ogt, %b, %c : f64
      %s = arith.select %open, %a, %c : f64
      linalg.yield %s : f64
    } -> tensor<1x2xf64>
    %gb = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["reduction", "parallel"]}
        ins(%g : tensor<1x2xf64>) outs(%zero2 : tensor<2xf64>) {
    ^bb0(%a: f64, %o: f64):
      %s = arith.addf %o, %a : f64
      linalg.yield %s : f64
    } -> tensor<2xf64>
    %gw = linalg.generic {indexing_maps = [#bk, #bn, #kn], iterator_types = ["reduction", "parallel", "parallel"]}
        ins(%x, %g : tensor<1x3xf64>, tensor<1x2xf64>) outs(%zero32 : tensor<3x2xf64>) {
    ^bb0(%a: f64, %b: f64, %o: f64):
      %p = arith.mulf %a, %b : f64
      %s = arith.addf %o, %p : f64
      linalg.yield %s : f64
    } -> tensor<3x2xf64>
    %mw = ds.gradient %gw of "w" : tensor<3x2xf64>
    %mb = ds.gradient %gb of "bias" : tensor<2xf64>
    %nw = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel"]}
        ins(%w, %mw : tensor<3x2xf64>, tensor<3x2xf64>) outs(%e32 : tensor<3x2xf64>) {
    ^bb0(%a: f64, %b: f64, %o: f64):
      %c = arith.constant 0.125 : f64
      %p = arith.mulf %b, %c : f64
      %s = arith.subf %a, %p : f64
      linalg.yield %s : f64
    } -> tensor<3x2xf64>
    %nb = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
        ins(%bias, %mb : tensor<2xf64>, tensor<2xf64>) outs(%e2 : tensor<2xf64>) {
    ^bb0(%a: f64, %b: f64, %o: f64):
      %c = arith.constant 0.125 : f64
      %p = arith.mulf %b, %c : f64
      %s = arith.subf %a, %p : f64
      linalg.yield %s : f64
    } -> tensor<2xf64>
    %rank = tensor.extract %loss[] : tensor<f64>
    %decides = ds.combine mean %rank : f64
    %limit = arith.constant 1.0 : f64
    %small = arith.cmpf olt, %decides, %limit : f64
    %kw = arith.select %small, %nw, %w : tensor<3x2xf64>
    %kb = arith.select %small, %nb, %bias : tensor<2xf64>
    return %kw, %kb : tensor<3x2xf64>, tensor<2xf64>
  }
}
