module attributes {ds.config = #ds.config<batch = global, device_num = 4>} {
  func.func @step(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64}, %weights: tensor<8x3xf32> {ds.state = "weights"})
      -> (tensor<3xf32> {ds.updates = "w"}, tensor<8x3xf32> {ds.updates = "weights"}) {
    %zero = arith.constant dense<0.0> : tensor<3xf32>
    %y = arith.mulf %x, %weights : tensor<8x3xf32>
    %dw = linalg.reduce ins(%y : tensor<8x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
      (%in: f32, %out: f32) { %s = arith.addf %in, %out : f32 linalg.yield %s : f32 }
    %new = arith.subf %w, %dw : tensor<3xf32>
    return %new, %weights : tensor<3xf32>, tensor<8x3xf32>
  }
}
