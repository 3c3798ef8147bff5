// RUN: ds-opt %s -split-input-file -ds-shard-optimizer | FileCheck %s

// A marked parameter alone: gathered for who reads all of it, its gradient reduce-scattered.
module attributes {ds.config = #ds.config<device_num = 2>} {
  // CHECK-LABEL: func.func @a_mark_is_enough(
  // CHECK-SAME: %[[W:.*]]: tensor<4x4xf32> {ds.layout = "block", ds.param = "w", ds.sharding = #ds.sharding<[{"dp"}, {}]>}
  // CHECK-SAME: %[[X:.*]]: tensor<8x4xf32> {ds.batch = 0 : i64}) -> (tensor<4x4xf32> {ds.updates = "w"})
  func.func @a_mark_is_enough(%w: tensor<8x4xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{"dp"}, {}]>},
      %x: tensor<8x4xf32> {ds.batch = 0 : i64}) -> (tensor<8x4xf32> {ds.updates = "w"}) {
    // CHECK: %[[ALL:.*]] = ds.all_gather %[[W]] into %{{.*}} along 0
    // CHECK: %[[DW:.*]] = arith.mulf %[[ALL]], %[[X]] : tensor<8x4xf32>
    %dw = arith.mulf %w, %x : tensor<8x4xf32>
    // CHECK: %[[G:.*]] = ds.reduce_scatter sum %[[DW]] into %{{.*}} along 0 {names = {{\[}}["w"]]} : tensor<8x4xf32> into tensor<4x4xf32>
    %g = ds.all_reduce sum %dw {names = [["w"]]} : tensor<8x4xf32>
    // CHECK: %[[NEW:.*]] = arith.subf %[[W]], %[[G]] : tensor<4x4xf32>
    %new = arith.subf %w, %g : tensor<8x4xf32>
    // CHECK: return %[[NEW]]
    return %new : tensor<8x4xf32>
  }
}

// -----

// A mark over the axis of the batch, in a mesh of two: until it is divided here, ranks along the axis hold the same.
module attributes {ds.config = #ds.config<device_num = 6, mesh = "dp=2,tp=3">} {
  // CHECK-LABEL: func.func @a_mark_in_a_mesh(
  // CHECK-SAME: tensor<4x4xf32> {ds.batch = 0 : i64}) -> (tensor<4x2xf32> {ds.updates = "w"})
  func.func @a_mark_in_a_mesh(%w: tensor<4x4xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{"tp"}, {"dp"}]>}, %x: tensor<4x4xf32> {ds.batch = 0 : i64})
      -> (tensor<4x4xf32> {ds.updates = "w"}) {
    // CHECK: ds.reduce_scatter sum %{{.*}} into %{{.*}} along 0 {group = ["dp"], names = {{\[}}["w"]]} : tensor<2x4x2xf32> into tensor<1x4x2xf32>
    %g = ds.all_reduce sum %x {group = ["dp"], names = [["w"]]} : tensor<4x4xf32>
    // CHECK: arith.subf %{{.*}}, %{{.*}} : tensor<4x2xf32>
    %new = arith.subf %w, %g : tensor<4x4xf32>
    return %new : tensor<4x4xf32>
  }
}

// -----

// Of 64 KB and more; the state with its parameter; the first dimension that two ranks divide.
module attributes {ds.config = #ds.config<device_num = 2, enable_parallel_optimizer = true>} {
  // CHECK-LABEL: func.func @what_is_large(
  // CHECK-SAME: %[[W:.*]]: tensor<129x64xf32> {ds.layout = "block", ds.param = "w", ds.sharding = #ds.sharding<[{}, {"dp"}]>}
  // CHECK-SAME: %[[M:.*]]: tensor<129x64xf32> {ds.layout = "block", ds.sharding = #ds.sharding<[{}, {"dp"}]>, ds.state = "w.m"}
  // CHECK-SAME: %{{.*}}: tensor<127x129xf32> {ds.param = "odd"}
  // CHECK-SAME: %{{.*}}: tensor<64x255xf32> {ds.param = "small"}
  // CHECK-SAME: %{{.*}}: tensor<256x64xf32> {ds.layerwise_parallel, ds.param = "own"}
  func.func @what_is_large(%w: tensor<129x128xf32> {ds.param = "w"}, %m: tensor<129x128xf32> {ds.state = "w.m"},
      %odd: tensor<127x129xf32> {ds.param = "odd"}, %small: tensor<64x255xf32> {ds.param = "small"},
      %own: tensor<256x64xf32> {ds.param = "own", ds.layerwise_parallel}, %x: tensor<129x128xf32> {ds.batch = 0 : i64})
      -> (tensor<129x128xf32> {ds.updates = "w"}, tensor<129x128xf32> {ds.updates = "w.m"}, tensor<127x129xf32> {ds.updates = "odd"},
          tensor<64x255xf32> {ds.updates = "small"}, tensor<256x64xf32> {ds.updates = "own"}) {
    // Ranks hold blocks of columns: whole blocks of all ranks travel, one behind the other.
    // CHECK: %[[STACKED:.*]] = linalg.transpose {{.*}} outs(%{{.*}} : tensor<2x129x64xf32>)
    // CHECK: %[[ONE:.*]] = ds.reduce_scatter sum %[[STACKED]] into %{{.*}} along 0 : tensor<2x129x64xf32> into tensor<1x129x64xf32>
    // CHECK: %[[G:.*]] = tensor.collapse_shape %[[ONE]] {{.*}} into tensor<129x64xf32>
    %g = ds.all_reduce sum %x : tensor<129x128xf32>
    // CHECK: %[[M2:.*]] = arith.addf %[[M]], %[[G]] : tensor<129x64xf32>
    %m2 = arith.addf %m, %g : tensor<129x128xf32>
    // CHECK: %[[W2:.*]] = arith.subf %[[W]], %[[M2]] : tensor<129x64xf32>
    %w2 = arith.subf %w, %m2 : tensor<129x128xf32>
    // CHECK: return %[[W2]], %[[M2]]
    return %w2, %m2, %odd, %small, %own : tensor<129x128xf32>, tensor<129x128xf32>, tensor<127x129xf32>, tensor<64x255xf32>, tensor<256x64xf32>
  }
}

// -----

// Where the first dimension gains nothing the next one does: along it another axis divides the update of a parameter that it does not divide.
module attributes {ds.config = #ds.config<device_num = 4, enable_parallel_optimizer = true, mesh = "dp=2,tp=2">} {
  // CHECK-LABEL: func.func @the_next_dimension(
  // CHECK-SAME: %[[W:.*]]: tensor<256x64xf32> {ds.layout = "block", ds.param = "w", ds.sharding = #ds.sharding<[{}, {"dp"}]>}
  // CHECK-SAME: %[[M:.*]]: tensor<128x64xf32> {ds.layout = "block", ds.sharding = #ds.sharding<[{"tp"}, {"dp"}]>, ds.state = "w.m"}
  func.func @the_next_dimension(%w: tensor<256x128xf32> {ds.param = "w"}, %m: tensor<128x128xf32> {ds.state = "w.m", ds.sharding = #ds.sharding<[{"tp"}, {}]>},
      %x: tensor<256x128xf32> {ds.batch = 0 : i64}) -> (tensor<256x128xf32> {ds.updates = "w"}, tensor<128x128xf32> {ds.updates = "w.m"}) {
    %n = arith.constant 128 : index
    %r = ds.rank {group = ["tp"]} : index
    %at = arith.muli %r, %n : index
    // CHECK: ds.reduce_scatter sum {{.*}}group = ["dp"]
    %g = ds.all_reduce sum %x {group = ["dp"]} : tensor<256x128xf32>
    %gs = tensor.extract_slice %g[%at, 0] [128, 128] [1, 1] : tensor<256x128xf32> to tensor<128x128xf32>
    // CHECK: %[[M2:.*]] = arith.addf %[[M]], %{{.*}} : tensor<128x64xf32>
    %m2 = arith.addf %m, %gs : tensor<128x128xf32>
    %ws = tensor.extract_slice %w[%at, 0] [128, 128] [1, 1] : tensor<256x128xf32> to tensor<128x128xf32>
    %ws2 = arith.subf %ws, %m2 : tensor<128x128xf32>
    %e = tensor.empty() : tensor<256x128xf32>
    // CHECK: %[[W2:.*]] = ds.all_gather %{{.*}} into %{{.*}} along 0 {group = ["tp"]} : tensor<128x64xf32> into tensor<256x64xf32>
    %w2 = ds.all_gather %ws2 into %e along 0 {group = ["tp"]} : tensor<128x128xf32> into tensor<256x128xf32>
    // CHECK: return %[[W2]], %[[M2]]
    return %w2, %m2 : tensor<256x128xf32>, tensor<128x128xf32>
  }
}

// -----

// The norm of all gradients is a sum over shards: one number is combined for all of them.
#i = affine_map<(i) -> (i)>
#all = affine_map<(i) -> ()>
module attributes {ds.config = #ds.config<device_num = 4, enable_parallel_optimizer = true, parallel_optimizer_threshold = 0>} {
  // CHECK-LABEL: func.func @a_norm_of_shards(
  func.func @a_norm_of_shards(%w: tensor<8xf32> {ds.param = "w"}, %v: tensor<12xf32> {ds.param = "v"},
      %x: tensor<8xf32> {ds.batch = 0 : i64}, %y: tensor<12xf32> {ds.batch = 0 : i64})
      -> (tensor<8xf32> {ds.updates = "w"}, tensor<12xf32> {ds.updates = "v"}) {
    %zero = arith.constant dense<0.0> : tensor<f32>
    // CHECK: %[[G:.*]] = ds.reduce_scatter sum %{{.*}} : tensor<8xf32> into tensor<2xf32>
    // CHECK: %[[H:.*]] = ds.reduce_scatter sum %{{.*}} : tensor<12xf32> into tensor<3xf32>
    %g = ds.all_reduce sum %x : tensor<8xf32>
    %h = ds.all_reduce sum %y : tensor<12xf32>
    // CHECK: %[[GG:.*]] = arith.mulf %[[G]], %[[G]] : tensor<2xf32>
    %gg = arith.mulf %g, %g : tensor<8xf32>
    // CHECK: linalg.generic {{.*}} ins(%[[GG]] : tensor<2xf32>)
    %ng = linalg.generic {indexing_maps = [#i, #all], iterator_types = ["reduction"]} ins(%gg : tensor<8xf32>) outs(%zero : tensor<f32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %a, %o : f32
      linalg.yield %s : f32
    } -> tensor<f32>
    %hh = arith.mulf %h, %h : tensor<12xf32>
    %nh = linalg.generic {indexing_maps = [#i, #all], iterator_types = ["reduction"]} ins(%hh : tensor<12xf32>) outs(%zero : tensor<f32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %a, %o : f32
      linalg.yield %s : f32
    } -> tensor<f32>
    // CHECK: %[[PART:.*]] = arith.addf %{{.*}}, %{{.*}} : tensor<f32>
    // CHECK-NEXT: %[[SUM:.*]] = ds.all_reduce sum %[[PART]] {purpose = #ds<purpose activation>} : tensor<f32>
    // CHECK-NEXT: math.sqrt %[[SUM]] : tensor<f32>
    // CHECK-NOT: ds.all_reduce
    %square = arith.addf %ng, %nh : tensor<f32>
    %norm = math.sqrt %square : tensor<f32>
    %n = tensor.extract %norm[] : tensor<f32>
    %n8 = tensor.splat %n : tensor<8xf32>
    %n12 = tensor.splat %n : tensor<12xf32>
    %g2 = arith.divf %g, %n8 : tensor<8xf32>
    %h2 = arith.divf %h, %n12 : tensor<12xf32>
    %w2 = arith.subf %w, %g2 : tensor<8xf32>
    %v2 = arith.subf %v, %h2 : tensor<12xf32>
    return %w2, %v2 : tensor<8xf32>, tensor<12xf32>
  }
}

// -----

// What is added to a sum over shards counts once.
#i1 = affine_map<(i) -> (i)>
#all1 = affine_map<(i) -> ()>
module attributes {ds.config = #ds.config<device_num = 4, enable_parallel_optimizer = true, parallel_optimizer_threshold = 0>} {
  // CHECK-LABEL: func.func @epsilon_counts_once(
  func.func @epsilon_counts_once(%w: tensor<8xf32> {ds.param = "w"}, %x: tensor<8xf32> {ds.batch = 0 : i64}, %eps: tensor<f32>)
      -> (tensor<8xf32> {ds.updates = "w"}) {
    %g = ds.all_reduce sum %x : tensor<8xf32>
    %gg = arith.mulf %g, %g : tensor<8xf32>
    // CHECK: %[[EPS:.*]] = ds.replicated_to_partial sum %{{.*}} : tensor<f32>
    // CHECK: linalg.generic {{.*}} outs(%[[EPS]] : tensor<f32>)
    %square = linalg.generic {indexing_maps = [#i1, #all1], iterator_types = ["reduction"]} ins(%gg : tensor<8xf32>) outs(%eps : tensor<f32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %a, %o : f32
      linalg.yield %s : f32
    } -> tensor<f32>
    %n = tensor.extract %square[] : tensor<f32>
    %n8 = tensor.splat %n : tensor<8xf32>
    %g2 = arith.divf %g, %n8 : tensor<8xf32>
    %w2 = arith.subf %w, %g2 : tensor<8xf32>
    return %w2 : tensor<8xf32>
  }
}

// -----

// Each row of the new state is made of all rows of the old one, which stays whole then; so does a parameter that a loop updates.
module attributes {ds.config = #ds.config<device_num = 2, enable_parallel_optimizer = true, parallel_optimizer_threshold = 0>} {
  // CHECK-LABEL: func.func @what_gains_nothing(
  // CHECK-SAME: %{{.*}}: tensor<4x4xf32> {ds.param = "w"}, %{{.*}}: tensor<4x4xf32> {ds.state = "w.p"}
  // CHECK-NOT: ds.all_gather
  // CHECK: ds.all_reduce
  func.func @what_gains_nothing(%w: tensor<4x4xf32> {ds.param = "w"}, %p: tensor<4x4xf32> {ds.state = "w.p"},
      %x: tensor<4x4xf32> {ds.batch = 0 : i64}) -> (tensor<4x4xf32> {ds.updates = "w"}, tensor<4x4xf32> {ds.updates = "w.p"}) {
    %zero = arith.constant dense<0.0> : tensor<4x4xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %g = ds.all_reduce sum %x : tensor<4x4xf32>
    %p2 = linalg.matmul ins(%g, %p : tensor<4x4xf32>, tensor<4x4xf32>) outs(%zero : tensor<4x4xf32>) -> tensor<4x4xf32>
    %w2 = scf.for %i = %c0 to %c5 step %c1 iter_args(%a = %w) -> tensor<4x4xf32> {
      %b = arith.addf %a, %p2 : tensor<4x4xf32>
      scf.yield %b : tensor<4x4xf32>
    }
    return %w2, %p2 : tensor<4x4xf32>, tensor<4x4xf32>
  }
}

// -----

// What a row of the gradient is summed into is half as large as the gradient: combining it would save nothing, so the gradient is whole.
#ij = affine_map<(i, j) -> (i, j)>
#j = affine_map<(i, j) -> (j)>
module attributes {ds.config = #ds.config<device_num = 2, enable_parallel_optimizer = true, parallel_optimizer_threshold = 0>} {
  // CHECK-LABEL: func.func @what_is_not_small(
  func.func @what_is_not_small(%w: tensor<2x8xf32> {ds.param = "w"}, %x: tensor<2x8xf32> {ds.batch = 0 : i64})
      -> (tensor<2x8xf32> {ds.updates = "w"}) {
    %zero = arith.constant dense<0.0> : tensor<8xf32>
    // CHECK: %[[G:.*]] = ds.all_reduce sum %{{.*}} : tensor<2x8xf32>
    // CHECK-NOT: ds.all_reduce
    %g = ds.all_reduce sum %x : tensor<2x8xf32>
    %columns = linalg.generic {indexing_maps = [#ij, #j], iterator_types = ["reduction", "parallel"]} ins(%g : tensor<2x8xf32>) outs(%zero : tensor<8xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %a, %o : f32
      linalg.yield %s : f32
    } -> tensor<8xf32>
    %root = math.sqrt %columns : tensor<8xf32>
    %e = tensor.empty() : tensor<2x8xf32>
    %wide = linalg.broadcast ins(%root : tensor<8xf32>) outs(%e : tensor<2x8xf32>) dimensions = [0]
    %g2 = arith.divf %g, %wide : tensor<2x8xf32>
    // CHECK: arith.subf {{.*}} : tensor<1x8xf32>
    %w2 = arith.subf %w, %g2 : tensor<2x8xf32>
    return %w2 : tensor<2x8xf32>
  }
}

// -----

// Sums over the rows that ranks hold are combined first, and then a shard of them is kept.
#mn = affine_map<(i, j) -> (i, j)>
#n = affine_map<(i, j) -> (j)>
module attributes {ds.config = #ds.config<device_num = 2, enable_parallel_optimizer = true, parallel_optimizer_threshold = 0>} {
  // CHECK-LABEL: func.func @a_shard_of_a_sum_over_shards(
  // CHECK-SAME: %{{.*}}: tensor<4x2xf32> {{.*}}ds.param = "w"{{.*}}, %{{.*}}: tensor<1xf32> {{.*}}ds.state = "w.columns"}
  func.func @a_shard_of_a_sum_over_shards(%w: tensor<8x2xf32> {ds.param = "w"},
      %c: tensor<2xf32> {ds.state = "w.columns", ds.sharding = #ds.sharding<[{"dp"}]>}, %x: tensor<8x2xf32> {ds.batch = 0 : i64})
      -> (tensor<8x2xf32> {ds.updates = "w"}, tensor<2xf32> {ds.updates = "w.columns"}) {
    %zero = arith.constant dense<0.0> : tensor<2xf32>
    // CHECK: %[[G:.*]] = ds.reduce_scatter sum
    %g = ds.all_reduce sum %x : tensor<8x2xf32>
    // CHECK: %[[PART:.*]] = linalg.generic {{.*}} ins(%[[G]] : tensor<4x2xf32>)
    %columns = linalg.generic {indexing_maps = [#mn, #n], iterator_types = ["reduction", "parallel"]} ins(%g : tensor<8x2xf32>) outs(%zero : tensor<2xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %a, %o : f32
      linalg.yield %s : f32
    } -> tensor<2xf32>
    // CHECK: %[[SUM:.*]] = ds.all_reduce sum %[[PART]]
    // CHECK: %[[MINE:.*]] = tensor.extract_slice %[[SUM]]
    // CHECK: math.sqrt %[[SUM]] : tensor<2xf32>
    %root = math.sqrt %columns : tensor<2xf32>
    %e = tensor.empty() : tensor<8x2xf32>
    %wide = linalg.broadcast ins(%root : tensor<2xf32>) outs(%e : tensor<8x2xf32>) dimensions = [0]
    %g2 = arith.divf %g, %wide : tensor<8x2xf32>
    %w2 = arith.subf %w, %g2 : tensor<8x2xf32>
    // CHECK: return %{{.*}}, %[[MINE]]
    return %w2, %columns : tensor<8x2xf32>, tensor<2xf32>
  }
}

// -----

// A mark is kept all the same: blocks of rows become every second row, whose halves are blocks again when they are turned.
module attributes {ds.config = #ds.config<device_num = 2>} {
  // CHECK-LABEL: func.func @a_mark_is_kept(
  // CHECK-SAME: %[[P:.*]]: tensor<2x4xf32> {ds.layout = "block", ds.sharding = #ds.sharding<[{"dp"}, {}]>, ds.state = "p"}
  func.func @a_mark_is_kept(%p: tensor<4x4xf32> {ds.state = "p", ds.sharding = #ds.sharding<[{"dp"}, {}]>},
      %x: tensor<4x4xf32> {ds.batch = 0 : i64}) -> (tensor<4x4xf32> {ds.updates = "p"}) {
    // CHECK: %[[SENT:.*]] = tensor.expand_shape %[[P]]
    // CHECK: ds.all_to_all %[[SENT]]
    // CHECK-NOT: ds.all_gather
    %g = ds.all_reduce sum %x : tensor<4x4xf32>
    %flat = tensor.collapse_shape %p [[0, 1]] : tensor<4x4xf32> into tensor<16xf32>
    %turned = tensor.expand_shape %flat [[0, 1]] output_shape [2, 8] : tensor<16xf32> into tensor<2x8xf32>
    %e = tensor.empty() : tensor<8x2xf32>
    %t = linalg.transpose ins(%turned : tensor<2x8xf32>) outs(%e : tensor<8x2xf32>) permutation = [1, 0]
    %f2 = tensor.collapse_shape %t [[0, 1]] : tensor<8x2xf32> into tensor<16xf32>
    %back = tensor.expand_shape %f2 [[0, 1]] output_shape [4, 4] : tensor<16xf32> into tensor<4x4xf32>
    // CHECK: arith.addf {{.*}} : tensor<2x4xf32>
    %p2 = arith.addf %back, %g : tensor<4x4xf32>
    return %p2 : tensor<4x4xf32>
  }
}

// -----

// An update that is left out now and then: each branch yields a shard.
module attributes {ds.config = #ds.config<device_num = 2, enable_parallel_optimizer = true, parallel_optimizer_threshold = 0>} {
  // CHECK-LABEL: func.func @an_update_in_a_branch(
  // CHECK-SAME: %[[W:.*]]: tensor<4xf32> {{.*}}ds.param = "w"{{.*}}, %[[M:.*]]: tensor<4xf32> {{.*}}ds.state = "w.m"
  func.func @an_update_in_a_branch(%w: tensor<8xf32> {ds.param = "w"}, %m: tensor<8xf32> {ds.state = "w.m"},
      %count: tensor<i32> {ds.state = "count"}, %x: tensor<8xf32> {ds.batch = 0 : i64})
      -> (tensor<8xf32> {ds.updates = "w"}, tensor<8xf32> {ds.updates = "w.m"}, tensor<i32> {ds.updates = "count"}) {
    %c3 = arith.constant 3 : i32
    %n = tensor.extract %count[] : tensor<i32>
    %now = arith.cmpi eq, %n, %c3 : i32
    // CHECK: %[[G:.*]] = ds.reduce_scatter sum
    %g = ds.all_reduce sum %x : tensor<8xf32>
    // CHECK: scf.if %{{.*}} -> (tensor<4xf32>, tensor<4xf32>) {
    %new:2 = scf.if %now -> (tensor<8xf32>, tensor<8xf32>) {
      // CHECK: %[[M2:.*]] = arith.addf %[[M]], %[[G]] : tensor<4xf32>
      %m2 = arith.addf %m, %g : tensor<8xf32>
      // CHECK: %[[W2:.*]] = arith.subf %[[W]], %[[M2]] : tensor<4xf32>
      // CHECK: scf.yield %[[W2]], %[[M2]]
      %w2 = arith.subf %w, %m2 : tensor<8xf32>
      scf.yield %w2, %m2 : tensor<8xf32>, tensor<8xf32>
    } else {
      // CHECK: %[[M3:.*]] = arith.addf %[[M]], %[[G]] : tensor<4xf32>
      %m3 = arith.addf %m, %g : tensor<8xf32>
      // CHECK: scf.yield %[[W]], %[[M3]]
      scf.yield %w, %m3 : tensor<8xf32>, tensor<8xf32>
    }
    // CHECK-NOT: ds.all_gather
    return %new#0, %new#1, %count : tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }
}

// -----

// `local`: the mean of the ranks' gradients, and a state of each rank's own stays its own.
module attributes {ds.config = #ds.config<device_num = 2, enable_parallel_optimizer = true, local_state = per_rank, parallel_optimizer_threshold = 0>} {
  // CHECK-LABEL: func.func @each_ranks_own_stays(
  // CHECK-SAME: %{{.*}}: tensor<2xf32> {ds.layout = "block", ds.param = "w", ds.sharding = #ds.sharding<[{"dp"}]>}, %{{.*}}: tensor<4xf32> {ds.state = "mean"}
  func.func @each_ranks_own_stays(%w: tensor<4xf32> {ds.param = "w"}, %mean: tensor<4xf32> {ds.state = "mean"},
      %x: tensor<4xf32> {ds.batch = 0 : i64}) -> (tensor<4xf32> {ds.updates = "w"}, tensor<4xf32> {ds.updates = "mean"}) {
    %mean2 = arith.addf %mean, %x : tensor<4xf32>
    // CHECK: ds.reduce_scatter mean
    %g = ds.all_reduce mean %x : tensor<4xf32>
    %w2 = arith.subf %w, %g : tensor<4xf32>
    return %w2, %mean2 : tensor<4xf32>, tensor<4xf32>
  }
}

// -----

// level3: each pass gathers the parameter for itself, where it reads it first.
module attributes {ds.config = #ds.config<device_num = 2, enable_parallel_optimizer = true, optimizer_level = level3, parallel_optimizer_threshold = 0>} {
  // CHECK-LABEL: func.func @each_pass_gathers(
  // CHECK-SAME: %[[W:.*]]: tensor<2x4xf32> {{{.*}}ds.param = "w"{{.*}}}, %[[X:.*]]: tensor<4x4xf32>
  func.func @each_pass_gathers(%w: tensor<4x4xf32> {ds.param = "w"}, %x: tensor<4x4xf32> {ds.batch = 0 : i64})
      -> (tensor<4x4xf32> {ds.updates = "w"}, tensor<f32> {ds.metric = "loss"}) {
    %c0 = arith.constant 0 : index
    // CHECK: %[[SQUARE:.*]] = arith.mulf %[[X]], %[[X]]
    // CHECK: %[[FORWARD:.*]] = ds.all_gather %[[W]]
    // CHECK: arith.mulf %[[SQUARE]], %[[FORWARD]]
    %x2 = arith.mulf %x, %x : tensor<4x4xf32>
    %h = arith.mulf %x2, %w : tensor<4x4xf32>
    %l = tensor.extract %h[%c0, %c0] : tensor<4x4xf32>
    // CHECK: %[[LOSS:.*]] = tensor.from_elements
    // CHECK: %[[BACKWARD:.*]] = ds.all_gather %[[W]]
    // CHECK: arith.addf %{{.*}}, %[[BACKWARD]]
    %loss = tensor.from_elements %l : tensor<f32>
    %dw = arith.addf %h, %w : tensor<4x4xf32>
    %g = ds.all_reduce sum %dw : tensor<4x4xf32>
    %w2 = arith.subf %w, %g : tensor<4x4xf32>
    return %w2, %loss : tensor<4x4xf32>, tensor<f32>
  }
}

// -----

// A parameter's own norm is a norm of shards, too: nobody gathers it.
#p = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>
module attributes {ds.config = #ds.config<device_num = 4, enable_parallel_optimizer = true, parallel_optimizer_threshold = 0>} {
  // CHECK-LABEL: func.func @the_norm_of_a_parameter(
  // CHECK-SAME: %[[W:.*]]: tensor<2xf32> {{.*}}ds.param = "w"
  func.func @the_norm_of_a_parameter(%w: tensor<8xf32> {ds.param = "w"}, %x: tensor<8xf32> {ds.batch = 0 : i64})
      -> (tensor<8xf32> {ds.updates = "w"}) {
    %zero = arith.constant dense<0.0> : tensor<f32>
    // CHECK-NOT: ds.all_gather
    %g = ds.all_reduce sum %x : tensor<8xf32>
    // CHECK: arith.mulf %[[W]], %[[W]] : tensor<2xf32>
    %ww = arith.mulf %w, %w : tensor<8xf32>
    %square = linalg.generic {indexing_maps = [#p, #none], iterator_types = ["reduction"]} ins(%ww : tensor<8xf32>) outs(%zero : tensor<f32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %a, %o : f32
      linalg.yield %s : f32
    } -> tensor<f32>
    // CHECK: ds.all_reduce sum %{{.*}} : tensor<f32>
    %norm = math.sqrt %square : tensor<f32>
    %n = tensor.extract %norm[] : tensor<f32>
    %n8 = tensor.splat %n : tensor<8xf32>
    %g2 = arith.mulf %g, %n8 : tensor<8xf32>
    %w2 = arith.subf %w, %g2 : tensor<8xf32>
    return %w2 : tensor<8xf32>
  }
}

// -----

// Shards along different dimensions do not meet: one of the two is exchanged.
#rc = affine_map<(i, j) -> (i, j)>
#sum = affine_map<(i, j) -> ()>
module attributes {ds.config = #ds.config<device_num = 2>} {
  // CHECK-LABEL: func.func @rows_beside_columns(
  func.func @rows_beside_columns(%w: tensor<4x4xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{"dp"}, {}]>},
      %v: tensor<4x4xf32> {ds.state = "v", ds.sharding = #ds.sharding<[{}, {"dp"}]>})
      -> (tensor<4x4xf32> {ds.updates = "w"}, tensor<4x4xf32> {ds.updates = "v"}, tensor<f32> {ds.metric = "dot"}) {
    %zero = arith.constant dense<0.0> : tensor<f32>
    // CHECK: ds.all_to_all
    // CHECK-NOT: ds.all_gather
    // CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : [[T:tensor<.*>]], [[T]])
    %dot = linalg.generic {indexing_maps = [#rc, #rc, #sum], iterator_types = ["reduction", "reduction"]} ins(%w, %v : tensor<4x4xf32>, tensor<4x4xf32>) outs(%zero : tensor<f32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %m = arith.mulf %a, %b : f32
      %s = arith.addf %m, %o : f32
      linalg.yield %s : f32
    } -> tensor<f32>
    return %w, %v, %dot : tensor<4x4xf32>, tensor<4x4xf32>, tensor<f32>
  }
}

// -----

// What follows from a sum that is combined already is whole on every rank, and read so.
#kl = affine_map<(i, j) -> (i, j)>
#l = affine_map<(i, j) -> (j)>
module attributes {ds.config = #ds.config<device_num = 2, enable_parallel_optimizer = true, parallel_optimizer_threshold = 0>} {
  // CHECK-LABEL: func.func @combined_once(
  func.func @combined_once(%w: tensor<8x3xf32> {ds.param = "w"}, %c: tensor<3xf32> {ds.state = "w.columns"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64})
      -> (tensor<8x3xf32> {ds.updates = "w"}, tensor<3xf32> {ds.updates = "w.columns"}) {
    %zero = arith.constant dense<0.0> : tensor<3xf32>
    // CHECK: ds.reduce_scatter sum
    %g = ds.all_reduce sum %x : tensor<8x3xf32>
    %columns = linalg.generic {indexing_maps = [#kl, #l], iterator_types = ["reduction", "parallel"]} ins(%g : tensor<8x3xf32>) outs(%zero : tensor<3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %a, %o : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    // CHECK: ds.all_reduce sum %{{.*}} : tensor<3xf32>
    // CHECK-NOT: ds.all_reduce
    // CHECK: return
    %c2 = arith.addf %c, %columns : tensor<3xf32>
    %root = math.sqrt %c2 : tensor<3xf32>
    %e = tensor.empty() : tensor<8x3xf32>
    %wide = linalg.broadcast ins(%root : tensor<3xf32>) outs(%e : tensor<8x3xf32>) dimensions = [0]
    %g2 = arith.divf %g, %wide : tensor<8x3xf32>
    %w2 = arith.subf %w, %g2 : tensor<8x3xf32>
    return %w2, %c2 : tensor<8x3xf32>, tensor<3xf32>
  }
}

// -----

// What a rank keeps of its own, and what is made of that alone.
module attributes {ds.config = #ds.config<device_num = 2, enable_parallel_optimizer = true, local_state = per_rank, parallel_optimizer_threshold = 0>} {
  // CHECK-LABEL: func.func @own_of_own(
  // CHECK-SAME: %{{.*}}: tensor<4xf32> {ds.state = "mean"}, %{{.*}}: tensor<4xf32> {ds.state = "history"}
  func.func @own_of_own(%mean: tensor<4xf32> {ds.state = "mean"}, %history: tensor<4xf32> {ds.state = "history"}, %x: tensor<4xf32> {ds.batch = 0 : i64})
      -> (tensor<4xf32> {ds.updates = "mean"}, tensor<4xf32> {ds.updates = "history"}) {
    %mean2 = arith.addf %mean, %x : tensor<4xf32>
    %history2 = arith.addf %history, %mean : tensor<4xf32>
    return %mean2, %history2 : tensor<4xf32>, tensor<4xf32>
  }
}

// -----

// Alone there is nobody to divide with.
module attributes {ds.config = #ds.config<device_num = 1, enable_parallel_optimizer = true, parallel_optimizer_threshold = 0>} {
  // CHECK-LABEL: func.func @one_rank(
  // CHECK-SAME: tensor<4xf32> {ds.param = "w"}
  func.func @one_rank(%w: tensor<4xf32> {ds.param = "w"}) -> (tensor<4xf32> {ds.updates = "w"}) {
    return %w : tensor<4xf32>
  }
}
