// Rows that the ranks of the batch keep, and those of the other axis multiply with.
module attributes {ds.config = #ds.config<batch = global, device_num = 4, mesh = "dp=2,tp=2">} {
  func.func @step(%w: tensor<8x4xf32> {ds.param = "w", ds.init = "normal(0.5)", ds.sharding = #ds.sharding<[{"dp"}, {}]>}, %x: tensor<4x8xf32> {ds.batch = 0 : i64, ds.name = "x"})
      -> (tensor<8x4xf32> {ds.updates = "w"}, tensor<4x4xf32> {ds.batch = 0 : i64}) {
    %z = arith.constant dense<0.0> : tensor<4x4xf32>
    %rows = ds.sharding_constraint %w <[{"tp"}, {}]> : tensor<8x4xf32>
    %y = linalg.matmul ins(%x, %rows : tensor<4x8xf32>, tensor<8x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
    %new = arith.addf %w, %w : tensor<8x4xf32>
    return %new, %y : tensor<8x4xf32>, tensor<4x4xf32>
  }
}
