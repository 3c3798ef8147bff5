module attributes {ds.config = #ds.config<batch = global, device_num = 4, mesh = "dp=2,tp=2">} {
  func.func @step(%w1: tensor<6x8xf32> {ds.param = "w1", ds.sharding = #ds.sharding<[{}, {"tp"}]>},
                  %w2: tensor<8x3xf32> {ds.param = "w2", ds.sharding = #ds.sharding<[{"tp"}, {}]>},
                  %x: tensor<4x6xf32> {ds.batch = 0 : i64})
      -> (tensor<6x8xf32> {ds.updates = "w1"}, tensor<8x3xf32> {ds.updates = "w2"}, tensor<4x3xf32> {ds.batch = 0 : i64}) {
    %z = arith.constant dense<0.0> : tensor<4x8xf32>
    %z2 = arith.constant dense<0.0> : tensor<4x3xf32>
    %h = linalg.matmul ins(%x, %w1 : tensor<4x6xf32>, tensor<6x8xf32>) outs(%z : tensor<4x8xf32>) -> tensor<4x8xf32>
    %y = linalg.matmul ins(%h, %w2 : tensor<4x8xf32>, tensor<8x3xf32>) outs(%z2 : tensor<4x3xf32>) -> tensor<4x3xf32>
    return %w1, %w2, %y : tensor<6x8xf32>, tensor<8x3xf32>, tensor<4x3xf32>
  }
}
