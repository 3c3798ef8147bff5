// The loss holds |w|^2 / 20, so the gradient holds w / 10, once for all ranks together; and so does the metric.
module {
  func.func @step(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}, %y: tensor<16xf32> {ds.batch = 0 : i64, ds.name = "y"})
      -> (tensor<3xf32> {ds.updates = "w"}, tensor<f32> {ds.metric = "loss"}) {
    %mean = arith.constant dense<0.0625> : tensor<16xf32>
    %rate = arith.constant dense<0.1> : tensor<3xf32>
    %z = arith.constant dense<0.0> : tensor<16xf32>
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %p = linalg.matvec ins(%x, %w : tensor<16x3xf32>, tensor<3xf32>) outs(%z : tensor<16xf32>) -> tensor<16xf32>
    %d = arith.subf %p, %y : tensor<16xf32>
    %dp = arith.mulf %d, %mean : tensor<16xf32>
    %g = linalg.vecmat ins(%dp, %x : tensor<16xf32>, tensor<16x3xf32>) outs(%z3 : tensor<3xf32>) -> tensor<3xf32>
    %tenth = arith.constant dense<0.1> : tensor<3xf32>
    %decay = arith.mulf %w, %tenth : tensor<3xf32>
    %total = arith.addf %g, %decay : tensor<3xf32>
    %s = arith.mulf %total, %rate : tensor<3xf32>
    %new = arith.subf %w, %s : tensor<3xf32>
    %twentieth = arith.constant dense<0.5> : tensor<3xf32>
    %wd = arith.mulf %decay, %w : tensor<3xf32>
    %penalties = arith.mulf %wd, %twentieth : tensor<3xf32>
    %z0 = arith.constant dense<0.0> : tensor<f32>
    %penalty = linalg.reduce { arith.addf } ins(%penalties : tensor<3xf32>) outs(%z0 : tensor<f32>) dimensions = [0]
    %losses = arith.mulf %d, %dp : tensor<16xf32>
    %loss = linalg.reduce { arith.addf } ins(%losses : tensor<16xf32>) outs(%penalty : tensor<f32>) dimensions = [0]
    return %new, %loss : tensor<3xf32>, tensor<f32>
  }
}
