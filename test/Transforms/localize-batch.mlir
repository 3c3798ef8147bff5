// RUN: ds-opt %s -split-input-file -ds-localize-batch | FileCheck %s

#bi = affine_map<(b, i) -> (b, i)>
#b = affine_map<(b, i) -> (b)>
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  // CHECK-LABEL: func.func @shapes_shrink_to_the_rows_of_a_rank
  // CHECK-SAME: %{{.*}}: tensor<4x3xf32> {ds.batch = 0 : i64, ds.layout = "cyclic"}
  // CHECK-SAME: -> (tensor<3xf32> {ds.updates = "w"}, tensor<4xf32> {ds.batch = 0 : i64, ds.layout = "cyclic"})
  func.func @shapes_shrink_to_the_rows_of_a_rank(
      %w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}, tensor<8xf32> {ds.batch = 0 : i64}) {
    %zero = arith.constant 0.0 : f32
    // CHECK: tensor.empty() : tensor<4xf32>
    %e = tensor.empty() : tensor<8xf32>
    // CHECK: linalg.fill {{.*}} -> tensor<4xf32>
    %init = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    // CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<4x3xf32>) outs(%{{.*}} : tensor<4xf32>)
    %sum = linalg.generic {indexing_maps = [#bi, #b], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<8x3xf32>) outs(%init : tensor<8xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %o, %a : f32
      linalg.yield %s : f32
    } -> tensor<8xf32>
    return %w, %sum : tensor<3xf32>, tensor<8xf32>
  }
}

// -----

#one = affine_map<(b) -> (b)>
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  // A table over the whole batch: every rank takes every second entry, from its own number on.
  // CHECK-LABEL: func.func @a_replicated_operand_is_sliced
  // CHECK-SAME: %[[TABLE:.*]]: tensor<8xf32> {ds.state = "table"}
  func.func @a_replicated_operand_is_sliced(
      %t: tensor<8xf32> {ds.state = "table"}, %x: tensor<8xf32> {ds.batch = 0 : i64})
      -> (tensor<8xf32> {ds.updates = "table"}, tensor<8xf32> {ds.batch = 0 : i64}) {
    // CHECK: %[[RANK:.*]] = ds.rank
    // CHECK: %[[MINE:.*]] = tensor.extract_slice %[[TABLE]][%[[RANK]]] [4] [2] : tensor<8xf32> to tensor<4xf32>
    %e = tensor.empty() : tensor<8xf32>
    // CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[MINE]] : tensor<4xf32>, tensor<4xf32>)
    %y = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
        ins(%x, %t : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%a: f32, %m: f32, %o: f32):
      %s = arith.mulf %a, %m : f32
      linalg.yield %s : f32
    } -> tensor<8xf32>
    return %t, %y : tensor<8xf32>, tensor<8xf32>
  }
}

// -----

#one = affine_map<(b) -> (b)>
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  // Positions are positions in the whole batch; the producer of positions makes only the rank's.
  // CHECK-LABEL: func.func @an_index_over_samples_is_global
  func.func @an_index_over_samples_is_global(
      %w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8xi64> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}, tensor<8xi64> {ds.batch = 0 : i64}) {
    // CHECK-DAG: %[[RANK:.*]] = ds.rank
    %e = tensor.empty() : tensor<8xi64>
    %iota = linalg.generic {indexing_maps = [#one], iterator_types = ["parallel"]}
        outs(%e : tensor<8xi64>) {
    ^bb0(%o: i64):
      // CHECK: %[[L:.*]] = linalg.index 0
      // CHECK: %[[N:.*]] = arith.constant 2 : index
      // CHECK: %[[LN:.*]] = arith.muli %[[L]], %[[N]]
      // CHECK: %[[G:.*]] = arith.addi %[[LN]], %[[RANK]]
      // CHECK: arith.index_cast %[[G]] : index to i64
      %i = linalg.index 0 : index
      %c = arith.index_cast %i : index to i64
      // CHECK: } -> tensor<4xi64>
      linalg.yield %c : i64
    } -> tensor<8xi64>
    %e2 = tensor.empty() : tensor<8xi64>
    %y = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
        ins(%x, %iota : tensor<8xi64>, tensor<8xi64>) outs(%e2 : tensor<8xi64>) {
    ^bb0(%a: i64, %m: i64, %o: i64):
      %s = arith.addi %a, %m : i64
      linalg.yield %s : i64
    } -> tensor<8xi64>
    return %w, %y : tensor<3xf32>, tensor<8xi64>
  }
}

// -----

#b = affine_map<(b) -> (b)>
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  // Each sample reads its own row of a captured tensor: the local position is the row.
  // CHECK-LABEL: func.func @a_captured_read_at_the_sample_is_local
  func.func @a_captured_read_at_the_sample_is_local(
      %w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x5xf32> {ds.batch = 0 : i64},
      %y: tensor<8xi32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}, tensor<8xf32> {ds.batch = 0 : i64}) {
    %e = tensor.empty() : tensor<8xf32>
    %picked = linalg.generic {indexing_maps = [#b, #b], iterator_types = ["parallel"]}
        ins(%y : tensor<8xi32>) outs(%e : tensor<8xf32>) {
    ^bb0(%label: i32, %o: f32):
      %i = linalg.index 0 : index
      %j = arith.index_cast %label : i32 to index
      // CHECK: arith.index_cast
      // CHECK: %[[L:.*]] = linalg.index 0 : index
      // CHECK-NEXT: tensor.extract %{{.*}}[%[[L]], %{{.*}}] : tensor<4x5xf32>
      %v = tensor.extract %x[%i, %j] : tensor<8x5xf32>
      linalg.yield %v : f32
    } -> tensor<8xf32>
    return %w, %picked : tensor<3xf32>, tensor<8xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  // Pairs of neighbours must stay on one rank: only the block layout keeps them.
  // CHECK-LABEL: func.func @pairs_of_samples_need_blocks
  // CHECK-SAME: tensor<4xf32> {ds.batch = 0 : i64, ds.layout = "block"}
  func.func @pairs_of_samples_need_blocks(
      %w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}, tensor<4xf32> {ds.batch = 0 : i64}) {
    // CHECK: tensor.expand_shape %{{.*}} {{\[\[}}0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
    %p = tensor.expand_shape %x [[0, 1]] output_shape [4, 2] : tensor<8xf32> into tensor<4x2xf32>
    // CHECK: tensor.extract_slice %{{.*}}[0, 1] [2, 1] [1, 1] : tensor<2x2xf32> to tensor<2xf32>
    %s = tensor.extract_slice %p[0, 1] [4, 1] [1, 1] : tensor<4x2xf32> to tensor<4xf32>
    return %w, %s : tensor<3xf32>, tensor<4xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  // Micro-batches: [8] read as [2, 4] and sliced by micro-batch stays local only if ranks alternate.
  // CHECK-LABEL: func.func @micro_batches_need_alternating_rows
  // CHECK-SAME: tensor<4xf32> {ds.batch = 0 : i64, ds.layout = "cyclic"}
  func.func @micro_batches_need_alternating_rows(
      %w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}, tensor<4xf32> {ds.batch = 0 : i64}) {
    // CHECK: tensor.expand_shape %{{.*}} {{\[\[}}0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
    %p = tensor.expand_shape %x [[0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
    // CHECK: tensor.extract_slice %{{.*}}[1, 0] [1, 2] [1, 1] : tensor<2x2xf32> to tensor<2xf32>
    %s = tensor.extract_slice %p[1, 0] [1, 4] [1, 1] : tensor<2x4xf32> to tensor<4xf32>
    return %w, %s : tensor<3xf32>, tensor<4xf32>
  }
}

// -----

// All pairs of samples: each rank makes the rows of its own samples against all samples, which it gathers in their order (row i is
// with rank i mod 2).
#o = affine_map<(i, j, k) -> (i, j)>
#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (j, k)>
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  // CHECK-LABEL: func.func @every_sample_against_every_sample
  // CHECK-SAME: %[[X:[^ ]*]]: tensor<4x3xf32> {ds.batch
  func.func @every_sample_against_every_sample(
      %w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}, tensor<8x8xf32> {ds.batch = 0 : i64}) {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x8xf32>
    %init = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    // CHECK: %[[ROWS:.*]] = tensor.expand_shape %[[X]] {{.*}} : tensor<4x3xf32> into tensor<1x4x3xf32>
    // CHECK: %[[ALL:.*]] = ds.all_gather %[[ROWS]] into %{{.*}} along 0 {purpose = #ds<purpose activation>}
    // CHECK: %[[SORTED:.*]] = linalg.transpose ins(%[[ALL]] : tensor<2x4x3xf32>) outs(%{{.*}} : tensor<4x2x3xf32>) permutation = [1, 0, 2]
    // CHECK: %[[WHOLE:.*]] = tensor.collapse_shape %[[SORTED]] {{.*}} into tensor<8x3xf32>
    // CHECK: linalg.generic {{.*}} ins(%[[X]], %[[WHOLE]] : tensor<4x3xf32>, tensor<8x3xf32>) outs(%{{.*}} : tensor<4x8xf32>)
    %g = linalg.generic {indexing_maps = [#a, #b, #o], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x, %x : tensor<8x3xf32>, tensor<8x3xf32>) outs(%init : tensor<8x8xf32>) {
    ^bb0(%p: f32, %q: f32, %s: f32):
      %m = arith.mulf %p, %q : f32
      %t = arith.addf %s, %m : f32
      linalg.yield %t : f32
    } -> tensor<8x8xf32>
    return %w, %g : tensor<3xf32>, tensor<8x8xf32>
  }
}

// -----

// A reduction of which every rank reads its own rows alone is a reduce-scatter. Rows in turn (row i is with rank i mod 2) are brought together first.
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  // CHECK-LABEL: func.func @a_reduction_is_scattered_to_those_who_read_it
  func.func @a_reduction_is_scattered_to_those_who_read_it(
      %w: tensor<8x3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64}, %y: tensor<8x8xf32> {ds.batch = 0 : i64})
      -> (tensor<8x3xf32> {ds.updates = "w"}, tensor<8x3xf32> {ds.batch = 0 : i64}) {
    %zero = arith.constant dense<0.0> : tensor<8x3xf32>
    %yt = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>]
        ins(%y, %x : tensor<8x8xf32>, tensor<8x3xf32>) outs(%zero : tensor<8x3xf32>) -> tensor<8x3xf32>
    // CHECK: %[[PARTIAL:.*]] = linalg.matmul
    // CHECK: %[[ROWS:.*]] = tensor.expand_shape %[[PARTIAL]] {{.*}} : tensor<8x3xf32> into tensor<4x2x3xf32>
    // CHECK: %[[STACKED:.*]] = linalg.transpose ins(%[[ROWS]] : tensor<4x2x3xf32>) outs(%{{.*}} : tensor<2x4x3xf32>) permutation = [1, 0, 2]
    // CHECK: %[[ONE:.*]] = ds.reduce_scatter sum %[[STACKED]] into %{{.*}} along 0 {names = {{\[\[}}"g"]]} : tensor<2x4x3xf32> into tensor<1x4x3xf32>
    // CHECK: %[[MINE:.*]] = tensor.collapse_shape %[[ONE]] {{.*}} : tensor<1x4x3xf32> into tensor<4x3xf32>
    // CHECK-NOT: ds.all_reduce
    // CHECK: arith.mulf %{{.*}}, %[[MINE]] : tensor<4x3xf32>
    %all = ds.all_reduce sum %yt {names = [["g"]]} : tensor<8x3xf32>
    %z = arith.mulf %x, %all : tensor<8x3xf32>
    return %w, %z : tensor<8x3xf32>, tensor<8x3xf32>
  }
}

// -----

// Who reads all of it needs all of it.
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  // CHECK-LABEL: func.func @a_reduction_that_is_read_whole_stays
  func.func @a_reduction_that_is_read_whole_stays(
      %w: tensor<8x3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64}, %y: tensor<8x8xf32> {ds.batch = 0 : i64})
      -> (tensor<8x3xf32> {ds.updates = "w"}, tensor<8x3xf32> {ds.batch = 0 : i64}) {
    %zero = arith.constant dense<0.0> : tensor<8x3xf32>
    %yt = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>]
        ins(%y, %x : tensor<8x8xf32>, tensor<8x3xf32>) outs(%zero : tensor<8x3xf32>) -> tensor<8x3xf32>
    // CHECK-NOT: ds.reduce_scatter
    // CHECK: %[[ALL:.*]] = ds.all_reduce sum
    // CHECK: tensor.extract_slice %[[ALL]]
    %all = ds.all_reduce sum %yt {names = [["g"]]} : tensor<8x3xf32>
    %z = arith.mulf %x, %all : tensor<8x3xf32>
    %new = arith.subf %w, %all : tensor<8x3xf32>
    return %new, %z : tensor<8x3xf32>, tensor<8x3xf32>
  }
}

// -----

// Sixteen bits are scattered like others; ds-sync-precision widens them.
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  // CHECK-LABEL: func.func @sixteen_bits_are_scattered
  func.func @sixteen_bits_are_scattered(
      %w: tensor<8x3xbf16> {ds.param = "w"}, %x: tensor<8x3xbf16> {ds.batch = 0 : i64}, %y: tensor<8x8xbf16> {ds.batch = 0 : i64})
      -> (tensor<8x3xbf16> {ds.updates = "w"}, tensor<8x3xbf16> {ds.batch = 0 : i64}) {
    %zero = arith.constant dense<0.0> : tensor<8x3xbf16>
    %yt = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>]
        ins(%y, %x : tensor<8x8xbf16>, tensor<8x3xbf16>) outs(%zero : tensor<8x3xbf16>) -> tensor<8x3xbf16>
    // CHECK: ds.reduce_scatter sum {{.*}} : tensor<2x4x3xbf16> into tensor<1x4x3xbf16>
    // CHECK-NOT: ds.all_reduce
    %all = ds.all_reduce sum %yt {names = [["g"]]} : tensor<8x3xbf16>
    %z = arith.mulf %x, %all : tensor<8x3xbf16>
    return %w, %z : tensor<8x3xbf16>, tensor<8x3xbf16>
  }
}

// -----

#i = affine_map<(i, j, k) -> (i, k)>
#j = affine_map<(i, j, k) -> (j, k)>
#ij = affine_map<(i, j, k) -> (i, j)>
module attributes {ds.config = #ds.config<batch = global, device_num = 2, full_batch = true, parallel_mode = semi_auto_parallel>} {
  // Every rank has all samples: its own are a slice, and where all are read nothing is gathered.
  // CHECK-LABEL: func.func @the_whole_batch_on_every_rank
  // CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<8x3xf32> {ds.batch = 0 : i64})
  // CHECK-SAME: -> (tensor<3xf32> {ds.updates = "w"}, tensor<4x8xf32> {ds.batch = 0 : i64, ds.layout = "cyclic"}, tensor<4x3xf32> {ds.batch = 0 : i64, ds.layout = "cyclic"})
  func.func @the_whole_batch_on_every_rank(
      %w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}, tensor<8x8xf32> {ds.batch = 0 : i64}, tensor<8x3xf32> {ds.batch = 0 : i64}) {
    // CHECK: %[[RANK:.*]] = ds.rank
    // CHECK: %[[MINE:.*]] = tensor.extract_slice %[[X]][%[[RANK]], 0] [4, 3] [2, 1] : tensor<8x3xf32> to tensor<4x3xf32>
    // CHECK-NOT: ds.
    %zero = arith.constant dense<0.0> : tensor<8x8xf32>
    // CHECK: linalg.generic {{.*}} ins(%[[MINE]], %[[X]] : tensor<4x3xf32>, tensor<8x3xf32>) outs(%{{.*}} : tensor<4x8xf32>)
    %gram = linalg.generic {indexing_maps = [#i, #j, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x, %x : tensor<8x3xf32>, tensor<8x3xf32>) outs(%zero : tensor<8x8xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %o, %p : f32
      linalg.yield %s : f32
    } -> tensor<8x8xf32>
    // CHECK: return %{{.*}}, %{{.*}}, %[[MINE]]
    return %w, %gram, %x : tensor<3xf32>, tensor<8x8xf32>, tensor<8x3xf32>
  }
}
