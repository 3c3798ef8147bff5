// Results that hold one entry per sample, or several, and do not all depend on the samples: their positions, a row of a parameter
// for each, the mean of the batch for each, positions times a value of the sample, two copies of the samples.
#id = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>
#matrix = affine_map<(i, k) -> (i, k)>
#row = affine_map<(i, k) -> (i)>
module {
  func.func @step(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %table: tensor<16x2xf32> {ds.param = "table", ds.init = "normal(0.5)"}, %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"})
      -> (tensor<3xf32> {ds.updates = "w"}, tensor<16x2xf32> {ds.updates = "table"},
          tensor<16xi32> {ds.batch = 0 : i64, ds.name = "positions"}, tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "copies of w"},
          tensor<3x16xf32> {ds.batch = 1 : i64, ds.name = "columns"}, tensor<16xf32> {ds.batch = 0 : i64, ds.name = "means"},
          tensor<16x2xf32> {ds.batch = 0 : i64, ds.name = "rows of the table"}, tensor<32xf32> {ds.batch = 0 : i64, ds.name = "entries of the table"},
          tensor<32x3xf32> {ds.batch = 0 : i64, ds.name = "samples twice"}, tensor<16xf32> {ds.batch = 0 : i64, ds.name = "ones"}) {
    %e16 = tensor.empty() : tensor<16xi32>
    %positions = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e16 : tensor<16xi32>) {
    ^bb0(%o: i32):
      %i = linalg.index 0 : index
      %n = arith.index_cast %i : index to i32
      linalg.yield %n : i32
    } -> tensor<16xi32>
    %e3 = tensor.empty() : tensor<16x3xf32>
    %copies = linalg.broadcast ins(%w : tensor<3xf32>) outs(%e3 : tensor<16x3xf32>) dimensions = [0]
    %et = tensor.empty() : tensor<3x16xf32>
    %columns = linalg.generic {indexing_maps = [#row, #matrix], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<3xf32>)
        outs(%et : tensor<3x16xf32>) {
    ^bb0(%v: f32, %o: f32):
      %k = linalg.index 1 : index
      %n = arith.index_cast %k : index to i32
      %f = arith.sitofp %n : i32 to f32
      %p = arith.mulf %f, %v : f32
      linalg.yield %p : f32
    } -> tensor<3x16xf32>
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %z0 = arith.constant dense<0.0> : tensor<f32>
    %sums = linalg.reduce { arith.addf } ins(%x : tensor<16x3xf32>) outs(%z3 : tensor<3xf32>) dimensions = [0]
    %total = linalg.reduce { arith.addf } ins(%sums : tensor<3xf32>) outs(%z0 : tensor<f32>) dimensions = [0]
    %em = tensor.empty() : tensor<16xf32>
    %means = linalg.generic {indexing_maps = [#none, #id], iterator_types = ["parallel"]} ins(%total : tensor<f32>)
        outs(%em : tensor<16xf32>) {
    ^bb0(%v: f32, %o: f32):
      %share = arith.constant 0.0625 : f32
      %m = arith.mulf %v, %share : f32
      linalg.yield %m : f32
    } -> tensor<16xf32>
    %entries = tensor.collapse_shape %table [[0, 1]] : tensor<16x2xf32> into tensor<32xf32>
    %twice = tensor.concat dim(0) %x, %x : (tensor<16x3xf32>, tensor<16x3xf32>) -> tensor<32x3xf32>
    %ones = arith.constant dense<1.0> : tensor<16xf32>
    %rate = arith.constant dense<0.01> : tensor<3xf32>
    %s = arith.mulf %sums, %rate : tensor<3xf32>
    %new = arith.subf %w, %s : tensor<3xf32>
    %rates = arith.constant dense<0.9> : tensor<16x2xf32>
    %decayed = arith.mulf %table, %rates : tensor<16x2xf32>
    return %new, %decayed, %positions, %copies, %columns, %means, %table, %entries, %twice, %ones : tensor<3xf32>, tensor<16x2xf32>, tensor<16xi32>,
        tensor<16x3xf32>, tensor<3x16xf32>, tensor<16xf32>, tensor<16x2xf32>, tensor<32xf32>, tensor<32x3xf32>, tensor<16xf32>
  }
}
