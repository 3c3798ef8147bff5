module attributes {ds.config = #ds.config<batch = global, device_num = 4>} {
  func.func @step(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64}, %x2: tensor<8x3xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %zero = arith.constant dense<0.0> : tensor<3xf32>
    %rate = arith.constant dense<0.01> : tensor<3xf32>
    %dw = linalg.reduce ins(%x : tensor<8x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
      (%in: f32, %out: f32) { %s = arith.addf %in, %out : f32 linalg.yield %s : f32 }
    %dw2 = linalg.reduce ins(%x2 : tensor<8x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
      (%in: f32, %out: f32) { %s = arith.addf %in, %out : f32 linalg.yield %s : f32 }
    %decay = arith.mulf %w, %rate : tensor<3xf32>
    %h = arith.addf %dw, %decay : tensor<3xf32>
    %sum = arith.addf %h, %dw2 : tensor<3xf32>
    %square = arith.mulf %sum, %sum : tensor<3xf32>
    %new = arith.subf %w, %square : tensor<3xf32>
    return %new : tensor<3xf32>
  }
}
