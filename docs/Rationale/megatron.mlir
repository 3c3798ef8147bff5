module attributes {ds.config = #ds.config<batch = global, parallel_mode = semi_auto_parallel, mesh = "dp=2,tp=4">} {
  func.func @step(%w1: tensor<1024x4096xf32> {ds.param = "w1", ds.sharding = #ds.sharding<[{}, {"tp"}]>},
                  %w2: tensor<4096x1024xf32> {ds.param = "w2", ds.sharding = #ds.sharding<[{"tp"}, {}]>},
                  %x: tensor<64x1024xf32> {ds.batch = 0 : i64, ds.name = "x"})
      -> (tensor<1024x4096xf32> {ds.updates = "w1"}, tensor<4096x1024xf32> {ds.updates = "w2"}, tensor<64x1024xf32> {ds.batch = 0 : i64}) {
    %z1 = arith.constant dense<0.0> : tensor<64x4096xf32>
    %z2 = arith.constant dense<0.0> : tensor<64x1024xf32>
    %h = linalg.matmul ins(%x, %w1 : tensor<64x1024xf32>, tensor<1024x4096xf32>) outs(%z1 : tensor<64x4096xf32>) -> tensor<64x4096xf32>
    %a = math.tanh %h : tensor<64x4096xf32>
    %y = linalg.matmul ins(%a, %w2 : tensor<64x4096xf32>, tensor<4096x1024xf32>) outs(%z2 : tensor<64x1024xf32>) -> tensor<64x1024xf32>
    return %w1, %w2, %y : tensor<1024x4096xf32>, tensor<4096x1024xf32>, tensor<64x1024xf32>
  }
}
