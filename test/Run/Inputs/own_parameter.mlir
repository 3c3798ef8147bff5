// A parameter that is each rank's own.
module {
  func.func @step(%w: tensor<3xf32> {ds.param = "w", ds.init = "zeros", ds.layerwise_parallel}, %x: tensor<4x3xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %z = arith.constant dense<0.0> : tensor<3xf32>
    %dw = linalg.reduce { arith.addf } ins(%x : tensor<4x3xf32>) outs(%z : tensor<3xf32>) dimensions = [0]
    %g = ds.gradient %dw of "w" : tensor<3xf32>
    %new = arith.subf %w, %g : tensor<3xf32>
    return %new : tensor<3xf32>
  }
}
