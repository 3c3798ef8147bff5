// RUN: ds-opt %s -split-input-file -verify-diagnostics -ds-check-config -ds-shard-axes

module attributes {ds.config = #ds.config<batch = global, parallel_mode = auto_parallel, mesh = "dp=2,tp=4", memory_limit = 1>} {
  // expected-error @below {{'memory_limit' is 1 MiB, but parameters, states and samples of a rank take 3 MiB at least}}
  func.func @too_little(%w: tensor<1024x4096xf32> {ds.param = "w"}, %x: tensor<8x4xf32> {ds.batch = 0 : i64}) -> (tensor<1024x4096xf32> {ds.updates = "w"}) {
    return %w : tensor<1024x4096xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = local, parallel_mode = auto_parallel, device_num = 4>} {
  // expected-error @below {{'parallel_mode = auto_parallel' with 'batch = local' needs 'mesh': how many ranks have samples of their own is part of what the step means; set it, or batch = global}}
  func.func @local(%w: tensor<4xf32> {ds.param = "w"}) -> (tensor<4xf32> {ds.updates = "w"}) {
    return %w : tensor<4xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = global, parallel_mode = auto_parallel, mesh = "dp=4,tp=2">} {
  // expected-error @below {{no mesh of 8 ranks shards the samples of this step}}
  func.func @samples(%w: tensor<4xf32> {ds.param = "w"}, %x: tensor<6x4xf32> {ds.batch = 0 : i64}) -> (tensor<4xf32> {ds.updates = "w"}) {
    return %w : tensor<4xf32>
  }
}

// -----

// expected-error @below {{'search_mode' and 'auto_parallel_search_mode' are one key, got 'dynamic_programming' and 'sharding_propagation'}}
module attributes {ds.config = #ds.config<search_mode = dynamic_programming, auto_parallel_search_mode = sharding_propagation>} {}

// -----

// expected-error @below {{'memory_limit' needs 'parallel_mode = auto_parallel', which chooses what ranks hold}}
module attributes {ds.config = #ds.config<memory_limit = 4>} {}
