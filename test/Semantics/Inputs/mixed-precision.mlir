// bf16 forward and backward; the master weights and their update are f32.
module {
  func.func @step(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}, %y: tensor<16xf32> {ds.batch = 0 : i64, ds.name = "y"})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %mean = arith.constant dense<0.0625> : tensor<16xf32>
    %rate = arith.constant dense<0.1> : tensor<3xf32>
    %z = arith.constant dense<0.0> : tensor<16xf32>
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %w16 = arith.truncf %w : tensor<3xf32> to tensor<3xbf16>
    %x16 = arith.truncf %x : tensor<16x3xf32> to tensor<16x3xbf16>
    %y16 = arith.truncf %y : tensor<16xf32> to tensor<16xbf16>
    %m16 = arith.truncf %mean : tensor<16xf32> to tensor<16xbf16>
    %zb = arith.constant dense<0.0> : tensor<16xbf16>
    %zb3 = arith.constant dense<0.0> : tensor<3xbf16>
    %p = linalg.matvec ins(%x16, %w16 : tensor<16x3xbf16>, tensor<3xbf16>) outs(%zb : tensor<16xbf16>) -> tensor<16xbf16>
    %d = arith.subf %p, %y16 : tensor<16xbf16>
    %dp = arith.mulf %d, %m16 : tensor<16xbf16>
    %g16 = linalg.vecmat ins(%dp, %x16 : tensor<16xbf16>, tensor<16x3xbf16>) outs(%zb3 : tensor<3xbf16>) -> tensor<3xbf16>
    %g = arith.extf %g16 : tensor<3xbf16> to tensor<3xf32>
    %s = arith.mulf %g, %rate : tensor<3xf32>
    %new = arith.subf %w, %s : tensor<3xf32>
    return %new : tensor<3xf32>
  }
}
