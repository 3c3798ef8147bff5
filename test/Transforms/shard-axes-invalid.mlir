// RUN: ds-opt %s -split-input-file -verify-diagnostics -ds-check-config -ds-shard-axes

// expected-error @below {{'mesh' has 8 ranks, but 'device_num' is 4}}
module attributes {ds.config = {device_num = 4 : i64, mesh = "dp=2,tp=4"}} {}

// -----

// expected-error @below {{'mesh' must be a list of axes and their sizes such as [dp=2, tp=4], got 'dp'}}
module attributes {ds.config = {mesh = "dp"}} {}

// -----

// expected-error @below {{'mesh' names axis 'dp' twice}}
module attributes {ds.config = {mesh = "dp=2,dp=2"}} {}

// -----

// expected-error @below {{axis 'tp' of 'mesh' must have 1 rank or more, and all axes together 4096 at most, got 4096}}
module attributes {ds.config = {mesh = "dp=2,tp=4096"}} {}

// -----

module attributes {ds.config = #ds.config<mesh = "dp=2,tp=2">} {
  func.func @an_unknown_operation(%w: tensor<8x3xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{"tp"}, {}]>}) -> (tensor<8x3xf32> {ds.updates = "w"}, tensor<3x8xf32> {ds.metric = "turned"}) {
    // expected-error @below {{cannot partition the step over the 2 ranks of axis "tp" here: no placement rule for 'tensor.generate' with an operand that is sharded(0, 1, 4); implement ds::PlacementOpInterface for it}}
    %s = tensor.generate {
    ^bb0(%i: index, %j: index):
      %e = tensor.extract %w[%j, %i] : tensor<8x3xf32>
      tensor.yield %e : f32
    } : tensor<3x8xf32>
    return %w, %s : tensor<8x3xf32>, tensor<3x8xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<mesh = "dp=2,tp=2">} {
  // expected-error @below {{result 0 is sharded as #ds.sharding<[{}, {"tp"}]>, but 'w', which it updates, as #ds.sharding<[{"tp"}, {}]>; the next step takes what this one returns, so expected the same}}
  func.func @result_as_its_argument(%w: tensor<4x4xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{"tp"}, {}]>}) -> (tensor<4x4xf32> {ds.updates = "w", ds.sharding = #ds.sharding<[{}, {"tp"}]>}) {
    return %w : tensor<4x4xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<mesh = "dp=2,tp=2">} {
  // expected-error @below {{'ds.sharding' of 'w' names axis 'tq', did you mean 'tp'?}}
  func.func @unknown_axis(%w: tensor<4x4xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{}, {"tq"}]>}) -> (tensor<4x4xf32> {ds.updates = "w"}) {
    return %w : tensor<4x4xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<mesh = "dp=2,tp=2">} {
  // expected-error @below {{'ds.sharding' of argument #1 names axis 'experts', but the mesh has dp, tp}}
  func.func @no_such_axis(%w: tensor<4x4xf32> {ds.param = "w"}, %c: tensor<4xf32> {ds.batch = 0 : i64, ds.sharding = #ds.sharding<[{"experts"}]>})
      -> (tensor<4x4xf32> {ds.updates = "w"}) {
    return %w : tensor<4x4xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<mesh = "dp=2,tp=3">} {
  // expected-error @below {{'ds.sharding' shards dimension 0 of 'w', whose 8 elements 6 ranks of ["dp", "tp"] cannot divide}}
  func.func @not_divisible(%w: tensor<8xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{"dp", "tp"}]>}) -> (tensor<8xf32> {ds.updates = "w"}) {
    return %w : tensor<8xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<mesh = "dp=2,tp=2", batch = global>} {
  // expected-error @below {{'ds.sharding' of 'x' shards dimension 1 over 'dp', which shards samples, and these lie along dimension 0}}
  func.func @samples_elsewhere(%w: tensor<4xf32> {ds.param = "w"},
      %x: tensor<8x4xf32> {ds.batch = 0 : i64, ds.name = "x", ds.sharding = #ds.sharding<[{}, {"dp"}]>}) -> (tensor<4xf32> {ds.updates = "w"}) {
    return %w : tensor<4xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<mesh = "dp=2,tp=2">} {
  // expected-error @below {{'ds.sharding' of 'x' shards samples over ["dp", "tp"], but with batch = local each rank along 'dp' has samples of its own; set batch = global}}
  func.func @own_samples(%w: tensor<4xf32> {ds.param = "w"},
      %x: tensor<8x4xf32> {ds.batch = 0 : i64, ds.name = "x", ds.sharding = #ds.sharding<[{"dp", "tp"}, {}]>}) -> (tensor<4xf32> {ds.updates = "w"}) {
    return %w : tensor<4xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<mesh = "dp=2,tp=2">} {
  func.func @a_value(%w: tensor<6x4xf32> {ds.param = "w"}) -> (tensor<6x4xf32> {ds.updates = "w"}) {
    // expected-error @below {{'ds.sharding' of this value names axis 'pp', did you mean 'dp'?}}
    %v = ds.sharding_constraint %w <[{"pp"}, {}]> : tensor<6x4xf32>
    return %v : tensor<6x4xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<mesh = "dp=2,tp=2">} {
  func.func @a_rank(%w: tensor<4x4xf32> {ds.param = "w"}) -> (tensor<4x4xf32> {ds.updates = "w"}, index) {
    // expected-error @below {{cannot partition the step over the 2 ranks of axis "tp" here: the number of the rank is used before the batch is sharded}}
    %r = ds.rank {group = ["tp"]} : index
    return %w, %r : tensor<4x4xf32>, index
  }
}

// -----

module attributes {ds.config = #ds.config<mesh = "dp=2,tp=2">} {
  func.func @a_gather(%w: tensor<4x4xf32> {ds.param = "w"}) -> (tensor<4x4xf32> {ds.updates = "w"}, tensor<8x4xf32>) {
    %e = tensor.empty() : tensor<8x4xf32>
    // expected-error @below {{cannot partition the step over the 2 ranks of axis "tp" here: 'ds.all_gather' stands in the step before it is partitioned}}
    %a = ds.all_gather %w into %e along 0 {group = ["tp"]} : tensor<4x4xf32> into tensor<8x4xf32>
    return %w, %a : tensor<4x4xf32>, tensor<8x4xf32>
  }
}

// -----

// Ranks that are listed may be of any axis.
module attributes {ds.config = #ds.config<mesh = "dp=2,tp=2">} {
  func.func @listed_ranks(%w: tensor<4x4xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{"tp"}, {}]>}) -> (tensor<4x4xf32> {ds.updates = "w"}) {
    // expected-error @below {{cannot partition the step over the 2 ranks of axis "tp" here: the operand of an all-reduce is not partial}}
    %r = ds.all_reduce sum %w {group = array<i64: 0, 1>} : tensor<4x4xf32>
    return %r : tensor<4x4xf32>
  }
}

// -----

// expected-error @below {{'mesh' must be a list of axes and their sizes such as [dp=2, tp=4], got '=2,tp=2'}}
module attributes {ds.config = {mesh = "=2,tp=2"}} {}

// -----

// An operation that nobody can divide is computed by every rank, and its price is said.
module attributes {ds.config = #ds.config<mesh = "dp=2,tp=2">} {
  func.func @no_division(%w: tensor<6xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{"tp"}]>}) -> (tensor<6xf32> {ds.updates = "w"}, tensor<2x3xf32>) {
    %shape = arith.constant dense<[2, 3]> : tensor<2xindex>
    // expected-warning @below {{every rank of axis 'tp' computes all of this: no placement rule for 'tensor.reshape' with an operand that is sharded(0, 1, 3); implement ds::PlacementOpInterface for it; 24 bytes are gathered for it in each step}}
    %m = tensor.reshape %w(%shape) : (tensor<6xf32>, tensor<2xindex>) -> tensor<2x3xf32>
    return %w, %m : tensor<6xf32>, tensor<2x3xf32>
  }
}
