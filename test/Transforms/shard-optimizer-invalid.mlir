// RUN: ds-opt %s -split-input-file -verify-diagnostics -ds-shard-optimizer

module attributes {ds.config = #ds.config<device_num = 2>} {
  // expected-error @below {{'ds.sharding' of 'w' names axis 'tp', did you mean 'dp'?}}
  func.func @another_axis(%w: tensor<4x4xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{}, {"tp"}]>}) -> (tensor<4x4xf32> {ds.updates = "w"}) {
    return %w : tensor<4x4xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<device_num = 3>} {
  // expected-error @below {{'ds.sharding' shards dimension 0 of 'w', whose 4 elements 3 ranks cannot divide}}
  func.func @not_divisible(%w: tensor<4xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{"dp"}]>}) -> (tensor<4xf32> {ds.updates = "w"}) {
    return %w : tensor<4xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<device_num = 2>} {
  // expected-error @below {{'w' is ds.layerwise_parallel, so each rank has one of its own, and 'ds.sharding' would have them hold shards of one}}
  func.func @own(%w: tensor<4xf32> {ds.param = "w", ds.layerwise_parallel, ds.sharding = #ds.sharding<[{"dp"}]>}) -> (tensor<4xf32> {ds.updates = "w"}) {
    return %w : tensor<4xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<enable_parallel_optimizer = true>} {
  // expected-error @below {{a parallel optimizer needs the number of ranks; set device_num}}
  func.func @how_many(%w: tensor<4xf32> {ds.param = "w"}) -> (tensor<4xf32> {ds.updates = "w"}) {
    return %w : tensor<4xf32>
  }
}

// -----

// expected-error @below {{axis 'dp' is named twice, expected once at most}}
func.func @twice(%w: tensor<4x4xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{"dp"}, {"dp"}]>}) {
  return
}

// -----

// expected-error @below {{axis 'dp' is named twice, expected once at most}}
func.func @twice_in_one_dimension(%w: tensor<4x4xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{}, {"dp", "dp"}]>}) {
  return
}

// -----

// expected-error @below {{argument 0: expected 1 dimensions, as 'ds.sharding' has, got 'tensor<4x4xf32>'}}
func.func @dimensions(%w: tensor<4x4xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{"dp"}]>}) {
  return
}

// -----

// expected-error @below {{expected #ds.sharding<[..]> for 'ds.sharding', got "dp"}}
func.func @text(%w: tensor<4xf32> {ds.param = "w", ds.sharding = "dp"}) {
  return
}

// -----

// expected-error @below {{'ds.sharding' needs 'ds.param' beside it}}
func.func @role(%w: tensor<4xf32> {ds.sharding = #ds.sharding<[{"dp"}]>}) {
  return
}
