// Linear regression on 8 samples: the mean of squared errors, its gradient, and a step of gradient descent.
#vector = affine_map<(i, j) -> (j)>
#matrix = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#id1 = affine_map<(i) -> (i)>
#scalar = affine_map<(i) -> ()>
#transposed = affine_map<(j, i) -> (i, j)>
#columns = affine_map<(j, i) -> (j)>
#rows = affine_map<(j, i) -> (i)>
func.func @step(%w: tensor<3xf32> {ds.param = "w"},
                %x: tensor<8x3xf32> {ds.batch = 0 : i64, ds.name = "x"},
                %y: tensor<8xf32> {ds.batch = 0 : i64, ds.name = "y"},
                %lr: tensor<f32> {ds.name = "lr"})
    -> (tensor<3xf32> {ds.updates = "w"}, tensor<f32> {ds.metric = "loss"}) {
  %zero = arith.constant 0.0 : f32
  %eighth = arith.constant 0.125 : f32
  %quarter = arith.constant 0.25 : f32
  %e8 = tensor.empty() : tensor<8xf32>
  %z8 = linalg.fill ins(%zero : f32) outs(%e8 : tensor<8xf32>) -> tensor<8xf32>
  %prediction = linalg.generic {indexing_maps = [#matrix, #vector, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %w : tensor<8x3xf32>, tensor<3xf32>) outs(%z8 : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32, %acc: f32):
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
  } -> tensor<8xf32>
  %error = arith.subf %prediction, %y : tensor<8xf32>
  %e0 = tensor.empty() : tensor<f32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<f32>) -> tensor<f32>
  %loss = linalg.generic {indexing_maps = [#id1, #scalar], iterator_types = ["reduction"]}
      ins(%error : tensor<8xf32>) outs(%z0 : tensor<f32>) {
    ^bb0(%a: f32, %acc: f32):
      %q = arith.mulf %a, %a : f32
      %r = arith.mulf %q, %eighth : f32
      %s = arith.addf %acc, %r : f32
      linalg.yield %s : f32
  } -> tensor<f32>
  %e3 = tensor.empty() : tensor<3xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<3xf32>) -> tensor<3xf32>
  %gradient = linalg.generic {indexing_maps = [#transposed, #rows, #columns], iterator_types = ["parallel", "reduction"]}
      ins(%x, %error : tensor<8x3xf32>, tensor<8xf32>) outs(%z3 : tensor<3xf32>) {
    ^bb0(%a: f32, %b: f32, %acc: f32):
      %p = arith.mulf %a, %b : f32
      %q = arith.mulf %p, %quarter : f32
      %s = arith.addf %acc, %q : f32
      linalg.yield %s : f32
  } -> tensor<3xf32>
  %new = linalg.generic {indexing_maps = [#id1, #id1, #scalar, #id1], iterator_types = ["parallel"]}
      ins(%w, %gradient, %lr : tensor<3xf32>, tensor<3xf32>, tensor<f32>) outs(%e3 : tensor<3xf32>) {
    ^bb0(%a: f32, %g: f32, %rate: f32, %out: f32):
      %d = arith.mulf %g, %rate : f32
      %s = arith.subf %a, %d : f32
      linalg.yield %s : f32
  } -> tensor<3xf32>
  return %new, %loss : tensor<3xf32>, tensor<f32>
}
