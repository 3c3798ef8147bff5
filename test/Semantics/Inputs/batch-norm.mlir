// BatchNorm without a shift: y = w * (x - mean) * rsqrt(variance), trained towards y = 1, with running statistics. The
// statistics are those of the batch, and the samples are returned so that a test can compute them again; the metrics tell what
// the ranks kept from the step before.
module {
  func.func @step(%w: tensor<3xf32> {ds.param = "w", ds.init = "constant(0.5)"},
      %running: tensor<3xf32> {ds.state = "running.mean"}, %spread: tensor<3xf32> {ds.state = "running.variance"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"})
      -> (tensor<3xf32> {ds.updates = "w"}, tensor<3xf32> {ds.updates = "running.mean"},
          tensor<3xf32> {ds.updates = "running.variance"}, tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "samples"},
          tensor<f32> {ds.metric = "kept"}, tensor<f32> {ds.metric = "kept at most", ds.reduce = "max"}) {
    %share = arith.constant dense<0.0625> : tensor<3xf32>
    %shares = arith.constant dense<0.0625> : tensor<16x3xf32>
    %one = arith.constant dense<1.0> : tensor<16x3xf32>
    %small = arith.constant dense<0.01> : tensor<3xf32>
    %rate = arith.constant dense<0.25> : tensor<3xf32>
    %half = arith.constant dense<0.5> : tensor<3xf32>
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %e = tensor.empty() : tensor<16x3xf32>
    %sum = linalg.reduce { arith.addf } ins(%x : tensor<16x3xf32>) outs(%z3 : tensor<3xf32>) dimensions = [0]
    %mean = arith.mulf %sum, %share : tensor<3xf32>
    %means = linalg.broadcast ins(%mean : tensor<3xf32>) outs(%e : tensor<16x3xf32>) dimensions = [0]
    %centred = arith.subf %x, %means : tensor<16x3xf32>
    %squares = arith.mulf %centred, %centred : tensor<16x3xf32>
    %total = linalg.reduce { arith.addf } ins(%squares : tensor<16x3xf32>) outs(%z3 : tensor<3xf32>) dimensions = [0]
    %variance = arith.mulf %total, %share : tensor<3xf32>
    %safe = arith.addf %variance, %small : tensor<3xf32>
    %scale = math.rsqrt %safe : tensor<3xf32>
    %scales = linalg.broadcast ins(%scale : tensor<3xf32>) outs(%e : tensor<16x3xf32>) dimensions = [0]
    %hat = arith.mulf %centred, %scales : tensor<16x3xf32>
    %ws = linalg.broadcast ins(%w : tensor<3xf32>) outs(%e : tensor<16x3xf32>) dimensions = [0]
    %y = arith.mulf %hat, %ws : tensor<16x3xf32>
    %d = arith.subf %y, %one : tensor<16x3xf32>
    %cube = arith.mulf %d, %d : tensor<16x3xf32>
    %dc = arith.mulf %cube, %d : tensor<16x3xf32>
    %dy = arith.mulf %dc, %shares : tensor<16x3xf32>
    %dw = arith.mulf %dy, %hat : tensor<16x3xf32>
    %g = linalg.reduce { arith.addf } ins(%dw : tensor<16x3xf32>) outs(%z3 : tensor<3xf32>) dimensions = [0]
    %s = arith.mulf %g, %rate : tensor<3xf32>
    %new = arith.subf %w, %s : tensor<3xf32>
    %old_mean = arith.mulf %running, %half : tensor<3xf32>
    %now_mean = arith.mulf %mean, %half : tensor<3xf32>
    %new_mean = arith.addf %old_mean, %now_mean : tensor<3xf32>
    %old_variance = arith.mulf %spread, %half : tensor<3xf32>
    %now_variance = arith.mulf %variance, %half : tensor<3xf32>
    %new_variance = arith.addf %old_variance, %now_variance : tensor<3xf32>
    %z0 = arith.constant dense<0.0> : tensor<f32>
    %kept = linalg.reduce { arith.addf } ins(%running : tensor<3xf32>) outs(%z0 : tensor<f32>) dimensions = [0]
    return %new, %new_mean, %new_variance, %x, %kept, %kept
        : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<16x3xf32>, tensor<f32>, tensor<f32>
  }
}
