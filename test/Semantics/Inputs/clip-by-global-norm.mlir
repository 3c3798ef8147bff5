// Both gradients are scaled by one factor: the norm of the whole gradient of all parameters.
module {
  func.func @step(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %b: tensor<f32> {ds.param = "b", ds.init = "zeros"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}, %y: tensor<16xf32> {ds.batch = 0 : i64, ds.name = "y"})
      -> (tensor<3xf32> {ds.updates = "w"}, tensor<f32> {ds.updates = "b"}) {
    %mean = arith.constant dense<0.0625> : tensor<16xf32>
    %rate = arith.constant dense<0.1> : tensor<3xf32>
    %z = arith.constant dense<0.0> : tensor<16xf32>
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %p = linalg.matvec ins(%x, %w : tensor<16x3xf32>, tensor<3xf32>) outs(%z : tensor<16xf32>) -> tensor<16xf32>
    %eb = tensor.empty() : tensor<16xf32>
    %bs = linalg.broadcast ins(%b : tensor<f32>) outs(%eb : tensor<16xf32>) dimensions = [0]
    %q = arith.addf %p, %bs : tensor<16xf32>
    %d = arith.subf %q, %y : tensor<16xf32>
    %dp = arith.mulf %d, %mean : tensor<16xf32>
    %g = linalg.vecmat ins(%dp, %x : tensor<16xf32>, tensor<16x3xf32>) outs(%z3 : tensor<3xf32>) -> tensor<3xf32>
    %z0 = arith.constant dense<0.0> : tensor<f32>
    %gb = linalg.reduce { arith.addf } ins(%dp : tensor<16xf32>) outs(%z0 : tensor<f32>) dimensions = [0]
    %squares = arith.mulf %g, %g : tensor<3xf32>
    %square = arith.mulf %gb, %gb : tensor<f32>
    %sum = linalg.reduce { arith.addf } ins(%squares : tensor<3xf32>) outs(%square : tensor<f32>) dimensions = [0]
    %inverse = math.rsqrt %sum : tensor<f32>
    %most = arith.constant dense<0.25> : tensor<f32>
    %one = arith.constant dense<1.0> : tensor<f32>
    %ratio = arith.mulf %inverse, %most : tensor<f32>
    %factor = arith.minimumf %ratio, %one : tensor<f32>
    %e = tensor.empty() : tensor<3xf32>
    %factors = linalg.broadcast ins(%factor : tensor<f32>) outs(%e : tensor<3xf32>) dimensions = [0]
    %clipped = arith.mulf %g, %factors : tensor<3xf32>
    %s = arith.mulf %clipped, %rate : tensor<3xf32>
    %new = arith.subf %w, %s : tensor<3xf32>
    %sb = arith.mulf %gb, %factor : tensor<f32>
    %newb = arith.subf %b, %sb : tensor<f32>
    return %new, %newb : tensor<3xf32>, tensor<f32>
  }
}
