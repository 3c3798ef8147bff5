// A mean, a sum, a maximum and one value per sample.
module {
  func.func @step(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}, %y: tensor<16xf32> {ds.batch = 0 : i64, ds.name = "y"})
      -> (tensor<3xf32> {ds.updates = "w"}, tensor<f32> {ds.metric = "loss"}, tensor<f32> {ds.metric = "error", ds.reduce = "sum"},
          tensor<f32> {ds.metric = "largest", ds.reduce = "max"}, tensor<16xf32> {ds.batch = 0 : i64, ds.name = "each"}) {
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
    %z0 = arith.constant dense<0.0> : tensor<f32>
    %losses = arith.mulf %d, %dp : tensor<16xf32>
    %loss = linalg.reduce { arith.addf } ins(%losses : tensor<16xf32>) outs(%z0 : tensor<f32>) dimensions = [0]
    %error = math.absf %d : tensor<16xf32>
    %sum = linalg.reduce { arith.addf } ins(%error : tensor<16xf32>) outs(%z0 : tensor<f32>) dimensions = [0]
    %max = linalg.reduce { arith.maximumf } ins(%error : tensor<16xf32>) outs(%z0 : tensor<f32>) dimensions = [0]
    return %new, %loss, %sum, %max, %error : tensor<3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<16xf32>
  }
}
