module attributes {ds.config = #ds.config<device_num = 4, enable_parallel_optimizer = true, parallel_optimizer_threshold = 0>} {
  func.func @step(%w: tensor<8x3xf32> {ds.param = "w"}, %m: tensor<8x3xf32> {ds.state = "w.m"},
                  %x: tensor<8x3xf32> {ds.batch = 0 : i64})
      -> (tensor<8x3xf32> {ds.updates = "w"}, tensor<8x3xf32> {ds.updates = "w.m"}) {
    %dw = arith.mulf %w, %x : tensor<8x3xf32>
    %g = ds.gradient %dw of "w" : tensor<8x3xf32>
    %m2 = arith.addf %m, %g : tensor<8x3xf32>
    %w2 = arith.subf %w, %m2 : tensor<8x3xf32>
    return %w2, %m2 : tensor<8x3xf32>, tensor<8x3xf32>
  }
}
