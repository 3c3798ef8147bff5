// One step of training a network of two layers and a bias with Adam; the first layer's weights are a trained factor times a fixed one.
// The gradients are marked, so that the step is read the same with batch=local and batch=global.
func.func @step(
    %w1: tensor<6x4xf32> {ds.param = "w1", ds.init = "he_normal"}, %w2: tensor<16x3xf32> {ds.param = "w2", ds.init = "he_normal"},
    %bias: tensor<3xf32> {ds.param = "bias", ds.init = "zeros"},
    %m1: tensor<6x4xf32> {ds.state = "m1"}, %v1: tensor<6x4xf32> {ds.state = "v1"},
    %m2: tensor<16x3xf32> {ds.state = "m2"}, %v2: tensor<16x3xf32> {ds.state = "v2"},
    %fixed: tensor<4x16xf32> {ds.state = "fixed", ds.init = "he_normal"}, %count: tensor<f32> {ds.state = "count"},
    %x: tensor<16x6xf32> {ds.batch = 0 : i64, ds.name = "x"}, %y: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "y"})
    -> (tensor<6x4xf32> {ds.updates = "w1"}, tensor<16x3xf32> {ds.updates = "w2"}, tensor<3xf32> {ds.updates = "bias"},
        tensor<6x4xf32> {ds.updates = "m1"}, tensor<6x4xf32> {ds.updates = "v1"},
        tensor<16x3xf32> {ds.updates = "m2"}, tensor<16x3xf32> {ds.updates = "v2"},
        tensor<4x16xf32> {ds.updates = "fixed"}, tensor<f32> {ds.updates = "count"}, tensor<f32> {ds.metric = "loss"}) {
  %one = arith.constant dense<1.0> : tensor<f32>
  %samples = arith.constant dense<16.0> : tensor<f32>
  %scale = arith.constant dense<0.125> : tensor<16x3xf32>
  %rate = arith.constant dense<0.01> : tensor<3xf32>
  %decay = arith.constant dense<0.001> : tensor<6x4xf32>
  // Forward.
  %k = nn.contract "if,fh->ih" %w1, %fixed : tensor<6x4xf32>, tensor<4x16xf32> -> tensor<6x16xf32>
  %h = nn.contract "bi,ih->bh" %x, %k : tensor<16x6xf32>, tensor<6x16xf32> -> tensor<16x16xf32>
  %a = nn.gate %h by %h : tensor<16x16xf32>
  %q = nn.contract "bh,ho->bo" %a, %w2 : tensor<16x16xf32>, tensor<16x3xf32> -> tensor<16x3xf32>
  %p = nn.add_row %q, %bias
      {ds.sharding_rule = #ds.sharding_rule<([i, j], [j]) -> ([i, j]) {i=16, j=3} linear=[arg0 + arg1]>}
      : tensor<16x3xf32>, tensor<3xf32>
  %e = arith.subf %p, %y : tensor<16x3xf32>
  %sum = nn.contract "bo,bo->" %e, %e : tensor<16x3xf32>, tensor<16x3xf32> -> tensor<f32>
  %loss = arith.divf %sum, %samples : tensor<f32>
  // Backward.
  %dp = arith.mulf %e, %scale : tensor<16x3xf32>
  %dw3 = nn.sum_rows %dp
      {ds.sharding_rule = #ds.sharding_rule<([i, j]) -> ([j]) {i=16, j=3, i: sum} linear=[arg0]>}
      : tensor<16x3xf32> -> tensor<3xf32>
  %dw2 = nn.contract "bh,bo->ho" %a, %dp : tensor<16x16xf32>, tensor<16x3xf32> -> tensor<16x3xf32>
  %da = nn.contract "bo,ho->bh" %dp, %w2 : tensor<16x3xf32>, tensor<16x3xf32> -> tensor<16x16xf32>
  %dh = nn.gate %da by %h : tensor<16x16xf32>
  %dk = nn.contract "bi,bh->ih" %x, %dh : tensor<16x6xf32>, tensor<16x16xf32> -> tensor<6x16xf32>
  // A sum of the rank's own, times what all ranks have.
  %dw1 = nn.contract "ih,fh->if" %dk, %fixed : tensor<6x16xf32>, tensor<4x16xf32> -> tensor<6x4xf32>
  %g1 = ds.gradient %dw1 of "w1" : tensor<6x4xf32>
  %g2 = ds.gradient %dw2 of "w2" : tensor<16x3xf32>
  %g3 = ds.gradient %dw3 of "bias" : tensor<3xf32>
  // Update: Adam wants whole gradients.
  %d1 = arith.mulf %w1, %decay : tensor<6x4xf32>
  %r1 = arith.addf %g1, %d1 : tensor<6x4xf32>
  %next = arith.addf %count, %one : tensor<f32>
  %w1n, %m1n, %v1n = nn.adam %w1, %m1, %v1 by %r1 at %next {rate = 0.01 : f32} : tensor<6x4xf32>, tensor<f32>
  %w2n, %m2n, %v2n = nn.adam %w2, %m2, %v2 by %g2 at %next {rate = 0.01 : f32} : tensor<16x3xf32>, tensor<f32>
  %d3 = arith.mulf %g3, %rate : tensor<3xf32>
  %biasn = arith.subf %bias, %d3 : tensor<3xf32>
  return %w1n, %w2n, %biasn, %m1n, %v1n, %m2n, %v2n, %fixed, %next, %loss
      : tensor<6x4xf32>, tensor<16x3xf32>, tensor<3xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<16x3xf32>, tensor<16x3xf32>,
        tensor<4x16xf32>, tensor<f32>, tensor<f32>
}
