module attributes {ds.config = #ds.config<batch = local, device_num = 4>} {
  func.func @step(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %zero = arith.constant dense<0.0> : tensor<3xf32>
    %none = arith.constant dense<0.0> : tensor<f32>
    %one = arith.constant 1.0 : f32
    %e = tensor.empty() : tensor<8x3xf32>
    %ws = linalg.broadcast ins(%w : tensor<3xf32>) outs(%e : tensor<8x3xf32>) dimensions = [0]
    %products = arith.mulf %ws, %x : tensor<8x3xf32>
    %dw = linalg.reduce ins(%products : tensor<8x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
      (%in: f32, %out: f32) { %s = arith.addf %in, %out : f32 linalg.yield %s : f32 }
    %squares = arith.mulf %dw, %dw : tensor<3xf32>
    %norm = linalg.reduce ins(%squares : tensor<3xf32>) outs(%none : tensor<f32>) dimensions = [0]
      (%in: f32, %out: f32) { %s = arith.addf %in, %out : f32 linalg.yield %s : f32 }
    %n = tensor.extract %norm[] : tensor<f32>
    %most = arith.maximumf %n, %one : f32
    %scale = arith.divf %one, %most : f32
    %scales = tensor.splat %scale : tensor<3xf32>
    %clipped = arith.mulf %dw, %scales : tensor<3xf32>
    %new = arith.subf %w, %clipped : tensor<3xf32>
    return %new : tensor<3xf32>
  }
}
