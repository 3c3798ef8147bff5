// A step whose rate is halved until it is small enough.
func.func @step(%w: tensor<4xf32> {ds.param = "w"}, %x: tensor<8x4xf32> {ds.batch = 0 : i64, ds.name = "x"})
    -> (tensor<4xf32> {ds.updates = "w"}) {
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %g = linalg.reduce ins(%x : tensor<8x4xf32>) outs(%zero : tensor<4xf32>) dimensions = [0]
      (%a: f32, %sum: f32) {
        %n = arith.addf %a, %sum : f32
        linalg.yield %n : f32
      }
  %limit = arith.constant 1.0e-3 : f32
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %rate = scf.while (%r = %one) : (f32) -> f32 {
    %more = arith.cmpf ogt, %r, %limit : f32
    scf.condition(%more) %r : f32
  } do {
  ^bb0(%r: f32):
    %next = arith.mulf %r, %half : f32
    scf.yield %next : f32
  }
  %rates = tensor.splat %rate : tensor<4xf32>
  %scaled = arith.mulf %g, %rates : tensor<4xf32>
  %new = arith.subf %w, %scaled : tensor<4xf32>
  return %new : tensor<4xf32>
}
