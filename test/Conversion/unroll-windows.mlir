// RUN: ds-opt %s -split-input-file -ds-unroll-windows | FileCheck %s

#in = affine_map<(r, i, j, k) -> (r, j, i, k)>
#bias = affine_map<(r, i, j, k) -> (r)>
#size = affine_map<(r, i, j, k) -> (j, k)>
#out = affine_map<(r, i, j, k) -> (r, i)>
#all = affine_map<(r, i) -> (r, i)>

// The maximum, and where it is, of what stands before the pooling: no fill is left, and no maximum of which only the place is asked for. What all elements of
// a window read the same way is read once.
// CHECK-DAG: #[[$A:[a-z0-9]+]] = affine_map<(d0, d1) -> (d0, 0, d1, 0)>
// CHECK-DAG: #[[$B:[a-z0-9]+]] = affine_map<(d0, d1) -> (d0)>
// CHECK-DAG: #[[$C:[a-z0-9]+]] = affine_map<(d0, d1) -> (d0, 0, d1, 1)>
// CHECK-DAG: #[[$D:[a-z0-9]+]] = affine_map<(d0, d1) -> (d0, 1, d1, 0)>
// CHECK-DAG: #[[$E:[a-z0-9]+]] = affine_map<(d0, d1) -> (d0, 1, d1, 1)>
// CHECK-DAG: #[[$OUT:[a-z0-9]+]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func.func @place_of_the_maximum
// CHECK-DAG: %[[NONE:.*]] = arith.constant -1 : i32
// CHECK-DAG: %[[LOW:.*]] = arith.constant 0xFF800000 : f32
// CHECK-NOT: linalg.generic
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<5x14xi32>
// CHECK-NEXT: linalg.generic {indexing_maps = [#[[$A]], #[[$B]], #[[$C]], #[[$D]], #[[$E]], #[[$OUT]]], iterator_types = ["parallel", "parallel"]}
// CHECK-SAME: outs(%[[EMPTY]] : tensor<5x14xi32>)
// CHECK: ^bb0(%[[X0:.*]]: f32, %[[BIAS:.*]]: f32, %[[X1:.*]]: f32, %{{.*}}: f32, %{{.*}}: f32, %{{.*}}: i32):
// CHECK: %[[V0:.*]] = arith.addf %[[X0]], %[[BIAS]]
// CHECK: %[[BETTER:.*]] = arith.cmpf ogt, %[[V0]], %[[LOW]]
// CHECK: %[[MAX:.*]] = arith.select %[[BETTER]], %[[V0]], %[[LOW]]
// CHECK: %[[AT:.*]] = arith.select %[[BETTER]], %{{.*}}, %[[NONE]]
// CHECK: %[[V1:.*]] = arith.addf %[[X1]], %[[BIAS]]
// CHECK: %[[BETTER1:.*]] = arith.cmpf ogt, %[[V1]], %[[MAX]]
// CHECK: arith.select %[[BETTER1]], %{{.*}}, %[[AT]] : i32
// CHECK: linalg.yield %{{.*}} : i32
func.func @place_of_the_maximum(%x: tensor<5x2x14x2xf32>, %bias: tensor<5xf32>) -> tensor<5x14xi32> {
  %low = arith.constant 0xFF800000 : f32
  %none = arith.constant -1 : i32
  %shape = tensor.empty() : tensor<2x2xf32>
  %empty = tensor.empty() : tensor<5x14xf32>
  %start = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel"]} outs(%empty : tensor<5x14xf32>) {
  ^bb0(%o: f32):
    linalg.yield %low : f32
  } -> tensor<5x14xf32>
  %nowhere = tensor.empty() : tensor<5x14xi32>
  %first = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel"]} outs(%nowhere : tensor<5x14xi32>) {
  ^bb0(%o: i32):
    linalg.yield %none : i32
  } -> tensor<5x14xi32>
  %best:2 = linalg.generic {indexing_maps = [#in, #bias, #size, #out, #out], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %bias, %shape : tensor<5x2x14x2xf32>, tensor<5xf32>, tensor<2x2xf32>) outs(%start, %first : tensor<5x14xf32>, tensor<5x14xi32>) {
  ^bb0(%a: f32, %b: f32, %unused: f32, %max: f32, %at: i32):
    %v = arith.addf %a, %b : f32
    %better = arith.cmpf ogt, %v, %max : f32
    %m = arith.select %better, %v, %max : f32
    %two = arith.constant 2 : index
    %j = linalg.index 2 : index
    %k = linalg.index 3 : index
    %row = arith.muli %j, %two : index
    %number = arith.addi %row, %k : index
    %n = arith.index_cast %number : index to i32
    %w = arith.select %better, %n, %at : i32
    linalg.yield %m, %w : f32, i32
  } -> (tensor<5x14xf32>, tensor<5x14xi32>)
  return %best#1 : tensor<5x14xi32>
}

// -----

#in = affine_map<(i, k) -> (i, k)>
#out = affine_map<(i, k) -> (i)>

// What a sum starts from is read, where it is no constant. The index of a loop that stays is its own.
// CHECK-DAG: #[[$A:[a-z0-9]+]] = affine_map<(d0) -> (d0, 0)>
// CHECK-DAG: #[[$B:[a-z0-9]+]] = affine_map<(d0) -> (d0, 1)>
// CHECK-DAG: #[[$C:[a-z0-9]+]] = affine_map<(d0) -> (d0, 2)>
// CHECK-DAG: #[[$OUT:[a-z0-9]+]] = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func @added_to_what_is_there
// CHECK-SAME: %[[X:.*]]: tensor<16x3xf32>, %[[INIT:.*]]: tensor<16xf32>
// CHECK: linalg.generic {indexing_maps = [#[[$A]], #[[$B]], #[[$C]], #[[$OUT]]], iterator_types = ["parallel"]}
// CHECK-SAME: ins(%[[X]], %[[X]], %[[X]] : {{.*}}) outs(%[[INIT]] : tensor<16xf32>)
// CHECK: ^bb0(%[[X0:.*]]: f32, %[[X1:.*]]: f32, %[[X2:.*]]: f32, %[[O:.*]]: f32):
// CHECK: linalg.index 0
// CHECK: %[[S0:.*]] = arith.addf %[[O]], %{{.*}}
// CHECK-NOT: linalg.index
// CHECK: %[[S1:.*]] = arith.addf %[[S0]], %{{.*}}
// CHECK: %[[S2:.*]] = arith.addf %[[S1]], %{{.*}}
// CHECK: linalg.yield %[[S2]]
func.func @added_to_what_is_there(%x: tensor<16x3xf32>, %init: tensor<16xf32>) -> tensor<16xf32> {
  %0 = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<16x3xf32>) outs(%init : tensor<16xf32>) {
  ^bb0(%a: f32, %b: f32):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i32
    %f = arith.sitofp %n : i32 to f32
    %w = arith.addf %a, %f : f32
    %1 = arith.addf %b, %w : f32
    linalg.yield %1 : f32
  } -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// -----

#window = affine_map<(i, k) -> (i * 2 + k)>
#out = affine_map<(i, k) -> (i)>

// Windows that overlap.
// CHECK-LABEL: func.func @overlapping
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]}
func.func @overlapping(%x: tensor<33xf32>, %init: tensor<16xf32>) -> tensor<16xf32> {
  %shape = tensor.empty() : tensor<3xf32>
  %0 = linalg.generic {indexing_maps = [#window, affine_map<(i, k) -> (k)>, #out], iterator_types = ["parallel", "reduction"]}
      ins(%x, %shape : tensor<33xf32>, tensor<3xf32>) outs(%init : tensor<16xf32>) {
  ^bb0(%a: f32, %unused: f32, %b: f32):
    %1 = arith.addf %b, %a : f32
    linalg.yield %1 : f32
  } -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// -----

#in = affine_map<(i, k) -> (i, k)>
#out = affine_map<(i, k) -> (i)>
#all = affine_map<(i) -> (i)>

// Two sums that start from one fill.
// CHECK-LABEL: func.func @one_fill_for_two
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<64xf32>
// CHECK-NEXT: linalg.generic {{.*}}outs(%[[EMPTY]], %[[EMPTY]] : tensor<64xf32>, tensor<64xf32>)
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @one_fill_for_two(%x: tensor<64x2xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64xf32>
  %start = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel"]} outs(%empty : tensor<64xf32>) {
  ^bb0(%o: f32):
    linalg.yield %zero : f32
  } -> tensor<64xf32>
  %0:2 = linalg.generic {indexing_maps = [#in, #out, #out], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x2xf32>) outs(%start, %start : tensor<64xf32>, tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.addf %b, %a : f32
    %s = arith.mulf %a, %a : f32
    %2 = arith.addf %c, %s : f32
    linalg.yield %1, %2 : f32, f32
  } -> (tensor<64xf32>, tensor<64xf32>)
  return %0#0, %0#1 : tensor<64xf32>, tensor<64xf32>
}

// -----

#in = affine_map<(i, k) -> (i, k)>
#out = affine_map<(i, k) -> (i)>

// Nine elements are written out.
// CHECK-LABEL: func.func @nine_elements
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel"]}
func.func @nine_elements(%x: tensor<64x9xf32>, %init: tensor<64xf32>) -> tensor<64xf32> {
  %0 = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x9xf32>) outs(%init : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.maximumf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// -----

#in = affine_map<(i, k) -> (i, k)>
#out = affine_map<(i, k) -> (i)>

// Ten are a loop.
// CHECK-LABEL: func.func @ten_elements
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]}
func.func @ten_elements(%x: tensor<64x10xf32>, %init: tensor<64xf32>) -> tensor<64xf32> {
  %0 = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x10xf32>) outs(%init : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.maximumf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// -----

#in = affine_map<(i, k) -> (i, k)>
#out = affine_map<(i, k) -> (i)>

// Of no elements there is nothing to write out: the result is what it starts from.
// CHECK-LABEL: func.func @no_elements
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]}
func.func @no_elements(%x: tensor<64x0xf32>, %init: tensor<64xf32>) -> tensor<64xf32> {
  %0 = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x0xf32>) outs(%init : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.maximumf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// -----

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#out = affine_map<(m, n, k) -> (m, n)>

// Products are the library's.
// CHECK-LABEL: func.func @product
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]}
func.func @product(%a: tensor<64x4xf32>, %b: tensor<4x64xf32>, %init: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<64x4xf32>, tensor<4x64xf32>) outs(%init : tensor<64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// -----

#in = affine_map<(i, k) -> (i, k)>
#out = affine_map<(i, k) -> (i)>
#one = affine_map<(i, k) -> (i, 0)>

// An output that does not have one element for each window.
// CHECK-LABEL: func.func @other_outputs
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]}
func.func @other_outputs(%x: tensor<64x2xf32>, %init: tensor<64x1xf32>) -> tensor<64x1xf32> {
  %0 = linalg.generic {indexing_maps = [#in, #one], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x2xf32>) outs(%init : tensor<64x1xf32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.maximumf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<64x1xf32>
  return %0 : tensor<64x1xf32>
}
