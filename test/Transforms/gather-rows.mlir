// RUN: ds-opt %s --ds-gather-rows --split-input-file | FileCheck %s

module attributes {ds.config = #ds.config<device_num = 3>} {
  // CHECK-LABEL: func.func @rows_of_each_rank_are_gathered(
  // CHECK-SAME: %[[VALUES:.*]]: tensor<1x4xf32>, %[[OTHERS:.*]]: tensor<1x2x5xf32>, %[[PLACES:.*]]: tensor<1x4xi32>
  func.func @rows_of_each_rank_are_gathered(%values: tensor<1x4xf32>, %others: tensor<1x2x5xf32>, %places: tensor<1x4xi32>)
      -> (tensor<3x4xf32>, tensor<3x2x5xf32>, tensor<3x4xi32>) {
    // CHECK-NOT: ds.all_reduce
    // CHECK: ds.all_gather %[[VALUES]], %[[OTHERS]] into %{{.*}} along 0 {{.*}}names = {{\[\[}}"w"], ["v"]]{{.*}} : tensor<1x4xf32>, tensor<1x2x5xf32> into tensor<3x4xf32>, tensor<3x2x5xf32>
    // CHECK: ds.all_gather %[[PLACES]] into {{.*}} : tensor<1x4xi32> into tensor<3x4xi32>
    // CHECK-NOT: ds.all_reduce
    %fs = arith.constant dense<0.0> : tensor<3x4xf32>
    %os = arith.constant dense<0.0> : tensor<3x2x5xf32>
    %is = arith.constant dense<0> : tensor<3x4xi32>
    %rank = ds.rank : index
    %f = tensor.insert_slice %values into %fs[%rank, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<3x4xf32>
    %o = tensor.insert_slice %others into %os[%rank, 0, 0] [1, 2, 5] [1, 1, 1] : tensor<1x2x5xf32> into tensor<3x2x5xf32>
    %i = tensor.insert_slice %places into %is[%rank, 0] [1, 4] [1, 1] : tensor<1x4xi32> into tensor<3x4xi32>
    %all:2 = ds.all_reduce sum %f, %o {names = [["w"], ["v"]]} : tensor<3x4xf32>, tensor<3x2x5xf32>
    %where = ds.all_reduce sum %i : tensor<3x4xi32>
    return %all#0, %all#1, %where : tensor<3x4xf32>, tensor<3x2x5xf32>, tensor<3x4xi32>
  }
}

// -----
// More rows than ranks: some are nobody's, and are zero in a sum.
module attributes {ds.config = #ds.config<device_num = 2>} {
  // CHECK-LABEL: func.func @keeps_a_sum_of_more_rows_than_ranks(
  // CHECK: ds.all_reduce sum
  func.func @keeps_a_sum_of_more_rows_than_ranks(%values: tensor<1x4xf32>) -> tensor<3x4xf32> {
    %zeros = arith.constant dense<0.0> : tensor<3x4xf32>
    %rank = ds.rank : index
    %row = tensor.insert_slice %values into %zeros[%rank, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<3x4xf32>
    %all = ds.all_reduce sum %row : tensor<3x4xf32>
    return %all : tensor<3x4xf32>
  }
}

// -----
module attributes {ds.config = #ds.config<device_num = 2>} {
  // CHECK-LABEL: func.func @keeps_a_sum_with_what_is_not_zero(
  // CHECK: ds.all_reduce sum
  func.func @keeps_a_sum_with_what_is_not_zero(%values: tensor<1x4xf32>) -> tensor<2x4xf32> {
    %ones = arith.constant dense<1.0> : tensor<2x4xf32>
    %rank = ds.rank : index
    %row = tensor.insert_slice %values into %ones[%rank, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<2x4xf32>
    %all = ds.all_reduce sum %row : tensor<2x4xf32>
    return %all : tensor<2x4xf32>
  }

  // CHECK-LABEL: func.func @keeps_a_sum_of_rows_of_the_same_number(
  // CHECK: ds.all_reduce sum
  func.func @keeps_a_sum_of_rows_of_the_same_number(%values: tensor<1x4xf32>, %number: index) -> tensor<2x4xf32> {
    %zeros = arith.constant dense<0.0> : tensor<2x4xf32>
    %row = tensor.insert_slice %values into %zeros[%number, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<2x4xf32>
    %all = ds.all_reduce sum %row : tensor<2x4xf32>
    return %all : tensor<2x4xf32>
  }

  // CHECK-LABEL: func.func @keeps_a_sum_of_parts_of_rows(
  // CHECK: ds.all_reduce sum
  func.func @keeps_a_sum_of_parts_of_rows(%values: tensor<1x2xf32>) -> tensor<2x4xf32> {
    %zeros = arith.constant dense<0.0> : tensor<2x4xf32>
    %rank = ds.rank : index
    %row = tensor.insert_slice %values into %zeros[%rank, 1] [1, 2] [1, 1] : tensor<1x2xf32> into tensor<2x4xf32>
    %all = ds.all_reduce sum %row : tensor<2x4xf32>
    return %all : tensor<2x4xf32>
  }

  // CHECK-LABEL: func.func @keeps_a_maximum(
  // CHECK: ds.all_reduce max
  func.func @keeps_a_maximum(%values: tensor<1x4xf32>) -> tensor<2x4xf32> {
    %zeros = arith.constant dense<0.0> : tensor<2x4xf32>
    %rank = ds.rank : index
    %row = tensor.insert_slice %values into %zeros[%rank, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<2x4xf32>
    %all = ds.all_reduce max %row : tensor<2x4xf32>
    return %all : tensor<2x4xf32>
  }
}
