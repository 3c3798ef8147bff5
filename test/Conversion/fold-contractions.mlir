// RUN: ds-opt %s -ds-fold-contractions -split-input-file | FileCheck %s

#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#t = affine_map<(i, j) -> (j, i)>
#i = affine_map<(i, j) -> (i, j)>

// The transpose of a gradient becomes the contraction's own output map.
// CHECK: #[[$NM:.*]] = affine_map<(d0, d1, d2) -> (d1, d0)>
// CHECK-LABEL: @absorbs_the_transpose_of_its_result
// CHECK: %[[R:.*]] = linalg.generic {indexing_maps = [{{.*}}, {{.*}}, #[[$NM]]]
// CHECK-SAME: outs({{.*}} : tensor<4x3xf32>)
// CHECK-NOT: linalg.generic
// CHECK: return %[[R]]
func.func @absorbs_the_transpose_of_its_result(%a: tensor<8x3xf32>, %b: tensor<8x4xf32>) -> tensor<4x3xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x4xf32>) -> tensor<3x4xf32>
  %d = linalg.generic {indexing_maps = [#km, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<8x3xf32>, tensor<8x4xf32>) outs(%f : tensor<3x4xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  %u = tensor.empty() : tensor<4x3xf32>
  %r = linalg.generic {indexing_maps = [#t, #i], iterator_types = ["parallel", "parallel"]}
      ins(%d : tensor<3x4xf32>) outs(%u : tensor<4x3xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#t = affine_map<(i, j) -> (j, i)>
#i = affine_map<(i, j) -> (i, j)>

// CHECK: #[[$NK:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-LABEL: @absorbs_the_transpose_of_an_operand
// CHECK-SAME: %[[A:.*]]: tensor<3x8xf32>, %[[W:.*]]: tensor<4x8xf32>
// CHECK: linalg.generic {indexing_maps = [{{.*}}, #[[$NK]], {{.*}}]{{.*}}} ins(%[[A]], %[[W]]
func.func @absorbs_the_transpose_of_an_operand(%a: tensor<3x8xf32>, %w: tensor<4x8xf32>, %o: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %u = tensor.empty() : tensor<8x4xf32>
  %b = linalg.generic {indexing_maps = [#t, #i], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<4x8xf32>) outs(%u : tensor<8x4xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<8x4xf32>
  %d = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<3x8xf32>, tensor<8x4xf32>) outs(%o : tensor<3x4xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  return %d : tensor<3x4xf32>
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#t = affine_map<(i, j) -> (j, i)>
#i = affine_map<(i, j) -> (i, j)>

// A result that something else reads keeps its form.
// CHECK-LABEL: @keeps_a_result_with_two_uses
// CHECK-COUNT-2: linalg.generic
func.func @keeps_a_result_with_two_uses(%a: tensor<3x8xf32>, %b: tensor<8x4xf32>)
    -> (tensor<3x4xf32>, tensor<4x3xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x4xf32>
  %o = linalg.fill ins(%zero : f32) outs(%e : tensor<3x4xf32>) -> tensor<3x4xf32>
  %d = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<3x8xf32>, tensor<8x4xf32>) outs(%o : tensor<3x4xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  %u = tensor.empty() : tensor<4x3xf32>
  %r = linalg.generic {indexing_maps = [#t, #i], iterator_types = ["parallel", "parallel"]}
      ins(%d : tensor<3x4xf32>) outs(%u : tensor<4x3xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<4x3xf32>
  return %d, %r : tensor<3x4xf32>, tensor<4x3xf32>
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#t = affine_map<(i, j) -> (j, i)>
#i = affine_map<(i, j) -> (i, j)>

// What is there has an order.
// CHECK-LABEL: @keeps_a_result_that_adds_to_what_is_there
// CHECK-COUNT-2: linalg.generic
func.func @keeps_a_result_that_adds_to_what_is_there(%a: tensor<3x8xf32>, %b: tensor<8x4xf32>, %o: tensor<3x4xf32>) -> tensor<4x3xf32> {
  %d = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<3x8xf32>, tensor<8x4xf32>) outs(%o : tensor<3x4xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  %u = tensor.empty() : tensor<4x3xf32>
  %r = linalg.generic {indexing_maps = [#t, #i], iterator_types = ["parallel", "parallel"]}
      ins(%d : tensor<3x4xf32>) outs(%u : tensor<4x3xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#t = affine_map<(i, j) -> (j, i)>
#i = affine_map<(i, j) -> (i, j)>

// A sum that starts from one is not one that starts from zero.
// CHECK-LABEL: @keeps_a_result_that_starts_from_one
// CHECK-COUNT-2: linalg.generic
func.func @keeps_a_result_that_starts_from_one(%a: tensor<3x8xf32>, %b: tensor<8x4xf32>) -> tensor<4x3xf32> {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<3x4xf32>
  %o = linalg.fill ins(%one : f32) outs(%e : tensor<3x4xf32>) -> tensor<3x4xf32>
  %d = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<3x8xf32>, tensor<8x4xf32>) outs(%o : tensor<3x4xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  %u = tensor.empty() : tensor<4x3xf32>
  %r = linalg.generic {indexing_maps = [#t, #i], iterator_types = ["parallel", "parallel"]}
      ins(%d : tensor<3x4xf32>) outs(%u : tensor<4x3xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}

// -----

#mk = affine_map<(h, m, n, k) -> (h, m, k)>
#kn = affine_map<(h, m, n, k) -> (h, k, n)>
#mn = affine_map<(h, m, n, k) -> (h, m, n)>
#next = affine_map<(i, j, k) -> (j, k, i)>
#id = affine_map<(i, j, k) -> (i, j, k)>

// A cycle of three dimensions is not its own inverse: T[i, j, k] = A[j, k, i], so T[h, m, k] = A[m, k, h]; and
// R[i, j, k] = D[j, k, i], so D[h, m, n] = R[n, h, m].
// CHECK-DAG: #[[$A:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d3, d0)>
// CHECK-DAG: #[[$B:.*]] = affine_map<(d0, d1, d2, d3) -> (d2, d0, d3)>
// CHECK-DAG: #[[$R:.*]] = affine_map<(d0, d1, d2, d3) -> (d2, d0, d1)>
// CHECK-LABEL: @absorbs_cycles_of_three_dimensions
// CHECK-SAME: %[[X:.*]]: tensor<3x8x2xf32>, %[[Y:.*]]: tensor<4x2x8xf32>
// CHECK: linalg.generic {indexing_maps = [#[[$A]], #[[$B]], #[[$R]]]{{.*}}} ins(%[[X]], %[[Y]] : {{.*}}) outs({{.*}} : tensor<4x2x3xf32>)
func.func @absorbs_cycles_of_three_dimensions(%a: tensor<3x8x2xf32>, %b: tensor<4x2x8xf32>) -> tensor<4x2x3xf32> {
  %zero = arith.constant 0.0 : f32
  %ta = tensor.empty() : tensor<2x3x8xf32>
  %at = linalg.generic {indexing_maps = [#next, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%a : tensor<3x8x2xf32>) outs(%ta : tensor<2x3x8xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<2x3x8xf32>
  %tb = tensor.empty() : tensor<2x8x4xf32>
  %bt = linalg.generic {indexing_maps = [#id, #next], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%b : tensor<4x2x8xf32>) outs(%tb : tensor<2x8x4xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<2x8x4xf32>
  %e = tensor.empty() : tensor<2x3x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %d = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%at, %bt : tensor<2x3x8xf32>, tensor<2x8x4xf32>) outs(%f : tensor<2x3x4xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x3x4xf32>
  %u = tensor.empty() : tensor<4x2x3xf32>
  %r = linalg.generic {indexing_maps = [#next, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%d : tensor<2x3x4xf32>) outs(%u : tensor<4x2x3xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<4x2x3xf32>
  return %r : tensor<4x2x3xf32>
}
