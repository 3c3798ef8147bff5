// Least squares with every product and sum in one operation: predictions, gradient, decay and update. The gradient is the sum
// of two, each combined behind it; the decay is added to the first one, so that it is an addend of a partial value.
#x = affine_map<(b, i) -> (b, i)>
#feature = affine_map<(b, i) -> (i)>
#sample = affine_map<(b, i) -> (b)>
#id = affine_map<(i) -> (i)>
module {
  func.func @step(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}, %y: tensor<16xf32> {ds.batch = 0 : i64, ds.name = "y"})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %mean = arith.constant dense<0.0625> : tensor<16xf32>
    %quarter = arith.constant 0.25 : f32
    %half = arith.constant 0.5 : f32
    %decay = arith.constant 0.05 : f32
    %rate = arith.constant -0.1 : f32
    %e = tensor.empty() : tensor<3xf32>
    %zy = arith.constant dense<0.0> : tensor<16xf32>
    %zw = arith.constant dense<0.0> : tensor<3xf32>
    %p = linalg.generic {indexing_maps = [#x, #feature, #sample], iterator_types = ["parallel", "reduction"]}
        ins(%x, %w : tensor<16x3xf32>, tensor<3xf32>) outs(%zy : tensor<16xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %s = math.fma %a, %b, %o : f32
      linalg.yield %s : f32
    } -> tensor<16xf32>
    %r = arith.subf %p, %y : tensor<16xf32>
    %dy = arith.mulf %r, %mean : tensor<16xf32>
    // Two of them in one accumulation.
    %dw = linalg.generic {indexing_maps = [#x, #sample, #feature], iterator_types = ["reduction", "parallel"]}
        ins(%x, %dy : tensor<16x3xf32>, tensor<16xf32>) outs(%zw : tensor<3xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %q = arith.mulf %b, %quarter : f32
      %s = math.fma %a, %q, %o : f32
      %t = math.fma %q, %a, %s : f32
      linalg.yield %t : f32
    } -> tensor<3xf32>
    %decayed = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
        ins(%w, %dw : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %s = math.fma %a, %decay, %b : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    %other = linalg.generic {indexing_maps = [#x, #sample, #feature], iterator_types = ["reduction", "parallel"]}
        ins(%x, %dy : tensor<16x3xf32>, tensor<16xf32>) outs(%zw : tensor<3xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %q = arith.mulf %b, %half : f32
      %s = math.fma %a, %q, %o : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    %g = arith.addf %decayed, %other : tensor<3xf32>
    %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%g : tensor<3xf32>) outs(%e : tensor<3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = math.tanh %a : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    %new = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
        ins(%h, %w : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %n = math.fma %a, %rate, %b : f32
      linalg.yield %n : f32
    } -> tensor<3xf32>
    return %new : tensor<3xf32>
  }
}
