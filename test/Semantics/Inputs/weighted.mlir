// A step for 16 samples of which each has a weight: the gradient is divided by the sum of the weights. `seen` counts how often
// each sample took part, by its number; numbers and weights are returned.
#row = affine_map<(v, b) -> (v)>
#sample = affine_map<(v, b) -> (b)>
module {
  func.func @step(%w: tensor<3xf32> {ds.param = "w", ds.init = "zeros"},
      %seen: tensor<26xf32> {ds.param = "seen", ds.init = "zeros"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}, %y: tensor<16xf32> {ds.batch = 0 : i64, ds.name = "y"},
      %id: tensor<16xi32> {ds.batch = 0 : i64, ds.name = "id"},
      %weight: tensor<16xf32> {ds.batch = 0 : i64, ds.weight, ds.name = "weight"})
      -> (tensor<3xf32> {ds.updates = "w"}, tensor<26xf32> {ds.updates = "seen"}, tensor<f32> {ds.metric = "loss"},
          tensor<16xi32> {ds.batch = 0 : i64, ds.name = "numbers"}, tensor<16xf32> {ds.batch = 0 : i64, ds.name = "weights"}) {
    %rate = arith.constant dense<0.1> : tensor<3xf32>
    %z = arith.constant dense<0.0> : tensor<16xf32>
    %z0 = arith.constant dense<0.0> : tensor<f32>
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %e = tensor.empty() : tensor<16xf32>
    %total = linalg.reduce { arith.addf } ins(%weight : tensor<16xf32>) outs(%z0 : tensor<f32>) dimensions = [0]
    %totals = linalg.broadcast ins(%total : tensor<f32>) outs(%e : tensor<16xf32>) dimensions = [0]
    %share = arith.divf %weight, %totals : tensor<16xf32>
    %p = linalg.matvec ins(%x, %w : tensor<16x3xf32>, tensor<3xf32>) outs(%z : tensor<16xf32>) -> tensor<16xf32>
    %d = arith.subf %p, %y : tensor<16xf32>
    %dp = arith.mulf %d, %share : tensor<16xf32>
    %losses = arith.mulf %d, %dp : tensor<16xf32>
    %loss = linalg.reduce { arith.addf } ins(%losses : tensor<16xf32>) outs(%z0 : tensor<f32>) dimensions = [0]
    %g = linalg.vecmat ins(%dp, %x : tensor<16xf32>, tensor<16x3xf32>) outs(%z3 : tensor<3xf32>) -> tensor<3xf32>
    %s = arith.mulf %g, %rate : tensor<3xf32>
    %new = arith.subf %w, %s : tensor<3xf32>
    %counted = linalg.generic {indexing_maps = [#sample, #sample, #row], iterator_types = ["parallel", "reduction"]}
        ins(%id, %weight : tensor<16xi32>, tensor<16xf32>) outs(%seen : tensor<26xf32>) {
    ^bb0(%number: i32, %amount: f32, %acc: f32):
      %v = linalg.index 0 : index
      %row = arith.index_cast %v : index to i32
      %hit = arith.cmpi eq, %number, %row : i32
      %zero = arith.constant 0.0 : f32
      %take = arith.select %hit, %amount, %zero : f32
      %1 = arith.addf %acc, %take : f32
      linalg.yield %1 : f32
    } -> tensor<26xf32>
    return %new, %counted, %loss, %id, %weight : tensor<3xf32>, tensor<26xf32>, tensor<f32>, tensor<16xi32>, tensor<16xf32>
  }
}
