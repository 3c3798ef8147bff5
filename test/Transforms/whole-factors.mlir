// RUN: ds-opt %s -ds-shard-axes | FileCheck %s
// RUN: ds-fuzz --file %s | FileCheck %s --check-prefix=SAME
// SAME: equal

// Of a product of two partial sums that one is reduced which is needed whole anyway, also where it comes first: the products of the others are added up before they are reduced. This is a
// norm of activations that several matrices read: their gradients come back through it one by one.
module attributes {ds.config = #ds.config<batch = global, device_num = 4, mesh = "dp=2,tp=2">} {
  // CHECK-LABEL: func.func @step(
  func.func @step(%w1: tensor<8x6xf32> {ds.param = "w1", ds.sharding = #ds.sharding<[{"tp"}, {}]>}, %w2: tensor<8x6xf32> {ds.param = "w2", ds.sharding = #ds.sharding<[{"tp"}, {}]>},
      %w3: tensor<8x6xf32> {ds.param = "w3", ds.sharding = #ds.sharding<[{"tp"}, {}]>}, %x: tensor<4x8xf32> {ds.batch = 0 : i64})
      -> (tensor<8x6xf32> {ds.updates = "w1"}, tensor<8x6xf32> {ds.updates = "w2"}, tensor<8x6xf32> {ds.updates = "w3"}, tensor<4x6xf32> {ds.batch = 0 : i64},
          tensor<4x6xf32> {ds.batch = 0 : i64}) {
    %z = arith.constant dense<0.0> : tensor<4x6xf32>
    // CHECK: %[[A:.*]] = linalg.matmul
    // CHECK-NEXT: %[[H:.*]] = ds.all_reduce sum %[[A]] {group = ["tp"]
    %h = linalg.matmul ins(%x, %w1 : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z : tensor<4x6xf32>) -> tensor<4x6xf32>
    // CHECK-NOT: ds.all_reduce
    %g = linalg.matmul ins(%x, %w2 : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z : tensor<4x6xf32>) -> tensor<4x6xf32>
    %f = linalg.matmul ins(%x, %w3 : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z : tensor<4x6xf32>) -> tensor<4x6xf32>
    // CHECK: %[[T:.*]] = math.tanh %[[H]]
    %t = math.tanh %h : tensor<4x6xf32>
    // CHECK-NEXT: %[[P:.*]] = arith.mulf %[[H]], %{{.*}}
    // CHECK-NEXT: %[[Q:.*]] = arith.mulf %[[H]], %{{.*}}
    // CHECK-NEXT: %[[S:.*]] = arith.addf %[[P]], %[[Q]]
    // CHECK-NEXT: %[[Y:.*]] = ds.all_reduce sum %[[S]] {group = ["tp"]
    %p = arith.mulf %h, %g : tensor<4x6xf32>
    %q = arith.mulf %h, %f : tensor<4x6xf32>
    %s = arith.addf %p, %q : tensor<4x6xf32>
    // CHECK-NEXT: return %{{.*}}, %{{.*}}, %{{.*}}, %[[T]], %[[Y]]
    return %w1, %w2, %w3, %t, %s : tensor<8x6xf32>, tensor<8x6xf32>, tensor<8x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>
  }
}
