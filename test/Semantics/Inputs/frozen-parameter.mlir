// The scale is a parameter that the step returns as it came: it needs no gradient and no all-reduce.
module {
  func.func @step(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %f: tensor<3xf32> {ds.param = "scale", ds.init = "constant(1.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}, %y: tensor<16xf32> {ds.batch = 0 : i64, ds.name = "y"})
      -> (tensor<3xf32> {ds.updates = "w"}, tensor<3xf32> {ds.updates = "scale"}) {
    %mean = arith.constant dense<0.0625> : tensor<16xf32>
    %rate = arith.constant dense<0.1> : tensor<3xf32>
    %z = arith.constant dense<0.0> : tensor<16xf32>
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %v = arith.mulf %w, %f : tensor<3xf32>
    %p = linalg.matvec ins(%x, %v : tensor<16x3xf32>, tensor<3xf32>) outs(%z : tensor<16xf32>) -> tensor<16xf32>
    %d = arith.subf %p, %y : tensor<16xf32>
    %dp = arith.mulf %d, %mean : tensor<16xf32>
    %dv = linalg.vecmat ins(%dp, %x : tensor<16xf32>, tensor<16x3xf32>) outs(%z3 : tensor<3xf32>) -> tensor<3xf32>
    %g = arith.mulf %dv, %f : tensor<3xf32>
    %s = arith.mulf %g, %rate : tensor<3xf32>
    %new = arith.subf %w, %s : tensor<3xf32>
    return %new, %f : tensor<3xf32>, tensor<3xf32>
  }
}
