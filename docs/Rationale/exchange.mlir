// From one shard to another is one exchange.
module attributes {ds.config = #ds.config<device_num = 2, mesh = "dp=1,tp=2">} {
  func.func @step(%columns: tensor<4x6xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{}, {"tp"}]>}, %v: tensor<4x6xf32> {ds.param = "v", ds.sharding = #ds.sharding<[{"tp"}, {}]>})
      -> (tensor<4x6xf32> {ds.updates = "w"}, tensor<4x6xf32> {ds.updates = "v"}) {
    %rows = ds.sharding_constraint %columns <[{"tp"}, {}]> : tensor<4x6xf32>
    %new = arith.addf %v, %rows : tensor<4x6xf32>
    return %columns, %new : tensor<4x6xf32>, tensor<4x6xf32>
  }
}
