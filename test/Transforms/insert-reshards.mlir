// RUN: ds-opt %s -split-input-file --ds-insert-reshards | FileCheck %s -enable-var-scope
// RUN: ds-opt %s -split-input-file --ds-insert-reshards --ds-localize-batch > %t.twice
// RUN: ds-opt %s -split-input-file --ds-localize-batch > %t.once
// RUN: diff %t.once %t.twice

// What is the same for all ranks is wanted in the shard of what it meets, one reshard for all uses.
module attributes {ds.config = #ds.config<batch = global, device_num = 4>} {
  // CHECK-LABEL: func.func @one_slice_for_all_uses
  // CHECK-SAME: %[[W:[^ ]*]]: tensor<8x3xf32>
  // CHECK: %[[MINE:.*]] = ds.reshard %[[W]] from <replicated> to <sharded(0, 2, 1)> : tensor<8x3xf32>
  // CHECK-NOT: ds.reshard
  func.func @one_slice_for_all_uses(%w: tensor<8x3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64})
      -> (tensor<8x3xf32> {ds.updates = "w"}, tensor<8x3xf32> {ds.batch = 0 : i64}) {
    // CHECK: %[[Y:.*]] = arith.mulf %{{.*}}, %[[MINE]]
    %y = arith.mulf %x, %w : tensor<8x3xf32>
    // CHECK: arith.addf %[[Y]], %[[MINE]]
    %z = arith.addf %y, %w : tensor<8x3xf32>
    return %w, %z : tensor<8x3xf32>, tensor<8x3xf32>
  }
}

// -----

// What reads all samples gathers them; no rank slices what it gathered.
#o = affine_map<(i, j, k) -> (i, j)>
#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (j, k)>
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  // CHECK-LABEL: func.func @samples_against_all_samples
  // CHECK-SAME: %[[X:[^ ]*]]: tensor<8x3xf32> {ds.batch
  func.func @samples_against_all_samples(
      %w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}, tensor<8x8xf32> {ds.batch = 0 : i64}) {
    %init = arith.constant dense<0.0> : tensor<8x8xf32>
    // CHECK: %[[ALL:.*]] = ds.reshard %[[X]] from <sharded(0, 4, 1)> to <replicated> : tensor<8x3xf32>
    // CHECK: linalg.generic {{.*}} ins(%[[X]], %[[ALL]] : tensor<8x3xf32>, tensor<8x3xf32>)
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

// Rows meet columns: one move between two shards, for all uses.
#m = affine_map<(i, j) -> (i, j)>
#t = affine_map<(i, j) -> (j, i)>
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  // CHECK-LABEL: func.func @rows_beside_columns
  // CHECK-SAME: %[[W:[^ ]*]]: tensor<3xf32> {ds.param = "w"}, %[[X:[^ ]*]]: tensor<8x8xf32>
  // CHECK: %[[COLUMNS:.*]] = ds.reshard %[[X]] from <sharded(0, 4, 1)> to <sharded(1, 4, 1)> : tensor<8x8xf32>
  // CHECK: linalg.generic {{.*}} ins(%[[X]], %[[COLUMNS]] : tensor<8x8xf32>, tensor<8x8xf32>)
  // CHECK-NOT: ds.reshard %[[X]]
  func.func @rows_beside_columns(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x8xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}, tensor<8x8xf32> {ds.batch = 0 : i64}) {
    %e = tensor.empty() : tensor<8x8xf32>
    %y = linalg.generic {indexing_maps = [#m, #t, #m], iterator_types = ["parallel", "parallel"]} ins(%x, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %s = arith.addf %a, %b : f32
      linalg.yield %s : f32
    } -> tensor<8x8xf32>
    %z = linalg.generic {indexing_maps = [#m, #t, #m], iterator_types = ["parallel", "parallel"]} ins(%y, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %s = arith.mulf %a, %b : f32
      linalg.yield %s : f32
    } -> tensor<8x8xf32>
    return %w, %z : tensor<3xf32>, tensor<8x8xf32>
  }
}
