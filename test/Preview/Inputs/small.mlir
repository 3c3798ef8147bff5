func.func @step(%w: tensor<64x64xf32> {ds.param = "w"}, %x: tensor<4x64xf32> {ds.batch = 0 : i64})
    -> (tensor<64x64xf32> {ds.updates = "w"}, tensor<4x64xf32> {ds.batch = 0 : i64}) {
  %e = math.exp %w : tensor<64x64xf32>
  %y = math.tanh %x : tensor<4x64xf32>
  return %e, %y : tensor<64x64xf32>, tensor<4x64xf32>
}
