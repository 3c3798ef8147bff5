// RUN: ds-opt %s --ds-sync-precision --ds-apply-mean --ds-narrow-gradients --split-input-file | FileCheck %s

module attributes {ds.config = #ds.config<device_num = 4, wire_type = bf16>} {
  // The mean is multiplied in f32, behind the way.
  // CHECK-LABEL: func.func @travels_as_bf16(
  // CHECK: arith.truncf %{{.*}} : f32 to bf16
  // CHECK: %[[SUM:.*]] = ds.all_reduce sum %{{.*}} {fusion = 3 : i64, names = {{\[\[}}"w"]]} : tensor<4xbf16>
  // CHECK: %[[WIDE:.*]] = linalg.generic {{.*}} ins(%[[SUM]] : tensor<4xbf16>) outs(%{{.*}} : tensor<4xf32>)
  // CHECK: linalg.generic {{.*}} ins(%[[WIDE]] : tensor<4xf32>)
  // CHECK: arith.mulf %{{.*}}, %{{.*}} : f32
  func.func @travels_as_bf16(%g: tensor<4xf32>) -> tensor<4xf32> {
    %r = ds.all_reduce mean %g {fusion = 3 : i64, names = [["w"]]} : tensor<4xf32>
    return %r : tensor<4xf32>
  }

  // CHECK-LABEL: func.func @a_share_travels_as_bf16(
  // CHECK: ds.reduce_scatter sum %{{.*}} into %{{.*}} along 0 : tensor<4xbf16> into tensor<1xbf16>
  func.func @a_share_travels_as_bf16(%g: tensor<4xf32>, %e: tensor<1xf32>) -> tensor<1xf32> {
    %r = ds.reduce_scatter sum %g into %e along 0 : tensor<4xf32> into tensor<1xf32>
    return %r : tensor<1xf32>
  }

  // Gradients that are bf16 already are not widened for their way. Other 16 bits go through f32, which holds both.
  // CHECK-LABEL: func.func @sixteen_bits(
  // CHECK-NEXT: ds.all_reduce sum %{{.*}} : tensor<4xbf16>
  // CHECK: arith.extf %{{.*}} : f16 to f32
  // CHECK-NEXT: arith.truncf %{{.*}} : f32 to bf16
  // CHECK: ds.all_reduce sum %{{.*}} : tensor<4xbf16>
  // CHECK: arith.extf %{{.*}} : bf16 to f32
  // CHECK-NEXT: arith.truncf %{{.*}} : f32 to f16
  func.func @sixteen_bits(%g: tensor<4xbf16>, %h: tensor<4xf16>) -> (tensor<4xbf16>, tensor<4xf16>) {
    %r = ds.all_reduce sum %g : tensor<4xbf16>
    %s = ds.all_reduce sum %h : tensor<4xf16>
    return %r, %s : tensor<4xbf16>, tensor<4xf16>
  }

  // A sum in the middle of a layer is part of the function, and a metric is what a user reads; whole numbers are no floats.
  // CHECK-LABEL: func.func @keeps_what_is_no_gradient(
  // CHECK-NEXT: ds.all_reduce sum %{{.*}} {purpose = #ds<purpose activation>} : tensor<4xf32>
  // CHECK-NEXT: ds.all_reduce sum %{{.*}} {purpose = #ds<purpose metric>} : tensor<4xf32>
  // CHECK-NEXT: ds.all_reduce sum %{{.*}} : tensor<4xi32>
  func.func @keeps_what_is_no_gradient(%a: tensor<4xf32>, %i: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xi32>) {
    %r = ds.all_reduce sum %a {purpose = #ds<purpose activation>} : tensor<4xf32>
    %s = ds.all_reduce sum %a {purpose = #ds<purpose metric>} : tensor<4xf32>
    %t = ds.all_reduce sum %i : tensor<4xi32>
    return %r, %s, %t : tensor<4xf32>, tensor<4xf32>, tensor<4xi32>
  }
}

// -----

module attributes {ds.config = #ds.config<device_num = 4, wire_type = f32>} {
  // CHECK-LABEL: func.func @travels_as_f32(
  // CHECK: ds.all_reduce sum %{{.*}} : tensor<4xf32>
  // CHECK: ds.all_reduce sum %{{.*}} : tensor<4xf32>
  func.func @travels_as_f32(%g: tensor<4xbf16>, %h: tensor<4xf64>) -> (tensor<4xbf16>, tensor<4xf64>) {
    %r = ds.all_reduce sum %g : tensor<4xbf16>
    %s = ds.all_reduce sum %h : tensor<4xf64>
    return %r, %s : tensor<4xbf16>, tensor<4xf64>
  }
}

// -----

module attributes {ds.config = #ds.config<device_num = 4>} {
  // CHECK-LABEL: func.func @is_left_to_gradient_fp32_sync(
  // CHECK-NEXT: ds.all_reduce sum %{{.*}} : tensor<4xf64>
  func.func @is_left_to_gradient_fp32_sync(%h: tensor<4xf64>) -> tensor<4xf64> {
    %s = ds.all_reduce sum %h : tensor<4xf64>
    return %s : tensor<4xf64>
  }
}
