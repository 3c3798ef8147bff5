// RUN: ds-opt %s -split-input-file -ds-shard-axes --remark-policy=all --remarks-filter=ds-shard-axes 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t

// What a rank holds has a price: columns of the first matrix and rows of the second, as Megatron has them, and one all-reduce. The bound is met.
// REMARK: PlanFound {{.*}}bound=[[BOUND:[0-9]+]], cost=[[BOUND]], variables=
module attributes {ds.config = #ds.config<batch = global, parallel_mode = auto_parallel, mesh = "dp=2,tp=4", memory_limit = 10>} {
  // CHECK: ds.plan = {bound_ns = {{.*}}, data_parallel_bytes = 33816576 : i64, data_parallel_ns = {{.*}}, held_bytes = 9437184 : i64, live_bytes = 2097152 : i64, meshes = 1 : i64, time_ns = {{.*}}}
  // CHECK-LABEL: func.func @columns_and_rows(
  // CHECK-SAME: tensor<1024x1024xf32> {ds.param = "w1", ds.sharding = #ds.sharding<[{}, {"tp"}]>}
  // CHECK-SAME: tensor<1024x1024xf32> {ds.param = "w2", ds.sharding = #ds.sharding<[{"tp"}, {}]>}
  // CHECK-SAME: tensor<512x1024xf32> {ds.batch = 0 : i64}
  func.func @columns_and_rows(%w1: tensor<1024x4096xf32> {ds.param = "w1"}, %w2: tensor<4096x1024xf32> {ds.param = "w2"}, %x: tensor<512x1024xf32> {ds.batch = 0 : i64})
      -> (tensor<1024x4096xf32> {ds.updates = "w1"}, tensor<4096x1024xf32> {ds.updates = "w2"}, tensor<512x1024xf32> {ds.batch = 0 : i64}) {
    %zero = arith.constant 0.0 : f32
    %e1 = tensor.empty() : tensor<512x4096xf32>
    %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<512x4096xf32>) -> tensor<512x4096xf32>
    %e2 = tensor.empty() : tensor<512x1024xf32>
    %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<512x1024xf32>) -> tensor<512x1024xf32>
    // CHECK-NOT: ds.all
    // CHECK: linalg.matmul {{.*}} -> tensor<512x1024xf32>
    %h = linalg.matmul ins(%x, %w1 : tensor<512x1024xf32>, tensor<1024x4096xf32>) outs(%z1 : tensor<512x4096xf32>) -> tensor<512x4096xf32>
    %a = math.tanh %h : tensor<512x4096xf32>
    // CHECK: %[[P:.*]] = linalg.matmul {{.*}} -> tensor<512x1024xf32>
    // CHECK-NEXT: ds.all_reduce sum %[[P]] {group = ["tp"], purpose = #ds<purpose activation>} : tensor<512x1024xf32>
    // CHECK-NOT: ds.all
    %y = linalg.matmul ins(%a, %w2 : tensor<512x4096xf32>, tensor<4096x1024xf32>) outs(%z2 : tensor<512x1024xf32>) -> tensor<512x1024xf32>
    return %w1, %w2, %y : tensor<1024x4096xf32>, tensor<4096x1024xf32>, tensor<512x1024xf32>
  }
}

// -----

// What a mark leaves open is searched, in that dimension alone, and is said in the end. Nothing is reckoned for work, so that the price of what is held decides.
module attributes {ds.config = #ds.config<batch = global, parallel_mode = auto_parallel, mesh = "dp=2,tp=2", auto_parallel_search_mode = sharding_propagation>} {
  // CHECK-LABEL: func.func @open(
  // CHECK-SAME: tensor<4x3xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{}, {"tp"}]>}
  // CHECK-SAME: tensor<4x3xf32> {ds.param = "v", ds.sharding = #ds.sharding<[{}, {"tp"}]>}
  func.func @open(%w: tensor<4x6xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{}, {?}]>}, %v: tensor<4x6xf32> {ds.param = "v", ds.sharding = #ds.sharding<[{}, {"tp"}]>})
      -> (tensor<4x6xf32> {ds.updates = "w"}, tensor<4x6xf32> {ds.updates = "v"}) {
    // CHECK-NOT: ds.all_gather
    %m = arith.mulf %w, %v : tensor<4x6xf32>
    return %m, %v : tensor<4x6xf32>, tensor<4x6xf32>
  }
}

// -----

// What is marked stays; an argument that is marked for another axis is whole for this one. Nothing is reckoned for work, so that the fewest bytes decide: none at all.
module attributes {ds.config = #ds.config<batch = global, parallel_mode = auto_parallel, mesh = "dp=2,tp=2", auto_parallel_search_mode = sharding_propagation>} {
  // CHECK-LABEL: func.func @marked(
  // CHECK-SAME: tensor<2x6xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{"tp"}, {}]>}
  // CHECK-SAME: tensor<6xf32> {ds.param = "b", ds.sharding = #ds.sharding<[{}]>}
  func.func @marked(%w: tensor<4x6xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{"tp"}, {}]>}, %b: tensor<6xf32> {ds.param = "b", ds.sharding = #ds.sharding<[{}]>})
      -> (tensor<4x6xf32> {ds.updates = "w"}, tensor<6xf32> {ds.updates = "b"}) {
    // CHECK-NEXT: arith.mulf %{{.*}} : tensor<2x6xf32>
    // CHECK-NEXT: arith.addf %{{.*}} : tensor<6xf32>
    // CHECK-NEXT: return
    %n = arith.mulf %w, %w : tensor<4x6xf32>
    %c = arith.addf %b, %b : tensor<6xf32>
    return %n, %c : tensor<4x6xf32>, tensor<6xf32>
  }
}

// -----

// Messages cost nothing and work costs much: everything is divided, samples beside the first axis; where work is free and each message dear nothing is.
module attributes {ds.config = #ds.config<batch = global, parallel_mode = auto_parallel, mesh = "dp=2,tp=2", cost_message = 0, cost_wire = 0, cost_flop = 1000000>} {
  // CHECK-LABEL: func.func @work_is_dear(
  // CHECK: math.exp %{{.*}} : tensor<{{4x6|8x3}}xf32>
  func.func @work_is_dear(%w: tensor<6xf32> {ds.param = "w"}, %x: tensor<8x6xf32> {ds.batch = 0 : i64}) -> (tensor<6xf32> {ds.updates = "w"}, tensor<8x6xf32> {ds.batch = 0 : i64}) {
    %e = math.exp %x : tensor<8x6xf32>
    return %w, %e : tensor<6xf32>, tensor<8x6xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = global, parallel_mode = auto_parallel, mesh = "dp=2,tp=2", cost_message = 1000000, cost_flop = 0, cost_memory = 0>} {
  // CHECK-LABEL: func.func @messages_are_dear(
  // CHECK-NOT: ds.all
  // CHECK: return
  func.func @messages_are_dear(%w: tensor<6xf32> {ds.param = "w"}, %x: tensor<8x6xf32> {ds.batch = 0 : i64}) -> (tensor<6xf32> {ds.updates = "w"}, tensor<8x6xf32> {ds.batch = 0 : i64}) {
    %e = math.exp %x : tensor<8x6xf32>
    return %w, %e : tensor<6xf32>, tensor<8x6xf32>
  }
}

// -----

// A mesh is chosen: three samples are divided by 3 of 6 ranks, and 2 are left for the other axis.
module attributes {ds.config = #ds.config<batch = global, parallel_mode = auto_parallel, device_num = 6, cost_flop = 1000000, cost_message = 0>} {
  // CHECK: mesh = "dp=3,tp=2"
  // CHECK-SAME: meshes = 4
  // CHECK-LABEL: func.func @mesh(
  func.func @mesh(%w: tensor<4xf32> {ds.param = "w"}, %x: tensor<3x4xf32> {ds.batch = 0 : i64}) -> (tensor<4xf32> {ds.updates = "w"}, tensor<3x4xf32> {ds.batch = 0 : i64}) {
    %e = math.exp %x : tensor<3x4xf32>
    return %w, %e : tensor<4xf32>, tensor<3x4xf32>
  }
}

// -----

// A loop carries a shard, so that what it holds is gathered nowhere.
module attributes {ds.config = #ds.config<batch = global, parallel_mode = auto_parallel, mesh = "dp=1,tp=2", cost_flop = 1000, cost_message = 100000>} {
  // CHECK-LABEL: func.func @loop(
  // CHECK: scf.for {{.*}} -> (tensor<{{32x64|64x32}}xf32>)
  // CHECK-NOT: ds.all
  // CHECK: return
  func.func @loop(%w: tensor<64x64xf32> {ds.param = "w"}) -> (tensor<64x64xf32> {ds.updates = "w"}) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c9 = arith.constant 9 : index
    %r = scf.for %i = %c0 to %c9 step %c1 iter_args(%a = %w) -> tensor<64x64xf32> {
      %b = math.tanh %a : tensor<64x64xf32>
      scf.yield %b : tensor<64x64xf32>
    }
    return %r : tensor<64x64xf32>
  }
}

// -----

// The search marks memory without elements, too. What is made of one number and written there is no whole because of that: a rank makes its part alone.
module attributes {ds.config = #ds.config<batch = global, parallel_mode = auto_parallel, mesh = "dp=1,tp=2">} {
  // CHECK-LABEL: func.func @made_of_nothing(
  func.func @made_of_nothing(%w: tensor<1024x1024xf32> {ds.param = "w"}, %x: tensor<4096x1024xf32> {ds.batch = 0 : i64}) -> (tensor<1024x1024xf32> {ds.updates = "w"}, tensor<4096x1024xf32> {ds.batch = 0 : i64}) {
    // CHECK-NOT: -> tensor<4096x1024xf32>
    // CHECK: arith.mulf %{{.*}} : tensor<2048x1024xf32>
    %zero = arith.constant 0.0 : f32
    %half = arith.constant dense<0.5> : tensor<f32>
    %e = tensor.empty() : tensor<4096x1024xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4096x1024xf32>) -> tensor<4096x1024xf32>
    %h = linalg.matmul ins(%x, %w : tensor<4096x1024xf32>, tensor<1024x1024xf32>) outs(%z : tensor<4096x1024xf32>) -> tensor<4096x1024xf32>
    %halves = linalg.generic {indexing_maps = [affine_map<(i, j) -> ()>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%half : tensor<f32>) outs(%e : tensor<4096x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4096x1024xf32>
    %y = arith.mulf %h, %halves : tensor<4096x1024xf32>
    return %w, %y : tensor<1024x1024xf32>, tensor<4096x1024xf32>
  }
}
