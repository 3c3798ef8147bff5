// What one axis divides is wanted divided likewise by another one of as many ranks: rows, columns, cyclic rows (the digit that a reshape leaves), in a loop, there and back, and two axes one within the
// other that change places. What the products need in shards is all that moves.
module attributes {ds.config = #ds.config<batch = global, device_num = 4, mesh = "dp=1,a=2,b=2">} {
  func.func @step(%w: tensor<8x4xf32> {ds.param = "w", ds.init = "normal(0.5)", ds.sharding = #ds.sharding<[{"a"}, {}]>}, %v: tensor<4x8xf32> {ds.param = "v", ds.init = "normal(0.5)", ds.sharding = #ds.sharding<[{}, {"b"}]>},
      %u: tensor<8x4xf32> {ds.param = "u", ds.init = "normal(0.5)", ds.sharding = #ds.sharding<[{"a", "b"}, {}]>}, %x: tensor<4x4xf32> {ds.batch = 0 : i64, ds.name = "x"})
      -> (tensor<8x4xf32> {ds.updates = "w"}, tensor<4x8xf32> {ds.updates = "v"}, tensor<8x4xf32> {ds.updates = "u"}, tensor<4x4xf32> {ds.batch = 0 : i64}) {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %two = arith.constant 2 : index
    %z = arith.constant dense<0.0> : tensor<4x4xf32>
    %tenth = arith.constant dense<0.1> : tensor<8x4xf32>
    // Rows of a become rows of b and back, twice.
    %w2 = scf.for %i = %zero to %two step %one iter_args(%c = %w) -> tensor<8x4xf32> {
      %other = ds.sharding_constraint %c <[{"b"}, {}]> : tensor<8x4xf32>
      %h = math.tanh %other : tensor<8x4xf32>
      %s = arith.mulf %h, %tenth : tensor<8x4xf32>
      %own = ds.sharding_constraint %s <[{"a"}, {}]> : tensor<8x4xf32>
      %n = arith.addf %c, %own : tensor<8x4xf32>
      scf.yield %n : tensor<8x4xf32>
    }
    // Columns of b become columns of a; their products are partial sums over a.
    %columns = ds.sharding_constraint %v <[{}, {"a"}]> : tensor<4x8xf32>
    %e = math.tanh %columns : tensor<4x8xf32>
    %v2 = arith.addf %v, %v : tensor<4x8xf32>
    // Rows of a, and of b within these, become those of b, and of a within.
    %swapped = ds.sharding_constraint %u <[{"b", "a"}, {}]> : tensor<8x4xf32>
    %g = math.sin %swapped : tensor<8x4xf32>
    %back = ds.sharding_constraint %g <[{"a", "b"}, {}]> : tensor<8x4xf32>
    %u2 = arith.addf %u, %back : tensor<8x4xf32>
    %p = linalg.matmul ins(%e, %swapped : tensor<4x8xf32>, tensor<8x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
    %y = linalg.matmul ins(%x, %p : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
    return %w2, %v2, %u2, %y : tensor<8x4xf32>, tensor<4x8xf32>, tensor<8x4xf32>, tensor<4x4xf32>
  }
}
