module attributes {ds.config = #ds.config<batch = global, device_num = 4>} {
  func.func @step(%w: tensor<3xf32> {ds.param = "w"}, %x1: tensor<8x3xf32> {ds.batch = 0 : i64}, %x2: tensor<8x3xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %zero = arith.constant dense<0.0> : tensor<3xf32>
    %one = arith.constant dense<1.0> : tensor<3xf32>
    %g1 = linalg.reduce ins(%x1 : tensor<8x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
      (%in: f32, %out: f32) { %s = arith.addf %in, %out : f32 linalg.yield %s : f32 }
    %g2 = linalg.reduce ins(%x2 : tensor<8x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
      (%in: f32, %out: f32) { %s = arith.addf %in, %out : f32 linalg.yield %s : f32 }
    %g = arith.addf %g1, %g2 : tensor<3xf32>
    %clipped = arith.minimumf %g, %one : tensor<3xf32>
    %new = arith.subf %w, %clipped : tensor<3xf32>
    return %new : tensor<3xf32>
  }
}
