func.func @step(%w: tensor<4xf32> {ds.param = "w", ds.init = "zeros"}, %x: tensor<8x4xf32> {ds.batch = 0, ds.name = "x"}) -> (tensor<4xf32> {ds.updates = "w"}) {
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %n = arith.truncf %x : tensor<8x4xf32> to tensor<8x4xf8E4M3FN>
  %t = arith.addf %n, %n : tensor<8x4xf8E4M3FN>
  %r = arith.extf %t : tensor<8x4xf8E4M3FN> to tensor<8x4xf32>
  %g = linalg.reduce { arith.addf } ins(%r : tensor<8x4xf32>) outs(%zero : tensor<4xf32>) dimensions = [0]
  %u = arith.subf %w, %g : tensor<4xf32>
  return %u : tensor<4xf32>
}
