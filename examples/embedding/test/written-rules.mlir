// Rules that the IR itself gives operations that say nothing in C++.
// RUN: nn-opt %s -split-input-file -verify-diagnostics -ds-data-parallel='config=batch=global,device_num=2' | FileCheck %s

// A row that all ranks have is added to a sum of the rank's own.
// CHECK-LABEL: func.func @a_row_is_added_once(
func.func @a_row_is_added_once(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64},
    %ones: tensor<8x4xf32> {ds.batch = 0 : i64}, %back: tensor<4xf32>) -> (tensor<3xf32> {ds.updates = "w"}) {
  // CHECK: %[[G:.*]] = nn.contract "bi,bo->io"
  // The row counts on one rank; what is added to is partial, and so is the sum of its rows.
  // CHECK: %[[ROW:.*]] = linalg.generic
  // CHECK: arith.select
  // CHECK: %[[SUM:.*]] = nn.add_row %[[G]], %[[ROW]]
  // CHECK: %[[SMALL:.*]] = nn.sum_rows %[[SUM]]
  // CHECK: ds.all_reduce sum %[[SMALL]]
  // CHECK-NOT: ds.all_reduce
  %g = nn.contract "bi,bo->io" %ones, %x : tensor<8x4xf32>, tensor<8x3xf32> -> tensor<4x3xf32>
  %sum = nn.add_row %g, %w {ds.sharding_rule = #ds.sharding_rule<([i, j], [j]) -> ([i, j]) {i=4, j=3} linear=[arg0 + arg1]>}
      : tensor<4x3xf32>, tensor<3xf32>
  %small = nn.sum_rows %sum {ds.sharding_rule = #ds.sharding_rule<([i, j]) -> ([j]) {i=4, j=3, i: sum} linear=[arg0]>}
      : tensor<4x3xf32> -> tensor<3xf32>
  return %small : tensor<3xf32>
}

// -----

// Without `linear` an operation is linear in nothing.
// CHECK-LABEL: func.func @linear_in_nothing(
func.func @linear_in_nothing(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64},
    %ones: tensor<8x4xf32> {ds.batch = 0 : i64}) -> (tensor<3xf32> {ds.updates = "w"}) {
  // CHECK: %[[G:.*]] = nn.contract "bi,bo->io"
  // CHECK: %[[ALL:.*]] = ds.all_reduce sum %[[G]]
  // CHECK: nn.sum_rows %[[ALL]]
  // CHECK-NOT: ds.all_reduce
  %g = nn.contract "bi,bo->io" %ones, %x : tensor<8x4xf32>, tensor<8x3xf32> -> tensor<4x3xf32>
  %small = nn.sum_rows %g {ds.sharding_rule = #ds.sharding_rule<([i, j]) -> ([j]) {i=4, j=3, i: sum}>}
      : tensor<4x3xf32> -> tensor<3xf32>
  return %small : tensor<3xf32>
}

// -----

// Samples stay divided, and the rows of a rank have its shape. A table is computed for the rank's rows alone.
// CHECK-LABEL: func.func @samples_stay_divided(
func.func @samples_stay_divided(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64},
    %table: tensor<8x3xf32>) -> (tensor<3xf32> {ds.updates = "w"}) {
  // CHECK-NOT: ds.all_gather
  // CHECK: nn.add_row %{{.*}}, %{{.*}} : tensor<4x3xf32>, tensor<3xf32>
  // CHECK: %[[SUM:.*]] = nn.sum_rows %{{.*}} : tensor<4x3xf32> -> tensor<3xf32>
  // CHECK: ds.all_reduce sum %[[SUM]]
  %rows = nn.add_row %table, %w {ds.sharding_rule = #ds.sharding_rule<([i, j], [j]) -> ([i, j]) {i=8, j=3} linear=[arg0 + arg1]>}
      : tensor<8x3xf32>, tensor<3xf32>
  %both = arith.mulf %x, %rows : tensor<8x3xf32>
  %sum = nn.sum_rows %both {ds.sharding_rule = #ds.sharding_rule<([i, j]) -> ([j]) {i=8, j=3, i: sum} linear=[arg0]>}
      : tensor<8x3xf32> -> tensor<3xf32>
  return %sum : tensor<3xf32>
}

// -----

func.func @a_rule_beside_one_in_cpp(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64},
    %ones: tensor<8xf32> {ds.batch = 0 : i64}) -> (tensor<3xf32> {ds.updates = "w"}) {
  // expected-error @below {{cannot shard the batch over 2 ranks here: 'nn.contract' is sharded by its interface in C++; remove its 'ds.sharding_rule'}}
  %g = nn.contract "b,bo->o" %ones, %x
      {ds.sharding_rule = #ds.sharding_rule<([i], [i, j]) -> ([j]) {i=8, j=3, i: sum} linear=[arg0 * arg1]>}
      : tensor<8xf32>, tensor<8x3xf32> -> tensor<3xf32>
  return %g : tensor<3xf32>
}
