// RUN: ds-opt %s -ds-shard-optimizer -verify-diagnostics --remarks-filter="ds-.*" --remark-policy=all -o /dev/null

module attributes {ds.config = #ds.config<device_num = 4, enable_parallel_optimizer = true, parallel_optimizer_threshold = 0>} {
  // expected-remark @below {{ranks hold shards of what goes from step to step", arguments=2, bytes=36, bytesReduceScattered=32, bytesWhole=84}}
  func.func @bytes(%w: tensor<8xf32> {ds.param = "w"}, %m: tensor<8xf32> {ds.state = "w.m"}, %b: tensor<5xf32> {ds.param = "b"},
      %x: tensor<8xf32> {ds.batch = 0 : i64}) -> (tensor<8xf32> {ds.updates = "w"}, tensor<8xf32> {ds.updates = "w.m"}, tensor<5xf32> {ds.updates = "b"}) {
    // expected-remark @below {{every rank reads the whole parameter here", bytes=32}}
    %dw = arith.mulf %w, %x : tensor<8xf32>
    %g = ds.all_reduce sum %dw : tensor<8xf32>
    %m2 = arith.addf %m, %g : tensor<8xf32>
    %w2 = arith.subf %w, %m2 : tensor<8xf32>
    return %w2, %m2, %b : tensor<8xf32>, tensor<8xf32>, tensor<5xf32>
  }
}
