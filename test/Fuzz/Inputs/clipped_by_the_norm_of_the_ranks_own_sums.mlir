// Clipping by the norm of a gradient that is also the rank's own, since samples meet it: the norm is that of the combined gradient.
// It was combined, found to be no gradient, and then left to the rank as a coefficient.
#bi = affine_map<(b, i) -> (b, i)>
#i = affine_map<(b, i) -> (i)>
#one = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>
module attributes {ds.config = #ds.config<device_num = 4, gradients_mean = true>} {
  func.func @step(%a: tensor<3xf64> {ds.param = "a"}, %b: tensor<3xf64> {ds.param = "b"},
      %x: tensor<6x3xf64> {ds.batch = 0 : i64, ds.name = "x"})
      -> (tensor<3xf64> {ds.updates = "a"}, tensor<3xf64> {ds.updates = "b"}) {
    %zero = arith.constant dense<0.0> : tensor<3xf64>
    %nothing = arith.constant dense<0.0> : tensor<f64>
    %e = tensor.empty() : tensor<3xf64>
    %first = linalg.generic {indexing_maps = [#bi, #i], iterator_types = ["reduction", "parallel"]}
        ins(%x : tensor<6x3xf64>) outs(%zero : tensor<3xf64>) {
    ^bb0(%v: f64, %o: f64):
      %s = arith.addf %o, %v : f64
      linalg.yield %s : f64
    } -> tensor<3xf64>
    %second = linalg.generic {indexing_maps = [#bi, #i, #i], iterator_types = ["reduction", "parallel"]}
        ins(%x, %first : tensor<6x3xf64>, tensor<3xf64>) outs(%zero : tensor<3xf64>) {
    ^bb0(%v: f64, %m: f64, %o: f64):
      %d = arith.mulf %v, %m : f64
      %s = arith.addf %o, %d : f64
      linalg.yield %s : f64
    } -> tensor<3xf64>
    %ga = ds.gradient %first of "a" : tensor<3xf64>
    %gb = ds.gradient %second of "b" : tensor<3xf64>
    %square = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]}
        ins(%ga : tensor<3xf64>) outs(%e : tensor<3xf64>) {
    ^bb0(%g: f64, %o: f64):
      %q = arith.mulf %g, %g : f64
      linalg.yield %q : f64
    } -> tensor<3xf64>
    %norm = linalg.generic {indexing_maps = [#one, #none], iterator_types = ["reduction"]}
        ins(%square : tensor<3xf64>) outs(%nothing : tensor<f64>) {
    ^bb0(%q: f64, %o: f64):
      %s = arith.addf %o, %q : f64
      linalg.yield %s : f64
    } -> tensor<f64>
    %clipped = linalg.generic {indexing_maps = [#one, #none, #one], iterator_types = ["parallel"]}
        ins(%ga, %norm : tensor<3xf64>, tensor<f64>) outs(%e : tensor<3xf64>) {
    ^bb0(%g: f64, %n: f64, %o: f64):
      %c1 = arith.constant 0.0625 : f64
      %root = math.sqrt %n : f64
      %most = arith.maximumf %root, %c1 : f64
      %factor = arith.divf %c1, %most : f64
      %r = arith.mulf %g, %factor : f64
      linalg.yield %r : f64
    } -> tensor<3xf64>
    %newa = linalg.sub ins(%a, %clipped : tensor<3xf64>, tensor<3xf64>) outs(%e : tensor<3xf64>) -> tensor<3xf64>
    %newb = linalg.sub ins(%b, %gb : tensor<3xf64>, tensor<3xf64>) outs(%e : tensor<3xf64>) -> tensor<3xf64>
    return %newa, %newb : tensor<3xf64>, tensor<3xf64>
  }
}
