// RUN: ds-opt %s -convert-ds-to-shard -split-input-file -verify-diagnostics | FileCheck %s

// CHECK: shard.grid @mesh(shape = 2x2)
// CHECK-LABEL: func.func @collectives_are_along_axes_of_the_grid
// CHECK: shard.all_reduce %arg0 on @mesh grid_axes = [0, 1] : tensor<2x4xf32> -> tensor<2x4xf32>
// CHECK: shard.all_reduce %arg1 on @mesh grid_axes = [0, 1] : tensor<f32> -> tensor<f32>
// CHECK: shard.all_reduce %arg0 on @mesh grid_axes = [1] reduction = max
// CHECK: shard.all_reduce %arg0 on @mesh grid_axes = [1] reduction = min
// CHECK: shard.all_reduce %arg0 on @mesh grid_axes = [0, 1] reduction = product
// CHECK: shard.all_reduce %arg0 on @mesh grid_axes = [0] reduction = average
// CHECK: shard.all_reduce %arg2 on @mesh grid_axes = [0, 1] reduction = bitwise_and
// CHECK: shard.all_reduce %arg2 on @mesh grid_axes = [0, 1] reduction = bitwise_or
// CHECK: shard.reduce_scatter %arg0 on @mesh grid_axes = [1] scatter_axis = 1 : tensor<2x4xf32> -> tensor<2x2xf32>
// CHECK: shard.all_gather %{{.*}} on @mesh grid_axes = [1] gather_axis = 1 : tensor<2x2xf32> -> tensor<2x4xf32>
// CHECK: shard.all_to_all %arg0 on @mesh grid_axes = [0] split_axis = 1 concat_axis = 0 : tensor<2x4xf32> -> tensor<4x2xf32>
// CHECK-NOT: ds.a
module attributes {ds.config = #ds.config<device_num = 4, mesh = "dp=2,tp=2">} {
  func.func @collectives_are_along_axes_of_the_grid(%a: tensor<2x4xf32>, %s: tensor<f32>, %i: tensor<3xi32>, %o: tensor<2x2xf32>, %w: tensor<4x2xf32>) -> (
      tensor<2x4xf32>, tensor<f32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<3xi32>, tensor<3xi32>, tensor<2x4xf32>, tensor<4x2xf32>) {
    %0:2 = ds.all_reduce sum %a, %s {fusion = 1024 : i64, names = [["a"], ["s"]]} : tensor<2x4xf32>, tensor<f32>
    %1 = ds.all_reduce max %a {group = ["tp"]} : tensor<2x4xf32>
    %2 = ds.all_reduce min %a {group = ["tp"]} : tensor<2x4xf32>
    %3 = ds.all_reduce prod %a {group = ["tp", "dp"]} : tensor<2x4xf32>
    %4 = ds.all_reduce mean %a {group = ["dp"]} : tensor<2x4xf32>
    %5 = ds.all_reduce and %i : tensor<3xi32>
    %6 = ds.all_reduce or %i : tensor<3xi32>
    %7 = ds.reduce_scatter sum %a into %o along 1 {group = ["tp"]} : tensor<2x4xf32> into tensor<2x2xf32>
    %8 = ds.all_gather %7 into %a along 1 {group = ["tp"]} : tensor<2x2xf32> into tensor<2x4xf32>
    %9 = ds.all_to_all %a into %w split 1 concat 0 {group = ["dp"]} : tensor<2x4xf32> into tensor<4x2xf32>
    return %0#0, %0#1, %1, %2, %3, %4, %5, %6, %8, %9 : tensor<2x4xf32>, tensor<f32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<3xi32>, tensor<3xi32>, tensor<2x4xf32>, tensor<4x2xf32>
  }
}

// -----

// The root of the world is 5 = (1, 2); a member of a group of axes is counted in the group.
// CHECK: shard.grid @mesh(shape = 2x3)
// CHECK-LABEL: func.func @roots_are_coordinates
// CHECK: shard.broadcast %arg0 on @mesh grid_axes = [0, 1] root = [1, 2]
// CHECK: shard.broadcast %arg0 on @mesh grid_axes = [1] root = [2]
module attributes {ds.config = #ds.config<device_num = 6, mesh = "dp=2,tp=3">} {
  func.func @roots_are_coordinates(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    %0 = ds.broadcast %a from 5 : tensor<4xf32>
    %1 = ds.broadcast %a from 2 {group = ["tp"]} : tensor<4xf32>
    return %0, %1 : tensor<4xf32>, tensor<4xf32>
  }
}

// -----

// Member r receives the value of member r - 1, the first one that of the last.
// CHECK-LABEL: func.func @rotations
// CHECK: shard.shift %arg0 on @mesh grid_axes = [1] shift_axis = 1 offset = 1 rotate
// CHECK: shard.shift %arg0 on @mesh grid_axes = [1] shift_axis = 1 offset = 2 rotate
module attributes {ds.config = #ds.config<device_num = 6, mesh = "dp=2,tp=3">} {
  func.func @rotations(%a: tensor<4xf32>, %o: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    %0 = ds.collective_permute %a into %o from [2, 0, 1] {group = ["tp"]} : tensor<4xf32> into tensor<4xf32>
    %1 = ds.collective_permute %a into %o from [1, 2, 0] {group = ["tp"]} : tensor<4xf32> into tensor<4xf32>
    return %0, %1 : tensor<4xf32>, tensor<4xf32>
  }
}

// -----

// Without a mesh the grid has one axis, and gives way to a symbol that has its name.
// CHECK: shard.grid @mesh_0(shape = 3)
// CHECK-LABEL: func.func @ranks
// CHECK: shard.process_linear_index on @mesh_0 : index
// CHECK: arith.constant 3 : index
module attributes {ds.config = #ds.config<device_num = 3>} {
  func.func private @mesh()
  func.func @ranks() -> (index, index) {
    %r = ds.rank : index
    %n = ds.num_ranks : index
    return %r, %n : index, index
  }
}

// -----

// CHECK-LABEL: func.func @no_collective_no_grid
// CHECK-NOT: shard
func.func @no_collective_no_grid() {
  return
}

// -----

// expected-error@+1 {{a grid needs the number of ranks; expected 'device_num' or 'mesh' in 'ds.config'}}
module {
  func.func @nothing_says_how_many(%a: tensor<4xf32>) -> tensor<4xf32> {
    %0 = ds.all_reduce sum %a : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<device_num = 4>} {
  func.func @listed_ranks(%a: tensor<4xf32>) -> tensor<4xf32> {
    // expected-error@+1 {{meets in the group array<i64: 0, 2>, but ranks of the shard dialect meet along axes; expected all ranks, names of axes, or --convert-ds-to-calls}}
    %0 = ds.all_reduce sum %a {group = array<i64: 0, 2>} : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<device_num = 4, mesh = "dp=2,tp=2">} {
  func.func @other_axes(%a: tensor<4xf32>) -> tensor<4xf32> {
    // expected-error@+1 {{meets along ["ep"], which the mesh does not have}}
    %0 = ds.all_reduce sum %a {group = ["ep"]} : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<device_num = 4, mesh = "dp=2,tp=2">} {
  func.func @zeros_for_some(%a: tensor<4xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
    // expected-error@+1 {{is no rotation along one axis, which is what the shard dialect has; expected --convert-ds-to-calls}}
    %0 = ds.collective_permute %a into %o from [-1, 0] {group = ["tp"]} : tensor<4xf32> into tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<device_num = 4, mesh = "dp=2,tp=2">} {
  func.func @rotations_over_two_axes(%a: tensor<4xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
    // expected-error@+1 {{is no rotation along one axis}}
    %0 = ds.collective_permute %a into %o from [3, 0, 1, 2] : tensor<4xf32> into tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<device_num = 2>} {
  func.func @starts(%a: tensor<4xf32>) -> tensor<4xf32> {
    // expected-error@+1 {{'ds.all_reduce_start' op has no counterpart in the shard dialect, whose collectives neither start nor wait; expected --convert-ds-to-calls}}
    %s, %p = ds.all_reduce_start sum %a : tensor<4xf32>
    %r = ds.wait %p, %s : tensor<4xf32>
    return %r : tensor<4xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<device_num = 2>} {
  func.func @barriers() {
    // expected-error@+1 {{'ds.barrier' op has no counterpart in the shard dialect}}
    ds.barrier
    return
  }
}

// -----

module attributes {ds.config = #ds.config<device_num = 2>} {
  func.func @buffers(%a: memref<4xf32>) {
    // expected-error@+1 {{works on buffers; expected tensors, as they are before bufferization}}
    ds.all_reduce sum %a : memref<4xf32>
    return
  }
}
