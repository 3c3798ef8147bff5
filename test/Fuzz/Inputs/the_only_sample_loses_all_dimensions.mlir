// A rank's only sample, without features: reshaped to a scalar, it is the sum over samples. The compiler crashed.
#none = affine_map<() -> ()>
module attributes {ds.config = #ds.config<device_num = 4, gradients_mean = true>} {
  func.func @step(%w: tensor<f64> {ds.param = "w"}, %x: tensor<1xf64> {ds.batch = 0 : i64, ds.name = "x"})
      -> (tensor<f64> {ds.updates = "w"}) {
    %wide = tensor.expand_shape %w [] output_shape [1] : tensor<f64> into tensor<1xf64>
    %y = arith.mulf %wide, %x : tensor<1xf64>
    %each = arith.mulf %y, %x : tensor<1xf64>
    %sum = tensor.collapse_shape %each [] : tensor<1xf64> into tensor<f64>
    %g = ds.gradient %sum of "w" : tensor<f64>
    %square = arith.mulf %g, %g : tensor<f64>
    %new = arith.subf %w, %square : tensor<f64>
    return %new : tensor<f64>
  }
}
