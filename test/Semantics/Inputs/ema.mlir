// A moving average of the parameters, as another optimiser state.
module {
  func.func @step(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %average: tensor<3xf32> {ds.state = "w.ema"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}, %y: tensor<16xf32> {ds.batch = 0 : i64, ds.name = "y"})
      -> (tensor<3xf32> {ds.updates = "w"}, tensor<3xf32> {ds.updates = "w.ema"}) {
    %mean = arith.constant dense<0.0625> : tensor<16xf32>
    %rate = arith.constant dense<0.1> : tensor<3xf32>
    %z = arith.constant dense<0.0> : tensor<16xf32>
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %p = linalg.matvec ins(%x, %w : tensor<16x3xf32>, tensor<3xf32>) outs(%z : tensor<16xf32>) -> tensor<16xf32>
    %d = arith.subf %p, %y : tensor<16xf32>
    %dp = arith.mulf %d, %mean : tensor<16xf32>
    %g = linalg.vecmat ins(%dp, %x : tensor<16xf32>, tensor<16x3xf32>) outs(%z3 : tensor<3xf32>) -> tensor<3xf32>
    %s = arith.mulf %g, %rate : tensor<3xf32>
    %new = arith.subf %w, %s : tensor<3xf32>
    %keep = arith.constant dense<0.9> : tensor<3xf32>
    %take = arith.constant dense<0.1> : tensor<3xf32>
    %old = arith.mulf %average, %keep : tensor<3xf32>
    %now = arith.mulf %new, %take : tensor<3xf32>
    %ema = arith.addf %old, %now : tensor<3xf32>
    return %new, %ema : tensor<3xf32>, tensor<3xf32>
  }
}
