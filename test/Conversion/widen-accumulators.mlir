// RUN: ds-opt %s -ds-widen-accumulators | FileCheck %s

#v = affine_map<(d0) -> (d0)>
#s = affine_map<(d0) -> ()>

// CHECK-LABEL: @bf16_sum_accumulates_in_f32
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction"]} ins({{.*}} : tensor<64xbf16>) outs({{.*}} : tensor<f32>)
// CHECK: arith.extf {{.*}} : bf16 to f32
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

// CHECK-LABEL: @f16_sum_accumulates_in_f32
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction"]} ins({{.*}} : tensor<64xf16>) outs({{.*}} : tensor<f32>)
// CHECK: arith.extf {{.*}} : f16 to f32
// CHECK: arith.addf {{.*}} : f32
// CHECK: arith.truncf {{.*}} : f32 to f16
func.func @f16_sum_accumulates_in_f32(%x: tensor<64xf16>, %i: tensor<f16>) -> tensor<f16> {
  %r = linalg.generic {indexing_maps = [#v, #s], iterator_types = ["reduction"]} ins(%x : tensor<64xf16>) outs(%i : tensor<f16>) {
  ^bb0(%a: f16, %b: f16):
    %c = arith.addf %b, %a : f16
    linalg.yield %c : f16
  } -> tensor<f16>
  return %r : tensor<f16>
}

// What each round adds is rounded once, with the sum: subtrahends, products, quotients and negated values are wide, too.
// CHECK-LABEL: @arithmetic_before_the_sum_is_wide
// CHECK: arith.extf %{{.*}} : f16 to f32
// CHECK: arith.mulf %{{.*}} : f32
// CHECK: arith.divf %{{.*}} : f32
// CHECK-NEXT: arith.negf %{{.*}} : f32
// CHECK-NEXT: arith.subf %{{.*}} : f32
// CHECK-NEXT: arith.addf %{{.*}} : f32
func.func @arithmetic_before_the_sum_is_wide(%x: tensor<64xf16>, %y: f16, %i: tensor<f16>) -> tensor<f16> {
  %r = linalg.generic {indexing_maps = [#v, #s, #s], iterator_types = ["reduction"]} ins(%x, %y : tensor<64xf16>, f16) outs(%i : tensor<f16>) {
  ^bb0(%a: f16, %f: f16, %b: f16):
    %p = arith.mulf %a, %f : f16
    %q = arith.divf %p, %y : f16
    %n = arith.negf %q : f16
    %d = arith.subf %n, %a : f16
    %c = arith.addf %b, %d : f16
    linalg.yield %c : f16
  } -> tensor<f16>
  return %r : tensor<f16>
}

// A body with anything but arithmetic on floats keeps its types.
// CHECK-LABEL: @a_sum_of_what_is_compared_stays_narrow
// CHECK-NOT: extf
func.func @a_sum_of_what_is_compared_stays_narrow(%x: tensor<64xf16>, %i: tensor<f16>) -> tensor<f16> {
  %r = linalg.generic {indexing_maps = [#v, #s], iterator_types = ["reduction"]} ins(%x : tensor<64xf16>) outs(%i : tensor<f16>) {
  ^bb0(%a: f16, %b: f16):
    %m = arith.maximumf %a, %a : f16
    %c = arith.addf %b, %m : f16
    linalg.yield %c : f16
  } -> tensor<f16>
  return %r : tensor<f16>
}

// Without a sum nothing accumulates.
// CHECK-LABEL: @a_product_of_rounds_stays_narrow
// CHECK-NOT: extf
func.func @a_product_of_rounds_stays_narrow(%x: tensor<64xf16>, %i: tensor<f16>) -> tensor<f16> {
  %r = linalg.generic {indexing_maps = [#v, #s], iterator_types = ["reduction"]} ins(%x : tensor<64xf16>) outs(%i : tensor<f16>) {
  ^bb0(%a: f16, %b: f16):
    %c = arith.mulf %b, %a : f16
    linalg.yield %c : f16
  } -> tensor<f16>
  return %r : tensor<f16>
}

// Element by element nothing accumulates.
// CHECK-LABEL: @a_sum_without_a_reduction_stays_narrow
// CHECK-NOT: extf
func.func @a_sum_without_a_reduction_stays_narrow(%x: tensor<64xf16>, %i: tensor<64xf16>) -> tensor<64xf16> {
  %r = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%x : tensor<64xf16>) outs(%i : tensor<64xf16>) {
  ^bb0(%a: f16, %b: f16):
    %c = arith.addf %b, %a : f16
    linalg.yield %c : f16
  } -> tensor<64xf16>
  return %r : tensor<64xf16>
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

#row = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#channel = affine_map<(d0, d1, d2) -> (d1)>

// CHECK-LABEL: @long_f32_sum_accumulates_in_f64
// CHECK: linalg.generic {{.*}} ins({{.*}} : tensor<64x3x64xf32>) outs({{.*}} : tensor<3xf64>)
// CHECK: arith.extf {{.*}} : f32 to f64
// CHECK: arith.addf {{.*}} : f64
// CHECK: arith.truncf {{.*}} : f64 to f32
func.func @long_f32_sum_accumulates_in_f64(%x: tensor<64x3x64xf32>, %i: tensor<3xf32>) -> tensor<3xf32> {
  %r = linalg.generic {indexing_maps = [#row, #channel], iterator_types = ["reduction", "parallel", "reduction"]}
      ins(%x : tensor<64x3x64xf32>) outs(%i : tensor<3xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    linalg.yield %c : f32
  } -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// CHECK-LABEL: @shorter_f32_sum_keeps_its_type
// CHECK-NOT: f64
func.func @shorter_f32_sum_keeps_its_type(%x: tensor<64x3x63xf32>, %i: tensor<3xf32>) -> tensor<3xf32> {
  %r = linalg.generic {indexing_maps = [#row, #channel], iterator_types = ["reduction", "parallel", "reduction"]}
      ins(%x : tensor<64x3x63xf32>) outs(%i : tensor<3xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    linalg.yield %c : f32
  } -> tensor<3xf32>
  return %r : tensor<3xf32>
}

#long = affine_map<(d0) -> (d0)>
#dot = affine_map<(d0) -> ()>

// CHECK-LABEL: @contraction_keeps_its_type
// CHECK-NOT: f64
func.func @contraction_keeps_its_type(%x: tensor<8192xf32>, %y: tensor<8192xf32>, %i: tensor<f32>) -> tensor<f32> {
  %r = linalg.generic {indexing_maps = [#long, #long, #dot], iterator_types = ["reduction"]}
      ins(%x, %y : tensor<8192xf32>, tensor<8192xf32>) outs(%i : tensor<f32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %p = arith.mulf %a, %b : f32
    %c = arith.addf %s, %p : f32
    linalg.yield %c : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// A GPU's library reads factors of 16 bits; a convolution that adds to what is there is none of its own.
// RUN: ds-opt %s --split-input-file --ds-widen-accumulators=narrow-factors=true | FileCheck %s --check-prefix=NARROW
// NARROW-LABEL: func @product_and_window
// NARROW: linalg.generic {{.*}} ins(%arg0, %arg1 : tensor<3x8xbf16>, tensor<8x4xbf16>) outs(%{{.*}} : tensor<3x4xf32>)
// NARROW: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<1x6x2xf32>, tensor<3x2x4xf32>) outs(%{{.*}} : tensor<1x4x4xf32>)
func.func @product_and_window(%a: tensor<3x8xbf16>, %b: tensor<8x4xbf16>, %x: tensor<1x6x2xbf16>, %w: tensor<3x2x4xbf16>, %p: tensor<3x4xbf16>, %q: tensor<1x4x4xbf16>) -> (tensor<3x4xbf16>, tensor<1x4x4xbf16>) {
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<3x8xbf16>, tensor<8x4xbf16>) outs(%p : tensor<3x4xbf16>) {
  ^bb0(%u: bf16, %v: bf16, %o: bf16):
    %m = arith.mulf %u, %v : bf16
    %s = arith.addf %o, %m : bf16
    linalg.yield %s : bf16
  } -> tensor<3x4xbf16>
  %c = linalg.generic {indexing_maps = [affine_map<(n, o, d, k, c) -> (n, o + k, c)>, affine_map<(n, o, d, k, c) -> (k, c, d)>, affine_map<(n, o, d, k, c) -> (n, o, d)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%x, %w : tensor<1x6x2xbf16>, tensor<3x2x4xbf16>) outs(%q : tensor<1x4x4xbf16>) {
  ^bb0(%u: bf16, %v: bf16, %o: bf16):
    %m = arith.mulf %u, %v : bf16
    %s = arith.addf %o, %m : bf16
    linalg.yield %s : bf16
  } -> tensor<1x4x4xbf16>
  return %r, %c : tensor<3x4xbf16>, tensor<1x4x4xbf16>
}

// -----

#image = affine_map<(n, o, d, k, c) -> (n, o + k, c)>
#weights = affine_map<(n, o, d, k, c) -> (k, c, d)>
#result = affine_map<(n, o, d, k, c) -> (n, o, d)>
#id = affine_map<(n, o, d) -> (n, o, d)>

// Convolutions in 16 bits alone stay, as they are written or where their sums are rounded; sums that something else reads are of f32.
// CHECK-LABEL: func @convolutions
// CHECK: outs({{.*}} : tensor<1x4x4xf32>)
// CHECK: outs({{.*}} : tensor<1x4x4xf32>)
// NARROW-LABEL: func @convolutions
// NARROW: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%arg0, %arg1 : {{.*}} outs({{.*}} : tensor<1x4x4xbf16>)
// NARROW: arith.mulf {{.*}} : bf16
// NARROW: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%arg0, %arg1 : {{.*}} outs({{.*}} : tensor<1x4x4xbf16>)
// NARROW: arith.mulf {{.*}} : bf16
// NARROW-NOT: arith.truncf
// NARROW: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins({{.*}} : tensor<1x6x2xf32>, tensor<3x2x4xf32>) outs({{.*}} : tensor<1x4x4xf32>)
// NARROW: arith.truncf
func.func @convolutions(%x: tensor<1x6x2xbf16>, %w: tensor<3x2x4xbf16>) -> (tensor<1x4x4xbf16>, tensor<1x4x4xbf16>, tensor<1x4x4xbf16>, tensor<1x4x4xf32>) {
  %zero = arith.constant 0.0 : bf16
  %wide = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x4xbf16>
  %we = tensor.empty() : tensor<1x4x4xf32>
  %z = linalg.fill ins(%zero : bf16) outs(%e : tensor<1x4x4xbf16>) -> tensor<1x4x4xbf16>
  %wz = linalg.fill ins(%wide : f32) outs(%we : tensor<1x4x4xf32>) -> tensor<1x4x4xf32>
  %a = linalg.generic {indexing_maps = [#image, #weights, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x6x2xbf16>, tensor<3x2x4xbf16>) outs(%z : tensor<1x4x4xbf16>) {
  ^bb0(%u: bf16, %v: bf16, %o: bf16):
    %m = arith.mulf %u, %v : bf16
    %s = arith.addf %o, %m : bf16
    linalg.yield %s : bf16
  } -> tensor<1x4x4xbf16>
  %sums = linalg.generic {indexing_maps = [#image, #weights, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x6x2xbf16>, tensor<3x2x4xbf16>) outs(%wz : tensor<1x4x4xf32>) {
  ^bb0(%u: bf16, %v: bf16, %o: f32):
    %wu = arith.extf %u : bf16 to f32
    %wv = arith.extf %v : bf16 to f32
    %m = arith.mulf %wu, %wv : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x4x4xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%sums : tensor<1x4x4xf32>) outs(%e : tensor<1x4x4xbf16>) {
  ^bb0(%u: f32, %o: bf16):
    %t = arith.truncf %u : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<1x4x4xbf16>
  %others = linalg.generic {indexing_maps = [#image, #weights, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x6x2xbf16>, tensor<3x2x4xbf16>) outs(%wz : tensor<1x4x4xf32>) {
  ^bb0(%u: bf16, %v: bf16, %o: f32):
    %wu = arith.extf %u : bf16 to f32
    %wv = arith.extf %v : bf16 to f32
    %m = arith.mulf %wu, %wv : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x4x4xf32>
  %c = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%others : tensor<1x4x4xf32>) outs(%e : tensor<1x4x4xbf16>) {
  ^bb0(%u: f32, %o: bf16):
    %t = arith.truncf %u : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<1x4x4xbf16>
  return %a, %b, %c, %others : tensor<1x4x4xbf16>, tensor<1x4x4xbf16>, tensor<1x4x4xbf16>, tensor<1x4x4xf32>
}
