// What a product starts from, and what stays a sum: a summand that others read, or that fusion computes on the way.
// RUN: ds-opt %s --split-input-file --ds-start-products | FileCheck %s

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

// The second product adds to the first one.
// CHECK-LABEL: func @products
// CHECK: %[[P:.*]] = linalg.generic {{.*}} ins(%arg0, %arg1
// CHECK: %[[Q:.*]] = linalg.generic {{.*}} ins(%arg2, %arg1 {{.*}} outs(%[[P]]
// CHECK: return %[[Q]]
func.func @products(%a: tensor<3x8xf32>, %b: tensor<8x4xf32>, %c: tensor<3x8xf32>) -> tensor<3x4xf32> {
  %cst = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x4xf32>
  %zero = linalg.fill ins(%cst : f32) outs(%e : tensor<3x4xf32>) -> tensor<3x4xf32>
  %p = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<3x8xf32>, tensor<8x4xf32>) outs(%zero : tensor<3x4xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %m = arith.mulf %x, %y : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  %q = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%c, %b : tensor<3x8xf32>, tensor<8x4xf32>) outs(%zero : tensor<3x4xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %m = arith.mulf %x, %y : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%q, %p : tensor<3x4xf32>, tensor<3x4xf32>) outs(%e : tensor<3x4xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (n)>

// A factor of the same zeros, the state that a recurrence begins with, stays that.
// CHECK-LABEL: func @zeros
// CHECK: %[[ZERO:.*]] = linalg.fill
// CHECK: %[[ROW:.*]] = linalg.generic {{.*}} ins(%arg1
// CHECK: linalg.generic {{.*}} ins(%[[ZERO]], %arg0 {{.*}} outs(%[[ROW]]
func.func @zeros(%b: tensor<4x4xf32>, %v: tensor<4xf32>) -> tensor<4x4xf32> {
  %cst = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %zero = linalg.fill ins(%cst : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %p = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%zero, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%zero : tensor<4x4xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %m = arith.mulf %x, %y : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%p, %v : tensor<4x4xf32>, tensor<4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
#mv = affine_map<(m, n) -> (m)>

// An argument is the caller's, and no column is added to each column.
// CHECK-LABEL: func @neither
// CHECK: %[[Z:.*]] = linalg.fill
// CHECK: %[[P:.*]] = linalg.generic {{.*}} outs(%[[Z]]
// CHECK: linalg.generic {{.*}} ins(%[[P]], %arg2
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %arg3
func.func @neither(%a: tensor<3x8xf32>, %b: tensor<8x4xf32>, %c: tensor<3x4xf32>, %v: tensor<3xf32>) -> tensor<3x4xf32> {
  %cst = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x4xf32>
  %zero = linalg.fill ins(%cst : f32) outs(%e : tensor<3x4xf32>) -> tensor<3x4xf32>
  %p = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<3x8xf32>, tensor<8x4xf32>) outs(%zero : tensor<3x4xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %m = arith.mulf %x, %y : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  %q = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%p, %c : tensor<3x4xf32>, tensor<3x4xf32>) outs(%e : tensor<3x4xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  %r = linalg.generic {indexing_maps = [#id, #mv, #id], iterator_types = ["parallel", "parallel"]} ins(%q, %v : tensor<3x4xf32>, tensor<3xf32>) outs(%e : tensor<3x4xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}
