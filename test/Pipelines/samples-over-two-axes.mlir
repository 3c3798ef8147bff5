// RUN: ds-opt %s --ds-data-parallel="config=batch=global,parallel_mode=semi_auto_parallel,mesh=[dp=2,tp=2]" 2>&1 | FileCheck %s

// Both axes divide the samples: each rank loads those that it has a part of, and nothing but the sums travels.
// CHECK-NOT: warning
// CHECK-LABEL: func.func @samples(
// CHECK-SAME: %[[X:.*]]: tensor<4x6xf32> {ds.batch = 0 : i64, ds.layout = "cyclic"}
func.func @samples(%x: tensor<8x6xf32> {ds.batch = 0 : i64}, %w: tensor<6x6xf32> {ds.param = "w"}) -> (tensor<6x6xf32> {ds.updates = "w"}) {
  // CHECK: %[[RANK:.*]] = ds.rank {group = ["tp"]}
  // CHECK: %[[AT:.*]] = arith.muli %[[RANK]], %c2
  // CHECK: %[[MINE:.*]] = tensor.extract_slice %[[X]][%[[AT]], 0] [2, 6] [1, 1]
  %mine = ds.sharding_constraint %x <[{"tp"}, {}]> : tensor<8x6xf32>
  %y = math.exp %mine : tensor<8x6xf32>
  // CHECK: linalg.matmul
  // CHECK-SAME: tensor<2x6xf32>, tensor<2x6xf32>
  %g = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>]
      ins(%y, %x : tensor<8x6xf32>, tensor<8x6xf32>) outs(%w : tensor<6x6xf32>) -> tensor<6x6xf32>
  // CHECK-NOT: ds.all_gather
  // CHECK: ds.all_reduce sum %{{.*}}group = ["dp"]
  // CHECK: ds.all_reduce sum %{{.*}}group = ["tp"]
  // CHECK: return
  return %g : tensor<6x6xf32>
}
