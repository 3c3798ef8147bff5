#one = affine_map<(d0) -> (d0)>
module attributes {ds.config = #ds.config<batch = global, device_num = 4>} {
  func.func @step(%w: tensor<f32> {ds.param = "w"}, %p: tensor<8x10xf32> {ds.batch = 0 : i64}, %label: tensor<8xi32> {ds.batch = 0 : i64})
      -> (tensor<f32> {ds.updates = "w"}) {
    %zero = arith.constant dense<0.0> : tensor<f32>
    %e = tensor.empty() : tensor<8xf32>
    %of_label = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%label : tensor<8xi32>) outs(%e : tensor<8xf32>) {
    ^bb0(%class: i32, %out: f32):
      %row = linalg.index 0 : index
      %column = arith.index_cast %class : i32 to index
      %v = tensor.extract %p[%row, %column] : tensor<8x10xf32>
      linalg.yield %v : f32
    } -> tensor<8xf32>
    %dw = linalg.reduce ins(%of_label : tensor<8xf32>) outs(%zero : tensor<f32>) dimensions = [0]
      (%in: f32, %out: f32) { %s = arith.addf %in, %out : f32 linalg.yield %s : f32 }
    %new = arith.subf %w, %dw : tensor<f32>
    return %new : tensor<f32>
  }
}
