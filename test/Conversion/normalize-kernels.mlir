// RUN: ds-opt %s -ds-normalize-kernels | FileCheck %s

#v = affine_map<(d0) -> (d0)>

// CHECK-LABEL: @copies_and_fills_are_generic
// CHECK-NOT: memref.copy
// CHECK-NOT: linalg.fill
// CHECK-COUNT-2: linalg.generic
func.func @copies_and_fills_are_generic(%a: memref<4xf32>, %b: memref<4xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%a : memref<4xf32>)
  memref.copy %a, %b : memref<4xf32> to memref<4xf32>
  return
}

// CHECK-LABEL: @booleans_are_bytes
// CHECK-SAME: memref<4xi8>, {{.*}}: memref<4xf32>
// CHECK: memref.alloc() : memref<4xi8>
// CHECK: ^bb0(%[[X:.*]]: f32, %{{.*}}: i8):
// CHECK: %[[C:.*]] = arith.cmpf
// CHECK: %[[E:.*]] = arith.extui %[[C]] : i1 to i8
// CHECK: linalg.yield %[[E]] : i8
// CHECK: ^bb0(%[[P:.*]]: i8, {{.*}}):
// CHECK: arith.trunci %[[P]] : i8 to i1
// CHECK: %[[L:.*]] = memref.load {{.*}} : memref<4xi8>
// CHECK: arith.trunci %[[L]] : i8 to i1
func.func @booleans_are_bytes(%f: memref<4xi1>, %x: memref<4xf32>) -> i1 {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %t = memref.alloc() : memref<4xi1>
  linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%x : memref<4xf32>) outs(%t : memref<4xi1>) {
  ^bb0(%a: f32, %o: i1):
    %c = arith.cmpf ogt, %a, %zero : f32
    linalg.yield %c : i1
  }
  linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%t : memref<4xi1>) outs(%x : memref<4xf32>) {
  ^bb0(%a: i1, %o: f32):
    %c = arith.select %a, %o, %zero : f32
    linalg.yield %c : f32
  }
  %b = memref.load %f[%c0] : memref<4xi1>
  return %b : i1
}
