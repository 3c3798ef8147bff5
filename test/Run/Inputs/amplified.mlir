// w := k (w - c), where k and c are sums over the samples: a step that amplifies whatever was different before it.
#sample = affine_map<(i) -> (i)>
#scalar = affine_map<(i) -> ()>
module {
  func.func @step(%w: tensor<f32> {ds.param = "w"}, %k: tensor<4xf32> {ds.batch = 0 : i64, ds.name = "k"},
                  %c: tensor<4xf32> {ds.batch = 0 : i64, ds.name = "c"}) -> (tensor<f32> {ds.updates = "w"}) {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<f32>
    %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<f32>) -> tensor<f32>
    %factor = linalg.generic {indexing_maps = [#sample, #scalar], iterator_types = ["reduction"]} ins(%k : tensor<4xf32>) outs(%init : tensor<f32>) {
      ^bb0(%a: f32, %acc: f32):
        %s = arith.addf %acc, %a : f32
        linalg.yield %s : f32
    } -> tensor<f32>
    %offset = linalg.generic {indexing_maps = [#sample, #scalar], iterator_types = ["reduction"]} ins(%c : tensor<4xf32>) outs(%init : tensor<f32>) {
      ^bb0(%a: f32, %acc: f32):
        %s = arith.addf %acc, %a : f32
        linalg.yield %s : f32
    } -> tensor<f32>
    %distance = arith.subf %w, %offset : tensor<f32>
    %updated = arith.mulf %factor, %distance : tensor<f32>
    return %updated : tensor<f32>
  }
}
