func.func @rules(%a: tensor<4x16xf32>, %b: tensor<16x8xf32>, %sums: tensor<4x8xf32>, %rest: tensor<4x2xf32>)
    -> (tensor<32xf32>, tensor<4x3xf32>, tensor<4x10xf32>) {
  %product = linalg.matmul ins(%a, %b : tensor<4x16xf32>, tensor<16x8xf32>) outs(%sums : tensor<4x8xf32>) -> tensor<4x8xf32>
  %merged = tensor.collapse_shape %product [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
  %part = tensor.extract_slice %product[0, 1] [4, 3] [1, 1] : tensor<4x8xf32> to tensor<4x3xf32>
  %both = tensor.concat dim(1) %product, %rest : (tensor<4x8xf32>, tensor<4x2xf32>) -> tensor<4x10xf32>
  return %merged, %part, %both : tensor<32xf32>, tensor<4x3xf32>, tensor<4x10xf32>
}
