// v := (sum of x)^2, as the second moment of a bias that adds the gradients of many pixels.
#pixel = affine_map<(i, j) -> (i, j)>
#scalar = affine_map<(i, j) -> ()>
module {
  func.func @step(%v: tensor<f32> {ds.param = "v"}, %x: tensor<4x10000xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<f32> {ds.updates = "v"}) {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<f32>
    %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<f32>) -> tensor<f32>
    %sum = linalg.generic {indexing_maps = [#pixel, #scalar], iterator_types = ["reduction", "reduction"]} ins(%x : tensor<4x10000xf32>) outs(%init : tensor<f32>) {
      ^bb0(%a: f32, %acc: f32):
        %s = arith.addf %acc, %a : f32
        linalg.yield %s : f32
    } -> tensor<f32>
    %squared = arith.mulf %sum, %sum : tensor<f32>
    return %squared : tensor<f32>
  }
}
