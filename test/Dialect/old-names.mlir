// RUN: ds-opt %s -verify-diagnostics | FileCheck %s

// Text with the earlier names of operations is read and printed with those of today.

// CHECK-LABEL: func.func @f
func.func @f(%a: tensor<4x4xf32>, %b: tensor<8xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<8xf32>) {
  // CHECK: ds.sharding_constraint %{{.*}} <[{"tp"}, {}]> : tensor<4x4xf32>
  // expected-warning @below {{'ds.shard' is now called 'ds.sharding_constraint'}}
  %s = ds.shard %a <[{"tp"}, {}]> : tensor<4x4xf32>
  // CHECK: ds.replicated_to_partial sum %{{.*}} : tensor<4x4xf32>
  // expected-warning @below {{'ds.once' is now called 'ds.replicated_to_partial'}}
  %o = ds.once sum %s : tensor<4x4xf32>
  %e = tensor.empty() : tensor<8xf32>
  // CHECK: ds.collective_permute %{{.*}} into %{{.*}} from [1, 0] {group = ["tp"]} : tensor<8xf32> into tensor<8xf32>
  // expected-warning @below {{'ds.permute' is now called 'ds.collective_permute'}}
  %p = ds.permute %b into %e from [1, 0] {group = ["tp"]} : tensor<8xf32> into tensor<8xf32>
  return %s, %o, %p : tensor<4x4xf32>, tensor<4x4xf32>, tensor<8xf32>
}
