module attributes {ds.config = #ds.config<batch = global, device_num = 4>} {
  func.func @step(%w: tensor<6xf32> {ds.param = "w"}, %x: tensor<8x6xf32> {ds.batch = 0 : i64}) -> (tensor<6xf32> {ds.updates = "w"}) {
    %zero = arith.constant dense<0.0> : tensor<6xf32>
    %dw = linalg.reduce ins(%x : tensor<8x6xf32>) outs(%zero : tensor<6xf32>) dimensions = [0]
      (%in: f32, %out: f32) { %s = arith.addf %in, %out : f32 linalg.yield %s : f32 }
    %shape = arith.constant dense<[2, 3]> : tensor<2xindex>
    %flat = arith.constant dense<6> : tensor<1xindex>
    %matrix = tensor.reshape %dw(%shape) : (tensor<6xf32>, tensor<2xindex>) -> tensor<2x3xf32>
    %vector = tensor.reshape %matrix(%flat) : (tensor<2x3xf32>, tensor<1xindex>) -> tensor<6xf32>
    %new = arith.subf %w, %vector : tensor<6xf32>
    return %new : tensor<6xf32>
  }
}
