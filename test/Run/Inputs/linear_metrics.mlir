// The error of linear.mlir on 3 samples: the mean of squares over samples that weigh something, and the largest one.
#row = affine_map<(i, j) -> (i)>
#x = affine_map<(i, j) -> (i, j)>
#w = affine_map<(i, j) -> (j)>
#id = affine_map<(i) -> (i)>
#scalar = affine_map<(i) -> ()>
module {
  func.func @forward(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<3x3xf32> {ds.batch = 0 : i64, ds.name = "x"},
                     %y: tensor<3xf32> {ds.batch = 0 : i64, ds.name = "y"},
                     %weight: tensor<3xf32> {ds.batch = 0 : i64, ds.name = "weight"})
      -> (tensor<f32> {ds.metric = "loss"}, tensor<f32> {ds.metric = "worst", ds.reduce = "max"}) {
    %zero = arith.constant 0.0 : f32
    %e3 = tensor.empty() : tensor<3xf32>
    %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<3xf32>) -> tensor<3xf32>
    %prediction = linalg.generic {indexing_maps = [#x, #w, #row], iterator_types = ["parallel", "reduction"]}
        ins(%x, %w : tensor<3x3xf32>, tensor<3xf32>) outs(%z3 : tensor<3xf32>) {
      ^bb0(%a: f32, %b: f32, %acc: f32):
        %p = arith.mulf %a, %b : f32
        %s = arith.addf %acc, %p : f32
        linalg.yield %s : f32
    } -> tensor<3xf32>
    %e0 = tensor.empty() : tensor<f32>
    %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<f32>) -> tensor<f32>
    %sums:3 = linalg.generic {indexing_maps = [#id, #id, #id, #scalar, #scalar, #scalar], iterator_types = ["reduction"]}
        ins(%prediction, %y, %weight : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
        outs(%z0, %z0, %z0 : tensor<f32>, tensor<f32>, tensor<f32>) {
      ^bb0(%a: f32, %b: f32, %c: f32, %squares: f32, %weights: f32, %worst: f32):
        %d = arith.subf %a, %b : f32
        %q = arith.mulf %d, %d : f32
        %r = arith.mulf %q, %c : f32
        %t = arith.addf %squares, %r : f32
        %u = arith.addf %weights, %c : f32
        %m = math.absf %d : f32
        %n = arith.mulf %m, %c : f32
        %o = arith.maximumf %worst, %n : f32
        linalg.yield %t, %u, %o : f32, f32, f32
    } -> (tensor<f32>, tensor<f32>, tensor<f32>)
    %loss = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
        ins(%sums#0, %sums#1 : tensor<f32>, tensor<f32>) outs(%e0 : tensor<f32>) {
      ^bb0(%a: f32, %b: f32, %out: f32):
        %q = arith.divf %a, %b : f32
        linalg.yield %q : f32
    } -> tensor<f32>
    return %loss, %sums#2 : tensor<f32>, tensor<f32>
  }
}
