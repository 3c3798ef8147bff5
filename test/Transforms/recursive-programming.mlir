// RUN: ds-opt %s -split-input-file -ds-shard-axes | FileCheck %s

// The mesh grows by one prime factor of the ranks after another: 3 samples take the 3 and no 2. There is no bound.
module attributes {ds.config = #ds.config<batch = global, parallel_mode = auto_parallel, device_num = 12, search_mode = recursive_programming, cost_flop = 1000000, cost_message = 0>} {
  // CHECK: device_num = 12
  // CHECK-SAME: mesh = "dp=3,tp=4"
  // CHECK-SAME: search_mode = recursive_programming
  // CHECK-NOT: bound_ns
  // CHECK-LABEL: func.func @grows(
  // CHECK: math.exp %{{.*}} : tensor<3x2xf32>
  func.func @grows(%w: tensor<8xf32> {ds.param = "w"}, %x: tensor<3x8xf32> {ds.batch = 0 : i64}) -> (tensor<8xf32> {ds.updates = "w"}, tensor<3x8xf32> {ds.batch = 0 : i64}) {
    %e = math.exp %x : tensor<3x8xf32>
    return %w, %e : tensor<8xf32>, tensor<3x8xf32>
  }
}

// -----

// The mesh that is given stays, and its axes are divided by one pass each.
module attributes {ds.config = #ds.config<batch = global, parallel_mode = auto_parallel, mesh = "dp=2,tp=4", auto_parallel_search_mode = recursive_programming, memory_limit = 10>} {
  // CHECK: ds.plan = {data_parallel_bytes = 33816576 : i64, data_parallel_ns = {{[0-9]+}} : i64, held_byte_ps = {{[0-9]+}} : i64, held_bytes = 9437184 : i64, live_bytes = {{.*}}, meshes = 1 : i64, time_ns = {{[0-9]+}} : i64}
  // CHECK-LABEL: func.func @columns_and_rows(
  // CHECK-SAME: tensor<1024x1024xf32> {ds.param = "w1", ds.sharding = #ds.sharding<[{}, {"tp"}]>}
  // CHECK-SAME: tensor<1024x1024xf32> {ds.param = "w2", ds.sharding = #ds.sharding<[{"tp"}, {}]>}
  func.func @columns_and_rows(%w1: tensor<1024x4096xf32> {ds.param = "w1"}, %w2: tensor<4096x1024xf32> {ds.param = "w2"}, %x: tensor<512x1024xf32> {ds.batch = 0 : i64})
      -> (tensor<1024x4096xf32> {ds.updates = "w1"}, tensor<4096x1024xf32> {ds.updates = "w2"}, tensor<512x1024xf32> {ds.batch = 0 : i64}) {
    %zero = arith.constant 0.0 : f32
    %e1 = tensor.empty() : tensor<512x4096xf32>
    %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<512x4096xf32>) -> tensor<512x4096xf32>
    %e2 = tensor.empty() : tensor<512x1024xf32>
    %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<512x1024xf32>) -> tensor<512x1024xf32>
    %h = linalg.matmul ins(%x, %w1 : tensor<512x1024xf32>, tensor<1024x4096xf32>) outs(%z1 : tensor<512x4096xf32>) -> tensor<512x4096xf32>
    %a = math.tanh %h : tensor<512x4096xf32>
    %y = linalg.matmul ins(%a, %w2 : tensor<512x4096xf32>, tensor<4096x1024xf32>) outs(%z2 : tensor<512x1024xf32>) -> tensor<512x1024xf32>
    return %w1, %w2, %y : tensor<1024x4096xf32>, tensor<4096x1024xf32>, tensor<512x1024xf32>
  }
}
