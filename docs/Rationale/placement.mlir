module attributes {ds.config = #ds.config<batch = global, device_num = 4>} {
  func.func @step(%w: tensor<784x10xf32> {ds.param = "w"}, %xt: tensor<784x64xf32> {ds.batch = 1 : i64}, %dy: tensor<64x10xf32> {ds.batch = 0 : i64})
      -> (tensor<784x10xf32> {ds.updates = "w"}) {
    %zero = arith.constant dense<0.0> : tensor<784x10xf32>
    %dw = linalg.matmul ins(%xt, %dy : tensor<784x64xf32>, tensor<64x10xf32>) outs(%zero : tensor<784x10xf32>) -> tensor<784x10xf32>
    %half = arith.constant dense<0.5> : tensor<784x10xf32>
    %scaled = arith.mulf %dw, %half : tensor<784x10xf32>
    %square = arith.mulf %dw, %dw : tensor<784x10xf32>
    %update = arith.addf %scaled, %square : tensor<784x10xf32>
    %new = arith.subf %w, %update : tensor<784x10xf32>
    return %new : tensor<784x10xf32>
  }
}
