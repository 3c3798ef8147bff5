// A parameter passes through three functions; a state is returned beside it.
#id = affine_map<(i) -> (i)>
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  func.func @step(%w: tensor<4xf32> {ds.param = "w"}, %m: tensor<4xf32> {ds.state = "m"},
                  %x: tensor<8x4xf32> {ds.batch = 0 : i64, ds.name = "x"})
      -> (tensor<4xf32> {ds.updates = "w"}, tensor<4xf32> {ds.updates = "m"}) {
    %e = tensor.empty() : tensor<4xf32>
    %log = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%w : tensor<4xf32>) outs(%e : tensor<4xf32>) {
    ^bb0(%a: f32, %o: f32):
      %r = math.log %a : f32
      linalg.yield %r : f32
    } -> tensor<4xf32>
    %exp = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%log : tensor<4xf32>) outs(%e : tensor<4xf32>) {
    ^bb0(%a: f32, %o: f32):
      %r = math.exp %a : f32
      linalg.yield %r : f32
    } -> tensor<4xf32>
    %tanh = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%exp : tensor<4xf32>) outs(%e : tensor<4xf32>) {
    ^bb0(%a: f32, %o: f32):
      %r = math.tanh %a : f32
      linalg.yield %r : f32
    } -> tensor<4xf32>
    return %tanh, %m : tensor<4xf32>, tensor<4xf32>
  }
}
