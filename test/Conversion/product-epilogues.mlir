// What a GPU's library does beside a product, and where it cannot: somebody else reads the sums, or touches the row or the
// result in between.
// RUN: ds-opt %s --split-input-file --ds-call-library=epilogues=true | FileCheck %s
// RUN: ds-opt %s --split-input-file --ds-call-library | FileCheck %s --check-prefix=CPU
// CPU-NOT: bias =
// CPU-NOT: relu

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (n)>
// CHECK-LABEL: func @both
// CHECK: %[[Y:.*]] = memref.alloc
// CHECK: call @contraction_0(%{{.*}}, %arg1, %arg2, %arg3, %[[Y]])
// CHECK-NOT: linalg.generic
// CHECK: call @use(%[[Y]])
// CHECK: ds.contraction = {accumulate = false, bias = array<i64: 0, 1, 0>, {{.*}}relu
func.func @both(%a: memref<3x8xf32>, %b: memref<8x4xf32>, %bias: memref<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %z = memref.alloc() : memref<3x4xf32>
  linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]} ins(%bias : memref<4xf32>) outs(%z : memref<3x4xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  }
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : memref<3x8xf32>, memref<8x4xf32>) outs(%z : memref<3x4xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  }
  %y = memref.alloc() : memref<3x4xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%z : memref<3x4xf32>) outs(%y : memref<3x4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %m = arith.maximumf %x, %zero : f32
    linalg.yield %m : f32
  }
  call @use(%y) : (memref<3x4xf32>) -> ()
  return
}
func.func private @use(memref<3x4xf32>)

// -----

// The row changes between its copy and the product, and the sums have two readers.
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (n)>
#v = affine_map<(n) -> (n)>
// CHECK-LABEL: func @neither
// CHECK: linalg.generic
// CHECK: linalg.generic
// CHECK: call @contraction_0(%{{.*}}, %arg1, %arg2, %[[Z:.*]]) :
// CHECK: linalg.generic
// CHECK: call @use(%[[Z]])
// CHECK: ds.contraction = {accumulate = true
// CHECK-NOT: relu
func.func @neither(%a: memref<3x8xf32>, %b: memref<8x4xf32>, %bias: memref<4xf32>, %y: memref<3x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %z = memref.alloc() : memref<3x4xf32>
  linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]} ins(%bias : memref<4xf32>) outs(%z : memref<3x4xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  }
  linalg.generic {indexing_maps = [#v], iterator_types = ["parallel"]} outs(%bias : memref<4xf32>) {
  ^bb0(%o: f32):
    %m = arith.mulf %o, %o : f32
    linalg.yield %m : f32
  }
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : memref<3x8xf32>, memref<8x4xf32>) outs(%z : memref<3x4xf32>) {
  ^bb0(%x: f32, %y2: f32, %o: f32):
    %p = arith.mulf %x, %y2 : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%z : memref<3x4xf32>) outs(%y : memref<3x4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %m = arith.maximumf %x, %zero : f32
    linalg.yield %m : f32
  }
  call @use(%z) : (memref<3x4xf32>) -> ()
  return
}
func.func private @use(memref<3x4xf32>)

// -----

// What takes the maximum was read before, as a factor of the product itself.
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
// CHECK-LABEL: func @factor
// CHECK: call @contraction_0(%{{.*}}, %arg1, %arg2, %[[Z:.*]]) :
// CHECK: linalg.generic
// CHECK-NOT: relu
func.func @factor(%y: memref<4x4xf32>, %b: memref<4x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %z = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%zero : f32) outs(%z : memref<4x4xf32>)
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%y, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%z : memref<4x4xf32>) {
  ^bb0(%x: f32, %y2: f32, %o: f32):
    %p = arith.mulf %x, %y2 : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%z : memref<4x4xf32>) outs(%y : memref<4x4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %m = arith.maximumf %x, %zero : f32
    linalg.yield %m : f32
  }
  return
}

// -----

// A row of a part of what the factor brings, which the library cannot add.
#mk = affine_map<(m, h, n, k) -> (m, k)>
#kn = affine_map<(m, h, n, k) -> (k, h, n)>
#mn = affine_map<(m, h, n, k) -> (m, h, n)>
#id = affine_map<(m, h, n) -> (m, h, n)>
#row = affine_map<(m, h, n) -> (n)>
// CHECK-LABEL: func @part
// CHECK: linalg.generic
// CHECK: call @contraction_0(%{{.*}}, %arg1, %arg2, %arg4) :
// CHECK: ds.contraction = {accumulate = true
func.func @part(%a: memref<3x8xf32>, %b: memref<8x2x4xf32>, %bias: memref<4xf32>, %z: memref<3x2x4xf32>) {
  linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%bias : memref<4xf32>) outs(%z : memref<3x2x4xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  }
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%a, %b : memref<3x8xf32>, memref<8x2x4xf32>) outs(%z : memref<3x2x4xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  }
  return
}
