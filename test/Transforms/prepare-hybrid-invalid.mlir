// What would let ranks differ, or is left to the compiler, is refused where a step is divided by hand.
// RUN: ds-opt %s -split-input-file -verify-diagnostics -ds-prepare-hybrid

module attributes {ds.config = #ds.config<parallel_mode = hybrid_parallel, mesh = "dp=2,tp=2">} {
  func.func @of_all_ranks(%w: tensor<4xf32> {ds.param = "w"}) -> (tensor<4xf32> {ds.updates = "w"}) {
    // expected-error @below {{expected axes of the mesh in 'group', got all ranks}}
    %r = ds.all_reduce sum %w : tensor<4xf32>
    return %r : tensor<4xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<parallel_mode = hybrid_parallel, mesh = "dp=2,tp=2">} {
  func.func @of_listed_ranks(%w: tensor<4xf32> {ds.param = "w"}) -> (tensor<4xf32> {ds.updates = "w"}) {
    // expected-error @below {{expected axes of the mesh in 'group', got array<i64: 0, 1>}}
    %r = ds.all_reduce sum %w {group = array<i64: 0, 1>} : tensor<4xf32>
    return %r : tensor<4xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<parallel_mode = hybrid_parallel, mesh = "dp=2,tp=2">} {
  func.func @of_an_unknown_axis(%w: tensor<4xf32> {ds.param = "w"}) -> (tensor<4xf32> {ds.updates = "w"}) {
    // expected-error @below {{expected axes of the mesh in 'group', got ["tq"]}}
    %r = ds.all_reduce sum %w {group = ["tq"]} : tensor<4xf32>
    return %r : tensor<4xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<parallel_mode = hybrid_parallel, mesh = "dp=2,tp=2">} {
  func.func @of_the_axis_of_the_batch(%w: tensor<4xf32> {ds.param = "w"}) -> (tensor<4xf32> {ds.updates = "w"}) {
    // expected-error @below {{'dp' shards the batch, and what ranks along it compute apart is combined by the compiler; use ds.combine where they are to meet}}
    %r = ds.all_reduce sum %w {group = ["dp", "tp"]} : tensor<4xf32>
    return %r : tensor<4xf32>
  }
}

// -----

// Without a mesh, all ranks are the axis of the batch.
module attributes {ds.config = #ds.config<parallel_mode = hybrid_parallel, device_num = 4>} {
  func.func @the_number_of_the_rank(%w: tensor<4xf32> {ds.param = "w"}) -> (tensor<4xf32> {ds.updates = "w"}, index) {
    // expected-error @below {{expected axes of the mesh in 'group', got all ranks}}
    %r = ds.rank : index
    return %w, %r : tensor<4xf32>, index
  }
}

// -----

module attributes {ds.config = #ds.config<parallel_mode = hybrid_parallel, mesh = "dp=2,tp=2">} {
  func.func @a_mark(%w: tensor<4xf32> {ds.param = "w"}) -> (tensor<4xf32> {ds.updates = "w"}) {
    // expected-error @below {{a mark shards nothing in hybrid_parallel, where the step itself is sharded; use ds.all_gather, ds.all_to_all, ds.collective_permute or a slice, or semi_auto_parallel}}
    %r = ds.sharding_constraint %w <[{"tp"}]> : tensor<4xf32>
    return %r : tensor<4xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<parallel_mode = hybrid_parallel, mesh = "dp=2,tp=2">} {
  // expected-error @below {{'ds.sharding' of 'w' names axis 'tq', did you mean 'tp'?}}
  func.func @an_unknown_axis_of_an_argument(%w: tensor<4xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{"tq"}]>}) -> (tensor<4xf32> {ds.updates = "w"}) {
    return %w : tensor<4xf32>
  }
}

// -----

// Half of w on each rank, and all of b: what b becomes depends on the half.
module attributes {ds.config = #ds.config<parallel_mode = hybrid_parallel, mesh = "dp=2,tp=2">} {
  func.func @a_result_that_differs(%w: tensor<4xf32> {ds.param = "w", ds.layerwise_parallel, ds.sharding = #ds.sharding<[{"tp"}]>}, %b: tensor<4xf32> {ds.param = "b"})
      -> (tensor<4xf32> {ds.updates = "w"}, tensor<4xf32> {ds.updates = "b"}) {
    // expected-error @below {{result #1 differs from rank to rank along 'tp', over which no 'ds.sharding' shards it; combine what it is made of by a collective over ["tp"], or mark the argument that it updates}}
    %n = arith.addf %w, %b : tensor<4xf32>
    return %w, %n : tensor<4xf32>, tensor<4xf32>
  }
}

// -----

// Shards of w differ along tp alone; along ep, too, what depends on the rank's number there.
module attributes {ds.config = #ds.config<parallel_mode = hybrid_parallel, mesh = "dp=2,ep=2,tp=2">} {
  func.func @a_shard_that_differs_along_another_axis(%w: tensor<4xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{"tp"}]>}) -> (tensor<4xf32> {ds.updates = "w"}) {
    %r = ds.rank {group = ["ep"]} : index
    %i = arith.index_cast %r : index to i32
    %f = arith.sitofp %i : i32 to f32
    // expected-error @below {{result #0 differs from rank to rank along 'ep', over which no 'ds.sharding' shards it; combine what it is made of by a collective over ["ep"], or mark the argument that it updates}}
    %s = tensor.splat %f : tensor<4xf32>
    return %s : tensor<4xf32>
  }
}
