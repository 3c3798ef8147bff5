// RUN: ds-opt %s -split-input-file -ds-insert-all-reduce -ds-localize-batch 2>&1 | FileCheck %s
// A rank holds the entries of its samples, in whichever order the step reads them; what is no multiple is whole.

// CHECK-LABEL: @together
// CHECK-SAME: tensor<12x3xf32> {ds.batch = 0 : i64, ds.layout = "block_cyclic(3)"}
// CHECK-NOT: ds.all_gather
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  func.func @together(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64}, %near: tensor<24x3xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}, tensor<8x3xf32> {ds.batch = 0 : i64}) {
    %triples = tensor.expand_shape %near [[0, 1], [2]] output_shape [8, 3, 3] : tensor<24x3xf32> into tensor<8x3x3xf32>
    %sum = linalg.reduce {arith.addf} ins(%triples : tensor<8x3x3xf32>) outs(%x : tensor<8x3xf32>) dimensions = [1]
    return %w, %sum : tensor<3xf32>, tensor<8x3xf32>
  }
}

// -----

// CHECK-LABEL: @apart_without_being_said
// CHECK-SAME: tensor<12x3xf32> {ds.batch = 0 : i64, ds.layout = "cyclic"}
// CHECK-NOT: ds.all_gather
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  func.func @apart_without_being_said(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64},
      %near: tensor<24x3xf32> {ds.batch = 0 : i64}) -> (tensor<3xf32> {ds.updates = "w"}, tensor<8x3xf32> {ds.batch = 0 : i64}) {
    %triples = tensor.expand_shape %near [[0, 1], [2]] output_shape [3, 8, 3] : tensor<24x3xf32> into tensor<3x8x3xf32>
    %sum = linalg.reduce {arith.addf} ins(%triples : tensor<3x8x3xf32>) outs(%x : tensor<8x3xf32>) dimensions = [0]
    return %w, %sum : tensor<3xf32>, tensor<8x3xf32>
  }
}

// -----

// CHECK-LABEL: @no_multiple
// CHECK-SAME: tensor<4xf32> {ds.batch = 0 : i64, ds.layout = "cyclic", ds.name = "x"}
// CHECK-SAME: tensor<5xf32> {ds.batch = 0 : i64, ds.name = "pool"}
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  func.func @no_multiple(%w: tensor<5xf32> {ds.param = "w"}, %x: tensor<8xf32> {ds.batch = 0 : i64, ds.name = "x"},
      %y: tensor<8xf32> {ds.batch = 0 : i64, ds.name = "y"}, %pool: tensor<5xf32> {ds.batch = 0 : i64, ds.name = "pool"})
      -> (tensor<5xf32> {ds.updates = "w"}) {
    %new = arith.addf %w, %pool : tensor<5xf32>
    return %new : tensor<5xf32>
  }
}
