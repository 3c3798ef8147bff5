// Attention over a sequence that sp divides: each rank projects its positions and attends with its heads, so that what is divided by positions is divided by heads in between. Loss and
// gradient are written out for the output alone, which is enough to move everything once each way.
#q = affine_map<(b, h, i, j, d) -> (b, i, h, d)>
#k = affine_map<(b, h, i, j, d) -> (b, j, h, d)>
#s = affine_map<(b, h, i, j, d) -> (b, h, i, j)>
module attributes {ds.config = #ds.config<batch = global, device_num = 4, mesh = "dp=2,sp=2">} {
  func.func @step(%w: tensor<8x8xf32> {ds.param = "w", ds.init = "normal(0.5)"}, %x: tensor<4x6x8xf32> {ds.batch = 0 : i64, ds.name = "x"})
      -> (tensor<8x8xf32> {ds.updates = "w"}) {
    %rate = arith.constant dense<0.01> : tensor<8x8xf32>
    %z = arith.constant dense<0.0> : tensor<8x8xf32>
    %zx = arith.constant dense<0.0> : tensor<4x6x8xf32>
    %zs = arith.constant dense<0.0> : tensor<4x2x6x6xf32>
    %zo = arith.constant dense<0.0> : tensor<4x6x2x4xf32>
    %mine = ds.sharding_constraint %x <[{}, {"sp"}, {}]> : tensor<4x6x8xf32>
    %h = linalg.generic {indexing_maps = [affine_map<(b, t, i, o) -> (b, t, i)>, affine_map<(b, t, i, o) -> (i, o)>, affine_map<(b, t, i, o) -> (b, t, o)>],
        iterator_types = ["parallel", "parallel", "reduction", "parallel"]} ins(%mine, %w : tensor<4x6x8xf32>, tensor<8x8xf32>) outs(%zx : tensor<4x6x8xf32>) {
    ^bb0(%a: f32, %c: f32, %o: f32):
      %p = arith.mulf %a, %c : f32
      %t = arith.addf %o, %p : f32
      linalg.yield %t : f32
    } -> tensor<4x6x8xf32>
    %split = tensor.expand_shape %h [[0], [1], [2, 3]] output_shape [4, 6, 2, 4] : tensor<4x6x8xf32> into tensor<4x6x2x4xf32>
    %heads = ds.sharding_constraint %split <[{}, {}, {"sp"}, {}]> : tensor<4x6x2x4xf32>
    %scores = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
        ins(%heads, %heads : tensor<4x6x2x4xf32>, tensor<4x6x2x4xf32>) outs(%zs : tensor<4x2x6x6xf32>) {
    ^bb0(%a: f32, %c: f32, %o: f32):
      %p = arith.mulf %a, %c : f32
      %t = arith.addf %o, %p : f32
      linalg.yield %t : f32
    } -> tensor<4x2x6x6xf32>
    %out = linalg.generic {indexing_maps = [#s, #k, #q], iterator_types = ["parallel", "parallel", "parallel", "reduction", "parallel"]}
        ins(%scores, %heads : tensor<4x2x6x6xf32>, tensor<4x6x2x4xf32>) outs(%zo : tensor<4x6x2x4xf32>) {
    ^bb0(%a: f32, %c: f32, %o: f32):
      %e = math.tanh %a : f32
      %p = arith.mulf %e, %c : f32
      %t = arith.addf %o, %p : f32
      linalg.yield %t : f32
    } -> tensor<4x6x2x4xf32>
    %positions = ds.sharding_constraint %out <[{}, {"sp"}, {}, {}]> : tensor<4x6x2x4xf32>
    %merged = tensor.collapse_shape %positions [[0], [1], [2, 3]] : tensor<4x6x2x4xf32> into tensor<4x6x8xf32>
    %dw = linalg.generic {indexing_maps = [affine_map<(i, o, b, t) -> (b, t, i)>, affine_map<(i, o, b, t) -> (b, t, o)>, affine_map<(i, o, b, t) -> (i, o)>],
        iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%mine, %merged : tensor<4x6x8xf32>, tensor<4x6x8xf32>) outs(%z : tensor<8x8xf32>) {
    ^bb0(%a: f32, %c: f32, %o: f32):
      %p = arith.mulf %a, %c : f32
      %t = arith.addf %o, %p : f32
      linalg.yield %t : f32
    } -> tensor<8x8xf32>
    %g = arith.mulf %dw, %rate : tensor<8x8xf32>
    %n = arith.subf %w, %g : tensor<8x8xf32>
    return %n : tensor<8x8xf32>
  }
}
