// An input that the body does not read is divided all the same: its shape is that of a rank.
#id = affine_map<(b) -> (b)>
#scalar = affine_map<(b) -> ()>
#rows = affine_map<(b, i) -> (b, i)>
#row = affine_map<(b, i) -> (b)>
#columns = affine_map<(b, i) -> (i)>
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  func.func @step(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64, ds.name = "x"},
                  %y: tensor<8xf32> {ds.batch = 0 : i64, ds.name = "y"}, %rate: tensor<f32> {ds.name = "rate"})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %zero = arith.constant dense<0.0> : tensor<3xf32>
    %half = arith.constant 0.5 : f32
    %e = tensor.empty() : tensor<8xf32>
    %all = linalg.generic {indexing_maps = [#scalar, #id], iterator_types = ["parallel"]}
        ins(%rate : tensor<f32>) outs(%e : tensor<8xf32>) {
    ^bb0(%a: f32, %o: f32):
      linalg.yield %a : f32
    } -> tensor<8xf32>
    %scaled = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
        ins(%all, %y : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%a: f32, %ignored: f32, %o: f32):
      %s = arith.mulf %a, %half : f32
      linalg.yield %s : f32
    } -> tensor<8xf32>
    %g = linalg.generic {indexing_maps = [#rows, #row, #columns], iterator_types = ["reduction", "parallel"]}
        ins(%x, %scaled : tensor<8x3xf32>, tensor<8xf32>) outs(%zero : tensor<3xf32>) {
    ^bb0(%a: f32, %f: f32, %o: f32):
      %p = arith.mulf %a, %f : f32
      %s = arith.addf %o, %p : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    %e3 = tensor.empty() : tensor<3xf32>
    %new = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
        ins(%w, %g : tensor<3xf32>, tensor<3xf32>) outs(%e3 : tensor<3xf32>) {
    ^bb0(%p: f32, %d: f32, %o: f32):
      %n = arith.subf %p, %d : f32
      linalg.yield %n : f32
    } -> tensor<3xf32>
    return %new : tensor<3xf32>
  }
}
