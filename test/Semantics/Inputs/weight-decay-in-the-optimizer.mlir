// Decoupled decay: the parameter shrinks by itself, beside the step along the gradient.
module {
  func.func @step(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}, %y: tensor<16xf32> {ds.batch = 0 : i64, ds.name = "y"})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %mean = arith.constant dense<0.0625> : tensor<16xf32>
    %rate = arith.constant dense<0.1> : tensor<3xf32>
    %z = arith.constant dense<0.0> : tensor<16xf32>
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %p = linalg.matvec ins(%x, %w : tensor<16x3xf32>, tensor<3xf32>) outs(%z : tensor<16xf32>) -> tensor<16xf32>
    %d = arith.subf %p, %y : tensor<16xf32>
    %dp = arith.mulf %d, %mean : tensor<16xf32>
    %g = linalg.vecmat ins(%dp, %x : tensor<16xf32>, tensor<16x3xf32>) outs(%z3 : tensor<3xf32>) -> tensor<3xf32>
    %s = arith.mulf %g, %rate : tensor<3xf32>
    %moved = arith.subf %w, %s : tensor<3xf32>
    %hundredth = arith.constant dense<0.01> : tensor<3xf32>
    %decay = arith.mulf %w, %hundredth : tensor<3xf32>
    %new = arith.subf %moved, %decay : tensor<3xf32>
    return %new : tensor<3xf32>
  }
}
