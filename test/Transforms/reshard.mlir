// RUN: ds-opt %s -split-input-file -ds-shard-axes | FileCheck %s -enable-var-scope
// RUN: ds-opt %s -split-input-file -ds-shard-axes --remark-policy=all --remarks-filter=ds-shard-axes 2>&1 | FileCheck %s --check-prefix=REMARK

// Columns become rows: half of the block that a rank has stays, half goes to the other. On the way back it is the rows that are split.
// REMARK: AllToAllInserted | Category:ds-shard-axes | Remark="it is sharded otherwise here, so ranks exchange blocks", bytes=16
module attributes {ds.config = #ds.config<device_num = 2, mesh = "dp=1,tp=2">} {
  // CHECK-LABEL: func.func @columns_and_rows(
  // CHECK-SAME: %[[W:[^ ]*]]: tensor<4x2xf32>
  func.func @columns_and_rows(%w: tensor<4x4xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{}, {"tp"}]>}) -> (tensor<4x4xf32> {ds.updates = "w"}) {
    // CHECK: %[[SENT:.*]] = tensor.expand_shape %[[W]] {{\[\[}}0, 1], [2]] output_shape [2, 2, 2] : tensor<4x2xf32> into tensor<2x2x2xf32>
    // CHECK: %[[OUT:.*]] = tensor.empty() : tensor<2x2x2xf32>
    // CHECK: %[[GOT:.*]] = ds.all_to_all %[[SENT]] into %[[OUT]] split 0 concat 0 {group = ["tp"]} : tensor<2x2x2xf32> into tensor<2x2x2xf32>
    // CHECK: %[[SORTED:.*]] = linalg.transpose ins(%[[GOT]] : tensor<2x2x2xf32>) {{.*}} permutation = [1, 0, 2]
    // CHECK: %[[ROWS:.*]] = tensor.collapse_shape %[[SORTED]] {{\[\[}}0], [1, 2]] : tensor<2x2x2xf32> into tensor<2x4xf32>
    // CHECK: %[[E:.*]] = math.exp %[[ROWS]] : tensor<2x4xf32>
    %r = ds.sharding_constraint %w <[{"tp"}, {}]> : tensor<4x4xf32>
    %e = math.exp %r : tensor<4x4xf32>
    // CHECK: %[[BLOCKS:.*]] = tensor.expand_shape %[[E]] {{\[\[}}0], [1, 2]] output_shape [2, 2, 2]
    // CHECK: linalg.transpose ins(%[[BLOCKS]] : tensor<2x2x2xf32>) {{.*}} permutation = [1, 0, 2]
    // CHECK: %[[BACK:.*]] = ds.all_to_all
    // CHECK: %[[COLUMNS:.*]] = tensor.collapse_shape %[[BACK]] {{\[\[}}0, 1], [2]] : tensor<2x2x2xf32> into tensor<4x2xf32>
    // CHECK-NOT: ds.all_gather
    // CHECK: return %[[COLUMNS]]
    return %e : tensor<4x4xf32>
  }
}

// -----

// In one dimension: every second row becomes a block of four.
module attributes {ds.config = #ds.config<device_num = 2, mesh = "dp=1,tp=2">} {
  // CHECK-LABEL: func.func @every_second_row_becomes_a_block(
  // CHECK-SAME: %[[W:[^ ]*]]: tensor<4x1xf32>
  func.func @every_second_row_becomes_a_block(%w: tensor<4x2xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{}, {"tp"}]>}, %v: tensor<8xf32> {ds.param = "v", ds.sharding = #ds.sharding<[{"tp"}]>})
      -> (tensor<4x2xf32> {ds.updates = "w"}, tensor<8xf32> {ds.updates = "v"}) {
    // CHECK: %[[ROWS:.*]] = tensor.collapse_shape %[[W]] {{.*}} into tensor<4xf32>
    // CHECK: %[[SENT:.*]] = tensor.expand_shape %[[ROWS]] {{\[\[}}0, 1]] output_shape [2, 2]
    // CHECK: %[[GOT:.*]] = ds.all_to_all %[[SENT]] into {{.*}} split 0 concat 0 {group = ["tp"]} : tensor<2x2xf32> into tensor<2x2xf32>
    // CHECK: %[[SORTED:.*]] = linalg.transpose ins(%[[GOT]] : tensor<2x2xf32>)
    // CHECK: tensor.collapse_shape %[[SORTED]] {{\[\[}}0, 1]] : tensor<2x2xf32> into tensor<4xf32>
    // CHECK-NOT: ds.all_gather
    %c = tensor.collapse_shape %w [[0, 1]] : tensor<4x2xf32> into tensor<8xf32>
    %m = ds.sharding_constraint %c <[{"tp"}]> : tensor<8xf32>
    %n = arith.addf %v, %m : tensor<8xf32>
    // CHECK: return
    return %w, %n : tensor<4x2xf32>, tensor<8xf32>
  }
}

// -----

// Of twelve rows, read as [2, 3, 2] and then as [3, 4]: the digits of the ranks overlap, so all of it is gathered.
module attributes {ds.config = #ds.config<device_num = 3, mesh = "dp=1,tp=3">} {
  // CHECK-LABEL: func.func @digits_that_overlap(
  // CHECK: ds.all_gather {{.*}} {group = ["tp"]
  // CHECK: tensor.extract_slice {{.*}} : tensor<12xf32> to tensor<4xf32>
  // CHECK-NOT: ds.all_to_all
  // CHECK: return
  func.func @digits_that_overlap(%w: tensor<2x6xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{}, {"tp"}]>}, %v: tensor<12xf32> {ds.param = "v", ds.sharding = #ds.sharding<[{"tp"}]>})
      -> (tensor<2x6xf32> {ds.updates = "w"}, tensor<12xf32> {ds.updates = "v"}) {
    %c = tensor.collapse_shape %w [[0, 1]] : tensor<2x6xf32> into tensor<12xf32>
    %m = ds.sharding_constraint %c <[{"tp"}]> : tensor<12xf32>
    %n = arith.addf %v, %m : tensor<12xf32>
    return %w, %n : tensor<2x6xf32>, tensor<12xf32>
  }
}

// -----

// Two axes that change places in one dimension: to ep, what tp exchanges is one block for each rank of tp, and cannot be divided. In all, whole shards change places.
module attributes {ds.config = #ds.config<device_num = 4, mesh = "dp=1,ep=2,tp=2">} {
  // CHECK-LABEL: func.func @axes_change_places(
  // CHECK-SAME: %[[W:[^ ]*]]: tensor<2x3xf32>
  // CHECK: %[[R:.*]] = ds.collective_permute %[[W]] into %{{.*}} from [0, 2, 1, 3] {group = ["ep", "tp"]} : tensor<2x3xf32> into tensor<2x3xf32>
  // CHECK-NEXT: %[[E:.*]] = math.exp %[[R]] : tensor<2x3xf32>
  // CHECK: ds.collective_permute %[[E]] into
  // CHECK-NOT: ds.all_
  func.func @axes_change_places(%w: tensor<8x3xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{"ep", "tp"}, {}]>})
      -> (tensor<8x3xf32> {ds.updates = "w"}) {
    %r = ds.sharding_constraint %w <[{"tp", "ep"}, {}]> : tensor<8x3xf32>
    %e = math.exp %r : tensor<8x3xf32>
    return %e : tensor<8x3xf32>
  }
}

// -----

// Three that turn: rank (i, j, k) wants the block of (j, k, i), not that of (k, i, j).
module attributes {ds.config = #ds.config<device_num = 8, mesh = "dp=1,a=2,b=2,c=2">} {
  // CHECK-LABEL: func.func @axes_turn(
  // CHECK: ds.collective_permute {{.*}} from [0, 2, 4, 6, 1, 3, 5, 7] {group = ["a", "b", "c"]}
  // CHECK: math.exp
  // CHECK: ds.collective_permute {{.*}} from [0, 4, 1, 5, 2, 6, 3, 7] {group = ["a", "b", "c"]}
  // CHECK-NOT: ds.all_
  func.func @axes_turn(%w: tensor<16x3xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{"a", "b", "c"}, {}]>})
      -> (tensor<16x3xf32> {ds.updates = "w"}) {
    %r = ds.sharding_constraint %w <[{"b", "c", "a"}, {}]> : tensor<16x3xf32>
    %e = math.exp %r : tensor<16x3xf32>
    return %e : tensor<16x3xf32>
  }
}

// -----

// Of different sizes a shard is not what another rank has, and to ep the exchange stays as it is.
module attributes {ds.config = #ds.config<device_num = 8, mesh = "dp=1,ep=4,tp=2">} {
  // CHECK-LABEL: func.func @axes_of_different_sizes_change_places(
  // CHECK: ds.all_gather {{.*}} {group = ["ep"]
  // CHECK: ds.all_to_all {{.*}} {group = ["tp"]}
  // CHECK: math.exp %{{.*}} : tensor<2x3xf32>
  // CHECK-NOT: ds.collective_permute
  func.func @axes_of_different_sizes_change_places(%w: tensor<16x3xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{"ep", "tp"}, {}]>})
      -> (tensor<16x3xf32> {ds.updates = "w"}) {
    %r = ds.sharding_constraint %w <[{"tp", "ep"}, {}]> : tensor<16x3xf32>
    %e = math.exp %r : tensor<16x3xf32>
    return %e : tensor<16x3xf32>
  }
}

// -----

// What is read whole beside is gathered once; of that a shard is a slice.
module attributes {ds.config = #ds.config<device_num = 2, mesh = "dp=1,tp=2">} {
  // CHECK-LABEL: func.func @gathered_anyway(
  // CHECK-COUNT-1: ds.all_gather
  // CHECK-NOT: ds.all_gather
  // CHECK-NOT: ds.all_to_all
  // CHECK: return
  func.func @gathered_anyway(%w: tensor<4x4xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{}, {"tp"}]>},
      %a: tensor<4x4xf32> {ds.param = "a", ds.sharding = #ds.sharding<[{"tp"}, {}]>}, %b: tensor<4x4xf32> {ds.param = "b"})
      -> (tensor<4x4xf32> {ds.updates = "w"}, tensor<4x4xf32> {ds.updates = "a"}, tensor<4x4xf32> {ds.updates = "b"}) {
    %rows = ds.sharding_constraint %w <[{"tp"}, {}]> : tensor<4x4xf32>
    %whole = ds.sharding_constraint %w <[{}, {}]> : tensor<4x4xf32>
    %a2 = arith.addf %a, %rows : tensor<4x4xf32>
    %b2 = arith.addf %b, %whole : tensor<4x4xf32>
    return %w, %a2, %b2 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
  }
}

// -----

// The samples divide what other ranks exchange, as they divide a function of numbers.
module attributes {ds.config = #ds.config<batch = global, device_num = 4, mesh = "dp=2,tp=2">} {
  // CHECK-LABEL: func.func @samples_too(
  // CHECK: ds.all_to_all {{.*}} : tensor<2x8x3x2xf32> into tensor<2x8x3x2xf32>
  func.func @samples_too(%x: tensor<8x6x4xf32> {ds.batch = 0 : i64}) -> (tensor<8x6x4xf32> {ds.batch = 0 : i64}) {
    %r = ds.sharding_constraint %x <[{}, {"tp"}, {}]> : tensor<8x6x4xf32>
    %e = math.exp %r : tensor<8x6x4xf32>
    %c = ds.sharding_constraint %e <[{}, {}, {"tp"}]> : tensor<8x6x4xf32>
    %f = math.exp %c : tensor<8x6x4xf32>
    return %f : tensor<8x6x4xf32>
  }
}

// -----

// Rows and columns meet in a product that is marked: it is made as the mark wants it, so that the rows are gathered, which are more than the columns, and nothing is exchanged behind.
module attributes {ds.config = #ds.config<batch = global, device_num = 4, mesh = "dp=2,tp=2">} {
  // CHECK-LABEL: func.func @made_as_it_is_marked(
  // CHECK: ds.all_gather {{.*}} : tensor<8x6xf32> into tensor<16x6xf32>
  // CHECK-NOT: ds.all_gather
  // CHECK-NOT: ds.all_to_all
  // CHECK: return
  func.func @made_as_it_is_marked(%w: tensor<6x4xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{}, {"tp"}]>},
      %a: tensor<16x6xf32> {ds.param = "a", ds.sharding = #ds.sharding<[{"tp"}, {}]>}, %b: tensor<16x4xf32> {ds.param = "b", ds.sharding = #ds.sharding<[{}, {"tp"}]>})
      -> (tensor<6x4xf32> {ds.updates = "w"}, tensor<16x6xf32> {ds.updates = "a"}, tensor<16x4xf32> {ds.updates = "b"}) {
    %zero = arith.constant dense<0.0> : tensor<16x4xf32>
    %product = linalg.matmul ins(%a, %w : tensor<16x6xf32>, tensor<6x4xf32>) outs(%zero : tensor<16x4xf32>) -> tensor<16x4xf32>
    %columns = ds.sharding_constraint %product <[{}, {"tp"}]> : tensor<16x4xf32>
    %b2 = arith.addf %b, %columns : tensor<16x4xf32>
    return %w, %a, %b2 : tensor<6x4xf32>, tensor<16x6xf32>, tensor<16x4xf32>
  }
}
