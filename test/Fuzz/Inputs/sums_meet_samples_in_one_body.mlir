// The sum that is the gradient of 'a' meets samples inside of the body that sums the gradient of 'b': there it is the rank's own.
// Only fusion writes steps like this; the value per sample in between told the analysis otherwise.
#bi = affine_map<(b, i) -> (b, i)>
#i = affine_map<(b, i) -> (i)>
#one = affine_map<(i) -> (i)>
module attributes {ds.config = #ds.config<device_num = 4, gradients_mean = false>} {
  func.func @step(%a: tensor<3xf64> {ds.param = "a"}, %b: tensor<3xf64> {ds.param = "b"},
      %x: tensor<6x3xf64> {ds.batch = 0 : i64, ds.name = "x"})
      -> (tensor<3xf64> {ds.updates = "a"}, tensor<3xf64> {ds.updates = "b"}) {
    %zero = arith.constant dense<0.0> : tensor<3xf64>
    %sum = linalg.generic {indexing_maps = [#bi, #i], iterator_types = ["reduction", "parallel"]}
        ins(%x : tensor<6x3xf64>) outs(%zero : tensor<3xf64>) {
    ^bb0(%v: f64, %o: f64):
      %q = arith.mulf %v, %v : f64
      %s = arith.addf %o, %q : f64
      linalg.yield %s : f64
    } -> tensor<3xf64>
    %centred = linalg.generic {indexing_maps = [#bi, #i, #i, #i], iterator_types = ["reduction", "parallel"]}
        ins(%x, %sum, %b : tensor<6x3xf64>, tensor<3xf64>, tensor<3xf64>) outs(%zero : tensor<3xf64>) {
    ^bb0(%v: f64, %m: f64, %c: f64, %o: f64):
      %d = arith.subf %v, %m : f64
      %p = arith.mulf %d, %c : f64
      %s = arith.addf %o, %p : f64
      linalg.yield %s : f64
    } -> tensor<3xf64>
    %ga = ds.gradient %sum of "a" : tensor<3xf64>
    %gb = ds.gradient %centred of "b" : tensor<3xf64>
    %e = tensor.empty() : tensor<3xf64>
    %newa = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
        ins(%a, %ga : tensor<3xf64>, tensor<3xf64>) outs(%e : tensor<3xf64>) {
    ^bb0(%p: f64, %u: f64, %o: f64):
      %r = arith.subf %p, %u : f64
      linalg.yield %r : f64
    } -> tensor<3xf64>
    %newb = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
        ins(%b, %gb : tensor<3xf64>, tensor<3xf64>) outs(%e : tensor<3xf64>) {
    ^bb0(%p: f64, %u: f64, %o: f64):
      %r = arith.subf %p, %u : f64
      linalg.yield %r : f64
    } -> tensor<3xf64>
    return %newa, %newb : tensor<3xf64>, tensor<3xf64>
  }
}
