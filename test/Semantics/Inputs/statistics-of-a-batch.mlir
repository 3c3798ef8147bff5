// Running statistics that no sample reads, each a function of the batch that is not linear in any sum over ranks, and a gradient
// beside them. The samples are returned so that a test can compute it again.
module {
  func.func @step(%w: tensor<3xf32> {ds.param = "w", ds.init = "zeros"},
      %hi: tensor<3xf32> {ds.state = "largest"}, %lo: tensor<3xf32> {ds.state = "smallest"},
      %rms: tensor<3xf32> {ds.state = "root mean square"}, %cap: tensor<3xf32> {ds.state = "capped"},
      %pick: tensor<3xf32> {ds.state = "picked"}, %exp: tensor<3xf32> {ds.state = "exponential"},
      %var: tensor<3xf32> {ds.state = "variance"}, %run: tensor<3xf32> {ds.state = "linear"},
      %grad: tensor<3xf32> {ds.state = "largest gradient"}, %both: tensor<3xf32> {ds.state = "beside a gradient"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"})
      -> (tensor<3xf32> {ds.updates = "w"}, tensor<3xf32> {ds.updates = "largest"}, tensor<3xf32> {ds.updates = "smallest"},
          tensor<3xf32> {ds.updates = "root mean square"}, tensor<3xf32> {ds.updates = "capped"}, tensor<3xf32> {ds.updates = "picked"},
          tensor<3xf32> {ds.updates = "exponential"}, tensor<3xf32> {ds.updates = "variance"}, tensor<3xf32> {ds.updates = "linear"},
          tensor<3xf32> {ds.updates = "largest gradient"}, tensor<3xf32> {ds.updates = "beside a gradient"},
          tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "samples"}) {
    %share = arith.constant dense<0.0625> : tensor<3xf32>
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %low = arith.constant dense<0xFF800000> : tensor<3xf32>
    %high = arith.constant dense<0x7F800000> : tensor<3xf32>
    %half = arith.constant dense<0.5> : tensor<3xf32>
    %bound = arith.constant dense<0.05> : tensor<3xf32>
    %total = linalg.reduce { arith.addf } ins(%x : tensor<16x3xf32>) outs(%z3 : tensor<3xf32>) dimensions = [0]
    %squares = arith.mulf %x, %x : tensor<16x3xf32>
    %sum = linalg.reduce { arith.addf } ins(%squares : tensor<16x3xf32>) outs(%z3 : tensor<3xf32>) dimensions = [0]
    %mean = arith.mulf %total, %share : tensor<3xf32>
    %second = arith.mulf %sum, %share : tensor<3xf32>
    %most = linalg.reduce { arith.maximumf } ins(%x : tensor<16x3xf32>) outs(%low : tensor<3xf32>) dimensions = [0]
    %least = linalg.reduce { arith.minimumf } ins(%x : tensor<16x3xf32>) outs(%high : tensor<3xf32>) dimensions = [0]
    %nhi = arith.maximumf %hi, %most : tensor<3xf32>
    %nlo = arith.minimumf %lo, %least : tensor<3xf32>
    %root = math.sqrt %second : tensor<3xf32>
    %r1 = arith.mulf %rms, %half : tensor<3xf32>
    %nrms = arith.addf %r1, %root : tensor<3xf32>
    %ncap = arith.minimumf %mean, %bound : tensor<3xf32>
    %above = arith.cmpf ogt, %mean, %bound : tensor<3xf32>
    %npick = arith.select %above, %second, %pick : tensor<3xi1>, tensor<3xf32>
    %nexp = math.exp %mean : tensor<3xf32>
    %m2 = arith.mulf %mean, %mean : tensor<3xf32>
    %nvar = arith.subf %second, %m2 : tensor<3xf32>
    %l1 = arith.mulf %run, %half : tensor<3xf32>
    %nrun = arith.addf %l1, %mean : tensor<3xf32>
    %cubes = arith.mulf %squares, %x : tensor<16x3xf32>
    %of = linalg.reduce { arith.addf } ins(%cubes : tensor<16x3xf32>) outs(%z3 : tensor<3xf32>) dimensions = [0]
    %dw = arith.mulf %of, %share : tensor<3xf32>
    %g = ds.gradient %dw of "w" : tensor<3xf32>
    %size = math.absf %g : tensor<3xf32>
    %ngrad = arith.maximumf %grad, %size : tensor<3xf32>
    %nboth = arith.addf %nrms, %size : tensor<3xf32>
    %n = arith.subf %w, %g : tensor<3xf32>
    return %n, %nhi, %nlo, %nrms, %ncap, %npick, %nexp, %nvar, %nrun, %ngrad, %nboth, %x : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>,
        tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<16x3xf32>
  }
}
