module attributes {ds.config = #ds.config<batch = local, device_num = 4>} {
  func.func @step(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %cotangent = arith.constant dense<0.25> : tensor<3xf32>
    %total = ds.combine sum %cotangent : tensor<3xf32>
    %new = arith.subf %w, %total : tensor<3xf32>
    return %new : tensor<3xf32>
  }
}
