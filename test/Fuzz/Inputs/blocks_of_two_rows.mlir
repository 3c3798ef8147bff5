// Halves of a batch and pairs in them: only blocks of two rows, dealt in turn, keep both together. The layout had no such word.
#id = affine_map<(i) -> (i)>
#rows = affine_map<(b, i) -> (b, i)>
#columns = affine_map<(b, i) -> (i)>
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  func.func @step(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %zero = arith.constant dense<0.0> : tensor<3xf32>
    %split = tensor.expand_shape %x [[0, 1, 2], [3]] output_shape [2, 4, 2, 3] : tensor<16x3xf32> into tensor<2x4x2x3xf32>
    %part0 = tensor.extract_slice %split[0, 0, 0, 0] [1, 4, 1, 3] [1, 1, 1, 1] : tensor<2x4x2x3xf32> to tensor<4x3xf32>
    %g0 = linalg.generic {indexing_maps = [#rows, #columns], iterator_types = ["reduction", "parallel"]}
        ins(%part0 : tensor<4x3xf32>) outs(%zero : tensor<3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %f = arith.constant 1.0 : f32
      %q = arith.mulf %a, %f : f32
      %s = arith.addf %o, %q : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    %part1 = tensor.extract_slice %split[0, 0, 1, 0] [1, 4, 1, 3] [1, 1, 1, 1] : tensor<2x4x2x3xf32> to tensor<4x3xf32>
    %g1 = linalg.generic {indexing_maps = [#rows, #columns], iterator_types = ["reduction", "parallel"]}
        ins(%part1 : tensor<4x3xf32>) outs(%g0 : tensor<3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %f = arith.constant 2.0 : f32
      %q = arith.mulf %a, %f : f32
      %s = arith.addf %o, %q : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    %part2 = tensor.extract_slice %split[1, 0, 0, 0] [1, 4, 1, 3] [1, 1, 1, 1] : tensor<2x4x2x3xf32> to tensor<4x3xf32>
    %g2 = linalg.generic {indexing_maps = [#rows, #columns], iterator_types = ["reduction", "parallel"]}
        ins(%part2 : tensor<4x3xf32>) outs(%g1 : tensor<3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %f = arith.constant 3.0 : f32
      %q = arith.mulf %a, %f : f32
      %s = arith.addf %o, %q : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    %part3 = tensor.extract_slice %split[1, 0, 1, 0] [1, 4, 1, 3] [1, 1, 1, 1] : tensor<2x4x2x3xf32> to tensor<4x3xf32>
    %g3 = linalg.generic {indexing_maps = [#rows, #columns], iterator_types = ["reduction", "parallel"]}
        ins(%part3 : tensor<4x3xf32>) outs(%g2 : tensor<3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %f = arith.constant 4.0 : f32
      %q = arith.mulf %a, %f : f32
      %s = arith.addf %o, %q : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    %e = tensor.empty() : tensor<3xf32>
    %new = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
        ins(%w, %g3 : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
    ^bb0(%p: f32, %d: f32, %o: f32):
      %n = arith.subf %p, %d : f32
      linalg.yield %n : f32
    } -> tensor<3xf32>
    return %new : tensor<3xf32>
  }
}
