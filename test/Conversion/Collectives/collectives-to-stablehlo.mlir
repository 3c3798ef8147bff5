// RUN: ds-opt %s -ds-collectives-to-stablehlo -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @a_bucket_is_one_operation
// CHECK: %[[R:.*]]:2 = "stablehlo.all_reduce"(%arg0, %arg1) ({
// CHECK-NEXT: ^bb0(%[[X:.*]]: tensor<f32>, %[[Y:.*]]: tensor<f32>):
// CHECK-NEXT: %[[S:.*]] = "stablehlo.add"(%[[X]], %[[Y]]) : (tensor<f32>, tensor<f32>) -> tensor<f32>
// CHECK-NEXT: "stablehlo.return"(%[[S]]) : (tensor<f32>) -> ()
// CHECK-NEXT: }) {replica_groups = dense<{{\[\[}}0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<2x4xf32>, tensor<f32>) -> (tensor<2x4xf32>, tensor<f32>)
// CHECK-NEXT: return %[[R]]#0, %[[R]]#1
module attributes {ds.config = #ds.config<device_num = 4>} {
  func.func @a_bucket_is_one_operation(%a: tensor<2x4xf32>, %s: tensor<f32>) -> (tensor<2x4xf32>, tensor<f32>) {
    %0:2 = ds.all_reduce sum %a, %s {fusion = 1024 : i64, names = [["a"], ["s"]]} : tensor<2x4xf32>, tensor<f32>
    return %0#0, %0#1 : tensor<2x4xf32>, tensor<f32>
  }
}

// -----

// CHECK-LABEL: func.func @reductions
// CHECK: "stablehlo.maximum"
// CHECK: replica_groups = dense<{{\[\[}}0, 1], [2, 3]]> : tensor<2x2xi64>
// CHECK: "stablehlo.minimum"
// CHECK: replica_groups = dense<{{\[\[}}0, 2], [1, 3]]> : tensor<2x2xi64>
// CHECK: "stablehlo.multiply"
// CHECK: replica_groups = dense<{{\[\[}}3, 1, 0, 2]]> : tensor<1x4xi64>
// CHECK: "stablehlo.and"
// CHECK: "stablehlo.or"
module attributes {ds.config = #ds.config<device_num = 4, mesh = "dp=2,tp=2">} {
  func.func @reductions(%a: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {
    %0 = ds.all_reduce max %a {group = ["tp"]} : tensor<4xi32>
    %1 = ds.all_reduce min %a {group = ["dp"]} : tensor<4xi32>
    %2 = ds.all_reduce prod %a {group = array<i64: 3, 1, 0, 2>} : tensor<4xi32>
    %3 = ds.all_reduce and %a : tensor<4xi32>
    %4 = ds.all_reduce or %a : tensor<4xi32>
    return %0, %1, %2, %3, %4 : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
  }
}

// -----

// CHECK-LABEL: func.func @blocks
// CHECK: "stablehlo.reduce_scatter"(%arg0)
// CHECK: }) {replica_groups = dense<{{\[\[}}0, 1], [2, 3]]> : tensor<2x2xi64>, scatter_dimension = 1 : i64} : (tensor<2x4xf32>) -> tensor<2x2xf32>
// CHECK: "stablehlo.all_gather"(%{{.*}}) {all_gather_dim = 1 : i64, replica_groups = dense<{{.*}}> : tensor<2x2xi64>} : (tensor<2x2xf32>) -> tensor<2x4xf32>
// CHECK: "stablehlo.all_to_all"(%arg0) {concat_dimension = 0 : i64, replica_groups = dense<{{.*}}>, split_count = 2 : i64, split_dimension = 1 : i64} : (tensor<2x4xf32>) -> tensor<4x2xf32>
module attributes {ds.config = #ds.config<device_num = 4, mesh = "dp=2,tp=2">} {
  func.func @blocks(%a: tensor<2x4xf32>, %o: tensor<2x2xf32>, %w: tensor<4x2xf32>) -> (tensor<2x4xf32>, tensor<4x2xf32>) {
    %7 = ds.reduce_scatter sum %a into %o along 1 {group = ["tp"]} : tensor<2x4xf32> into tensor<2x2xf32>
    %8 = ds.all_gather %7 into %a along 1 {group = ["tp"]} : tensor<2x2xf32> into tensor<2x4xf32>
    %9 = ds.all_to_all %a into %w split 1 concat 0 {group = ["tp"]} : tensor<2x4xf32> into tensor<4x2xf32>
    return %8, %9 : tensor<2x4xf32>, tensor<4x2xf32>
  }
}

// -----

// The root comes first: a rank of the world, or a member of each group. A permute lists pairs of source and target.
// CHECK-LABEL: func.func @roots_and_pairs
// CHECK: "stablehlo.collective_broadcast"(%arg0) {replica_groups = dense<{{\[\[}}2, 0, 1, 3]]> : tensor<1x4xi64>}
// CHECK: "stablehlo.collective_broadcast"(%arg0) {replica_groups = dense<{{\[\[}}1, 0], [3, 2]]> : tensor<2x2xi64>}
// CHECK: "stablehlo.collective_permute"(%arg0) {source_target_pairs = dense<{{\[\[}}0, 2], [1, 3]]> : tensor<2x2xi64>}
module attributes {ds.config = #ds.config<device_num = 4, mesh = "dp=2,tp=2">} {
  func.func @roots_and_pairs(%a: tensor<4xf32>, %o: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
    %0 = ds.broadcast %a from 2 : tensor<4xf32>
    %1 = ds.broadcast %a from 1 {group = ["tp"]} : tensor<4xf32>
    %2 = ds.collective_permute %a into %o from [-1, 0] {group = ["dp"]} : tensor<4xf32> into tensor<4xf32>
    return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
}

// -----

// CHECK-LABEL: func.func @ranks
// CHECK: %[[ID:.*]] = "stablehlo.replica_id"() : () -> tensor<ui32>
// CHECK: %[[WIDE:.*]] = "stablehlo.convert"(%[[ID]]) : (tensor<ui32>) -> tensor<i64>
// CHECK: %[[N:.*]] = tensor.extract %[[WIDE]][] : tensor<i64>
// CHECK: arith.index_cast %[[N]] : i64 to index
// CHECK: arith.constant 3 : index
module attributes {ds.config = #ds.config<device_num = 3>} {
  func.func @ranks() -> (index, index) {
    %r = ds.rank : index
    %n = ds.num_ranks : index
    return %r, %n : index, index
  }
}

// -----

func.func @nothing_says_how_many(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{needs the number of ranks to list them; expected 'device_num' in 'ds.config'}}
  %0 = ds.all_reduce sum %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @nothing_says_the_number() -> index {
  // expected-error@+1 {{is no constant; expected 'device_num' in 'ds.config'}}
  %0 = ds.num_ranks : index
  return %0 : index
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

module attributes {ds.config = #ds.config<device_num = 4>} {
  func.func @some_ranks(%a: tensor<4xf32>) -> tensor<4xf32> {
    // expected-error@+1 {{meets in the group array<i64: 0, 1>, but all replicas meet in StableHLO; expected all 4 ranks, names of axes, or --convert-ds-to-calls}}
    %0 = ds.all_reduce sum %a {group = array<i64: 0, 1>} : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<device_num = 2>} {
  func.func @means(%a: tensor<4xf32>) -> tensor<4xf32> {
    // expected-error@+1 {{reduces to a mean, which StableHLO does not have; expected a sum, as ds-apply-mean makes it}}
    %0 = ds.all_reduce mean %a : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<device_num = 2>} {
  func.func @starts(%a: tensor<4xf32>) -> tensor<4xf32> {
    // expected-error@+1 {{'ds.all_reduce_start' op has no counterpart in StableHLO, whose collectives neither start nor wait; expected --convert-ds-to-calls}}
    %s, %p = ds.all_reduce_start sum %a : tensor<4xf32>
    %r = ds.wait %p, %s : tensor<4xf32>
    return %r : tensor<4xf32>
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
