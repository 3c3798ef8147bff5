// Dropout: the mask is a hash of the key, the position of the sample in the batch and the feature. The samples are returned
// as they came through it.
#id = affine_map<(b, j) -> (b, j)>
module {
  func.func @step(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"}, %key: tensor<2xi32> {ds.seed},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}, %y: tensor<16xf32> {ds.batch = 0 : i64, ds.name = "y"})
      -> (tensor<3xf32> {ds.updates = "w"}, tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "kept"}) {
    %mean = arith.constant dense<0.0625> : tensor<16xf32>
    %rate = arith.constant dense<0.1> : tensor<3xf32>
    %z = arith.constant dense<0.0> : tensor<16xf32>
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %k0 = tensor.extract %key[%i0] : tensor<2xi32>
    %k1 = tensor.extract %key[%i1] : tensor<2xi32>
    %e = tensor.empty() : tensor<16x3xf32>
    %mask = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]}
        outs(%e : tensor<16x3xf32>) {
    ^bb0(%o: f32):
      %b = linalg.index 0 : index
      %j = linalg.index 1 : index
      %p = arith.constant -1640531535 : i32
      %q = arith.constant 739982445 : i32
      %c15 = arith.constant 15 : i32
      %c30 = arith.constant 30 : i32
      %bi = arith.index_cast %b : index to i32
      %ji = arith.index_cast %j : index to i32
      %b1 = arith.addi %bi, %k0 : i32
      %b2 = arith.muli %b1, %p : i32
      %j1 = arith.addi %ji, %k1 : i32
      %j2 = arith.muli %j1, %q : i32
      %h0 = arith.xori %b2, %j2 : i32
      %h1 = arith.shrui %h0, %c15 : i32
      %h2 = arith.xori %h0, %h1 : i32
      %h3 = arith.muli %h2, %p : i32
      %bit = arith.shrui %h3, %c30 : i32
      %zero = arith.constant 0 : i32
      %drop = arith.cmpi eq, %bit, %zero : i32
      %no = arith.constant 0.0 : f32
      %scale = arith.constant 1.3333334 : f32
      %m = arith.select %drop, %no, %scale : f32
      linalg.yield %m : f32
    } -> tensor<16x3xf32>
    %h = arith.mulf %x, %mask : tensor<16x3xf32>
    %p = linalg.matvec ins(%h, %w : tensor<16x3xf32>, tensor<3xf32>) outs(%z : tensor<16xf32>) -> tensor<16xf32>
    %d = arith.subf %p, %y : tensor<16xf32>
    %dp = arith.mulf %d, %mean : tensor<16xf32>
    %g = linalg.vecmat ins(%dp, %h : tensor<16xf32>, tensor<16x3xf32>) outs(%z3 : tensor<3xf32>) -> tensor<3xf32>
    %s = arith.mulf %g, %rate : tensor<3xf32>
    %new = arith.subf %w, %s : tensor<3xf32>
    return %new, %h : tensor<3xf32>, tensor<16x3xf32>
  }
}
