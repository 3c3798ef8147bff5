// A bf16 gradient is widened once, summed and averaged in f32, and rounded once.
// RUN: ds-opt %s --pass-pipeline='builtin.module(ds-sync-precision,ds-apply-mean,canonicalize,cse)' | FileCheck %s

module attributes {ds.config = #ds.config<device_num = 4, gradients_mean = true>} {
// CHECK-LABEL: func.func @widen_sum_average_narrow(
// CHECK: arith.extf
// CHECK: ds.all_reduce sum %{{.*}} : tensor<4xf32>
// CHECK: arith.mulf %{{.*}} : f32
// CHECK: arith.truncf
func.func @widen_sum_average_narrow(%g: tensor<4xbf16>) -> tensor<4xbf16> {
  %r = ds.all_reduce mean %g : tensor<4xbf16>
  return %r : tensor<4xbf16>
}
}
