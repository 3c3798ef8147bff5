// Every kind of exchange in one step, of parameters whose shards are wanted in another layout: rows and columns, block, cyclic and block-cyclic (the digits that a reshape leaves), within one
// dimension and between two, in and outside of a loop.
module attributes {ds.config = #ds.config<batch = global, device_num = 6, mesh = "dp=2,tp=3">} {
  func.func @step(%w: tensor<6x12xf32> {ds.param = "w", ds.init = "normal(0.5)", ds.sharding = #ds.sharding<[{}, {"tp"}]>}, %v: tensor<72xf32> {ds.param = "v", ds.init = "normal(0.5)", ds.sharding = #ds.sharding<[{"tp"}]>},
      %u: tensor<9x8xf32> {ds.param = "u", ds.init = "normal(0.5)", ds.sharding = #ds.sharding<[{"tp"}, {}]>}, %x: tensor<4x6xf32> {ds.batch = 0 : i64, ds.name = "x"})
      -> (tensor<6x12xf32> {ds.updates = "w"}, tensor<72xf32> {ds.updates = "v"}, tensor<9x8xf32> {ds.updates = "u"}, tensor<4x12xf32> {ds.batch = 0 : i64}) {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %two = arith.constant 2 : index
    %z = arith.constant dense<0.0> : tensor<4x12xf32>
    %tenth = arith.constant dense<0.1> : tensor<6x12xf32>
    // Columns to rows and back, twice.
    %w2 = scf.for %i = %zero to %two step %one iter_args(%c = %w) -> tensor<6x12xf32> {
      %rows = ds.sharding_constraint %c <[{"tp"}, {}]> : tensor<6x12xf32>
      %t = math.tanh %rows : tensor<6x12xf32>
      %s = arith.mulf %t, %tenth : tensor<6x12xf32>
      %columns = ds.sharding_constraint %s <[{}, {"tp"}]> : tensor<6x12xf32>
      %n = arith.addf %c, %columns : tensor<6x12xf32>
      scf.yield %n : tensor<6x12xf32>
    }
    // The columns of six rows are block-cyclic among 72: [6, 3, 4]; a block is [1, 3, 24].
    %flat = tensor.collapse_shape %w2 [[0, 1]] : tensor<6x12xf32> into tensor<72xf32>
    %block = ds.sharding_constraint %flat <[{"tp"}]> : tensor<72xf32>
    %v2 = arith.addf %v, %block : tensor<72xf32>
    // Of [24, 3]: every third of 72; then blocks of rows of nine.
    %thin = tensor.expand_shape %block [[0, 1]] output_shape [24, 3] : tensor<72xf32> into tensor<24x3xf32>
    %third = ds.sharding_constraint %thin <[{}, {"tp"}]> : tensor<24x3xf32>
    %e = math.tanh %third : tensor<24x3xf32>
    %again = tensor.collapse_shape %e [[0, 1]] : tensor<24x3xf32> into tensor<72xf32>
    %blocks = ds.sharding_constraint %again <[{"tp"}]> : tensor<72xf32>
    %nine = tensor.expand_shape %blocks [[0, 1]] output_shape [9, 8] : tensor<72xf32> into tensor<9x8xf32>
    %u2 = arith.addf %u, %nine : tensor<9x8xf32>
    %y = linalg.matmul ins(%x, %w2 : tensor<4x6xf32>, tensor<6x12xf32>) outs(%z : tensor<4x12xf32>) -> tensor<4x12xf32>
    return %w2, %v2, %u2, %y : tensor<6x12xf32>, tensor<72xf32>, tensor<9x8xf32>, tensor<4x12xf32>
  }
}
