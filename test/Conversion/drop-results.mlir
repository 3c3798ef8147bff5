// RUN: ds-opt %s -ds-drop-results -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: @results_lie_in_their_arguments
// CHECK-SAME: memref<f32> {ds.result = 1 : i64}) {
// CHECK-NOT: memref.copy
// CHECK: return{{$}}
func.func @results_lie_in_their_arguments(%w: memref<4xf32> {ds.param = "w"}, %m: memref<f32> {ds.result = 1 : i64})
    -> (memref<4xf32> {ds.updates = "w"}, memref<f32> {ds.metric = "m"}) {
  return %w, %m : memref<4xf32>, memref<f32>
}

// -----

// CHECK-LABEL: @brings_home_what_was_computed_elsewhere
// CHECK: %[[A:.*]] = memref.alloc
// CHECK: memref.copy %[[A]], %arg0
// CHECK: return{{$}}
func.func @brings_home_what_was_computed_elsewhere(%w: memref<4xf32> {ds.param = "w"}) -> (memref<4xf32> {ds.updates = "w"}) {
  %a = memref.alloc() : memref<4xf32>
  return %a : memref<4xf32>
}

// -----

// expected-error @below {{result #0 is not stored in the argument that it updates}}
func.func @refuses_a_result_in_another_argument(%w: memref<4xf32> {ds.param = "w"}, %p: memref<4xf32> {ds.state = "p"})
    -> (memref<4xf32> {ds.updates = "w"}) {
  return %p : memref<4xf32>
}
