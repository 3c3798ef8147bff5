func.func @step(%w: tensor<2x4xf32> {ds.param = "w"}, %v: tensor<3x2xf32> {ds.param = "v"}, %x: tensor<8x2x4xf32> {ds.batch = 0 : i64},
                %y: tensor<8x3x2xf32> {ds.batch = 0 : i64}) -> (tensor<2x4xf32> {ds.updates = "w"}, tensor<3x2xf32> {ds.updates = "v"}) {
  %zw = arith.constant dense<0.0> : tensor<2x4xf32>
  %zv = arith.constant dense<0.0> : tensor<3x2xf32>
  %sw = linalg.reduce { arith.addf } ins(%x : tensor<8x2x4xf32>) outs(%zw : tensor<2x4xf32>) dimensions = [0]
  %sv = linalg.reduce { arith.addf } ins(%y : tensor<8x3x2xf32>) outs(%zv : tensor<3x2xf32>) dimensions = [0]
  %nw = arith.subf %w, %sw : tensor<2x4xf32>
  %nv = arith.subf %v, %sv : tensor<3x2xf32>
  return %nw, %nv : tensor<2x4xf32>, tensor<3x2xf32>
}
