// RUN: ds-opt %s -ds-relax-reductions | FileCheck %s

#v = affine_map<(d0) -> (d0)>
#s = affine_map<(d0) -> ()>

// CHECK-LABEL: @only_the_sum_and_its_product_are_relaxed
// CHECK: arith.subf %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : f32
// CHECK: arith.divf %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : f32
// CHECK: arith.mulf %{{.*}} fastmath<contract> : f32
// CHECK: arith.addf %{{.*}} fastmath<reassoc,contract> : f32
func.func @only_the_sum_and_its_product_are_relaxed(%x: memref<64xf32>, %y: memref<64xf32>, %s: memref<f32>) {
  linalg.generic {indexing_maps = [#v, #v, #s], iterator_types = ["reduction"]} ins(%x, %y : memref<64xf32>, memref<64xf32>) outs(%s : memref<f32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %d = arith.subf %a, %b : f32
    %q = arith.divf %d, %b : f32
    %p = arith.mulf %q, %a : f32
    %r = arith.addf %sum, %p : f32
    linalg.yield %r : f32
  }
  return
}

// CHECK-LABEL: @every_sum_of_a_chain_is_relaxed
// CHECK: arith.addf %{{.*}} fastmath<reassoc,contract> : f32
// CHECK: arith.subf %{{.*}} fastmath<reassoc,contract> : f32
func.func @every_sum_of_a_chain_is_relaxed(%x: memref<64xf32>, %y: memref<64xf32>, %s: memref<f32>) {
  linalg.generic {indexing_maps = [#v, #v, #s], iterator_types = ["reduction"]} ins(%x, %y : memref<64xf32>, memref<64xf32>) outs(%s : memref<f32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %p = arith.addf %a, %sum : f32
    %r = arith.subf %p, %b : f32
    linalg.yield %r : f32
  }
  return
}

// CHECK-LABEL: @products_are_relaxed
// CHECK: arith.mulf %{{.*}} fastmath<reassoc,contract> : f64
func.func @products_are_relaxed(%x: memref<64xf64>, %s: memref<f64>) {
  linalg.generic {indexing_maps = [#v, #s], iterator_types = ["reduction"]} ins(%x : memref<64xf64>) outs(%s : memref<f64>) {
  ^bb0(%a: f64, %product: f64):
    %r = arith.mulf %product, %a : f64
    linalg.yield %r : f64
  }
  return
}

// A compensated sum carries what rounding took: its order is what it is about.
// CHECK-LABEL: @a_compensated_sum_stays_as_written
// CHECK-NOT: fastmath
// CHECK: return
func.func @a_compensated_sum_stays_as_written(%x: memref<64xf32>, %s: memref<f32>, %c: memref<f32>) {
  linalg.generic {indexing_maps = [#v, #s, #s], iterator_types = ["reduction"]} ins(%x : memref<64xf32>) outs(%s, %c : memref<f32>, memref<f32>) {
  ^bb0(%a: f32, %sum: f32, %lost: f32):
    %y = arith.subf %a, %lost : f32
    %t = arith.addf %sum, %y : f32
    %u = arith.subf %t, %sum : f32
    %v = arith.subf %u, %y : f32
    linalg.yield %t, %v : f32, f32
  }
  return
}

// x - (x - ..) alternates its sign, and a recurrence of sums and products is neither.
// CHECK-LABEL: @recurrences_stay_as_written
// CHECK-NOT: fastmath
// CHECK: return
func.func @recurrences_stay_as_written(%x: memref<64xf32>, %s: memref<f32>, %t: memref<f32>) {
  linalg.generic {indexing_maps = [#v, #s, #s], iterator_types = ["reduction"]} ins(%x : memref<64xf32>) outs(%s, %t : memref<f32>, memref<f32>) {
  ^bb0(%a: f32, %alternating: f32, %horner: f32):
    %r = arith.subf %a, %alternating : f32
    %p = arith.mulf %horner, %a : f32
    %q = arith.addf %p, %a : f32
    linalg.yield %r, %q : f32, f32
  }
  return
}

// CHECK-LABEL: @parallel_loops_stay_as_written
// CHECK-NOT: fastmath
// CHECK: return
func.func @parallel_loops_stay_as_written(%x: memref<64xf32>, %y: memref<64xf32>) {
  linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%x : memref<64xf32>) outs(%y : memref<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %p = arith.mulf %a, %a : f32
    %r = arith.addf %b, %p : f32
    linalg.yield %r : f32
  }
  return
}
