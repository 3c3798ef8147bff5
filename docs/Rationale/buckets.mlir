module attributes {ds.config = #ds.config<device_num = 4>} {
  func.func @step(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
    %ra = ds.all_reduce sum %a {names = [["a"]]} : tensor<4xf32>
    %scaled = arith.mulf %b, %ra : tensor<4xf32>
    %rb = ds.all_reduce sum %scaled {names = [["b"]]} : tensor<4xf32>
    %rc = ds.all_reduce sum %c {names = [["c"]]} : tensor<4xf32>
    return %ra, %rb, %rc : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
}
