// RUN: ds-opt %s --ds-sync-precision --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @travels_as_f32(
// CHECK-SAME: %[[G:.*]]: tensor<4xbf16>)
// CHECK: %[[WIDE:.*]] = linalg.generic {{.*}} ins(%[[G]] : tensor<4xbf16>) outs(%{{.*}} : tensor<4xf32>)
// CHECK: arith.extf %{{.*}} : bf16 to f32
// CHECK: %[[SUM:.*]] = ds.all_reduce sum %[[WIDE]] {fusion = 3 : i64, names = {{\[\[}}"w"]]} : tensor<4xf32>
// CHECK: %[[NARROW:.*]] = linalg.generic {{.*}} ins(%[[SUM]] : tensor<4xf32>) outs(%{{.*}} : tensor<4xbf16>)
// CHECK: arith.truncf %{{.*}} : f32 to bf16
// CHECK: return %[[NARROW]]
func.func @travels_as_f32(%g: tensor<4xbf16>) -> tensor<4xbf16> {
  %r = ds.all_reduce sum %g {fusion = 3 : i64, names = [["w"]]} : tensor<4xbf16>
  return %r : tensor<4xbf16>
}

// CHECK-LABEL: func.func @travels_as_f32_with_f16(
// CHECK: ds.all_reduce mean %{{.*}}, %{{.*}} : tensor<4xf32>, tensor<2x2xf32>
func.func @travels_as_f32_with_f16(%g: tensor<4xf16>, %h: tensor<2x2xf16>) -> (tensor<4xf16>, tensor<2x2xf16>) {
  %r:2 = ds.all_reduce mean %g, %h : tensor<4xf16>, tensor<2x2xf16>
  return %r#0, %r#1 : tensor<4xf16>, tensor<2x2xf16>
}

// CHECK-LABEL: func.func @products_travel_as_f32(
// CHECK: ds.all_reduce prod %{{.*}} : tensor<4xf32>
func.func @products_travel_as_f32(%g: tensor<4xf16>) -> tensor<4xf16> {
  %r = ds.all_reduce prod %g : tensor<4xf16>
  return %r : tensor<4xf16>
}

// A group, the purpose and the bucket stay what they are.
// CHECK-LABEL: func.func @widens_nothing_but_the_type(
// CHECK: ds.all_reduce sum %{{.*}} {fusion = 2 : i64, group = array<i64: 0, 2>, purpose = #ds<purpose state>} : tensor<4xf32>
func.func @widens_nothing_but_the_type(%g: tensor<4xf16>) -> tensor<4xf16> {
  %r = ds.all_reduce sum %g {fusion = 2 : i64, group = array<i64: 0, 2>, purpose = #ds<purpose state>} : tensor<4xf16>
  return %r : tensor<4xf16>
}

// CHECK-LABEL: func.func @keeps_what_is_exact(
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @keeps_what_is_exact(%a: tensor<4xf32>, %b: tensor<4xbf16>, %c: tensor<4xi16>) -> (tensor<4xf32>, tensor<4xbf16>, tensor<4xi16>) {
  %x = ds.all_reduce sum %a : tensor<4xf32>
  %y = ds.all_reduce max %b : tensor<4xbf16>
  %z = ds.all_reduce sum %c : tensor<4xi16>
  return %x, %y, %z : tensor<4xf32>, tensor<4xbf16>, tensor<4xi16>
}

// -----
module attributes {ds.config = #ds.config<gradient_fp32_sync = false>} {
// CHECK-LABEL: func.func @travels_as_it_is_when_told(
// CHECK-NEXT: ds.all_reduce sum %{{.*}} : tensor<4xbf16>
// CHECK-NEXT: return
func.func @travels_as_it_is_when_told(%g: tensor<4xbf16>) -> tensor<4xbf16> {
  %r = ds.all_reduce sum %g : tensor<4xbf16>
  return %r : tensor<4xbf16>
}
}

// -----
// A shard is rounded once, on the rank that receives it.
// CHECK-LABEL: func.func @scatters_as_f32(
// CHECK: %[[WIDE:.*]] = linalg.generic
// CHECK: %[[OUT:.*]] = tensor.empty() : tensor<2xf32>
// CHECK: %[[R:.*]] = ds.reduce_scatter mean %[[WIDE]] into %[[OUT]] along 0 {fusion = 2 : i64, names = {{\[}}["w"]]} : tensor<4xf32> into tensor<2xf32>
// CHECK: linalg.generic {{.*}} ins(%[[R]] : tensor<2xf32>)
// CHECK: arith.truncf
func.func @scatters_as_f32(%g: tensor<4xbf16>) -> tensor<2xbf16> {
  %e = tensor.empty() : tensor<2xbf16>
  %r = ds.reduce_scatter mean %g into %e along 0 {fusion = 2 : i64, names = [["w"]]} : tensor<4xbf16> into tensor<2xbf16>
  return %r : tensor<2xbf16>
}

// -----

// With gradient_fp32_sync = false nothing is widened, with force_fp32_communication = true everything of 16 bits, the largest value of a
// layer too.
module attributes {ds.config = #ds.config<force_fp32_communication = true, gradient_fp32_sync = false>} {
  // CHECK-LABEL: func.func @widens_all(
  // CHECK: ds.all_reduce max %{{.*}} {purpose = #ds<purpose activation>} : tensor<4xf32>
  // CHECK: ds.all_reduce sum %{{.*}} : tensor<4xf32>
  // CHECK: ds.all_reduce sum %{{.*}} : tensor<4xf64>
  func.func @widens_all(%g: tensor<4xbf16>, %d: tensor<4xf64>) -> (tensor<4xbf16>, tensor<4xbf16>, tensor<4xf64>) {
    %r = ds.all_reduce max %g {purpose = #ds<purpose activation>} : tensor<4xbf16>
    %s = ds.all_reduce sum %g : tensor<4xbf16>
    %t = ds.all_reduce sum %d : tensor<4xf64>
    return %r, %s, %t : tensor<4xbf16>, tensor<4xbf16>, tensor<4xf64>
  }
}

// -----

// wire_type says it of gradients alone.
module attributes {ds.config = #ds.config<wire_type = bf16>} {
  // CHECK-LABEL: func.func @leaves_gradients(
  // CHECK: ds.all_reduce sum %{{.*}} {purpose = #ds<purpose activation>} : tensor<4xf32>
  // CHECK: ds.all_reduce sum %{{.*}} : tensor<4xbf16>
  func.func @leaves_gradients(%g: tensor<4xbf16>) -> (tensor<4xbf16>, tensor<4xbf16>) {
    %r = ds.all_reduce sum %g {purpose = #ds<purpose activation>} : tensor<4xbf16>
    %s = ds.all_reduce sum %g : tensor<4xbf16>
    return %r, %s : tensor<4xbf16>, tensor<4xbf16>
  }
}
