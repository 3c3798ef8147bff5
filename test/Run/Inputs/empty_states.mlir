// A parameter, three states without elements (one of rank 2, one that a branch chooses, one of booleans), and a metric that is a sum over none.
func.func @step(%w: tensor<3xf32> {ds.param = "w", ds.init = "zeros"}, %p: tensor<0x0xf32> {ds.state = "p", ds.init = "zeros"},
                %q: tensor<3x0xf32> {ds.state = "q", ds.init = "zeros"}, %b: tensor<2x0xi1> {ds.state = "b", ds.init = "zeros"},
                %x: tensor<4x3xf32> {ds.batch = 0 : i64, ds.name = "x"}, %y: tensor<4xf32> {ds.batch = 0 : i64, ds.name = "y"})
    -> (tensor<3xf32> {ds.updates = "w"}, tensor<0x0xf32> {ds.updates = "p"}, tensor<3x0xf32> {ds.updates = "q"}, tensor<2x0xi1> {ds.updates = "b"}, tensor<f32> {ds.metric = "none"}) {
  %c0 = arith.constant 0 : index
  %half = arith.constant 0.5 : f32
  %rate = arith.constant dense<0.001> : tensor<3xf32>
  %zero = arith.constant dense<0.0> : tensor<3xf32>
  %nothing = arith.constant dense<0.0> : tensor<f32>
  %g = linalg.reduce { arith.addf } ins(%x : tensor<4x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
  %d = arith.mulf %g, %rate : tensor<3xf32>
  %n = arith.subf %w, %d : tensor<3xf32>
  %first = tensor.extract %w[%c0] : tensor<3xf32>
  %above = arith.cmpf ogt, %first, %half : f32
  %q1 = scf.if %above -> (tensor<3x0xf32>) {
    %twice = arith.addf %q, %q : tensor<3x0xf32>
    scf.yield %twice : tensor<3x0xf32>
  } else {
    scf.yield %q : tensor<3x0xf32>
  }
  %p1 = arith.mulf %p, %p : tensor<0x0xf32>
  %m = linalg.reduce { arith.addf } ins(%q1 : tensor<3x0xf32>) outs(%nothing : tensor<f32>) dimensions = [0, 1]
  return %n, %p1, %q1, %b, %m : tensor<3xf32>, tensor<0x0xf32>, tensor<3x0xf32>, tensor<2x0xi1>, tensor<f32>
}
