// The gradient of 'w' is the product of a sum over samples and a parameter, clipped in the same body; that of 'v' is the square of another
// sum, which has as many elements. The body was not unfused and what it makes was combined when clipped; the sum was combined before its square.
#bi = affine_map<(b, i) -> (b, i)>
#i = affine_map<(b, i) -> (i)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
#all = affine_map<(i, j) -> (i, j)>
#one = affine_map<(i) -> (i)>
#b1 = affine_map<(b) -> (b)>
#first = affine_map<(b) -> (b, 0)>
#none = affine_map<(b) -> ()>
#scalar = affine_map<() -> ()>
module attributes {ds.config = #ds.config<device_num = 2, gradients_mean = true>} {
  func.func @step(%w: tensor<3x3xf64> {ds.param = "w"}, %scale: tensor<3xf64> {ds.param = "scale"}, %v: tensor<f64> {ds.param = "v"},
      %x: tensor<4x3xf64> {ds.batch = 0 : i64, ds.name = "x"}, %t: tensor<4xf64> {ds.batch = 0 : i64, ds.name = "t"})
      -> (tensor<3x3xf64> {ds.updates = "w"}, tensor<3xf64> {ds.updates = "scale"}, tensor<f64> {ds.updates = "v"}) {
    %zero3 = arith.constant dense<0.0> : tensor<3xf64>
    %zero = arith.constant dense<0.0> : tensor<f64>
    %e = tensor.empty() : tensor<3x3xf64>
    %e3 = tensor.empty() : tensor<3xf64>
    %e0 = tensor.empty() : tensor<f64>
    %sum = linalg.generic {indexing_maps = [#bi, #i], iterator_types = ["reduction", "parallel"]}
        ins(%x : tensor<4x3xf64>) outs(%zero3 : tensor<3xf64>) {
    ^bb0(%a: f64, %o: f64):
      %s = arith.addf %o, %a : f64
      linalg.yield %s : f64
    } -> tensor<3xf64>
    %squares = linalg.generic {indexing_maps = [#bi, #i], iterator_types = ["reduction", "parallel"]}
        ins(%x : tensor<4x3xf64>) outs(%zero3 : tensor<3xf64>) {
    ^bb0(%a: f64, %o: f64):
      %p = arith.mulf %a, %a : f64
      %s = arith.addf %o, %p : f64
      linalg.yield %s : f64
    } -> tensor<3xf64>
    %gs = ds.gradient %squares of "scale" : tensor<3xf64>
    %product = linalg.generic {indexing_maps = [#row, #column, #all], iterator_types = ["parallel", "parallel"]}
        ins(%sum, %scale : tensor<3xf64>, tensor<3xf64>) outs(%e : tensor<3x3xf64>) {
    ^bb0(%a: f64, %b: f64, %o: f64):
      %p = arith.mulf %a, %b : f64
      linalg.yield %p : f64
    } -> tensor<3x3xf64>
    %gw = ds.gradient %product of "w" : tensor<3x3xf64>
    %clipped = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
        ins(%gw : tensor<3x3xf64>) outs(%e : tensor<3x3xf64>) {
    ^bb0(%a: f64, %o: f64):
      %c = arith.constant 0.03125 : f64
      %n = arith.constant -0.03125 : f64
      %up = arith.minimumf %a, %c : f64
      %low = arith.maximumf %up, %n : f64
      linalg.yield %low : f64
    } -> tensor<3x3xf64>
    %nw = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel"]}
        ins(%w, %clipped : tensor<3x3xf64>, tensor<3x3xf64>) outs(%e : tensor<3x3xf64>) {
    ^bb0(%a: f64, %b: f64, %o: f64):
      %s = arith.subf %a, %b : f64
      linalg.yield %s : f64
    } -> tensor<3x3xf64>
    %ns = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
        ins(%scale, %gs : tensor<3xf64>, tensor<3xf64>) outs(%e3 : tensor<3xf64>) {
    ^bb0(%a: f64, %b: f64, %o: f64):
      %c = arith.constant 0.125 : f64
      %p = arith.mulf %b, %c : f64
      %s = arith.subf %a, %p : f64
      linalg.yield %s : f64
    } -> tensor<3xf64>
    %total = linalg.generic {indexing_maps = [#b1, #none], iterator_types = ["reduction"]}
        ins(%t : tensor<4xf64>) outs(%zero : tensor<f64>) {
    ^bb0(%a: f64, %o: f64):
      %s = arith.addf %o, %a : f64
      linalg.yield %s : f64
    } -> tensor<f64>
    %square = linalg.generic {indexing_maps = [#scalar, #scalar], iterator_types = []} ins(%total : tensor<f64>) outs(%e0 : tensor<f64>) {
    ^bb0(%a: f64, %o: f64):
      %p = arith.mulf %a, %a : f64
      linalg.yield %p : f64
    } -> tensor<f64>
    %gv = ds.gradient %square of "v" : tensor<f64>
    %nv = linalg.generic {indexing_maps = [#scalar, #scalar, #scalar], iterator_types = []} ins(%v, %gv : tensor<f64>, tensor<f64>) outs(%e0 : tensor<f64>) {
    ^bb0(%a: f64, %b: f64, %o: f64):
      %c = arith.constant 0.03125 : f64
      %p = arith.mulf %b, %c : f64
      %s = arith.subf %a, %p : f64
      linalg.yield %s : f64
    } -> tensor<f64>
    return %nw, %ns, %nv : tensor<3x3xf64>, tensor<3xf64>, tensor<f64>
  }
}
