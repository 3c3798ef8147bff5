module attributes {ds.config = #ds.config<device_num = 4, gradients_mean = true>} {
  func.func @step(%dw: tensor<4xbf16>) -> tensor<4xbf16> {
    %g = ds.all_reduce mean %dw {names = [["w"]]} : tensor<4xbf16>
    return %g : tensor<4xbf16>
  }
}
