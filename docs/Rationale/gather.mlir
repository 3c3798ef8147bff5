module attributes {ds.config = #ds.config<batch = global, device_num = 4>} {
  func.func @step(%w: tensor<f32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64}) -> (tensor<f32> {ds.updates = "w"}) {
    %none = arith.constant dense<0.0> : tensor<8x8xf32>
    %zero = arith.constant dense<0.0> : tensor<f32>
    %xt = tensor.empty() : tensor<3x8xf32>
    %t = linalg.transpose ins(%x : tensor<8x3xf32>) outs(%xt : tensor<3x8xf32>) permutation = [1, 0]
    %pairs = linalg.matmul ins(%x, %t : tensor<8x3xf32>, tensor<3x8xf32>) outs(%none : tensor<8x8xf32>) -> tensor<8x8xf32>
    %exp = math.exp %pairs : tensor<8x8xf32>
    %dw = linalg.reduce ins(%exp : tensor<8x8xf32>) outs(%zero : tensor<f32>) dimensions = [0, 1]
      (%in: f32, %out: f32) { %s = arith.addf %in, %out : f32 linalg.yield %s : f32 }
    %new = arith.subf %w, %dw : tensor<f32>
    return %new : tensor<f32>
  }
}
