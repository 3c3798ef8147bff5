// RUN: ds-opt %s -ds-merge-contractions -split-input-file | FileCheck %s

#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#i = affine_map<(i, j) -> (i, j)>

// What is no product stays in the sum; the summed loops may have different sizes.
// CHECK-LABEL: @merges_products_of_a_tree_of_additions
// CHECK-SAME: %[[A0:[a-z0-9]+]]: tensor<1x8xf32>, %[[B0:[a-z0-9]+]]: tensor<1x8xf32>, %[[A1:[a-z0-9]+]]: tensor<2x8xf32>, %[[B1:[a-z0-9]+]]: tensor<2x8xf32>, %[[A2:[a-z0-9]+]]: tensor<1x8xf32>
// CHECK-SAME: %[[W:[a-z0-9]+]]: tensor<8x8xf32>)
// CHECK: %[[S:.*]] = tensor.insert_slice %[[A0]] into %{{.*}}[0, 0] [1, 8]
// CHECK: %[[T:.*]] = tensor.insert_slice %[[A1]] into %[[S]][1, 0] [2, 8]
// CHECK: %[[LHS:.*]] = tensor.insert_slice %[[A2]] into %[[T]][3, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<4x8xf32>
// CHECK: %[[RHS:.*]] = tensor.insert_slice %{{.*}} into %{{.*}}[3, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<4x8xf32>
// CHECK: %[[P:.*]] = linalg.generic {{.*}}"reduction"]} ins(%[[LHS]], %[[RHS]] :
// CHECK: %[[R:.*]] = linalg.generic {{.*}}["parallel", "parallel"]} ins(%[[W]], %[[P]] :
// CHECK: return %[[R]]
func.func @merges_products_of_a_tree_of_additions(%a0: tensor<1x8xf32>, %b0: tensor<1x8xf32>, %a1: tensor<2x8xf32>, %b1: tensor<2x8xf32>, %a2: tensor<1x8xf32>, %b2: tensor<1x8xf32>, %w: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %zero = linalg.fill ins(%c : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p0 = linalg.generic {indexing_maps = [#km, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a0, %b0 : tensor<1x8xf32>, tensor<1x8xf32>) outs(%zero : tensor<8x8xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<8x8xf32>
  %p1 = linalg.generic {indexing_maps = [#km, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a1, %b1 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%zero : tensor<8x8xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<8x8xf32>
  %p2 = linalg.generic {indexing_maps = [#km, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a2, %b2 : tensor<1x8xf32>, tensor<1x8xf32>) outs(%zero : tensor<8x8xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<8x8xf32>
  %s0 = linalg.generic {indexing_maps = [#i, #i, #i], iterator_types = ["parallel", "parallel"]}
      ins(%p0, %p1 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<8x8xf32>
  %s1 = linalg.generic {indexing_maps = [#i, #i, #i], iterator_types = ["parallel", "parallel"]}
      ins(%w, %p2 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<8x8xf32>
  %s2 = linalg.generic {indexing_maps = [#i, #i, #i], iterator_types = ["parallel", "parallel"]}
      ins(%s0, %s1 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<8x8xf32>
  return %s2 : tensor<8x8xf32>
}

// -----

#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#i = affine_map<(i, j) -> (i, j)>

// A pair at the boundary: 16 elements copied and 16 written for each product.
// CHECK-LABEL: @merges_where_copies_are_as_large_as_products
// CHECK-COUNT-4: tensor.insert_slice
// CHECK: return
func.func @merges_where_copies_are_as_large_as_products(%a0: tensor<2x4xf32>, %b0: tensor<2x4xf32>, %a1: tensor<2x4xf32>, %b1: tensor<2x4xf32>) -> tensor<4x4xf32> {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %zero = linalg.fill ins(%c : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %p0 = linalg.generic {indexing_maps = [#km, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a0, %b0 : tensor<2x4xf32>, tensor<2x4xf32>) outs(%zero : tensor<4x4xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  %p1 = linalg.generic {indexing_maps = [#km, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a1, %b1 : tensor<2x4xf32>, tensor<2x4xf32>) outs(%zero : tensor<4x4xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  %s = linalg.generic {indexing_maps = [#i, #i, #i], iterator_types = ["parallel", "parallel"]}
      ins(%p0, %p1 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  return %s : tensor<4x4xf32>
}

// -----

#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#i = affine_map<(i, j) -> (i, j)>

// One more: 24 and 16.
// CHECK-LABEL: @does_not_merge_where_copies_are_larger
// CHECK-NOT: tensor.insert_slice
// CHECK: return
func.func @does_not_merge_where_copies_are_larger(%a0: tensor<3x4xf32>, %b0: tensor<3x4xf32>, %a1: tensor<3x4xf32>, %b1: tensor<3x4xf32>) -> tensor<4x4xf32> {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %zero = linalg.fill ins(%c : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %p0 = linalg.generic {indexing_maps = [#km, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a0, %b0 : tensor<3x4xf32>, tensor<3x4xf32>) outs(%zero : tensor<4x4xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  %p1 = linalg.generic {indexing_maps = [#km, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a1, %b1 : tensor<3x4xf32>, tensor<3x4xf32>) outs(%zero : tensor<4x4xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  %s = linalg.generic {indexing_maps = [#i, #i, #i], iterator_types = ["parallel", "parallel"]}
      ins(%p0, %p1 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  return %s : tensor<4x4xf32>
}

// -----

#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#i = affine_map<(i, j) -> (i, j)>

// A product that something else reads would be computed twice.
// CHECK-LABEL: @does_not_merge_a_product_with_another_use
// CHECK-NOT: tensor.insert_slice
// CHECK: return
func.func @does_not_merge_a_product_with_another_use(%a0: tensor<1x8xf32>, %b0: tensor<1x8xf32>, %a1: tensor<1x8xf32>, %b1: tensor<1x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %zero = linalg.fill ins(%c : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p0 = linalg.generic {indexing_maps = [#km, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a0, %b0 : tensor<1x8xf32>, tensor<1x8xf32>) outs(%zero : tensor<8x8xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<8x8xf32>
  %p1 = linalg.generic {indexing_maps = [#km, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a1, %b1 : tensor<1x8xf32>, tensor<1x8xf32>) outs(%zero : tensor<8x8xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<8x8xf32>
  %s = linalg.generic {indexing_maps = [#i, #i, #i], iterator_types = ["parallel", "parallel"]}
      ins(%p0, %p1 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<8x8xf32>
  return %s, %p0 : tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#nm = affine_map<(m, n, k) -> (n, m)>
#i = affine_map<(i, j) -> (i, j)>

// Transposed results cannot be put behind one another.
// CHECK-LABEL: @does_not_merge_different_maps
// CHECK-NOT: tensor.insert_slice
// CHECK: return
func.func @does_not_merge_different_maps(%a0: tensor<1x8xf32>, %b0: tensor<1x8xf32>, %a1: tensor<1x8xf32>, %b1: tensor<1x8xf32>) -> tensor<8x8xf32> {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %zero = linalg.fill ins(%c : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p0 = linalg.generic {indexing_maps = [#km, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a0, %b0 : tensor<1x8xf32>, tensor<1x8xf32>) outs(%zero : tensor<8x8xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<8x8xf32>
  %p1 = linalg.generic {indexing_maps = [#km, #kn, #nm], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a1, %b1 : tensor<1x8xf32>, tensor<1x8xf32>) outs(%zero : tensor<8x8xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<8x8xf32>
  %s = linalg.generic {indexing_maps = [#i, #i, #i], iterator_types = ["parallel", "parallel"]}
      ins(%p0, %p1 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<8x8xf32>
  return %s : tensor<8x8xf32>
}

// -----

#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#i = affine_map<(i, j) -> (i, j)>

// What a product starts from is part of the sum.
// CHECK-LABEL: @does_not_merge_a_product_that_adds_to_something
// CHECK-NOT: tensor.insert_slice
// CHECK: return
func.func @does_not_merge_a_product_that_adds_to_something(%a0: tensor<1x8xf32>, %b0: tensor<1x8xf32>, %a1: tensor<1x8xf32>, %b1: tensor<1x8xf32>, %w: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %zero = linalg.fill ins(%c : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p0 = linalg.generic {indexing_maps = [#km, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a0, %b0 : tensor<1x8xf32>, tensor<1x8xf32>) outs(%w : tensor<8x8xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<8x8xf32>
  %p1 = linalg.generic {indexing_maps = [#km, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a1, %b1 : tensor<1x8xf32>, tensor<1x8xf32>) outs(%zero : tensor<8x8xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<8x8xf32>
  %s = linalg.generic {indexing_maps = [#i, #i, #i], iterator_types = ["parallel", "parallel"]}
      ins(%p0, %p1 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<8x8xf32>
  return %s : tensor<8x8xf32>
}
