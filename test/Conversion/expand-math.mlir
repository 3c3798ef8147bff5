// RUN: ds-opt %s -ds-expand-math -split-input-file | FileCheck %s

// CHECK-LABEL: @functions_of_f32_become_arithmetic
// CHECK-NOT: math.{{exp|log|tanh|erf|sin|cos}}
// CHECK-NOT: fastmath<{{.*}}reassoc
// CHECK: return
func.func @functions_of_f32_become_arithmetic(%x: f32) -> (f32, f32, f32, f32, f32, f32, f32, f32) {
  %0 = math.exp %x : f32
  %1 = math.expm1 %x : f32
  %2 = math.log %x : f32
  %3 = math.log1p %x : f32
  %4 = math.tanh %x : f32
  %5 = math.erf %x : f32
  %6 = math.sin %x : f32
  %7 = math.cos %x : f32
  return %0, %1, %2, %3, %4, %5, %6, %7 : f32, f32, f32, f32, f32, f32, f32, f32
}

// -----

// CHECK: func.func private @log1p(f64) -> f64 attributes {llvm.readnone}
// CHECK-LABEL: @functions_of_f64_are_left_to_libm
// CHECK: math.exp {{.*}} : f64
// CHECK: call @log1p
func.func @functions_of_f64_are_left_to_libm(%x: f64) -> (f64, f64) {
  %0 = math.exp %x : f64
  %1 = math.log1p %x : f64
  return %0, %1 : f64, f64
}

// -----

// CHECK-LABEL: @libm_gets_zeros_for_denormals_that_are_flushed
// CHECK: %[[SUM:.*]] = arith.addf %[[X:.*]], %[[X]] : f32
// CHECK: %[[IS_ZERO:.*]] = arith.cmpf oeq, %[[SUM]], %{{.*}} : f32
// CHECK: %[[SIGN:.*]] = arith.andi
// CHECK: %[[ZERO:.*]] = arith.bitcast %[[SIGN]] : i32 to f32
// CHECK: %[[SAFE:.*]] = arith.select %[[IS_ZERO]], %[[ZERO]], %[[X]] : f32
// CHECK: math.cbrt %[[SAFE]] : f32
func.func @libm_gets_zeros_for_denormals_that_are_flushed(%x: f32) -> f32 {
  %0 = math.cbrt %x : f32
  return %0 : f32
}

// -----

// CHECK-LABEL: @minima_and_maxima_keep_their_meaning
// CHECK: llvm.intr.maximum
// CHECK: llvm.intr.minnum
func.func @minima_and_maxima_keep_their_meaning(%x: f32, %y: f32) -> (f32, f32) {
  %0 = arith.maximumf %x, %y : f32
  %1 = arith.minnumf %x, %y : f32
  return %0, %1 : f32, f32
}

// -----

// CHECK-LABEL: @small_powers_are_products
// CHECK: %[[SQUARE:.*]] = arith.mulf %[[X:.*]], %[[X]] : f32
// CHECK: arith.mulf %[[SQUARE]], %[[X]] : f32
// CHECK: math.powf %{{.*}}, %{{.*}} : f64
func.func @small_powers_are_products(%x: f32, %n: i32) -> (f32, f32) {
  %c = arith.constant 3.0 : f32
  %0 = math.powf %x, %c : f32
  %1 = math.fpowi %x, %n : f32, i32
  return %0, %1 : f32, f32
}

// -----

// CHECK-LABEL: @narrow_types_are_computed_in_f32
// CHECK: arith.extf %{{.*}} : f16 to f32
// CHECK: math.floor %{{.*}} : f32
// CHECK: arith.truncf %{{.*}} : f32 to f16
// CHECK: math.absf %{{.*}} : f32
// CHECK: arith.truncf %{{.*}} : f32 to f16
// CHECK: arith.cmpf oge, %{{.*}}, %{{.*}} : f16
// CHECK: arith.cmpf olt, %{{.*}}, %{{.*}} : f16
func.func @narrow_types_are_computed_in_f32(%x: f16) -> (f16, i1) {
  %0 = math.floor %x : f16
  %1 = math.isnormal %x : f16
  return %0, %1 : f16, i1
}

// -----

// What a function is made of converts only what fits; what the step converts may be anything.
// CHECK-LABEL: @a_float_beyond_the_integers_becomes_the_nearest
// CHECK-SAME: %[[X:.*]]: f32, %[[H:.*]]: f16
// CHECK: %[[RAW:.*]] = arith.fptosi %[[X]] : f32 to i8
// CHECK: %[[NAN:.*]] = arith.cmpf uno, %[[X]], %{{.*}} : f32
// CHECK: %[[OUT:.*]] = arith.select %[[NAN]], %c0_i8, %c-128_i8 : i8
// CHECK: %[[INNER:.*]] = arith.cmpf ogt, %[[X]], %{{.*}} : f32
// CHECK: %[[IN:.*]] = arith.select %[[INNER]], %[[RAW]], %[[OUT]] : i8
// CHECK: %[[OVER:.*]] = arith.cmpf oge, %[[X]], %{{.*}} : f32
// CHECK: arith.select %[[OVER]], %c127_i8, %[[IN]] : i8
// CHECK: arith.fptoui %[[H]] : f16 to i32
// CHECK: arith.select %{{.*}}, %c-1_i32, %{{.*}} : i32
func.func @a_float_beyond_the_integers_becomes_the_nearest(%x: f32, %h: f16) -> (i8, i32) {
  %0 = arith.fptosi %x : f32 to i8
  %1 = arith.fptoui %h : f16 to i32
  return %0, %1 : i8, i32
}
