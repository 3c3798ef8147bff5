// Two microbatches' gradients of 'a' are the rank's own, since samples meet both. Fusion puts their sum into the body that clips it:
// what is to be combined is no result there.
#bi = affine_map<(b, i) -> (b, i)>
#i = affine_map<(b, i) -> (i)>
#one = affine_map<(i) -> (i)>
module attributes {ds.config = #ds.config<device_num = 4, gradients_mean = true>} {
  func.func @step(%a: tensor<3xf64> {ds.param = "a"}, %b: tensor<3xf64> {ds.param = "b"},
      %x: tensor<6x3xf64> {ds.batch = 0 : i64, ds.name = "x"}, %y: tensor<6x3xf64> {ds.batch = 0 : i64, ds.name = "y"})
      -> (tensor<3xf64> {ds.updates = "a"}, tensor<3xf64> {ds.updates = "b"}) {
    %zero = arith.constant dense<0.0> : tensor<3xf64>
    %first = linalg.generic {indexing_maps = [#bi, #i], iterator_types = ["reduction", "parallel"]}
        ins(%x : tensor<6x3xf64>) outs(%zero : tensor<3xf64>) {
    ^bb0(%v: f64, %o: f64):
      %s = arith.addf %o, %v : f64
      linalg.yield %s : f64
    } -> tensor<3xf64>
    %second = linalg.generic {indexing_maps = [#bi, #i], iterator_types = ["reduction", "parallel"]}
        ins(%y : tensor<6x3xf64>) outs(%zero : tensor<3xf64>) {
    ^bb0(%v: f64, %o: f64):
      %s = arith.addf %o, %v : f64
      linalg.yield %s : f64
    } -> tensor<3xf64>
    %sums = linalg.generic {indexing_maps = [#bi, #bi, #i, #i, #i], iterator_types = ["reduction", "parallel"]}
        ins(%x, %y, %first, %second : tensor<6x3xf64>, tensor<6x3xf64>, tensor<3xf64>, tensor<3xf64>) outs(%zero : tensor<3xf64>) {
    ^bb0(%v: f64, %w: f64, %m: f64, %n: f64, %o: f64):
      %d = arith.mulf %v, %m : f64
      %e = arith.mulf %w, %n : f64
      %p = arith.addf %d, %e : f64
      %s = arith.addf %o, %p : f64
      linalg.yield %s : f64
    } -> tensor<3xf64>
    %e = tensor.empty() : tensor<3xf64>
    %both = linalg.add ins(%first, %second : tensor<3xf64>, tensor<3xf64>) outs(%e : tensor<3xf64>) -> tensor<3xf64>
    %ga = ds.gradient %both of "a" : tensor<3xf64>
    %gb = ds.gradient %sums of "b" : tensor<3xf64>
    %clipped = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]}
        ins(%ga : tensor<3xf64>) outs(%e : tensor<3xf64>) {
    ^bb0(%g: f64, %o: f64):
      %most = arith.constant 0.5 : f64
      %least = arith.constant -0.5 : f64
      %m = arith.minimumf %g, %most : f64
      %r = arith.maximumf %m, %least : f64
      linalg.yield %r : f64
    } -> tensor<3xf64>
    %newa = linalg.sub ins(%a, %clipped : tensor<3xf64>, tensor<3xf64>) outs(%e : tensor<3xf64>) -> tensor<3xf64>
    %newb = linalg.sub ins(%b, %gb : tensor<3xf64>, tensor<3xf64>) outs(%e : tensor<3xf64>) -> tensor<3xf64>
    return %newa, %newb : tensor<3xf64>, tensor<3xf64>
  }
}
