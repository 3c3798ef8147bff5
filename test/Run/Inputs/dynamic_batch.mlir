// A layer that trains on batches of any size, whose mean divides by the size that it asks for.
#id = affine_map<(a, b) -> (a, b)>
#none = affine_map<(a, b) -> ()>
func.func private @half_of_squares(%d: tensor<?x3xf32>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<f32>
  %n = tensor.dim %d, %c0 : tensor<?x3xf32>
  %k = arith.index_cast %n : index to i64
  %count = arith.sitofp %k : i64 to f32
  %s = linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction", "reduction"]} ins(%d : tensor<?x3xf32>) outs(%zero : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %q = arith.mulf %a, %a : f32
    %m = arith.divf %q, %count : f32
    %t = arith.addf %o, %m : f32
    linalg.yield %t : f32
  } -> tensor<f32>
  return %s : tensor<f32>
}
func.func @step(%w: tensor<4x3xf32> {ds.param = "w", ds.init = "normal(0.5)"}, %x: tensor<?x4xf32> {ds.batch = 0 : i64, ds.name = "x"},
    %t: tensor<?x3xf32> {ds.batch = 0 : i64, ds.name = "t"}) -> (tensor<4x3xf32> {ds.updates = "w"}, tensor<f32> {ds.metric = "loss"}) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  %m = tensor.dim %t, %c0 : tensor<?x3xf32>
  %same = arith.cmpi eq, %n, %m : index
  cf.assert %same, "mismatched size for broadcast"
  %e = tensor.empty(%n) : tensor<?x3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x3xf32>) -> tensor<?x3xf32>
  %y = linalg.matmul ins(%x, %w : tensor<?x4xf32>, tensor<4x3xf32>) outs(%f : tensor<?x3xf32>) -> tensor<?x3xf32>
  %h = math.tanh %y : tensor<?x3xf32>
  %d = arith.subf %h, %t : tensor<?x3xf32>
  %k = arith.index_cast %n : index to i64
  %count = arith.sitofp %k : i64 to f32
  %dy = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%d, %h : tensor<?x3xf32>, tensor<?x3xf32>) outs(%e : tensor<?x3xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %q = arith.mulf %b, %b : f32
    %r = arith.subf %one, %q : f32
    %s = arith.mulf %a, %r : f32
    %v = arith.divf %s, %count : f32
    linalg.yield %v : f32
  } -> tensor<?x3xf32>
  %et = tensor.empty(%n) : tensor<4x?xf32>
  %xt = linalg.transpose ins(%x : tensor<?x4xf32>) outs(%et : tensor<4x?xf32>) permutation = [1, 0]
  %z = arith.constant dense<0.0> : tensor<4x3xf32>
  %g = linalg.matmul ins(%xt, %dy : tensor<4x?xf32>, tensor<?x3xf32>) outs(%z : tensor<4x3xf32>) -> tensor<4x3xf32>
  %lr = arith.constant dense<0.5> : tensor<4x3xf32>
  %u = arith.mulf %g, %lr : tensor<4x3xf32>
  %new = arith.subf %w, %u : tensor<4x3xf32>
  %loss = call @half_of_squares(%d) : (tensor<?x3xf32>) -> tensor<f32>
  return %new, %loss : tensor<4x3xf32>, tensor<f32>
}
