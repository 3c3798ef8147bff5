// The mean of the samples is needed whole beside them, so it is combined; what is computed from it is whole. Each gradient adds
// such a value to a sum over the samples that is combined later: in the middle of a chain, from behind it, twice, through a
// reshape, inside of a fused body, and as what an accumulation starts from.
#id = affine_map<(i) -> (i)>
#column = affine_map<(i, j) -> (j)>
#all = affine_map<(i, j) -> (i, j)>
module {
  func.func @step(%a: tensor<3xf32> {ds.param = "middle", ds.init = "zeros"}, %b: tensor<3xf32> {ds.param = "behind", ds.init = "zeros"},
      %c: tensor<3xf32> {ds.param = "twice", ds.init = "zeros"}, %d: tensor<1x3xf32> {ds.param = "reshaped", ds.init = "zeros"},
      %e: tensor<3xf32> {ds.param = "fused", ds.init = "zeros"}, %f: tensor<3xf32> {ds.param = "start", ds.init = "zeros"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"})
      -> (tensor<3xf32> {ds.updates = "middle"}, tensor<3xf32> {ds.updates = "behind"}, tensor<3xf32> {ds.updates = "twice"},
          tensor<1x3xf32> {ds.updates = "reshaped"}, tensor<3xf32> {ds.updates = "fused"}, tensor<3xf32> {ds.updates = "start"}) {
    %share = arith.constant dense<0.0625> : tensor<3xf32>
    %two = arith.constant dense<2.0> : tensor<3xf32>
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %matrix = arith.constant dense<[[2.0, 0.5, 0.0], [0.0, 2.0, 0.0], [0.25, 0.0, 2.0]]> : tensor<3x3xf32>
    %factor = arith.constant 3.0 : f32
    %out = tensor.empty() : tensor<3xf32>
    %rows = tensor.empty() : tensor<16x3xf32>
    %total = linalg.reduce { arith.addf } ins(%x : tensor<16x3xf32>) outs(%z3 : tensor<3xf32>) dimensions = [0]
    %mean = arith.mulf %total, %share : tensor<3xf32>
    %means = linalg.broadcast ins(%mean : tensor<3xf32>) outs(%rows : tensor<16x3xf32>) dimensions = [0]
    %centred = arith.subf %x, %means : tensor<16x3xf32>
    %squares = arith.mulf %centred, %x : tensor<16x3xf32>
    // No fusion can put a contraction into the operations that read it.
    %doubled = linalg.vecmat ins(%mean, %matrix : tensor<3xf32>, tensor<3x3xf32>) outs(%z3 : tensor<3xf32>) -> tensor<3xf32>
    %sum1 = linalg.reduce { arith.addf } ins(%squares : tensor<16x3xf32>) outs(%z3 : tensor<3xf32>) dimensions = [0]
    %p1 = arith.mulf %sum1, %share : tensor<3xf32>
    %sum2 = linalg.reduce { arith.addf } ins(%centred : tensor<16x3xf32>) outs(%share : tensor<3xf32>) dimensions = [0]
    %p2 = arith.mulf %sum2, %share : tensor<3xf32>
    // (P1 + f) + P2
    %a1 = arith.addf %p1, %doubled : tensor<3xf32>
    %ga = arith.addf %a1, %p2 : tensor<3xf32>
    // f - (P1 + P2)
    %b1 = arith.addf %p1, %p2 : tensor<3xf32>
    %gb = arith.subf %doubled, %b1 : tensor<3xf32>
    // ((f + P1) * 2 + f) + P2
    %c1 = arith.addf %doubled, %p1 : tensor<3xf32>
    %c2 = arith.mulf %c1, %two : tensor<3xf32>
    %c3 = arith.addf %c2, %doubled : tensor<3xf32>
    %gc = arith.addf %c3, %p2 : tensor<3xf32>
    // Through reshapes.
    %d1 = tensor.expand_shape %doubled [[0, 1]] output_shape [1, 3] : tensor<3xf32> into tensor<1x3xf32>
    %d2 = tensor.expand_shape %p1 [[0, 1]] output_shape [1, 3] : tensor<3xf32> into tensor<1x3xf32>
    %d3 = tensor.expand_shape %p2 [[0, 1]] output_shape [1, 3] : tensor<3xf32> into tensor<1x3xf32>
    %d4 = arith.addf %d2, %d1 : tensor<1x3xf32>
    %gd = arith.addf %d4, %d3 : tensor<1x3xf32>
    // In one body.
    %ge = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]}
        ins(%p1, %mean, %p2 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) outs(%out : tensor<3xf32>) {
    ^bb0(%p: f32, %m: f32, %q: f32, %o: f32):
      %s = arith.mulf %m, %factor : f32
      %t = arith.addf %p, %s : f32
      %u = arith.addf %t, %q : f32
      linalg.yield %u : f32
    } -> tensor<3xf32>
    // The sum over the samples starts from f.
    %f1 = linalg.generic {indexing_maps = [#all, #column], iterator_types = ["reduction", "parallel"]}
        ins(%squares : tensor<16x3xf32>) outs(%doubled : tensor<3xf32>) {
    ^bb0(%s: f32, %o: f32):
      %t = arith.addf %o, %s : f32
      linalg.yield %t : f32
    } -> tensor<3xf32>
    %f2 = arith.mulf %f1, %share : tensor<3xf32>
    %gf = arith.addf %f2, %p2 : tensor<3xf32>
    %na = arith.subf %a, %ga : tensor<3xf32>
    %nb = arith.subf %b, %gb : tensor<3xf32>
    %nc = arith.subf %c, %gc : tensor<3xf32>
    %nd = arith.subf %d, %gd : tensor<1x3xf32>
    %ne = arith.subf %e, %ge : tensor<3xf32>
    %nf = arith.subf %f, %gf : tensor<3xf32>
    return %na, %nb, %nc, %nd, %ne, %nf : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<1x3xf32>, tensor<3xf32>, tensor<3xf32>
  }
}
