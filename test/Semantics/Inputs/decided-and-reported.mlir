// The loss decides whether ranks step, is a metric, and is kept in states, as it is and squared. A second parameter is updated by the
// product of a statistic that samples meet and a vector that all ranks have, under a clipping by the norm of both gradients.
module {
  func.func @step(%w: tensor<3xf32> {ds.param = "w", ds.init = "constant(0.5)"}, %p: tensor<3x2xf32> {ds.param = "p", ds.init = "constant(0.25)"},
      %kept: tensor<f32> {ds.state = "kept"}, %squared: tensor<f32> {ds.state = "squared"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"})
      -> (tensor<3xf32> {ds.updates = "w"}, tensor<3x2xf32> {ds.updates = "p"}, tensor<f32> {ds.updates = "kept"},
          tensor<f32> {ds.updates = "squared"}, tensor<f32> {ds.metric = "loss"},
          tensor<f32> {ds.metric = "most", ds.reduce = "max"}, tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "samples"}) {
    %share = arith.constant dense<0.0625> : tensor<f32>
    %shares = arith.constant dense<0.0625> : tensor<3xf32>
    %half = arith.constant dense<0.5> : tensor<f32>
    %bound = arith.constant dense<0.125> : tensor<f32>
    %z = arith.constant dense<0.0> : tensor<f32>
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %vector = arith.constant dense<[1.0, -2.0]> : tensor<2xf32>
    %outer = tensor.empty() : tensor<3x2xf32>
    %rows = tensor.empty() : tensor<16x3xf32>
    %limit = arith.constant 1.5 : f32
    %squares = arith.mulf %x, %x : tensor<16x3xf32>
    %total = linalg.reduce { arith.addf } ins(%squares : tensor<16x3xf32>) outs(%z : tensor<f32>) dimensions = [0, 1]
    %loss = arith.mulf %total, %share : tensor<f32>
    %sum = linalg.reduce { arith.addf } ins(%x : tensor<16x3xf32>) outs(%z3 : tensor<3xf32>) dimensions = [0]
    %mean = arith.mulf %sum, %shares : tensor<3xf32>
    %means = linalg.broadcast ins(%mean : tensor<3xf32>) outs(%rows : tensor<16x3xf32>) dimensions = [0]
    %centred = arith.subf %x, %means : tensor<16x3xf32>
    %products = arith.mulf %centred, %x : tensor<16x3xf32>
    %of = linalg.reduce { arith.addf } ins(%products : tensor<16x3xf32>) outs(%z3 : tensor<3xf32>) dimensions = [0]
    %dw = arith.mulf %of, %shares : tensor<3xf32>
    %gw = ds.gradient %dw of "w" : tensor<3xf32>
    %dp = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
        iterator_types = ["parallel", "parallel"]} ins(%mean, %vector : tensor<3xf32>, tensor<2xf32>) outs(%outer : tensor<3x2xf32>) {
    ^bb0(%m: f32, %v: f32, %o: f32):
      %r = arith.mulf %m, %v : f32
      linalg.yield %r : f32
    } -> tensor<3x2xf32>
    %gp = ds.gradient %dp of "p" : tensor<3x2xf32>
    %gw2 = arith.mulf %gw, %gw : tensor<3xf32>
    %gp2 = arith.mulf %gp, %gp : tensor<3x2xf32>
    %nw = linalg.reduce { arith.addf } ins(%gw2 : tensor<3xf32>) outs(%z : tensor<f32>) dimensions = [0]
    %np = linalg.reduce { arith.addf } ins(%gp2 : tensor<3x2xf32>) outs(%z : tensor<f32>) dimensions = [0, 1]
    %n2 = arith.addf %nw, %np : tensor<f32>
    %norm = math.sqrt %n2 : tensor<f32>
    %atLeast = arith.maximumf %norm, %bound : tensor<f32>
    %clip = arith.divf %bound, %atLeast : tensor<f32>
    %clip3 = linalg.broadcast ins(%clip : tensor<f32>) outs(%z3 : tensor<3xf32>) dimensions = [0]
    %clip32 = linalg.broadcast ins(%clip : tensor<f32>) outs(%outer : tensor<3x2xf32>) dimensions = [0, 1]
    %cw = arith.mulf %gw, %clip3 : tensor<3xf32>
    %cp = arith.mulf %gp, %clip32 : tensor<3x2xf32>
    %together = ds.combine mean %loss : tensor<f32>
    %l = tensor.extract %together[] : tensor<f32>
    %steps = arith.cmpf olt, %l, %limit : f32
    %new:2 = scf.if %steps -> (tensor<3xf32>, tensor<3x2xf32>) {
      %a = arith.subf %w, %cw : tensor<3xf32>
      %b = arith.subf %p, %cp : tensor<3x2xf32>
      scf.yield %a, %b : tensor<3xf32>, tensor<3x2xf32>
    } else {
      scf.yield %w, %p : tensor<3xf32>, tensor<3x2xf32>
    }
    %k = arith.mulf %kept, %half : tensor<f32>
    %nkept = arith.addf %k, %loss : tensor<f32>
    %nsquared = arith.mulf %loss, %loss : tensor<f32>
    return %new#0, %new#1, %nkept, %nsquared, %loss, %loss, %x : tensor<3xf32>, tensor<3x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>,
        tensor<f32>, tensor<16x3xf32>
  }
}
