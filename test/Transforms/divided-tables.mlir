// RUN: ds-opt %s -ds-shard-axes | FileCheck %s
// RUN: ds-fuzz --file %s | FileCheck %s --check-prefix=SAME
// SAME: equal

// A rank reads the rows of a table that it owns, and zero for others: 8 rows are summed where 64 would be gathered. What is added counts once. Of 8 rows and 8 that are read, the table is gathered.
module attributes {ds.config = #ds.config<batch = global, device_num = 8, mesh = "dp=2,tp=4">} {
  // CHECK-LABEL: func.func @step(
  // CHECK-SAME: %[[TABLE:.*]]: tensor<16x4xf32> {ds.param = "table"
  // CHECK-SAME: %[[SMALL:.*]]: tensor<2x4xf32> {ds.param = "small"
  func.func @step(%table: tensor<64x4xf32> {ds.param = "table", ds.sharding = #ds.sharding<[{"tp"}, {}]>}, %small: tensor<8x4xf32> {ds.param = "small", ds.sharding = #ds.sharding<[{"tp"}, {}]>},
      %ids: tensor<8xi32> {ds.batch = 0 : i64, ds.name = "ids.8"}, %y: tensor<8x4xf32> {ds.batch = 0 : i64, ds.name = "y"})
      -> (tensor<64x4xf32> {ds.updates = "table"}, tensor<8x4xf32> {ds.updates = "small"}, tensor<8x4xf32> {ds.batch = 0 : i64}, tensor<8x4xf32> {ds.batch = 0 : i64}) {
    // CHECK: ds.rank {group = ["tp"]}
    // CHECK: %[[WHOLE:.*]] = ds.all_gather %[[SMALL]] into
    %empty = tensor.empty() : tensor<8x4xf32>
    // CHECK: %[[ROWS:.*]] = linalg.generic
    // CHECK: %[[BLOCK:.*]] = arith.divui %[[AT:.*]], %{{.*}} : index
    // CHECK: %[[WITHIN:.*]] = arith.remui %[[AT]]
    // CHECK: %[[OWNER:.*]] = arith.remui %[[BLOCK]]
    // CHECK: %[[OWN:.*]] = arith.cmpi eq, %[[OWNER]], %{{.*}} : index
    // CHECK: %[[READ:.*]] = tensor.extract %[[TABLE]]
    // CHECK: arith.select %[[OWN]], %[[READ]], %{{.*}} : f32
    // CHECK: ds.all_reduce sum
    // CHECK-SAME: group = ["tp"]
    %rows = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
        ins(%ids, %y : tensor<8xi32>, tensor<8x4xf32>) outs(%empty : tensor<8x4xf32>) {
    ^bb0(%id: i32, %add: f32, %out: f32):
      %column = linalg.index 1 : index
      %at = arith.index_cast %id : i32 to index
      %c5 = arith.constant 5 : index
      %row = arith.muli %at, %c5 : index
      %v = tensor.extract %table[%row, %column] : tensor<64x4xf32>
      %sum = arith.addf %v, %add : f32
      linalg.yield %sum : f32
    } -> tensor<8x4xf32>
    // CHECK: tensor.extract %[[WHOLE]]
    %others = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
        ins(%ids : tensor<8xi32>) outs(%empty : tensor<8x4xf32>) {
    ^bb0(%id: i32, %out: f32):
      %column = linalg.index 1 : index
      %at = arith.index_cast %id : i32 to index
      %v = tensor.extract %small[%at, %column] : tensor<8x4xf32>
      linalg.yield %v : f32
    } -> tensor<8x4xf32>
    return %table, %small, %rows, %others : tensor<64x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
  }
}
