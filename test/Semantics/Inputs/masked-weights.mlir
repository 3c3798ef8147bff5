// A random mask of the weights, drawn from the key alone: the gradient is masked with the mask that the forward pass used.
#id = affine_map<(j) -> (j)>
module {
  func.func @step(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"}, %key: tensor<2xi32> {ds.seed},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}, %y: tensor<16xf32> {ds.batch = 0 : i64, ds.name = "y"})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %mean = arith.constant dense<0.0625> : tensor<16xf32>
    %rate = arith.constant dense<0.1> : tensor<3xf32>
    %z = arith.constant dense<0.0> : tensor<16xf32>
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %k0 = tensor.extract %key[%i0] : tensor<2xi32>
    %k1 = tensor.extract %key[%i1] : tensor<2xi32>
    %e = tensor.empty() : tensor<3xf32>
    %mask = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<3xf32>) {
    ^bb0(%o: f32):
      %j = linalg.index 0 : index
      %q = arith.constant 739982445 : i32
      %c15 = arith.constant 15 : i32
      %c28 = arith.constant 28 : i32
      %ji = arith.index_cast %j : index to i32
      %j1 = arith.addi %ji, %k1 : i32
      %j2 = arith.muli %j1, %q : i32
      %h0 = arith.xori %k0, %j2 : i32
      %h1 = arith.shrui %h0, %c15 : i32
      %h2 = arith.xori %h0, %h1 : i32
      %h3 = arith.muli %h2, %q : i32
      %bits = arith.shrui %h3, %c28 : i32
      %m = arith.uitofp %bits : i32 to f32
      %eighth = arith.constant 0.125 : f32
      %s = arith.mulf %m, %eighth : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    %v = arith.mulf %w, %mask : tensor<3xf32>
    %p = linalg.matvec ins(%x, %v : tensor<16x3xf32>, tensor<3xf32>) outs(%z : tensor<16xf32>) -> tensor<16xf32>
    %d = arith.subf %p, %y : tensor<16xf32>
    %dp = arith.mulf %d, %mean : tensor<16xf32>
    %dv = linalg.vecmat ins(%dp, %x : tensor<16xf32>, tensor<16x3xf32>) outs(%z3 : tensor<3xf32>) -> tensor<3xf32>
    %g = arith.mulf %dv, %mask : tensor<3xf32>
    %s = arith.mulf %g, %rate : tensor<3xf32>
    %new = arith.subf %w, %s : tensor<3xf32>
    return %new : tensor<3xf32>
  }
}
