// RUN: ds-opt %s -split-input-file -ds-insert-all-reduce -ds-localize-batch | FileCheck %s
// Gathers that read a row of another sample get all samples, however close they come to reading their own. (other-samples.test runs
// such steps.)

#b = affine_map<(b) -> (b)>
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  // CHECK-LABEL: func.func @another_sample_is_chosen_by_data(
  func.func @another_sample_is_chosen_by_data(%w: tensor<16xf32> {ds.param = "w"}, %x: tensor<16xf32> {ds.batch = 0 : i64},
      %token: tensor<16xi32> {ds.batch = 0 : i64}) -> (tensor<16xf32> {ds.updates = "w"}) {
    %e = tensor.empty() : tensor<16xf32>
    // CHECK: ds.all_gather
    %y = linalg.generic {indexing_maps = [#b, #b], iterator_types = ["parallel"]} ins(%token : tensor<16xi32>)
        outs(%e : tensor<16xf32>) {
    ^bb0(%t: i32, %o: f32):
      %at = arith.index_cast %t : i32 to index
      %v = tensor.extract %x[%at] : tensor<16xf32>
      linalg.yield %v : f32
    } -> tensor<16xf32>
    return %w : tensor<16xf32>
  }
}

// -----

#b = affine_map<(b) -> (b)>
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  // CHECK-LABEL: func.func @the_next_sample(
  func.func @the_next_sample(%w: tensor<16xf32> {ds.param = "w"}, %x: tensor<16xf32> {ds.batch = 0 : i64},
      %token: tensor<16xi32> {ds.batch = 0 : i64}) -> (tensor<16xf32> {ds.updates = "w"}) {
    %e = tensor.empty() : tensor<16xf32>
    // CHECK: ds.all_gather
    %y = linalg.generic {indexing_maps = [#b, #b], iterator_types = ["parallel"]} ins(%token : tensor<16xi32>)
        outs(%e : tensor<16xf32>) {
    ^bb0(%t: i32, %o: f32):
      %i = linalg.index 0 : index
      %c1 = arith.constant 1 : index
      %at = arith.addi %i, %c1 : index
      %v = tensor.extract %x[%at] : tensor<16xf32>
      linalg.yield %v : f32
    } -> tensor<16xf32>
    return %w : tensor<16xf32>
  }
}

// -----

#b = affine_map<(b) -> (b)>
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  // CHECK-LABEL: func.func @samples_from_the_middle_on(
  func.func @samples_from_the_middle_on(%w: tensor<16xf32> {ds.param = "w"}, %x: tensor<16xf32> {ds.batch = 0 : i64},
      %token: tensor<16xi32> {ds.batch = 0 : i64}) -> (tensor<16xf32> {ds.updates = "w"}) {
    %e = tensor.empty() : tensor<16xf32>
    // CHECK: ds.all_gather
    %y = linalg.generic {indexing_maps = [#b, #b], iterator_types = ["parallel"]} ins(%token : tensor<16xi32>)
        outs(%e : tensor<16xf32>) {
    ^bb0(%t: i32, %o: f32):
      %i = linalg.index 0 : index
      %c8 = arith.constant 8 : index
      %at = arith.maxsi %i, %c8 : index
      %v = tensor.extract %x[%at] : tensor<16xf32>
      linalg.yield %v : f32
    } -> tensor<16xf32>
    return %w : tensor<16xf32>
  }
}

// -----

#b = affine_map<(b) -> (b)>
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  // CHECK-LABEL: func.func @samples_up_to_the_middle(
  func.func @samples_up_to_the_middle(%w: tensor<16xf32> {ds.param = "w"}, %x: tensor<16xf32> {ds.batch = 0 : i64},
      %token: tensor<16xi32> {ds.batch = 0 : i64}) -> (tensor<16xf32> {ds.updates = "w"}) {
    %e = tensor.empty() : tensor<16xf32>
    // CHECK: ds.all_gather
    %y = linalg.generic {indexing_maps = [#b, #b], iterator_types = ["parallel"]} ins(%token : tensor<16xi32>)
        outs(%e : tensor<16xf32>) {
    ^bb0(%t: i32, %o: f32):
      %i = linalg.index 0 : index
      %c8 = arith.constant 8 : index
      %at = arith.minsi %i, %c8 : index
      %v = tensor.extract %x[%at] : tensor<16xf32>
      linalg.yield %v : f32
    } -> tensor<16xf32>
    return %w : tensor<16xf32>
  }
}

// -----

#b = affine_map<(b) -> (b)>
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  // CHECK-LABEL: func.func @the_first_sample_or_ones_own(
  func.func @the_first_sample_or_ones_own(%w: tensor<16xf32> {ds.param = "w"}, %x: tensor<16xf32> {ds.batch = 0 : i64},
      %token: tensor<16xi32> {ds.batch = 0 : i64}) -> (tensor<16xf32> {ds.updates = "w"}) {
    %e = tensor.empty() : tensor<16xf32>
    // CHECK: ds.all_gather
    %y = linalg.generic {indexing_maps = [#b, #b], iterator_types = ["parallel"]} ins(%token : tensor<16xi32>)
        outs(%e : tensor<16xf32>) {
    ^bb0(%t: i32, %o: f32):
      %i = linalg.index 0 : index
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : i32
      %own = arith.cmpi slt, %t, %c1 : i32
      %at = arith.select %own, %i, %c0 : index
      %v = tensor.extract %x[%at] : tensor<16xf32>
      linalg.yield %v : f32
    } -> tensor<16xf32>
    return %w : tensor<16xf32>
  }
}

// -----

#b = affine_map<(b) -> (b)>
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  // CHECK-LABEL: func.func @a_number_that_wraps_around(
  func.func @a_number_that_wraps_around(%w: tensor<16xf32> {ds.param = "w"}, %x: tensor<16xf32> {ds.batch = 0 : i64},
      %token: tensor<16xi32> {ds.batch = 0 : i64}) -> (tensor<16xf32> {ds.updates = "w"}) {
    %e = tensor.empty() : tensor<16xf32>
    // CHECK: ds.all_gather
    %y = linalg.generic {indexing_maps = [#b, #b], iterator_types = ["parallel"]} ins(%token : tensor<16xi32>)
        outs(%e : tensor<16xf32>) {
    ^bb0(%t: i32, %o: f32):
      %i = linalg.index 0 : index
      %narrow = arith.index_cast %i : index to i4
      %at = arith.index_cast %narrow : i4 to index
      %v = tensor.extract %x[%at] : tensor<16xf32>
      linalg.yield %v : f32
    } -> tensor<16xf32>
    return %w : tensor<16xf32>
  }
}

// -----

#b = affine_map<(b) -> (b)>
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  // CHECK-LABEL: func.func @samples_in_reverse(
  func.func @samples_in_reverse(%w: tensor<16xf32> {ds.param = "w"}, %x: tensor<16xf32> {ds.batch = 0 : i64},
      %token: tensor<16xi32> {ds.batch = 0 : i64}) -> (tensor<16xf32> {ds.updates = "w"}) {
    %reverse = arith.constant dense<[15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]> : tensor<16xindex>
    %e = tensor.empty() : tensor<16xf32>
    // CHECK: ds.all_gather
    %y = linalg.generic {indexing_maps = [#b, #b], iterator_types = ["parallel"]} ins(%token : tensor<16xi32>)
        outs(%e : tensor<16xf32>) {
    ^bb0(%t: i32, %o: f32):
      %i = linalg.index 0 : index
      %at = tensor.extract %reverse[%i] : tensor<16xindex>
      %v = tensor.extract %x[%at] : tensor<16xf32>
      linalg.yield %v : f32
    } -> tensor<16xf32>
    return %w : tensor<16xf32>
  }
}

// -----

#b = affine_map<(b) -> (b)>
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  // CHECK-LABEL: func.func @samples_of_a_shifted_tensor(
  func.func @samples_of_a_shifted_tensor(%w: tensor<16xf32> {ds.param = "w"}, %x: tensor<16xf32> {ds.batch = 0 : i64},
      %token: tensor<16xi32> {ds.batch = 0 : i64}) -> (tensor<16xf32> {ds.updates = "w"}) {
    %numbers = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]> : tensor<17xindex>
    %from1 = tensor.extract_slice %numbers[1] [16] [1] : tensor<17xindex> to tensor<16xindex>
    %e = tensor.empty() : tensor<16xf32>
    // CHECK: ds.all_gather
    %y = linalg.generic {indexing_maps = [#b, #b], iterator_types = ["parallel"]} ins(%token : tensor<16xi32>)
        outs(%e : tensor<16xf32>) {
    ^bb0(%t: i32, %o: f32):
      %i = linalg.index 0 : index
      %at = tensor.extract %from1[%i] : tensor<16xindex>
      %v = tensor.extract %x[%at] : tensor<16xf32>
      linalg.yield %v : f32
    } -> tensor<16xf32>
    return %w : tensor<16xf32>
  }
}

// -----

#b = affine_map<(b) -> (b)>
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  // CHECK-LABEL: func.func @the_first_half_of_the_samples(
  func.func @the_first_half_of_the_samples(%w: tensor<16xf32> {ds.param = "w"}, %x: tensor<16xf32> {ds.batch = 0 : i64})
      -> (tensor<16xf32> {ds.updates = "w"}) {
    %e = tensor.empty() : tensor<8xf32>
    // CHECK: ds.all_gather
    %y = linalg.generic {indexing_maps = [#b], iterator_types = ["parallel"]} outs(%e : tensor<8xf32>) {
    ^bb0(%o: f32):
      %i = linalg.index 0 : index
      %v = tensor.extract %x[%i] : tensor<16xf32>
      linalg.yield %v : f32
    } -> tensor<8xf32>
    return %w : tensor<16xf32>
  }
}

// -----

#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
#pairs = affine_map<(i, j) -> (i, j)>
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  // CHECK-LABEL: func.func @all_pairs_of_samples(
  func.func @all_pairs_of_samples(%w: tensor<16xf32> {ds.param = "w"}, %x: tensor<16xf32> {ds.batch = 0 : i64})
      -> (tensor<16xf32> {ds.updates = "w"}) {
    %e = tensor.empty() : tensor<16x16xf32>
    // CHECK: ds.all_gather
    %y = linalg.generic {indexing_maps = [#row, #column, #pairs], iterator_types = ["parallel", "parallel"]}
        ins(%x, %x : tensor<16xf32>, tensor<16xf32>) outs(%e : tensor<16x16xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %p = arith.mulf %a, %b : f32
      linalg.yield %p : f32
    } -> tensor<16x16xf32>
    return %w : tensor<16xf32>
  }
}
