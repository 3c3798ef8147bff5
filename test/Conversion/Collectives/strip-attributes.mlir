// RUN: ds-opt %s -ds-strip-attributes -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-NOT: ds.
// CHECK: module attributes {other.config = 1 : i64} {
// CHECK: func.func @step(%{{.*}}: tensor<4xf32> {other.name = "w"}) -> tensor<4xf32> {
// CHECK-NOT: ds.
module attributes {ds.config = #ds.config<device_num = 2>, other.config = 1 : i64} {
  func.func @step(%w: tensor<4xf32> {ds.param = "w", other.name = "w"}) -> (tensor<4xf32> {ds.updates = "w"}) {
    return %w : tensor<4xf32>
  }
}

// -----

func.func @step(%w: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'ds.all_reduce' op is left; expected a program without operations of ds, as --convert-ds-to-calls makes it}}
  %r = ds.all_reduce sum %w : tensor<4xf32>
  return %r : tensor<4xf32>
}
