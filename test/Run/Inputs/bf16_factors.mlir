// Two layers and a convolution, trained by squares: sums of integers that f32 holds exactly, factors that bf16 does not.
#rows = affine_map<(m, n, k) -> (m, k)>
#columns = affine_map<(m, n, k) -> (k, n)>
#result = affine_map<(m, n, k) -> (m, n)>
#same = affine_map<(i, j) -> (i, j)>
#image = affine_map<(p, q, c, f, n, y, x) -> (n, y + p, x + q, c)>
#slope = affine_map<(p, q, c, f, n, y, x) -> (n, y, x, f)>
#kernel = affine_map<(p, q, c, f, n, y, x) -> (p, q, c, f)>
module {
  func.func @step(%w1: tensor<16x16xf32> {ds.param = "w1"}, %w2: tensor<16x8xf32> {ds.param = "w2"}, %k: tensor<3x3x2x4xf32> {ds.param = "k"},
      %x: tensor<8x16xf32> {ds.batch = 0 : i64}, %y: tensor<8x8xf32> {ds.batch = 0 : i64}, %i: tensor<8x6x6x2xf32> {ds.batch = 0 : i64},
      %t: tensor<8x4x4x4xf32> {ds.batch = 0 : i64})
      -> (tensor<16x16xf32> {ds.updates = "w1"}, tensor<16x8xf32> {ds.updates = "w2"}, tensor<3x3x2x4xf32> {ds.updates = "k"}) {
    %zero = arith.constant 0.0 : f32
    %e816 = tensor.empty() : tensor<8x16xf32>
    %z816 = linalg.fill ins(%zero : f32) outs(%e816 : tensor<8x16xf32>) -> tensor<8x16xf32>
    %e88 = tensor.empty() : tensor<8x8xf32>
    %z88 = linalg.fill ins(%zero : f32) outs(%e88 : tensor<8x8xf32>) -> tensor<8x8xf32>
    %e1616 = tensor.empty() : tensor<16x16xf32>
    %z1616 = linalg.fill ins(%zero : f32) outs(%e1616 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %e168 = tensor.empty() : tensor<16x8xf32>
    %z168 = linalg.fill ins(%zero : f32) outs(%e168 : tensor<16x8xf32>) -> tensor<16x8xf32>
    %e8 = tensor.empty() : tensor<8x4x4x4xf32>
    %z8 = linalg.fill ins(%zero : f32) outs(%e8 : tensor<8x4x4x4xf32>) -> tensor<8x4x4x4xf32>
    %e3 = tensor.empty() : tensor<3x3x2x4xf32>
    %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<3x3x2x4xf32>) -> tensor<3x3x2x4xf32>

    %a = linalg.matmul ins(%x, %w1 : tensor<8x16xf32>, tensor<16x16xf32>) outs(%z816 : tensor<8x16xf32>) -> tensor<8x16xf32>
    %h = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]}
        ins(%a : tensor<8x16xf32>) outs(%e816 : tensor<8x16xf32>) {
    ^bb0(%v: f32, %o: f32):
      %m = arith.maximumf %v, %zero : f32
      linalg.yield %m : f32
    } -> tensor<8x16xf32>
    %s = linalg.matmul ins(%h, %w2 : tensor<8x16xf32>, tensor<16x8xf32>) outs(%z88 : tensor<8x8xf32>) -> tensor<8x8xf32>
    %d = arith.subf %s, %y : tensor<8x8xf32>
    %t2 = linalg.transpose ins(%w2 : tensor<16x8xf32>) outs(%e816 : tensor<8x16xf32>) permutation = [1, 0]
    %b = linalg.matmul ins(%d, %t2 : tensor<8x8xf32>, tensor<8x16xf32>) outs(%z816 : tensor<8x16xf32>) -> tensor<8x16xf32>
    %dh = linalg.generic {indexing_maps = [#same, #same, #same], iterator_types = ["parallel", "parallel"]}
        ins(%a, %b : tensor<8x16xf32>, tensor<8x16xf32>) outs(%e816 : tensor<8x16xf32>) {
    ^bb0(%v: f32, %u: f32, %o: f32):
      %p = arith.cmpf ogt, %v, %zero : f32
      %m = arith.select %p, %u, %zero : f32
      linalg.yield %m : f32
    } -> tensor<8x16xf32>
    %ht = linalg.transpose ins(%h : tensor<8x16xf32>) outs(%e168 : tensor<16x8xf32>) permutation = [1, 0]
    %dw2 = linalg.matmul ins(%ht, %d : tensor<16x8xf32>, tensor<8x8xf32>) outs(%z168 : tensor<16x8xf32>) -> tensor<16x8xf32>
    %xt = linalg.transpose ins(%x : tensor<8x16xf32>) outs(%e168 : tensor<16x8xf32>) permutation = [1, 0]
    %dw1 = linalg.matmul ins(%xt, %dh : tensor<16x8xf32>, tensor<8x16xf32>) outs(%z1616 : tensor<16x16xf32>) -> tensor<16x16xf32>

    %c = linalg.conv_2d_nhwc_hwcf ins(%i, %k : tensor<8x6x6x2xf32>, tensor<3x3x2x4xf32>) outs(%z8 : tensor<8x4x4x4xf32>) -> tensor<8x4x4x4xf32>
    %dc = arith.subf %c, %t : tensor<8x4x4x4xf32>
    %dk = linalg.generic {indexing_maps = [#image, #slope, #kernel],
        iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
        ins(%i, %dc : tensor<8x6x6x2xf32>, tensor<8x4x4x4xf32>) outs(%z3 : tensor<3x3x2x4xf32>) {
    ^bb0(%v: f32, %u: f32, %o: f32):
      %p = arith.mulf %v, %u : f32
      %q = arith.addf %o, %p : f32
      linalg.yield %q : f32
    } -> tensor<3x3x2x4xf32>

    %r1 = arith.constant dense<2.44140625e-4> : tensor<16x16xf32>
    %r2 = arith.constant dense<2.44140625e-4> : tensor<16x8xf32>
    %r3 = arith.constant dense<2.44140625e-4> : tensor<3x3x2x4xf32>
    %u1 = arith.mulf %dw1, %r1 : tensor<16x16xf32>
    %u2 = arith.mulf %dw2, %r2 : tensor<16x8xf32>
    %u3 = arith.mulf %dk, %r3 : tensor<3x3x2x4xf32>
    %n1 = arith.subf %w1, %u1 : tensor<16x16xf32>
    %n2 = arith.subf %w2, %u2 : tensor<16x8xf32>
    %n3 = arith.subf %k, %u3 : tensor<3x3x2x4xf32>
    return %n1, %n2, %n3 : tensor<16x16xf32>, tensor<16x8xf32>, tensor<3x3x2x4xf32>
  }
}
