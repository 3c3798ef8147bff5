// A matrix whose gradient, of one sample, is an outer product: of n ranks it has rank n.
#outer = affine_map<(i, j) -> (i, j)>
module {
  func.func @step(%w: tensor<16x12xf32> {ds.param = "w", ds.init = "normal(0.1)"},
                  %x: tensor<1x16xf32> {ds.batch = 0 : i64, ds.name = "x"}, %y: tensor<1x12xf32> {ds.batch = 0 : i64, ds.name = "y"},
                  %lr: tensor<f32> {ds.name = "lr"})
      -> (tensor<16x12xf32> {ds.updates = "w"}, tensor<f32> {ds.metric = "loss"}) {
    %zy = arith.constant dense<0.0> : tensor<1x12xf32>
    %zw = arith.constant dense<0.0> : tensor<16x12xf32>
    %z = arith.constant dense<0.0> : tensor<f32>
    %e = tensor.empty() : tensor<16x1xf32>
    %p = linalg.matmul ins(%x, %w : tensor<1x16xf32>, tensor<16x12xf32>) outs(%zy : tensor<1x12xf32>) -> tensor<1x12xf32>
    %d = arith.subf %p, %y : tensor<1x12xf32>
    %q = arith.mulf %d, %d : tensor<1x12xf32>
    %loss = linalg.reduce { arith.addf } ins(%q : tensor<1x12xf32>) outs(%z : tensor<f32>) dimensions = [0, 1]
    %xt = linalg.transpose ins(%x : tensor<1x16xf32>) outs(%e : tensor<16x1xf32>) permutation = [1, 0]
    %dw = linalg.matmul ins(%xt, %d : tensor<16x1xf32>, tensor<1x12xf32>) outs(%zw : tensor<16x12xf32>) -> tensor<16x12xf32>
    %g = ds.gradient %dw of "w" : tensor<16x12xf32>
    %rate = tensor.extract %lr[] : tensor<f32>
    %new = linalg.generic {indexing_maps = [#outer, #outer, #outer], iterator_types = ["parallel", "parallel"]}
        ins(%w, %g : tensor<16x12xf32>, tensor<16x12xf32>) outs(%zw : tensor<16x12xf32>) {
      ^bb0(%a: f32, %b: f32, %out: f32):
        %c = arith.mulf %b, %rate : f32
        %s = arith.subf %a, %c : f32
        linalg.yield %s : f32
    } -> tensor<16x12xf32>
    return %new, %loss : tensor<16x12xf32>, tensor<f32>
  }
}
