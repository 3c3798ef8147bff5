#map = affine_map<(d0) -> (d0)>
module attributes {ds.config = #ds.config<batch = global, device_num = 4>} {
  func.func @step(%w: tensor<3xf32> {ds.param = "w"}, %x1: tensor<8x3xf32> {ds.batch = 0 : i64}, %x2: tensor<8x3xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %zero = arith.constant dense<0.0> : tensor<3xf32>
    %e = tensor.empty() : tensor<3xf32>
    %one = arith.constant 1.0 : f32
    %g1 = linalg.reduce ins(%x1 : tensor<8x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
      (%in: f32, %out: f32) { %s = arith.addf %in, %out : f32 linalg.yield %s : f32 }
    %g2 = linalg.reduce ins(%x2 : tensor<8x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
      (%in: f32, %out: f32) { %s = arith.addf %in, %out : f32 linalg.yield %s : f32 }
    %new = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel"]}
        ins(%w, %g1, %g2 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
    ^bb0(%old: f32, %a: f32, %b: f32, %out: f32):
      %g = arith.addf %a, %b : f32
      %clipped = arith.minimumf %g, %one : f32
      %n = arith.subf %old, %clipped : f32
      linalg.yield %n : f32
    } -> tensor<3xf32>
    return %new : tensor<3xf32>
  }
}
