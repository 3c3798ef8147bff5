// Two layers; activations and their gradients go through an operation that has no placement rule.
module {
  func.func @step(%w: tensor<3x4xf32> {ds.param = "w", ds.init = "normal(0.5)"}, %v: tensor<4xf32> {ds.param = "v", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}, %y: tensor<16xf32> {ds.batch = 0 : i64, ds.name = "y"})
      -> (tensor<3x4xf32> {ds.updates = "w"}, tensor<4xf32> {ds.updates = "v"}) {
    %mean = arith.constant dense<0.0625> : tensor<16xf32>
    %rate = arith.constant dense<0.1> : tensor<3x4xf32>
    %ratev = arith.constant dense<0.1> : tensor<4xf32>
    %one = arith.constant dense<1.0> : tensor<16x4xf32>
    %zh = arith.constant dense<0.0> : tensor<16x4xf32>
    %zy = arith.constant dense<0.0> : tensor<16xf32>
    %zw = arith.constant dense<0.0> : tensor<3x4xf32>
    %zv = arith.constant dense<0.0> : tensor<4xf32>
    %shape = arith.constant dense<[16, 4]> : tensor<2xi32>
    %h = linalg.matmul ins(%x, %w : tensor<16x3xf32>, tensor<3x4xf32>) outs(%zh : tensor<16x4xf32>) -> tensor<16x4xf32>
    %h1 = tensor.reshape %h(%shape) : (tensor<16x4xf32>, tensor<2xi32>) -> tensor<16x4xf32>
    %a = math.tanh %h1 : tensor<16x4xf32>
    %p = linalg.matvec ins(%a, %v : tensor<16x4xf32>, tensor<4xf32>) outs(%zy : tensor<16xf32>) -> tensor<16xf32>
    %r = arith.subf %p, %y : tensor<16xf32>
    %dy = arith.mulf %r, %mean : tensor<16xf32>
    %dv = linalg.vecmat ins(%dy, %a : tensor<16xf32>, tensor<16x4xf32>) outs(%zv : tensor<4xf32>) -> tensor<4xf32>
    %eh = tensor.empty() : tensor<16x4xf32>
    %da0 = linalg.generic {indexing_maps = [affine_map<(b, j) -> (b)>, affine_map<(b, j) -> (j)>, affine_map<(b, j) -> (b, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%dy, %v : tensor<16xf32>, tensor<4xf32>) outs(%eh : tensor<16x4xf32>) {
      ^bb0(%q: f32, %k: f32, %o: f32):
        %m = arith.mulf %q, %k : f32
        linalg.yield %m : f32 } -> tensor<16x4xf32>
    %sq = arith.mulf %a, %a : tensor<16x4xf32>
    %dt = arith.subf %one, %sq : tensor<16x4xf32>
    %da = arith.mulf %da0, %dt : tensor<16x4xf32>
    %dh = tensor.reshape %da(%shape) : (tensor<16x4xf32>, tensor<2xi32>) -> tensor<16x4xf32>
    %xt_e = tensor.empty() : tensor<3x16xf32>
    %xt = linalg.transpose ins(%x : tensor<16x3xf32>) outs(%xt_e : tensor<3x16xf32>) permutation = [1, 0]
    %dw = linalg.matmul ins(%xt, %dh : tensor<3x16xf32>, tensor<16x4xf32>) outs(%zw : tensor<3x4xf32>) -> tensor<3x4xf32>
    %s = arith.mulf %dw, %rate : tensor<3x4xf32>
    %new = arith.subf %w, %s : tensor<3x4xf32>
    %sv = arith.mulf %dv, %ratev : tensor<4xf32>
    %newv = arith.subf %v, %sv : tensor<4xf32>
    return %new, %newv : tensor<3x4xf32>, tensor<4xf32>
  }
}
