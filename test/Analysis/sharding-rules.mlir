// RUN: ds-opt %s --ds-print-sharding-rules --split-input-file | FileCheck %s
// What is printed can be read, and is the same again.
// RUN: ds-opt %s --ds-print-sharding-rules --split-input-file | ds-opt --split-input-file --ds-print-sharding-rules | FileCheck %s

#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
// CHECK-LABEL: func.func @linalg(
func.func @linalg(%x: tensor<4x16xf32>, %w: tensor<16x8xf32>, %y: tensor<4x8xf32>, %image: tensor<2x10x10x3xf32>,
    %kernel: tensor<3x3x3x5xf32>, %out: tensor<2x8x8x5xf32>, %i: tensor<2x4x4x5xf32>, %r: tensor<4xf32>, %table: tensor<4xf32>, %s: f32) {
  // CHECK: linalg.matmul {ds.rule = #ds.sharding_rule<([i, k], [k, j], [i, j]) -> ([i, j]) {i=4, j=8, k=16, k: sum} linear=[arg0 * arg1 + arg2]>}
  %0 = linalg.matmul ins(%x, %w : tensor<4x16xf32>, tensor<16x8xf32>) outs(%y : tensor<4x8xf32>) -> tensor<4x8xf32>
  // The windows of a convolution are not divided.
  // CHECK: linalg.conv_2d_nhwc_hwcf {{.*}}ds.rule = #ds.sharding_rule<([i, j+m, k+n, o], [m, n, o, l], [i, j, k, l]) -> ([i, j, k, l]) {i=2, j=8, k=8, l=5, m=3, n=3, o=3, m: sum, n: sum, o: sum} linear=[arg0 * arg1 + arg2]>
  %1 = linalg.conv_2d_nhwc_hwcf ins(%image, %kernel : tensor<2x10x10x3xf32>, tensor<3x3x3x5xf32>) outs(%out : tensor<2x8x8x5xf32>) -> tensor<2x8x8x5xf32>
  // CHECK: linalg.conv_2d_nhwc_hwcf {{.*}}([i, j*2+m, k*2+n, o],
  %2 = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : vector<2xi64>} ins(%image, %kernel : tensor<2x10x10x3xf32>, tensor<3x3x3x5xf32>) outs(%i : tensor<2x4x4x5xf32>) -> tensor<2x4x4x5xf32>
  // A maximum is linear in nothing.
  // CHECK: linalg.reduce
  // CHECK: ds.rule = #ds.sharding_rule<([i, j], [i]) -> ([i]) {i=4, j=16, j: max}>
  %3 = linalg.reduce { arith.maximumf } ins(%x : tensor<4x16xf32>) outs(%r : tensor<4xf32>) dimensions = [1]
  // CHECK: linalg.transpose {{.*}}#ds.sharding_rule<([j, i], [i, j]) -> ([i, j]) {i=16, j=4} linear=[arg0]>
  %e = tensor.empty() : tensor<16x4xf32>
  %4 = linalg.transpose ins(%x : tensor<4x16xf32>) outs(%e : tensor<16x4xf32>) permutation = [1, 0]
  // Captures stand behind the operands. The element of the row is a coefficient, as an exponential is of it; the scalar is added.
  // CHECK: linalg.generic
  // CHECK-SAME: ds.rule = #ds.sharding_rule<([i, j], [i, j], [i], []) -> ([i, j]) {i=4, j=8} linear=[arg0 + arg3]>
  %5 = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<4x8xf32>) outs(%y : tensor<4x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %row = linalg.index 0 : index
    %at = tensor.extract %table[%row] : tensor<4xf32>
    %f = math.exp %at : f32
    %p = arith.mulf %a, %f : f32
    %q = arith.subf %p, %s : f32
    linalg.yield %q : f32
  } -> tensor<4x8xf32>
  // What is squared is a coefficient; a constant is an addend that is no operand.
  // CHECK: linalg.generic
  // CHECK-SAME: ds.rule = #ds.sharding_rule<([i, j], [i, j], [i, j]) -> ([i, j]) {i=4, j=8} linear=[arg1 + whole]>
  %6 = linalg.generic {indexing_maps = [#ij, #ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%y, %0 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%y : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.constant 3.0 : f32
    %p = arith.mulf %a, %a : f32
    %q = arith.mulf %p, %b : f32
    %t = arith.addf %q, %c : f32
    linalg.yield %t : f32
  } -> tensor<4x8xf32>
  return
}

// -----

// CHECK-LABEL: func.func @tensor(
func.func @tensor(%x: tensor<4x6xf32>, %y: tensor<4x2xf32>, %unit: tensor<4x1xf32>, %s: f32, %k: index) {
  %zero = arith.constant 0.0 : f32
  // CHECK: tensor.collapse_shape {{.*}}#ds.sharding_rule<([i, j]) -> ([ij]) {i=4, j=6} linear=[arg0]>
  %0 = tensor.collapse_shape %x [[0, 1]] : tensor<4x6xf32> into tensor<24xf32>
  // CHECK: tensor.expand_shape {{.*}}#ds.sharding_rule<([i, jk]) -> ([i, j, k]) {i=4, j=2, k=3} linear=[arg0]>
  %1 = tensor.expand_shape %x [[0], [1, 2]] output_shape [4, 2, 3] : tensor<4x6xf32> into tensor<4x2x3xf32>
  // CHECK: tensor.extract_slice {{.*}}#ds.sharding_rule<([i, j]) -> ([i, j[1:4]]) {i=4, j=6} linear=[arg0]>
  %2 = tensor.extract_slice %x[0, 1] [4, 3] [1, 1] : tensor<4x6xf32> to tensor<4x3xf32>
  // A position that data chooses is not divided.
  // CHECK: tensor.extract_slice {{.*}}#ds.sharding_rule<([_, i], []) -> ([_, i]) {i=6} linear=[arg0]>
  %3 = tensor.extract_slice %x[%k, 0] [2, 6] [1, 1] : tensor<4x6xf32> to tensor<2x6xf32>
  // Of blocks of one size it chooses one: what divides a block divides all.
  %four = arith.constant 4 : index
  %at = arith.muli %k, %four : index
  // CHECK: tensor.extract_slice {{.*}}#ds.sharding_rule<([i, kj], []) -> ([i, j]) {i=4, j=2, k=3} linear=[arg0]>
  %blocks = tensor.extract_slice %x[0, %at] [4, 2] [1, 1] : tensor<4x6xf32> to tensor<4x2xf32>
  // CHECK: tensor.extract_slice {{.*}}#ds.sharding_rule<([i, jk], []) -> ([i, j]) {i=4, j=2, k=3} linear=[arg0]>
  %strided = tensor.extract_slice %x[0, %k] [4, 2] [1, 3] : tensor<4x6xf32> to tensor<4x2xf32>
  // Of three columns at every fourth one there may be parts of two blocks.
  // CHECK: tensor.extract_slice {{.*}}#ds.sharding_rule<([i, _], []) -> ([i, _]) {i=4} linear=[arg0]>
  %overlapping = tensor.extract_slice %x[0, %at] [4, 3] [1, 1] : tensor<4x6xf32> to tensor<4x3xf32>
  // CHECK: tensor.extract_slice {{.*}}#ds.sharding_rule<([i, _], []) -> ([i, _]) {i=4} linear=[arg0]>
  %gaps = tensor.extract_slice %x[0, %k] [4, 2] [1, 2] : tensor<4x6xf32> to tensor<4x2xf32>
  // CHECK: tensor.insert_slice {{.*}}#ds.sharding_rule<([i, _], [i, _]) -> ([i, _]) {i=4} linear=[arg0 + arg1]>
  %4 = tensor.insert_slice %y into %x[0, 2] [4, 2] [1, 1] : tensor<4x2xf32> into tensor<4x6xf32>
  // The padding is captured.
  // CHECK: tensor.pad
  // CHECK: {ds.rule = #ds.sharding_rule<([i, j[1:7]], []) -> ([i, j]) {i=4, j=9} linear=[arg0 + arg1]>}
  %5 = tensor.pad %x low[0, 1] high[0, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<4x6xf32> to tensor<4x9xf32>
  // CHECK: tensor.pad
  // CHECK: {ds.rule = #ds.sharding_rule<([i, j[0:6]], []) -> ([i, j]) {i=4, j=8} linear=[arg0 + arg1]>}
  %6 = tensor.pad %x low[0, 0] high[0, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %s : f32
  } : tensor<4x6xf32> to tensor<4x8xf32>
  // What is made of positions is not divided.
  // CHECK: tensor.pad
  // CHECK: {ds.rule = #ds.sharding_rule<([i, _]) -> ([i, _]) {i=4} linear=[arg0 + whole]>}
  %7 = tensor.pad %x low[0, 0] high[0, 2] {
  ^bb0(%i: index, %j: index):
    %n = arith.index_cast %j : index to i32
    %f = arith.sitofp %n : i32 to f32
    tensor.yield %f : f32
  } : tensor<4x6xf32> to tensor<4x8xf32>
  // CHECK: tensor.concat {{.*}}#ds.sharding_rule<([i, j[0:6]], [i, j[6:8]]) -> ([i, j]) {i=4, j=8} linear=[arg0 + arg1]>
  %8 = tensor.concat dim(1) %x, %y : (tensor<4x6xf32>, tensor<4x2xf32>) -> tensor<4x8xf32>
  // CHECK: tensor.extract {{.*}}#ds.sharding_rule<([_, _], [], []) -> ([]) linear=[arg0]>
  %9 = tensor.extract %x[%k, %k] : tensor<4x6xf32>
  // CHECK: tensor.from_elements {{.*}}#ds.sharding_rule<([], []) -> ([_]) linear=[arg0 + arg1]>
  %10 = tensor.from_elements %s, %9 : tensor<2xf32>
  // CHECK: tensor.splat {{.*}}#ds.sharding_rule<([]) -> ([i, j]) {i=4, j=6} linear=[arg0]>
  %11 = tensor.splat %s : tensor<4x6xf32>
  // CHECK: tensor.empty() {ds.rule = #ds.sharding_rule<() -> ([i]) {i=3}>}
  %12 = tensor.empty() : tensor<3xf32>
  return
}

// -----

// CHECK-LABEL: func.func @elementwise_and_ds(
func.func @elementwise_and_ds(%x: tensor<4x6xf32>, %y: tensor<4x6xf32>, %c: i1) {
  // CHECK: arith.mulf {{.*}}#ds.sharding_rule<([i, j], [i, j]) -> ([i, j]) {i=4, j=6} linear=[arg0 * arg1]>
  %0 = arith.mulf %x, %y : tensor<4x6xf32>
  // CHECK: arith.divf {{.*}} linear=[arg0]>
  %1 = arith.divf %x, %y : tensor<4x6xf32>
  // CHECK: arith.select {{.*}}#ds.sharding_rule<([], [i, j], [i, j]) -> ([i, j]) {i=4, j=6} linear=[arg1 + arg2]>
  %2 = arith.select %c, %x, %y : tensor<4x6xf32>
  // CHECK: math.exp {{.*}}#ds.sharding_rule<([i, j]) -> ([i, j]) {i=4, j=6}>
  %3 = math.exp %x : tensor<4x6xf32>
  // CHECK: ds.gradient {{.*}}#ds.sharding_rule<([i, j]) -> ([i, j]) {i=4, j=6} linear=[arg0]>
  %4 = ds.gradient %x of "w" : tensor<4x6xf32>
  // CHECK: ds.combine {{.*}}#ds.sharding_rule<([i, j]) -> ([i, j]) {i=4, j=6} linear=[arg0]>
  %5 = ds.combine sum %x : tensor<4x6xf32>
  return
}

// -----

// To ranks along other axes a collective moves whole blocks: what divides a dimension divides the blocks.
module attributes {ds.config = #ds.config<mesh = "dp=2,tp=2", device_num = 4>} {
// CHECK-LABEL: func.func @collectives(
func.func @collectives(%a: tensor<8x3x6xf32>, %o: tensor<4x3x12xf32>, %p: tensor<8x3x6xf32>, %g: tensor<8x3x12xf32>, %s: tensor<4x3x6xf32>) {
  // CHECK: ds.all_to_all {{.*}} split 0 concat 2 {ds.rule = #ds.sharding_rule<([li, j, k], [i, j, lk]) -> ([i, j, lk]) {i=4, j=3, k=6, l=2} linear=[arg0]>
  %0 = ds.all_to_all %a into %o split 0 concat 2 {group = ["tp"]} : tensor<8x3x6xf32> into tensor<4x3x12xf32>
  // CHECK: ds.all_to_all {{.*}} split 0 concat 0 {ds.rule = #ds.sharding_rule<([li, j, k], [li, j, k]) -> ([li, j, k]) {i=4, j=3, k=6, l=2} linear=[arg0]>
  %1 = ds.all_to_all %a into %p split 0 concat 0 {group = ["tp"]} : tensor<8x3x6xf32> into tensor<8x3x6xf32>
  // CHECK: ds.all_gather {{.*}} along 2 {ds.rule = #ds.sharding_rule<([i, j, k], [i, j, lk]) -> ([i, j, lk]) {i=8, j=3, k=6, l=2} linear=[arg0]>
  %2 = ds.all_gather %a into %g along 2 {group = ["tp"]} : tensor<8x3x6xf32> into tensor<8x3x12xf32>
  // CHECK: ds.reduce_scatter sum {{.*}} along 0 {ds.rule = #ds.sharding_rule<([li, j, k], [i, j, k]) -> ([i, j, k]) {i=4, j=3, k=6, l=2} linear=[arg0]>
  %3 = ds.reduce_scatter sum %a into %s along 0 {group = ["tp"]} : tensor<8x3x6xf32> into tensor<4x3x6xf32>
  // CHECK: ds.reduce_scatter max {{.*}} along 0 {ds.rule = #ds.sharding_rule<([li, j, k], [i, j, k]) -> ([i, j, k]) {i=4, j=3, k=6, l=2}>
  %4 = ds.reduce_scatter max %a into %s along 0 {group = ["tp"]} : tensor<8x3x6xf32> into tensor<4x3x6xf32>
  // CHECK: ds.all_reduce sum {{.*}} {ds.rule = #ds.sharding_rule<([i, j, k]) -> ([i, j, k]) {i=8, j=3, k=6} linear=[arg0]>
  %5 = ds.all_reduce sum %a {group = ["tp"]} : tensor<8x3x6xf32>
  // CHECK: ds.broadcast {{.*}} from 0 {ds.rule = #ds.sharding_rule<([i, j, k]) -> ([i, j, k]) {i=8, j=3, k=6} linear=[arg0]>
  %6 = ds.broadcast %a from 0 {group = ["tp"]} : tensor<8x3x6xf32>
  // CHECK: ds.collective_permute {{.*}} from [1, 0] {ds.rule = #ds.sharding_rule<([i, j, k], [i, j, k]) -> ([i, j, k]) {i=8, j=3, k=6} linear=[arg0]>
  %7 = ds.collective_permute %a into %p from [1, 0] {group = ["tp"]} : tensor<8x3x6xf32> into tensor<8x3x6xf32>
  return
}
}
