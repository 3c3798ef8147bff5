func.func @norm(%g: tensor<1000xf32>) -> tensor<f32> {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %n = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%g : tensor<1000xf32>) outs(%zero : tensor<f32>) {
  ^bb0(%x: f32, %sum: f32):
    %square = arith.mulf %x, %x : f32
    %next = arith.addf %sum, %square : f32
    linalg.yield %next : f32
  } -> tensor<f32>
  return %n : tensor<f32>
}
