module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  func.func @step(%w: tensor<8x3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64},
                  %y: tensor<8x8xf32> {ds.batch = 0 : i64})
      -> (tensor<8x3xf32> {ds.updates = "w"}, tensor<8x3xf32> {ds.batch = 0 : i64}) {
    %zero = arith.constant dense<0.0> : tensor<8x3xf32>
    %products = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>]
        ins(%y, %x : tensor<8x8xf32>, tensor<8x3xf32>) outs(%zero : tensor<8x3xf32>) -> tensor<8x3xf32>
    %z = arith.mulf %x, %products : tensor<8x3xf32>
    return %w, %z : tensor<8x3xf32>, tensor<8x3xf32>
  }
}
