// RUN: ds-opt %s -ds-lower-kernels -split-input-file -verify-diagnostics | FileCheck %s

// The greatest of a window stays in one iteration of the loop around it, in the order of the window.
// CHECK: #[[$V:[a-z_0-9]+]] = #llvm.loop_vectorize<disable = false, predicateEnable = true>
// CHECK: #[[$HINT:[a-z_0-9]+]] = #llvm.loop_annotation<vectorize = #[[$V]]>
// CHECK-LABEL: func.func @windows_of_a_short_row
// CHECK: scf.for %[[ROW:.*]] = %c0 to %c3 step %c1 {
// CHECK-NEXT: scf.for %[[I:.*]] = %c0 to %c7 step %c1 {
// CHECK-NEXT: memref.load %arg0[%[[ROW]], %c0, %[[I]], %c0]
// CHECK: memref.load %arg0[%[[ROW]], %c0, %[[I]], %c1]
// CHECK: memref.load %arg0[%[[ROW]], %c1, %[[I]], %c0]
// CHECK: memref.load %arg0[%[[ROW]], %c1, %[[I]], %c1]
// CHECK: } {llvm.loop_annotation = #[[$HINT]]}
// CHECK-NEXT: }
#in = affine_map<(r, i, j, k) -> (r, j, i, k)>
#out = affine_map<(r, i, j, k) -> (r, i)>
func.func @windows_of_a_short_row(%x: memref<3x2x7x2xf32>, %y: memref<3x7xf32>) {
  linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x : memref<3x2x7x2xf32>) outs(%y : memref<3x7xf32>) attrs = {ds.window_loops = 2 : i64} {
  ^bb0(%a: f32, %max: f32):
    %m = arith.maximumf %max, %a : f32
    linalg.yield %m : f32
  }
  return
}

// -----

// No loop is left of windows that are written out already.
// CHECK: #[[$V:[a-z_0-9]+]] = #llvm.loop_vectorize<disable = false, predicateEnable = true>
// CHECK: #[[$HINT:[a-z_0-9]+]] = #llvm.loop_annotation<vectorize = #[[$V]]>
// CHECK-LABEL: func.func @row_of_a_window_without_loops
// CHECK: scf.for
// CHECK: } {llvm.loop_annotation = #[[$HINT]]}
#first = affine_map<(i) -> (i, 0)>
#second = affine_map<(i) -> (i, 1)>
#out = affine_map<(i) -> (i)>
func.func @row_of_a_window_without_loops(%x: memref<7x2xf32>, %y: memref<7xf32>) {
  linalg.generic {indexing_maps = [#first, #second, #out], iterator_types = ["parallel"]}
      ins(%x, %x : memref<7x2xf32>, memref<7x2xf32>) outs(%y : memref<7xf32>) attrs = {ds.window_loops = 0 : i64} {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.maximumf %a, %b : f32
    linalg.yield %m : f32
  }
  return
}

// -----

// Of sixteen iterations and more LLVM knows best.
// CHECK-NOT: llvm.loop_annotation
// CHECK-LABEL: func.func @windows_of_a_long_row
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK: return
#in = affine_map<(i, k) -> (i, k)>
#out = affine_map<(i, k) -> (i)>
func.func @windows_of_a_long_row(%x: memref<16x2xf32>, %y: memref<16xf32>) {
  linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "reduction"]} ins(%x : memref<16x2xf32>) outs(%y : memref<16xf32>) attrs = {ds.window_loops = 1 : i64} {
  ^bb0(%a: f32, %max: f32):
    %m = arith.maximumf %max, %a : f32
    linalg.yield %m : f32
  }
  return
}

// -----

// CHECK-LABEL: func.func @no_window
// CHECK: scf.for
// CHECK: scf.for
// CHECK: memref.load
// CHECK-NOT: memref.load
// CHECK: return
#id = affine_map<(i, k) -> (i, k)>
func.func @no_window(%x: memref<7x2xf32>, %y: memref<7x2xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : memref<7x2xf32>) outs(%y : memref<7x2xf32>) {
  ^bb0(%a: f32, %b: f32):
    %m = arith.negf %a : f32
    linalg.yield %m : f32
  }
  return
}

// -----

#v = affine_map<(i) -> (i)>
func.func @on_tensors(%x: tensor<7xf32>) -> tensor<7xf32> {
  // expected-error @+1 {{'linalg.generic' op cannot become loops: it still works on tensors}}
  %r = linalg.generic {indexing_maps = [#v], iterator_types = ["parallel"]} outs(%x : tensor<7xf32>) {
  ^bb0(%a: f32):
    linalg.yield %a : f32
  } -> tensor<7xf32>
  return %r : tensor<7xf32>
}

// -----

#v = affine_map<(i) -> (i)>
func.func @more_than_there_are(%x: memref<7xf32>) {
  // expected-error @+1 {{'linalg.generic' op has 2 loops to write out, expected at most 1, each with a constant number of iterations}}
  linalg.generic {indexing_maps = [#v], iterator_types = ["parallel"]} outs(%x : memref<7xf32>) attrs = {ds.window_loops = 2 : i64} {
  ^bb0(%a: f32):
    linalg.yield %a : f32
  }
  return
}

// -----

#v = affine_map<(i) -> (i)>
func.func @of_any_length(%x: memref<?xf32>) {
  // expected-error @+1 {{'linalg.generic' op has 1 loops to write out, expected at most 1, each with a constant number of iterations}}
  linalg.generic {indexing_maps = [#v], iterator_types = ["parallel"]} outs(%x : memref<?xf32>) attrs = {ds.window_loops = 1 : i64} {
  ^bb0(%a: f32):
    linalg.yield %a : f32
  }
  return
}
