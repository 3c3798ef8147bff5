// RUN: ds-opt %s -convert-shard-to-ds -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-NOT: shard.grid
// CHECK-LABEL: func.func @step
// CHECK-SAME: %[[W:.*]]: tensor<4x8xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{}, {"tp"}]>}
// CHECK-SAME: %[[X:.*]]: tensor<8x4xf32> {ds.batch = 0 : i64})
// CHECK: %[[B:.*]] = ds.sharding_constraint %[[X]] <[{"dp"}, {}]> : tensor<8x4xf32>
// CHECK: %[[U:.*]] = ds.sharding_constraint %[[W]] <[{"dp", "tp"}, {}]> : tensor<4x8xf32>
// CHECK: return %[[W]], %[[U]], %[[B]]
module attributes {ds.config = #ds.config<device_num = 4, mesh = "dp=2,tp=2">} {
  shard.grid @grid(shape = 2x2)
  func.func @step(%w: tensor<4x8xf32> {ds.param = "w"}, %x: tensor<8x4xf32> {ds.batch = 0 : i64}) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<8x4xf32>) {
    %columns = shard.sharding @grid split_axes = [[], [1]] : !shard.sharding
    %rows = shard.sharding @grid split_axes = [[0]] : !shard.sharding
    %both = shard.sharding @grid split_axes = [[0, 1]] : !shard.sharding
    %a = shard.shard %w to %columns : tensor<4x8xf32>
    %b = shard.shard %x to %rows : tensor<8x4xf32>
    %u = shard.shard %a to %both annotate_for_users : tensor<4x8xf32>
    return %a, %u, %b : tensor<4x8xf32>, tensor<4x8xf32>, tensor<8x4xf32>
  }
}

// -----

// CHECK-LABEL: func.func @nothing_of_shard
// CHECK-NEXT: return
func.func @nothing_of_shard() {
  return
}

// -----

// expected-error@+1 {{the axes of a grid have no names; expected a 'mesh' of its shape in 'ds.config', as in mesh=[dp=2, tp=2]}}
shard.grid @grid(shape = 2x2)

// -----

module attributes {ds.config = #ds.config<device_num = 4, mesh = "dp=2,tp=2">} {
  // expected-error@+1 {{the grid is 4x1, expected the shape of 'mesh' in 'ds.config', 2x2}}
  shard.grid @grid(shape = 4x1)
}

// -----

module attributes {ds.config = #ds.config<device_num = 4, mesh = "dp=2,tp=2">} {
  shard.grid @grid(shape = 2x2)
  func.func @halos(%w: tensor<4x8xf32>) -> tensor<4x8xf32> {
    // expected-error@+1 {{has halos, which ds does not have; expected equal blocks}}
    %s = shard.sharding @grid split_axes = [[0]] halo_sizes = [1, 2] : !shard.sharding
    %a = shard.shard %w to %s : tensor<4x8xf32>
    return %a : tensor<4x8xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<device_num = 4, mesh = "dp=2,tp=2">} {
  shard.grid @grid(shape = 2x2)
  func.func @given_sizes(%w: tensor<4x8xf32>) -> tensor<4x8xf32> {
    // expected-error@+1 {{has shards of given sizes; expected equal blocks}}
    %s = shard.sharding @grid split_axes = [[0]] sharded_dims_offsets = [0, 1, 4] : !shard.sharding
    %a = shard.shard %w to %s : tensor<4x8xf32>
    return %a : tensor<4x8xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<device_num = 4, mesh = "dp=2,tp=2">} {
  shard.grid @grid(shape = 2x2)
  func.func @twice(%w: tensor<4x8xf32> {ds.param = "w"}) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
    %s = shard.sharding @grid split_axes = [[0]] : !shard.sharding
    %t = shard.sharding @grid split_axes = [[1]] : !shard.sharding
    %a = shard.shard %w to %s : tensor<4x8xf32>
    // expected-error@+1 {{shards argument 1 as #ds.sharding<[{"tp"}, {}]>, which has #ds.sharding<[{"dp"}, {}]>}}
    %b = shard.shard %w to %t : tensor<4x8xf32>
    return %a, %b : tensor<4x8xf32>, tensor<4x8xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<device_num = 4, mesh = "dp=2,tp=2">} {
  shard.grid @grid(shape = 2x2)
  func.func @computed(%w: tensor<4x8xf32>, %s: !shard.sharding) -> tensor<4x8xf32> {
    // expected-error@+1 {{has a sharding that is computed; expected one of 'shard.sharding'}}
    %a = shard.shard %w to %s : tensor<4x8xf32>
    return %a : tensor<4x8xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<device_num = 4, mesh = "dp=2,tp=2">} {
  shard.grid @grid(shape = 2x2)
  func.func @too_many_dimensions(%w: tensor<4xf32>) -> tensor<4xf32> {
    %s = shard.sharding @grid split_axes = [[], [1]] : !shard.sharding
    // expected-error@+1 {{shards 2 dimensions of a 'tensor<4xf32>'}}
    %a = shard.shard %w to %s : tensor<4xf32>
    return %a : tensor<4xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<device_num = 4, mesh = "dp=2,tp=2">} {
  shard.grid @grid(shape = 2x2)
  func.func @collectives(%w: tensor<4xf32>) -> tensor<4xf32> {
    // expected-error@+1 {{'shard.all_reduce' op is no annotation; expected 'shard.sharding' and 'shard.shard', as a step for one device has them}}
    %a = shard.all_reduce %w on @grid grid_axes = [0] : tensor<4xf32> -> tensor<4xf32>
    return %a : tensor<4xf32>
  }
}
