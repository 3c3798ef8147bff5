// What one axis divides, another one divides likewise.
module attributes {ds.config = #ds.config<device_num = 9, mesh = "dp=1,a=3,b=3">} {
  func.func @step(%w: tensor<6x4xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{"a"}, {}]>}, %v: tensor<6x4xf32> {ds.param = "v", ds.sharding = #ds.sharding<[{"b"}, {}]>})
      -> (tensor<6x4xf32> {ds.updates = "w"}, tensor<6x4xf32> {ds.updates = "v"}) {
    %mine = ds.sharding_constraint %w <[{"b"}, {}]> : tensor<6x4xf32>
    %new = arith.addf %v, %mine : tensor<6x4xf32>
    return %w, %new : tensor<6x4xf32>, tensor<6x4xf32>
  }
}
