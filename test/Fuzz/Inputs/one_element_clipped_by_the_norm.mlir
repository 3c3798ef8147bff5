// Parameters of one element: through the norm, which has one, too, each gradient leads to every parameter, and the gradient of 'a' leads
// to that of 'b' through samples. It was taken for a coefficient of the gradient of 'b', and the norm left to each rank.
#b = affine_map<(b) -> (b)>
#none = affine_map<(b) -> ()>
#empty = affine_map<() -> ()>
module attributes {ds.config = #ds.config<device_num = 4, gradients_mean = true>} {
  func.func @step(%a: tensor<f64> {ds.param = "a"}, %b: tensor<f64> {ds.param = "b"},
      %x: tensor<6xf64> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<f64> {ds.updates = "a"}, tensor<f64> {ds.updates = "b"}) {
    %zero = arith.constant dense<0.0> : tensor<f64>
    %first = linalg.generic {indexing_maps = [#b, #none], iterator_types = ["reduction"]}
        ins(%x : tensor<6xf64>) outs(%zero : tensor<f64>) {
    ^bb0(%v: f64, %o: f64):
      %s = arith.addf %o, %v : f64
      linalg.yield %s : f64
    } -> tensor<f64>
    %second = linalg.generic {indexing_maps = [#b, #none, #none], iterator_types = ["reduction"]}
        ins(%x, %first : tensor<6xf64>, tensor<f64>) outs(%zero : tensor<f64>) {
    ^bb0(%v: f64, %m: f64, %o: f64):
      %d = arith.mulf %v, %m : f64
      %s = arith.addf %o, %d : f64
      linalg.yield %s : f64
    } -> tensor<f64>
    %ga = ds.gradient %first of "a" : tensor<f64>
    %gb = ds.gradient %second of "b" : tensor<f64>
    %squarea = arith.mulf %ga, %ga : tensor<f64>
    %squareb = arith.mulf %gb, %gb : tensor<f64>
    %squares = arith.addf %squarea, %squareb : tensor<f64>
    %norm = math.sqrt %squares : tensor<f64>
    %bound = arith.constant dense<0.0625> : tensor<f64>
    %most = arith.maximumf %norm, %bound : tensor<f64>
    %factor = arith.divf %bound, %most : tensor<f64>
    %clippeda = arith.mulf %ga, %factor : tensor<f64>
    %clippedb = arith.mulf %gb, %factor : tensor<f64>
    %newa = arith.subf %a, %clippeda : tensor<f64>
    %newb = arith.subf %b, %clippedb : tensor<f64>
    return %newa, %newb : tensor<f64>, tensor<f64>
  }
}
