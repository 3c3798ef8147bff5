// The mean of all rows before them, their sum behind them, and both weighed by position: what is partial meets rows of the batch.
#vector = affine_map<(b, v) -> (v)>
#matrix = affine_map<(b, v) -> (b, v)>
module {
  func.func @step(%w: tensor<3xf32> {ds.param = "w", ds.init = "ones"}, %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"})
      -> (tensor<3xf32> {ds.updates = "w"}, tensor<f32> {ds.metric = "loss"}) {
    %rate = arith.constant dense<0.01> : tensor<3xf32>
    %sixteenth = arith.constant dense<0.0625> : tensor<3xf32>
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %z0 = arith.constant dense<0.0> : tensor<f32>
    %e = tensor.empty() : tensor<16x3xf32>
    %e18 = tensor.empty() : tensor<18x3xf32>
    %position = linalg.generic {indexing_maps = [#matrix], iterator_types = ["parallel", "parallel"]} outs(%e18 : tensor<18x3xf32>) {
    ^bb0(%out: f32):
      %i = linalg.index 0 : index
      %1 = arith.index_cast %i : index to i32
      %2 = arith.sitofp %1 : i32 to f32
      linalg.yield %2 : f32
    } -> tensor<18x3xf32>
    %a = linalg.generic {indexing_maps = [#matrix, #vector, #matrix], iterator_types = ["parallel", "parallel"]}
        ins(%x, %w : tensor<16x3xf32>, tensor<3xf32>) outs(%e : tensor<16x3xf32>) {
    ^bb0(%r: f32, %k: f32, %out: f32):
      %1 = arith.mulf %r, %k : f32
      linalg.yield %1 : f32
    } -> tensor<16x3xf32>
    %sum = linalg.reduce {arith.addf} ins(%a : tensor<16x3xf32>) outs(%z3 : tensor<3xf32>) dimensions = [0]
    %mean = arith.mulf %sum, %sixteenth : tensor<3xf32>
    %first = tensor.expand_shape %mean [[0, 1]] output_shape [1, 3] : tensor<3xf32> into tensor<1x3xf32>
    %last = tensor.expand_shape %sum [[0, 1]] output_shape [1, 3] : tensor<3xf32> into tensor<1x3xf32>
    %rows = tensor.concat dim(0) %first, %a, %last : (tensor<1x3xf32>, tensor<16x3xf32>, tensor<1x3xf32>) -> tensor<18x3xf32>
    %weighed = arith.mulf %rows, %position : tensor<18x3xf32>
    %loss = linalg.reduce {arith.addf} ins(%weighed : tensor<18x3xf32>) outs(%z0 : tensor<f32>) dimensions = [0, 1]
    %g = linalg.reduce {arith.addf} ins(%weighed : tensor<18x3xf32>) outs(%z3 : tensor<3xf32>) dimensions = [0]
    %s = arith.mulf %g, %rate : tensor<3xf32>
    %new = arith.subf %w, %s : tensor<3xf32>
    return %new, %loss : tensor<3xf32>, tensor<f32>
  }
}
