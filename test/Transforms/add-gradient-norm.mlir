// RUN: ds-opt %s --ds-add-gradient-norm --split-input-file | FileCheck %s
// RUN: ds-opt %s --ds-add-gradient-norm --ds-add-gradient-norm --split-input-file | FileCheck %s

// Two gradients and one value that is the gradient of two parameters: each counts once.
module attributes {ds.config = #ds.config<gradient_norm = true, gradients_mean = true>} {
  // CHECK-LABEL: func.func @reads_what_the_update_reads
  // CHECK-SAME:  {ds.metric = "gradient_norm"}
  func.func @reads_what_the_update_reads(%v: tensor<2xf32> {ds.param = "v"}, %w: tensor<4x2xbf16> {ds.param = "w"}, %u: tensor<4x2xbf16> {ds.param = "u"},
      %x: tensor<8x2xf32> {ds.batch = 0 : i64, ds.name = "x"}, %dw: tensor<4x2xbf16>)
      -> (tensor<2xf32> {ds.updates = "v"}, tensor<4x2xbf16> {ds.updates = "w"}, tensor<4x2xbf16> {ds.updates = "u"}) {
    %z = arith.constant dense<0.0> : tensor<2xf32>
    %dv = linalg.reduce ins(%x : tensor<8x2xf32>) outs(%z : tensor<2xf32>) dimensions = [0] (%a: f32, %b: f32) { %c = arith.addf %a, %b : f32 linalg.yield %c : f32 }
    // CHECK: %[[V:.*]] = ds.gradient %{{.*}} of "v"
    %gv = ds.gradient %dv of "v" : tensor<2xf32>
    // CHECK: %[[W:.*]] = ds.gradient %{{.*}} of "w"
    // CHECK: %[[U:.*]] = ds.gradient %[[W]] of "u"
    %gw = ds.gradient %dw of "w" : tensor<4x2xbf16>
    %gu = ds.gradient %gw of "u" : tensor<4x2xbf16>
    %v1 = arith.subf %v, %gv : tensor<2xf32>
    %w1 = arith.subf %w, %gu : tensor<4x2xbf16>
    %u1 = arith.subf %u, %gu : tensor<4x2xbf16>
    // CHECK:     %[[SV:.*]] = linalg.generic {{.*}}iterator_types = ["reduction"]} ins(%[[V]] : tensor<2xf32>) outs(%{{.*}} : tensor<f32>)
    // CHECK:       arith.mulf
    // CHECK:       arith.addf
    // CHECK:     %[[SW:.*]] = linalg.generic {{.*}}iterator_types = ["reduction", "reduction"]} ins(%[[U]] : tensor<4x2xbf16>) outs(%{{.*}} : tensor<f32>)
    // CHECK:       arith.extf
    // CHECK:     %[[S:.*]] = linalg.generic {{.*}} ins(%[[SV]], %[[SW]] : tensor<f32>, tensor<f32>)
    // CHECK:     %[[N:.*]] = linalg.generic {{.*}} ins(%[[S]] : tensor<f32>)
    // CHECK:       math.sqrt
    // CHECK-NOT: linalg.generic
    // CHECK:     return %{{.*}}, %{{.*}}, %{{.*}}, %[[N]]
    return %v1, %w1, %u1 : tensor<2xf32>, tensor<4x2xbf16>, tensor<4x2xbf16>
  }
}

// -----

// Not asked for.
module attributes {ds.config = #ds.config<gradients_mean = true>} {
  // CHECK-LABEL: func.func @adds_nothing_by_itself
  // CHECK-NOT:   math.sqrt
  // CHECK:       return
  func.func @adds_nothing_by_itself(%w: tensor<2xf32> {ds.param = "w"}, %x: tensor<8x2xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<2xf32> {ds.updates = "w"}) {
    %dw = linalg.reduce ins(%x : tensor<8x2xf32>) outs(%w : tensor<2xf32>) dimensions = [0] (%a: f32, %b: f32) { %c = arith.addf %a, %b : f32 linalg.yield %c : f32 }
    %g = ds.gradient %dw of "w" : tensor<2xf32>
    return %g : tensor<2xf32>
  }
}

// -----

// With batch = global marks are found, read and taken away again: the plan finds by itself where ranks meet.
module attributes {ds.config = #ds.config<gradient_norm = true, batch = global, device_num = 2>} {
  // CHECK-LABEL: func.func @leaves_no_mark_of_its_own
  // CHECK-NOT:   = ds.gradient
  // CHECK:       %[[G:.*]] = linalg.vecmat
  // CHECK:       linalg.generic {{.*}}iterator_types = ["reduction"]} ins(%[[G]] : tensor<3xf32>)
  // CHECK:       math.sqrt
  func.func @leaves_no_mark_of_its_own(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %z8 = arith.constant dense<0.0> : tensor<8xf32>
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %y = linalg.matvec ins(%x, %w : tensor<8x3xf32>, tensor<3xf32>) outs(%z8 : tensor<8xf32>) -> tensor<8xf32>
    %dw = linalg.vecmat ins(%y, %x : tensor<8xf32>, tensor<8x3xf32>) outs(%z3 : tensor<3xf32>) -> tensor<3xf32>
    %new = arith.subf %w, %dw : tensor<3xf32>
    return %new : tensor<3xf32>
  }
}
