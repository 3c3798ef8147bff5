// Reshapes around the batch: the features of a sample are merged with it, split off again, taken apart and put together, and
// summed over the batch at the end.
module {
  func.func @step(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"}, %seen: tensor<3xf32> {ds.state = "seen"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}, %y: tensor<16xf32> {ds.batch = 0 : i64, ds.name = "y"})
      -> (tensor<3xf32> {ds.updates = "w"}, tensor<3xf32> {ds.updates = "seen"}, tensor<f32> {ds.metric = "loss"}) {
    %mean = arith.constant dense<0.0625> : tensor<16xf32>
    %means = arith.constant dense<0.0625> : tensor<16x3xf32>
    %rate = arith.constant dense<0.1> : tensor<3xf32>
    %z = arith.constant dense<0.0> : tensor<16xf32>
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %z0 = arith.constant dense<0.0> : tensor<f32>
    %e = tensor.empty() : tensor<16x3xf32>
    %flat = tensor.collapse_shape %x [[0, 1]] : tensor<16x3xf32> into tensor<48xf32>
    %bent = math.tanh %flat : tensor<48xf32>
    %h = tensor.expand_shape %bent [[0, 1]] output_shape [16, 3] : tensor<48xf32> into tensor<16x3xf32>
    %column = tensor.expand_shape %y [[0, 1]] output_shape [16, 1] : tensor<16xf32> into tensor<16x1xf32>
    %target = tensor.collapse_shape %column [[0, 1]] : tensor<16x1xf32> into tensor<16xf32>
    %first = tensor.extract_slice %h[0, 0] [16, 1] [1, 1] : tensor<16x3xf32> to tensor<16xf32>
    %others = tensor.extract_slice %h[0, 1] [16, 2] [1, 1] : tensor<16x3xf32> to tensor<16x2xf32>
    %first1 = tensor.expand_shape %first [[0, 1]] output_shape [16, 1] : tensor<16xf32> into tensor<16x1xf32>
    %again = tensor.concat dim(1) %first1, %others : (tensor<16x1xf32>, tensor<16x2xf32>) -> tensor<16x3xf32>
    %p = linalg.matvec ins(%again, %w : tensor<16x3xf32>, tensor<3xf32>) outs(%z : tensor<16xf32>) -> tensor<16xf32>
    %d = arith.subf %p, %target : tensor<16xf32>
    %dp = arith.mulf %d, %mean : tensor<16xf32>
    %losses = arith.mulf %d, %dp : tensor<16xf32>
    %loss = linalg.reduce { arith.addf } ins(%losses : tensor<16xf32>) outs(%z0 : tensor<f32>) dimensions = [0]
    %g = linalg.vecmat ins(%dp, %again : tensor<16xf32>, tensor<16x3xf32>) outs(%z3 : tensor<3xf32>) -> tensor<3xf32>
    %s = arith.mulf %g, %rate : tensor<3xf32>
    %new = arith.subf %w, %s : tensor<3xf32>
    %part = arith.mulf %x, %means : tensor<16x3xf32>
    %now = linalg.reduce { arith.addf } ins(%part : tensor<16x3xf32>) outs(%z3 : tensor<3xf32>) dimensions = [0]
    %total = arith.addf %seen, %now : tensor<3xf32>
    return %new, %total, %loss : tensor<3xf32>, tensor<3xf32>, tensor<f32>
  }
}
