// A gradient goes through operations that have no placement rule: a reshape to a shape that is data, and back.
module {
  func.func @step(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}, %y: tensor<16xf32> {ds.batch = 0 : i64, ds.name = "y"})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %mean = arith.constant dense<0.0625> : tensor<16xf32>
    %rate = arith.constant dense<0.1> : tensor<3xf32>
    %zy = arith.constant dense<0.0> : tensor<16xf32>
    %zw = arith.constant dense<0.0> : tensor<3xf32>
    %column = arith.constant dense<[3, 1]> : tensor<2xi32>
    %row = arith.constant dense<3> : tensor<1xi32>
    %p = linalg.matvec ins(%x, %w : tensor<16x3xf32>, tensor<3xf32>) outs(%zy : tensor<16xf32>) -> tensor<16xf32>
    %r = arith.subf %p, %y : tensor<16xf32>
    %dy = arith.mulf %r, %mean : tensor<16xf32>
    %dw = linalg.vecmat ins(%dy, %x : tensor<16xf32>, tensor<16x3xf32>) outs(%zw : tensor<3xf32>) -> tensor<3xf32>
    %a = tensor.reshape %dw(%column) : (tensor<3xf32>, tensor<2xi32>) -> tensor<3x1xf32>
    %t = math.tanh %a : tensor<3x1xf32>
    %b = tensor.reshape %t(%row) : (tensor<3x1xf32>, tensor<1xi32>) -> tensor<3xf32>
    %s = arith.mulf %b, %rate : tensor<3xf32>
    %new = arith.subf %w, %s : tensor<3xf32>
    return %new : tensor<3xf32>
  }
}
