// A gradient that is marked in each of two updates.
module {
  func.func @step(%w: tensor<3xf32> {ds.param = "w", ds.init = "zeros"}, %x: tensor<4x3xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %z = arith.constant dense<0.0> : tensor<3xf32>
    %dw = linalg.reduce { arith.addf } ins(%x : tensor<4x3xf32>) outs(%z : tensor<3xf32>) dimensions = [0]
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %new = scf.for %i = %c0 to %c2 step %c1 iter_args(%v = %w) -> (tensor<3xf32>) {
      %g = ds.gradient %dw of "w" : tensor<3xf32>
      %next = arith.subf %v, %g : tensor<3xf32>
      scf.yield %next : tensor<3xf32>
    }
    return %new : tensor<3xf32>
  }
}
