// Two microbatches of 8 samples in a loop that carries the gradient; the sum starts at the decay, w / 10.
module {
  func.func @step(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}, %y: tensor<16xf32> {ds.batch = 0 : i64, ds.name = "y"})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %mean = arith.constant dense<0.0625> : tensor<8xf32>
    %rate = arith.constant dense<0.1> : tensor<3xf32>
    %z = arith.constant dense<0.0> : tensor<8xf32>
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %xs = tensor.expand_shape %x [[0, 1], [2]] output_shape [2, 8, 3] : tensor<16x3xf32> into tensor<2x8x3xf32>
    %ys = tensor.expand_shape %y [[0, 1]] output_shape [2, 8] : tensor<16xf32> into tensor<2x8xf32>
    %tenth = arith.constant dense<0.1> : tensor<3xf32>
    %decay = arith.mulf %w, %tenth : tensor<3xf32>
    %g = scf.for %k = %c0 to %c2 step %c1 iter_args(%acc = %decay) -> (tensor<3xf32>) {
      %xk = tensor.extract_slice %xs[%k, 0, 0] [1, 8, 3] [1, 1, 1] : tensor<2x8x3xf32> to tensor<8x3xf32>
      %yk = tensor.extract_slice %ys[%k, 0] [1, 8] [1, 1] : tensor<2x8xf32> to tensor<8xf32>
      %p = linalg.matvec ins(%xk, %w : tensor<8x3xf32>, tensor<3xf32>) outs(%z : tensor<8xf32>) -> tensor<8xf32>
      %d = arith.subf %p, %yk : tensor<8xf32>
      %dp = arith.mulf %d, %mean : tensor<8xf32>
      %gk = linalg.vecmat ins(%dp, %xk : tensor<8xf32>, tensor<8x3xf32>) outs(%z3 : tensor<3xf32>) -> tensor<3xf32>
      %next = arith.addf %acc, %gk : tensor<3xf32>
      scf.yield %next : tensor<3xf32>
    }
    %s = arith.mulf %g, %rate : tensor<3xf32>
    %new = arith.subf %w, %s : tensor<3xf32>
    return %new : tensor<3xf32>
  }
}
