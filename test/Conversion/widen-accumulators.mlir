// RUN: ds-opt %s -ds-widen-accumulators | FileCheck %s

#v = affine_map<(d0) -> (d0)>
#s = affine_map<(d0) -> ()>

// CHECK-LABEL: @bf16_sum_accumulates_in_f32
// CHECK: arith.extf {{.*}} : bf16 to f32
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction"]} ins({{.*}} : tensor<64xf32>) outs({{.*}} : tensor<f32>)
// CHECK: arith.addf {{.*}} : f32
// CHECK: arith.truncf {{.*}} : f32 to bf16
func.func @bf16_sum_accumulates_in_f32(%x: tensor<64xbf16>, %i: tensor<bf16>) -> tensor<bf16> {
  %r = linalg.generic {indexing_maps = [#v, #s], iterator_types = ["reduction"]} ins(%x : tensor<64xbf16>) outs(%i : tensor<bf16>) {
  ^bb0(%a: bf16, %b: bf16):
    %c = arith.addf %b, %a : bf16
    linalg.yield %c : bf16
  } -> tensor<bf16>
  return %r : tensor<bf16>
}

// A maximum loses nothing in 16 bits.
// CHECK-LABEL: @maximum_stays_narrow
// CHECK-NOT: extf
func.func @maximum_stays_narrow(%x: tensor<64xbf16>, %i: tensor<bf16>) -> tensor<bf16> {
  %r = linalg.generic {indexing_maps = [#v, #s], iterator_types = ["reduction"]} ins(%x : tensor<64xbf16>) outs(%i : tensor<bf16>) {
  ^bb0(%a: bf16, %b: bf16):
    %c = arith.maximumf %b, %a : bf16
    linalg.yield %c : bf16
  } -> tensor<bf16>
  return %r : tensor<bf16>
}

// CHECK-LABEL: @f32_sum_is_left_alone
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT: linalg.generic
func.func @f32_sum_is_left_alone(%x: tensor<64xf32>, %i: tensor<f32>) -> tensor<f32> {
  %r = linalg.generic {indexing_maps = [#v, #s], iterator_types = ["reduction"]} ins(%x : tensor<64xf32>) outs(%i : tensor<f32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %b, %a : f32
    linalg.yield %c : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}
