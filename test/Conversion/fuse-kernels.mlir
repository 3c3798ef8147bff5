// RUN: ds-opt %s -ds-fuse-kernels -split-input-file | FileCheck %s

#v = affine_map<(d0) -> (d0)>

// CHECK-LABEL: @fuses_a_chain
// CHECK-COUNT-1: linalg.generic
// CHECK: arith.addf
// CHECK: arith.mulf
// CHECK-NOT: linalg.generic
func.func @fuses_a_chain(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %s = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = ["parallel"]}
      ins(%a, %b : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %r = arith.addf %x, %y : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  %m = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = ["parallel"]}
      ins(%s, %b : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %r = arith.mulf %x, %y : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  return %m : tensor<8xf32>
}

// -----

#v = affine_map<(d0) -> (d0)>
#r = affine_map<(d0, d1) -> (d0)>
#f = affine_map<(d0, d1) -> (d0, d1)>

// Repeating the addition for every reduction step would add it three times.
// CHECK-LABEL: @keeps_a_producer_that_reads_its_init
// CHECK-COUNT-2: linalg.generic
func.func @keeps_a_producer_that_reads_its_init(%o: tensor<2xf32>, %x: tensor<2xf32>, %y: tensor<2x3xf32>, %i: tensor<2xf32>) -> tensor<2xf32> {
  %s = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%x : tensor<2xf32>) outs(%o : tensor<2xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %b, %a : f32
    linalg.yield %c : f32
  } -> tensor<2xf32>
  %t = linalg.generic {indexing_maps = [#r, #f, #r], iterator_types = ["parallel", "reduction"]}
      ins(%s, %y : tensor<2xf32>, tensor<2x3xf32>) outs(%i : tensor<2xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.maximumf %a, %b : f32
    %d = arith.addf %c, %p : f32
    linalg.yield %d : f32
  } -> tensor<2xf32>
  return %t : tensor<2xf32>
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#f = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: @keeps_contractions_recognisable
// CHECK: arith.negf
// CHECK-NEXT: linalg.yield
// CHECK: arith.mulf
// CHECK-NEXT: arith.addf
// CHECK-NEXT: linalg.yield
func.func @keeps_contractions_recognisable(%a: tensor<3x8xf32>, %b: tensor<8x4xf32>, %o: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %e = tensor.empty() : tensor<3x8xf32>
  %n = linalg.generic {indexing_maps = [#f, #f], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<3x8xf32>) outs(%e : tensor<3x8xf32>) {
  ^bb0(%x: f32, %y: f32):
    %c = arith.negf %x : f32
    linalg.yield %c : f32
  } -> tensor<3x8xf32>
  %d = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%n, %b : tensor<3x8xf32>, tensor<8x4xf32>) outs(%o : tensor<3x4xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  return %d : tensor<3x4xf32>
}

// -----

#r = affine_map<(d0, d1) -> (d0)>
#v = affine_map<(d0) -> (d0)>
#f = affine_map<(d0, d1) -> (d0, d1)>

// One exponential per row must not become one per element.
// CHECK-LABEL: @does_not_repeat_expensive_work_in_a_broadcast
// CHECK-COUNT-2: linalg.generic
func.func @does_not_repeat_expensive_work_in_a_broadcast(%a: tensor<4xf32>, %b: tensor<4x64xf32>) -> tensor<4x64xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %x = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%p: f32, %q: f32):
    %c = math.exp %p : f32
    linalg.yield %c : f32
  } -> tensor<4xf32>
  %u = tensor.empty() : tensor<4x64xf32>
  %d = linalg.generic {indexing_maps = [#r, #f, #f], iterator_types = ["parallel", "parallel"]}
      ins(%x, %b : tensor<4xf32>, tensor<4x64xf32>) outs(%u : tensor<4x64xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %c = arith.mulf %p, %q : f32
    linalg.yield %c : f32
  } -> tensor<4x64xf32>
  return %d : tensor<4x64xf32>
}
