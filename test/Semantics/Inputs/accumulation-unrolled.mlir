// Two microbatches of 8 samples, one after the other; the second adds to the gradient of the first.
module {
  func.func @step(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}, %y: tensor<16xf32> {ds.batch = 0 : i64, ds.name = "y"})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %mean = arith.constant dense<0.0625> : tensor<16xf32>
    %rate = arith.constant dense<0.1> : tensor<3xf32>
    %z = arith.constant dense<0.0> : tensor<16xf32>
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %z8 = arith.constant dense<0.0> : tensor<8xf32>
    %mean8 = arith.constant dense<0.0625> : tensor<8xf32>
    %x0 = tensor.extract_slice %x[0, 0] [8, 3] [1, 1] : tensor<16x3xf32> to tensor<8x3xf32>
    %y0 = tensor.extract_slice %y[0] [8] [1] : tensor<16xf32> to tensor<8xf32>
    %p0 = linalg.matvec ins(%x0, %w : tensor<8x3xf32>, tensor<3xf32>) outs(%z8 : tensor<8xf32>) -> tensor<8xf32>
    %d0 = arith.subf %p0, %y0 : tensor<8xf32>
    %dp0 = arith.mulf %d0, %mean8 : tensor<8xf32>
    %g0 = linalg.vecmat ins(%dp0, %x0 : tensor<8xf32>, tensor<8x3xf32>) outs(%z3 : tensor<3xf32>) -> tensor<3xf32>
    %x1 = tensor.extract_slice %x[8, 0] [8, 3] [1, 1] : tensor<16x3xf32> to tensor<8x3xf32>
    %y1 = tensor.extract_slice %y[8] [8] [1] : tensor<16xf32> to tensor<8xf32>
    %p1 = linalg.matvec ins(%x1, %w : tensor<8x3xf32>, tensor<3xf32>) outs(%z8 : tensor<8xf32>) -> tensor<8xf32>
    %d1 = arith.subf %p1, %y1 : tensor<8xf32>
    %dp1 = arith.mulf %d1, %mean8 : tensor<8xf32>
    %g1 = linalg.vecmat ins(%dp1, %x1 : tensor<8xf32>, tensor<8x3xf32>) outs(%g0 : tensor<3xf32>) -> tensor<3xf32>
    %s = arith.mulf %g1, %rate : tensor<3xf32>
    %new = arith.subf %w, %s : tensor<3xf32>
    return %new : tensor<3xf32>
  }
}
