func.func @step(%w: tensor<784x10xf32> {ds.param = "w"},
                %x: tensor<128x784xf32> {ds.batch = 0 : i64}, %y: tensor<128x10xf32> {ds.batch = 0 : i64})
    -> (tensor<784x10xf32> {ds.updates = "w"}) {
  %zero = arith.constant dense<0.0> : tensor<128x10xf32>
  %rate = arith.constant dense<0.001> : tensor<784x10xf32>
  %zeros = arith.constant dense<0.0> : tensor<784x10xf32>
  %space = tensor.empty() : tensor<784x128xf32>
  %p = linalg.matmul ins(%x, %w : tensor<128x784xf32>, tensor<784x10xf32>) outs(%zero : tensor<128x10xf32>) -> tensor<128x10xf32>
  %e = arith.subf %p, %y : tensor<128x10xf32>
  %xt = linalg.transpose ins(%x : tensor<128x784xf32>) outs(%space : tensor<784x128xf32>) permutation = [1, 0]
  %dw = linalg.matmul ins(%xt, %e : tensor<784x128xf32>, tensor<128x10xf32>) outs(%zeros : tensor<784x10xf32>) -> tensor<784x10xf32>
  %change = arith.mulf %dw, %rate : tensor<784x10xf32>
  %new = arith.subf %w, %change : tensor<784x10xf32>
  return %new : tensor<784x10xf32>
}
