// An autoencoder that encodes with w and decodes with its transpose: two gradients of one parameter.
module {
  func.func @step(%w: tensor<3x3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<3x3xf32> {ds.updates = "w"}) {
    %mean = arith.constant dense<0.0625> : tensor<16x3xf32>
    %rate = arith.constant dense<0.1> : tensor<3x3xf32>
    %z = arith.constant dense<0.0> : tensor<16x3xf32>
    %zw = arith.constant dense<0.0> : tensor<3x3xf32>
    %e = tensor.empty() : tensor<3x3xf32>
    %wt = linalg.transpose ins(%w : tensor<3x3xf32>) outs(%e : tensor<3x3xf32>) permutation = [1, 0]
    %h = linalg.matmul ins(%x, %w : tensor<16x3xf32>, tensor<3x3xf32>) outs(%z : tensor<16x3xf32>) -> tensor<16x3xf32>
    %p = linalg.matmul ins(%h, %wt : tensor<16x3xf32>, tensor<3x3xf32>) outs(%z : tensor<16x3xf32>) -> tensor<16x3xf32>
    %d = arith.subf %p, %x : tensor<16x3xf32>
    %dp = arith.mulf %d, %mean : tensor<16x3xf32>
    %dh = linalg.matmul ins(%dp, %w : tensor<16x3xf32>, tensor<3x3xf32>) outs(%z : tensor<16x3xf32>) -> tensor<16x3xf32>
    %xt_e = tensor.empty() : tensor<3x16xf32>
    %xt = linalg.transpose ins(%x : tensor<16x3xf32>) outs(%xt_e : tensor<3x16xf32>) permutation = [1, 0]
    %dpt_e = tensor.empty() : tensor<3x16xf32>
    %dpt = linalg.transpose ins(%dp : tensor<16x3xf32>) outs(%dpt_e : tensor<3x16xf32>) permutation = [1, 0]
    %encode = linalg.matmul ins(%xt, %dh : tensor<3x16xf32>, tensor<16x3xf32>) outs(%zw : tensor<3x3xf32>) -> tensor<3x3xf32>
    %decode = linalg.matmul ins(%dpt, %h : tensor<3x16xf32>, tensor<16x3xf32>) outs(%zw : tensor<3x3xf32>) -> tensor<3x3xf32>
    %g = arith.addf %encode, %decode : tensor<3x3xf32>
    %s = arith.mulf %g, %rate : tensor<3x3xf32>
    %new = arith.subf %w, %s : tensor<3x3xf32>
    return %new : tensor<3x3xf32>
  }
}
