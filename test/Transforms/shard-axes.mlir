// RUN: ds-opt %s -split-input-file -ds-shard-axes | FileCheck %s

// Columns of the first matrix, rows of the second: one all-reduce, of their product. The batch is left to the first axis.
module attributes {ds.config = #ds.config<device_num = 4, mesh = "dp=2,tp=2">} {
  // CHECK-LABEL: func.func @columns_and_rows(
  // CHECK-SAME: %[[W1:.*]]: tensor<6x4xf32> {ds.param = "w1", ds.sharding = #ds.sharding<[{}, {"tp"}]>}
  // CHECK-SAME: %[[M1:.*]]: tensor<6x4xf32> {ds.sharding = #ds.sharding<[{}, {"tp"}]>, ds.state = "w1.m"}
  // CHECK-SAME: %[[W2:.*]]: tensor<4x3xf32> {ds.param = "w2", ds.sharding = #ds.sharding<[{"tp"}, {}]>}
  // CHECK-SAME: %[[X:.*]]: tensor<5x6xf32> {ds.batch = 0 : i64}
  // CHECK-SAME: -> (tensor<6x4xf32> {ds.updates = "w1"}, tensor<6x4xf32> {ds.updates = "w1.m"}, tensor<4x3xf32> {ds.updates = "w2"}, tensor<5x3xf32> {ds.batch = 0 : i64})
  func.func @columns_and_rows(%w1: tensor<6x8xf32> {ds.param = "w1", ds.sharding = #ds.sharding<[{}, {"tp"}]>}, %m1: tensor<6x8xf32> {ds.state = "w1.m"},
      %w2: tensor<8x3xf32> {ds.param = "w2", ds.sharding = #ds.sharding<[{"tp"}, {}]>}, %x: tensor<5x6xf32> {ds.batch = 0 : i64})
      -> (tensor<6x8xf32> {ds.updates = "w1"}, tensor<6x8xf32> {ds.updates = "w1.m"}, tensor<8x3xf32> {ds.updates = "w2"}, tensor<5x3xf32> {ds.batch = 0 : i64}) {
    %z8 = arith.constant dense<0.0> : tensor<5x8xf32>
    %z3 = arith.constant dense<0.0> : tensor<5x3xf32>
    // CHECK: %[[H:.*]] = linalg.matmul ins(%[[X]], %[[W1]] : tensor<5x6xf32>, tensor<6x4xf32>)
    %h = linalg.matmul ins(%x, %w1 : tensor<5x6xf32>, tensor<6x8xf32>) outs(%z8 : tensor<5x8xf32>) -> tensor<5x8xf32>
    // CHECK: %[[P:.*]] = linalg.matmul ins(%[[H]], %[[W2]] : tensor<5x4xf32>, tensor<4x3xf32>)
    // CHECK-NEXT: %[[Y:.*]] = ds.all_reduce sum %[[P]] {group = ["tp"], purpose = #ds<purpose activation>} : tensor<5x3xf32>
    %y = linalg.matmul ins(%h, %w2 : tensor<5x8xf32>, tensor<8x3xf32>) outs(%z3 : tensor<5x3xf32>) -> tensor<5x3xf32>
    // The state follows the parameter.
    // CHECK: %[[M:.*]] = arith.addf %[[M1]], %[[W1]] : tensor<6x4xf32>
    %m = arith.addf %m1, %w1 : tensor<6x8xf32>
    // CHECK-NOT: ds.
    // CHECK: return %[[W1]], %[[M]], %[[W2]], %[[Y]]
    return %w1, %m, %w2, %y : tensor<6x8xf32>, tensor<6x8xf32>, tensor<8x3xf32>, tensor<5x3xf32>
  }
}

// -----

// What all have is added once to a sum over the axis, by its first rank; the sum of both travels.
module attributes {ds.config = #ds.config<device_num = 6, mesh = "dp=3,tp=2">} {
  // CHECK-LABEL: func.func @bias(
  func.func @bias(%w: tensor<4x3xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{"tp"}, {}]>}, %b: tensor<3xf32> {ds.param = "b"})
      -> (tensor<4x3xf32> {ds.updates = "w"}, tensor<3xf32> {ds.updates = "b"}) {
    %z = arith.constant dense<0.0> : tensor<3xf32>
    // CHECK: %[[RANK:.*]] = ds.rank {group = ["tp"]} : index
    // CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[RANK]]
    // CHECK-NOT: ds.all_reduce
    // CHECK: arith.select %[[FIRST]], %{{.*}}, %{{.*}} : f32
    // CHECK: arith.addf %{{.*}}, %{{.*}} : tensor<3xf32>
    // CHECK: %[[SUM:.*]] = arith.addf %{{.*}}, %{{.*}} : tensor<3xf32>
    // CHECK-NEXT: ds.all_reduce sum %[[SUM]] {group = ["tp"], purpose = #ds<purpose activation>} : tensor<3xf32>
    // CHECK-NOT: ds.all_reduce
    %s = linalg.reduce {arith.addf} ins(%w : tensor<4x3xf32>) outs(%z : tensor<3xf32>) dimensions = [0]
    %e = math.exp %w : tensor<4x3xf32>
    %t = linalg.reduce {arith.addf} ins(%e : tensor<4x3xf32>) outs(%z : tensor<3xf32>) dimensions = [0]
    %sb = arith.addf %s, %b : tensor<3xf32>
    %n = arith.addf %sb, %t : tensor<3xf32>
    return %w, %n : tensor<4x3xf32>, tensor<3xf32>
  }
}

// -----

// Two axes in one dimension: the last one is taken first, within the blocks of the one before it, so that "ep" is the major one whichever comes first.
module attributes {ds.config = #ds.config<device_num = 12, mesh = "dp=2,ep=2,tp=3">} {
  // CHECK-LABEL: func.func @two_in_one(
  // CHECK-SAME: %[[W:.*]]: tensor<2x5xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{"ep", "tp"}, {}]>}, %[[C:.*]]: tensor<12x5xf32>
  func.func @two_in_one(%w: tensor<12x5xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{"ep", "tp"}, {}]>}, %c: tensor<12x5xf32>) -> (tensor<12x5xf32> {ds.updates = "w"}) {
    // CHECK: %[[EP:.*]] = ds.rank {group = ["ep"]} : index
    // CHECK: %[[AT:.*]] = arith.muli %[[EP]], %{{.*}}
    // CHECK: %[[HALF:.*]] = tensor.extract_slice %[[C]][%[[AT]], 0] [6, 5] [1, 1]
    // CHECK: %[[TP:.*]] = ds.rank {group = ["tp"]} : index
    // CHECK: %[[SPLIT:.*]] = tensor.expand_shape %[[HALF]] {{.*}} into tensor<1x3x2x5xf32>
    // CHECK: tensor.extract_slice %[[SPLIT]][0, %[[TP]], 0, 0] [1, 1, 2, 5]
    // CHECK: arith.addf %[[W]], %{{.*}} : tensor<2x5xf32>
    %n = arith.addf %w, %c : tensor<12x5xf32>
    return %n : tensor<12x5xf32>
  }
}

// -----

// A mark on a value: from columns to rows, and back where the parameter is columns.
module attributes {ds.config = #ds.config<device_num = 2, mesh = "dp=1,tp=2">} {
  // CHECK-LABEL: func.func @a_value(
  // CHECK-SAME: %[[W:.*]]: tensor<4x2xf32>
  func.func @a_value(%w: tensor<4x4xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{}, {"tp"}]>}) -> (tensor<4x4xf32> {ds.updates = "w"}) {
    // CHECK: ds.all_to_all {{.*}} {group = ["tp"]
    // CHECK: %[[ROWS:.*]] = tensor.collapse_shape {{.*}} into tensor<2x4xf32>
    // CHECK: %[[E:.*]] = math.exp %[[ROWS]] : tensor<2x4xf32>
    // CHECK-NOT: ds.sharding_constraint %
    %r = ds.sharding_constraint %w <[{"tp"}, {}]> : tensor<4x4xf32>
    %e = math.exp %r : tensor<4x4xf32>
    // CHECK: ds.all_to_all {{.*}} {group = ["tp"]
    // CHECK: return %{{.*}} : tensor<4x2xf32>
    return %e : tensor<4x4xf32>
  }
}

// -----

// A dimension that a mark leaves open stays divided as it is made; one that it does not is gathered. A result is sharded as the argument that it updates.
module attributes {ds.config = #ds.config<device_num = 2, mesh = "dp=1,tp=2">} {
  // CHECK-LABEL: func.func @open(
  // CHECK-SAME: %[[W:.*]]: tensor<4x2xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{}, {"tp"}]>}
  // CHECK-SAME: -> (tensor<4x2xf32> {ds.updates = "w"}, tensor<4x4xf32> {ds.metric = "whole"})
  func.func @open(%w: tensor<4x4xf32> {ds.param = "w"}) -> (tensor<4x4xf32> {ds.updates = "w", ds.sharding = #ds.sharding<[{}, {"tp"}]>}, tensor<4x4xf32> {ds.metric = "whole"}) {
    // CHECK: ds.all_gather
    // CHECK: %[[E:.*]] = math.exp %[[W]] : tensor<4x2xf32>
    // CHECK: math.exp %{{.*}} : tensor<4x4xf32>
    // CHECK-NOT: ds.
    %r = ds.sharding_constraint %w <[{}, {?}]> : tensor<4x4xf32>
    %e = math.exp %r : tensor<4x4xf32>
    %g = ds.sharding_constraint %w <[{?}, {}]> : tensor<4x4xf32>
    %f = math.exp %g : tensor<4x4xf32>
    // CHECK: return %[[E]], %{{.*}} : tensor<4x2xf32>, tensor<4x4xf32>
    return %e, %f : tensor<4x4xf32>, tensor<4x4xf32>
  }
}

// -----

// Of three axes the one behind takes its turn first, and leaves what the mark names to the others.
module attributes {ds.config = #ds.config<device_num = 4, mesh = "dp=1,tp=2,ep=2">} {
  // CHECK-LABEL: func.func @open_to_three(
  // CHECK-SAME: %[[W:.*]]: tensor<2x2xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{"ep"}, {"tp"}]>}
  func.func @open_to_three(%w: tensor<4x4xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{"ep"}, {"tp"}]>}) -> (tensor<4x4xf32> {ds.updates = "w"}) {
    // CHECK-NEXT: math.exp %[[W]] : tensor<2x2xf32>
    %r = ds.sharding_constraint %w <[{?}, {"tp"}]> : tensor<4x4xf32>
    %e = math.exp %r : tensor<4x4xf32>
    return %e : tensor<4x4xf32>
  }
}

// -----

// One axis: marks on values say nothing that the batch does not.
module attributes {ds.config = #ds.config<device_num = 2>} {
  // CHECK-LABEL: func.func @one_axis(
  // CHECK-NEXT: return %arg0
  func.func @one_axis(%w: tensor<4x4xf32> {ds.param = "w"}) -> (tensor<4x4xf32> {ds.updates = "w"}) {
    %r = ds.sharding_constraint %w <[{"dp"}, {}]> : tensor<4x4xf32>
    return %r : tensor<4x4xf32>
  }
}

// -----

// The other axis divides the samples, too. What it leaves are slices at the number of its rank, of which the batch divides each block.
module attributes {ds.config = #ds.config<device_num = 4, mesh = "dp=2,tp=2">} {
  // CHECK-LABEL: func.func @samples(
  func.func @samples(%x: tensor<8x6xf32> {ds.batch = 0 : i64}) -> (tensor<8x6xf32> {ds.batch = 0 : i64}) {
    // CHECK: %[[AT:.*]] = arith.muli
    // CHECK: tensor.extract_slice %{{.*}}[%[[AT]], 0] [4, 6] [1, 1]
    %mine = ds.sharding_constraint %x <[{"tp"}, {}]> : tensor<8x6xf32>
    %y = math.exp %mine : tensor<8x6xf32>
    return %y : tensor<8x6xf32>
  }
}

// -----

// What a loop hands on seems partial until the other loop is known to save columns; nothing is then left that the axis would sum.
module attributes {ds.config = #ds.config<device_num = 4, gradients_mean = false, mesh = "dp=2,tp=2">} {
  // CHECK-LABEL: func.func @settles(
  func.func @settles(%w: tensor<4x4xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{}, {"tp"}]>}, %d: tensor<4x4xf32> {ds.param = "d", ds.sharding = #ds.sharding<[{"tp"}, {}]>}, %first: tensor<2x4xf32> {ds.param = "first"}, %x: tensor<4x4xf32> {ds.batch = 0 : i64})
      -> (tensor<2x4xf32> {ds.updates = "first"}, tensor<4x4xf32> {ds.updates = "w"}, tensor<4x4xf32> {ds.updates="d"}) {
    %zeros = arith.constant dense<0.000000e+00> : tensor<4x4xf32>
    %rows = arith.constant dense<0.000000e+00> : tensor<2x4xf32>
    %none = arith.constant dense<0.000000e+00> : tensor<4x4x4xf32>
    %ones = arith.constant dense<1.000000e+00> : tensor<4x4xf32>
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c0 = arith.constant 0 : index
    // CHECK: scf.for
    %h:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%now = %ones, %all = %none) -> (tensor<4x4xf32>, tensor<4x4x4xf32>) {
      %more = tensor.insert_slice %now into %all[%i, 0, 0] [1, 4, 4] [1, 1, 1] : tensor<4x4xf32> into tensor<4x4x4xf32>
      %next = linalg.matmul ins(%now, %w : tensor<4x4xf32>, tensor<4x4xf32>) outs(%zeros : tensor<4x4xf32>) -> tensor<4x4xf32>
      scf.yield %next, %more : tensor<4x4xf32>, tensor<4x4x4xf32>
    }
    // CHECK: scf.for
    %g = scf.for %i = %c0 to %c4 step %c1 iter_args(%before = %rows) -> tensor<2x4xf32> {
      %then = tensor.extract_slice %h#1[%i, 0, 0] [1, 4, 4] [1, 1, 1] : tensor<4x4x4xf32> to tensor<4x4xf32>
      // CHECK: %[[GRAD:.*]] = linalg.matmul {{.*}} -> tensor<2x4xf32>
      // CHECK: ds.all_gather %[[GRAD]] {{.*}} {group = ["tp"]
      %grad = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>] ins(%then, %d : tensor<4x4xf32>, tensor<4x4xf32>) outs(%zeros : tensor<4x4xf32>) -> tensor<4x4xf32>
      %of = tensor.extract_slice %grad[0, 0] [2, 4] [1, 1] : tensor<4x4xf32> to tensor<2x4xf32>
      scf.yield %of : tensor<2x4xf32>
    }
    // CHECK-NOT: ds.all_reduce
    return %g, %w, %d : tensor<2x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
  }
}

// -----

// The gradient that the second loop hands on is in columns until the first loop is known to save rows, and stays so: each round's sum is scattered. It must be the same when the step is placed again
// with its reductions, where no sweep sees those columns.
module attributes {ds.config = #ds.config<device_num = 4, gradients_mean = false, mesh = "dp=2,tp=2">} {
  // CHECK-LABEL: func.func @placed_again(
  func.func @placed_again(%w: tensor<2x2xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{}, {"tp"}]>}, %v: tensor<3x2xf32> {ds.param = "v"}, %x: tensor<4xf32> {ds.batch = 0 : i64}) -> (tensor<3x2xf32> {ds.updates = "v"}) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %rows = arith.constant dense<1.0> : tensor<2x3xf32>
    %first = ds.sharding_constraint %rows <[{"tp"}, {}]> : tensor<2x3xf32>
    %ones = arith.constant dense<1.0> : tensor<2x3xf32>
    %zeros = arith.constant dense<0.0> : tensor<2x2xf32>
    %none = arith.constant dense<0.0> : tensor<2x2x2xf32>
    %start = arith.constant dense<0.0> : tensor<3x2xf32>
    // CHECK: scf.for
    %h:2 = scf.for %i = %c0 to %c2 step %c1 iter_args(%now = %zeros, %all = %none) -> (tensor<2x2xf32>, tensor<2x2x2xf32>) {
      %more = tensor.insert_slice %now into %all[%i, 0, 0] [1, 2, 2] [1, 1, 1] : tensor<2x2xf32> into tensor<2x2x2xf32>
      %next = linalg.matmul ins(%first, %v : tensor<2x3xf32>, tensor<3x2xf32>) outs(%zeros : tensor<2x2xf32>) -> tensor<2x2xf32>
      scf.yield %next, %more : tensor<2x2xf32>, tensor<2x2x2xf32>
    }
    // CHECK: scf.for {{.*}} -> (tensor<3x1xf32>)
    %g = scf.for %i = %c0 to %c2 step %c1 iter_args(%before = %start) -> tensor<3x2xf32> {
      %saved = tensor.extract_slice %h#1[%i, 0, 0] [1, 2, 2] [1, 1, 1] : tensor<2x2x2xf32> to tensor<2x2xf32>
      %d = linalg.matmul ins(%saved, %w : tensor<2x2xf32>, tensor<2x2xf32>) outs(%zeros : tensor<2x2xf32>) -> tensor<2x2xf32>
      // CHECK: %[[SUM:.*]] = linalg.matmul indexing_maps {{.*}} -> tensor<3x2xf32>
      %grad = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>] ins(%ones, %d : tensor<2x3xf32>, tensor<2x2xf32>) outs(%start : tensor<3x2xf32>) -> tensor<3x2xf32>
      // CHECK: ds.reduce_scatter sum
      // CHECK: scf.yield
      scf.yield %grad : tensor<3x2xf32>
    }
    // CHECK-NOT: ds.all_reduce
    // CHECK: ds.all_gather
    return %g : tensor<3x2xf32>
  }
}

// -----

// The gradient of a window is partial for the sake of what it multiplies, and is added to shards: these are gathered, and count once.
module attributes {ds.config = #ds.config<batch = global, device_num = 4, mesh = "dp=2,tp=2">} {
  // CHECK-LABEL: func.func @shards_are_an_addend(
  func.func @shards_are_an_addend(%v: tensor<2x2xf32> {ds.param = "v"}, %w: tensor<4x4xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{}, {"tp"}]>}, %x: tensor<4x5x5xf32> {ds.batch = 0 : i64}) -> (tensor<2x2xf32> {ds.updates = "v"}) {
    %zeros = arith.constant dense<0.0> : tensor<4x4xf32>
    %ones = arith.constant dense<1.0> : tensor<4x5x5xf32>
    // CHECK: %[[ALL:.*]] = ds.all_gather {{.*}} into tensor<2x2xf32>
    %shards = ds.sharding_constraint %v <[{"tp"}, {}]> : tensor<2x2xf32>
    %t = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%w, %w : tensor<4x4xf32>, tensor<4x4xf32>) outs(%zeros : tensor<4x4xf32>) -> tensor<4x4xf32>
    %e = tensor.empty() : tensor<4x4x4xf32>
    %each = linalg.broadcast ins(%t : tensor<4x4xf32>) outs(%e : tensor<4x4x4xf32>) dimensions = [0]
    // CHECK: %[[ONCE:.*]] = linalg.generic {{.*}} ins(%[[ALL]] : tensor<2x2xf32>)
    // CHECK: arith.select
    // CHECK: %[[SUM:.*]] = linalg.generic {{.*}} outs(%[[ONCE]] :
    // CHECK: ds.all_reduce sum %[[SUM]]
    %s = linalg.generic {indexing_maps = [affine_map<(n, i, j, k, l) -> (n, i + k, j + l)>, affine_map<(n, i, j, k, l) -> (n, i, j)>, affine_map<(n, i, j, k, l) -> (k, l)>], iterator_types = ["reduction", "reduction", "reduction", "parallel", "parallel"]} ins(%ones, %each : tensor<4x5x5xf32>, tensor<4x4x4xf32>) outs(%shards : tensor<2x2xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %p = arith.mulf %a, %b : f32
      %q = arith.addf %c, %p : f32
      linalg.yield %q : f32
    } -> tensor<2x2xf32>
    return %s : tensor<2x2xf32>
  }
}

// -----

// Owners read their rows of a table and add them to what counts once: also when the step is placed again, where the addend is partial.
module attributes {ds.config = #ds.config<batch = global, device_num = 6, mesh = "dp=2,tp=3">} {
  // CHECK-LABEL: func.func @rows_are_added_to_what_counts_once(
  func.func @rows_are_added_to_what_counts_once(%table: tensor<9x2xf64> {ds.param = "table", ds.sharding = #ds.sharding<[{"tp"}, {}]>}, %ids: tensor<4x3xi32> {ds.batch = 0 : i64}) -> (tensor<9x2xf64> {ds.updates = "table"}, tensor<4x2xf64> {ds.batch = 0 : i64}) {
    // CHECK-NOT: ds.all_gather
    // CHECK: %[[ONCE:.*]] = linalg.generic
    // CHECK: arith.select
    %ones = arith.constant dense<1.0> : tensor<4x2xf64>
    // CHECK: %[[ROWS:.*]] = linalg.generic {{.*}} outs(%[[ONCE]] : tensor<4x2xf64>)
    // CHECK: tensor.extract %arg0
    // CHECK: arith.select
    %rows = linalg.generic {indexing_maps = [affine_map<(n, s, d) -> (n, s)>, affine_map<(n, s, d) -> (n, d)>], iterator_types = ["parallel", "reduction", "parallel"]} ins(%ids : tensor<4x3xi32>) outs(%ones : tensor<4x2xf64>) {
    ^bb0(%id: i32, %out: f64):
      %d = linalg.index 2 : index
      %row = arith.index_cast %id : i32 to index
      %entry = tensor.extract %table[%row, %d] : tensor<9x2xf64>
      %sum = arith.addf %out, %entry : f64
      linalg.yield %sum : f64
    } -> tensor<4x2xf64>
    // CHECK: ds.all_reduce sum %[[ROWS]]
    return %table, %rows : tensor<9x2xf64>, tensor<4x2xf64>
  }
}

// -----

// What no rule divides has a size in the search, complex numbers too.
module attributes {ds.config = #ds.config<batch = global, device_num = 4, mesh = "dp=2,tp=2", parallel_mode = auto_parallel>} {
  // CHECK-LABEL: func.func @complex_numbers_are_weighed(
  func.func @complex_numbers_are_weighed(%w: tensor<4xf32> {ds.param = "w"}, %x: tensor<8x4xf32> {ds.batch = 0 : i64}) -> (tensor<4xf32> {ds.updates = "w"}) {
    %zero = arith.constant 0.0 : f32
    %none = complex.constant [0.0 : f32, 0.0 : f32] : complex<f32>
    %e = tensor.empty() : tensor<4xcomplex<f32>>
    %f = linalg.fill ins(%none : complex<f32>) outs(%e : tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
    %s = linalg.generic {indexing_maps = [affine_map<(d, n) -> (n, d)>, affine_map<(d, n) -> (d)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x4xf32>) outs(%f : tensor<4xcomplex<f32>>) {
    ^bb0(%a: f32, %sum: complex<f32>):
      %c = complex.create %a, %zero : complex<f32>
      // CHECK: complex.add
      %n = complex.add %sum, %c : complex<f32>
      linalg.yield %n : complex<f32>
    } -> tensor<4xcomplex<f32>>
    %v = linalg.generic {indexing_maps = [affine_map<(d) -> (d)>, affine_map<(d) -> (d)>], iterator_types = ["parallel"]} ins(%s : tensor<4xcomplex<f32>>) outs(%w : tensor<4xf32>) {
    ^bb0(%c: complex<f32>, %a: f32):
      %re = complex.re %c : complex<f32>
      %n = arith.subf %a, %re : f32
      linalg.yield %n : f32
    } -> tensor<4xf32>
    return %v : tensor<4xf32>
  }
}
