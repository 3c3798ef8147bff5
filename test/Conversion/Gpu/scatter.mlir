// RUN: ds-opt %s --split-input-file --ds-map-kernels | FileCheck %s

// An update is read where an index meets the row: a block per row and 256 columns, whose threads compare 256 rounds at a time.
#index = affine_map<(r, c, n) -> (n)>
#update = affine_map<(r, c, n) -> (n, c)>
#row = affine_map<(r, c, n) -> (r, c)>
func.func @step() { return }
// CHECK: @adds(!llvm.ptr, {{.*}}scheme = "scatter", shape = array<i64: 100, 256, 1>
// CHECK: gpu.func @adds(%[[I:[a-z0-9]*]]: memref<33xi32>{{.*}}, %[[U:[a-z0-9]*]]: memref<33x300xf32>{{.*}}, %[[Y:[a-z0-9]*]]: memref<50x300xf32>
// CHECK: %[[START:.*]] = memref.load %[[Y]]
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[START]]
// CHECK-NOT: memref.load %[[U]]
// CHECK: memref.load %[[I]]
// CHECK-COUNT-5: gpu.shuffle xor
// CHECK: gpu.barrier
// CHECK: scf.while
// CHECK: llvm.intr.cttz
// CHECK: memref.load %[[U]]
// CHECK: gpu.barrier
// CHECK: memref.store %{{.*}}, %[[Y]]
func.func private @adds(%i: memref<33xi32>, %u: memref<33x300xf32>, %y: memref<50x300xf32>) attributes {ds.kernel} {
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [#index, #update, #row], iterator_types = ["parallel", "parallel", "reduction"]} ins(%i, %u : memref<33xi32>, memref<33x300xf32>) outs(%y : memref<50x300xf32>) {
  ^bb0(%a: i32, %b: f32, %c: f32):
    %p = linalg.index 0 : index
    %q = arith.index_cast %p : index to i32
    %hit = arith.cmpi eq, %a, %q : i32
    %s = arith.select %hit, %b, %zero : f32
    %r = arith.addf %c, %s : f32
    linalg.yield %r : f32
  }
  return
}
// -----

// A sum in f64, of updates that are computed.
#index = affine_map<(r, c, n) -> (n)>
#update = affine_map<(r, c, n) -> (n, c)>
#row = affine_map<(r, c, n) -> (r, c)>
func.func @step() { return }
// CHECK: @widened(!llvm.ptr, {{.*}}scheme = "scatter"
func.func private @widened(%i: memref<33xi32>, %u: memref<33x300xf32>, %y: memref<50x300xf64>) attributes {ds.kernel} {
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [#index, #update, #row], iterator_types = ["parallel", "parallel", "reduction"]} ins(%i, %u : memref<33xi32>, memref<33x300xf32>) outs(%y : memref<50x300xf64>) {
  ^bb0(%a: i32, %b: f32, %c: f64):
    %p = linalg.index 0 : index
    %q = arith.index_cast %p : index to i32
    %hit = arith.cmpi eq, %a, %q : i32
    %t = arith.mulf %b, %b : f32
    %s = arith.select %hit, %t, %zero : f32
    %w = arith.extf %s : f32 to f64
    %r = arith.addf %c, %w : f64
    linalg.yield %r : f64
  }
  return
}
// What a round adds that misses is not nothing; a mask that half of the rounds hit; 32 rounds; 7 columns.
// CHECK: @adds_one(!llvm.ptr, {{.*}}scheme = "column"
func.func private @adds_one(%i: memref<33xi32>, %u: memref<33x300xf32>, %y: memref<50x300xf32>) attributes {ds.kernel} {
  %one = arith.constant 1.0 : f32
  linalg.generic {indexing_maps = [#index, #update, #row], iterator_types = ["parallel", "parallel", "reduction"]} ins(%i, %u : memref<33xi32>, memref<33x300xf32>) outs(%y : memref<50x300xf32>) {
  ^bb0(%a: i32, %b: f32, %c: f32):
    %p = linalg.index 0 : index
    %q = arith.index_cast %p : index to i32
    %hit = arith.cmpi eq, %a, %q : i32
    %s = arith.select %hit, %b, %one : f32
    %r = arith.addf %c, %s : f32
    linalg.yield %r : f32
  }
  return
}
// CHECK: @mask(!llvm.ptr, {{.*}}scheme = "column"
func.func private @mask(%i: memref<33xi32>, %u: memref<33x300xf32>, %y: memref<50x300xf32>) attributes {ds.kernel} {
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [#index, #update, #row], iterator_types = ["parallel", "parallel", "reduction"]} ins(%i, %u : memref<33xi32>, memref<33x300xf32>) outs(%y : memref<50x300xf32>) {
  ^bb0(%a: i32, %b: f32, %c: f32):
    %p = linalg.index 0 : index
    %q = arith.index_cast %p : index to i32
    %hit = arith.cmpi sle, %a, %q : i32
    %s = arith.select %hit, %b, %zero : f32
    %r = arith.addf %c, %s : f32
    linalg.yield %r : f32
  }
  return
}
// CHECK: @few(!llvm.ptr, {{.*}}scheme = "serial"
func.func private @few(%i: memref<32xi32>, %u: memref<32x300xf32>, %y: memref<50x300xf32>) attributes {ds.kernel} {
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [#index, #update, #row], iterator_types = ["parallel", "parallel", "reduction"]} ins(%i, %u : memref<32xi32>, memref<32x300xf32>) outs(%y : memref<50x300xf32>) {
  ^bb0(%a: i32, %b: f32, %c: f32):
    %p = linalg.index 0 : index
    %q = arith.index_cast %p : index to i32
    %hit = arith.cmpi eq, %a, %q : i32
    %s = arith.select %hit, %b, %zero : f32
    %r = arith.addf %c, %s : f32
    linalg.yield %r : f32
  }
  return
}
// CHECK: @narrow(!llvm.ptr, {{.*}}scheme = "column"
func.func private @narrow(%i: memref<33xi32>, %u: memref<33x7xf32>, %y: memref<50x7xf32>) attributes {ds.kernel} {
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [#index, #update, #row], iterator_types = ["parallel", "parallel", "reduction"]} ins(%i, %u : memref<33xi32>, memref<33x7xf32>) outs(%y : memref<50x7xf32>) {
  ^bb0(%a: i32, %b: f32, %c: f32):
    %p = linalg.index 0 : index
    %q = arith.index_cast %p : index to i32
    %hit = arith.cmpi eq, %a, %q : i32
    %s = arith.select %hit, %b, %zero : f32
    %r = arith.addf %c, %s : f32
    linalg.yield %r : f32
  }
  return
}
