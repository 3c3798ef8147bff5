// RUN: ds-opt %s -split-input-file -ds-prepare-hybrid | FileCheck %s

// What serves no gradient belongs to the layers; what names one stays a gradient. Own parameters, and states that ranks keep, may differ.
module attributes {ds.config = #ds.config<local_state = per_rank, parallel_mode = hybrid_parallel, mesh = "dp=2,tp=2">} {
  // CHECK-LABEL: func.func @purposes
  func.func @purposes(%w: tensor<4xf32> {ds.param = "w", ds.layerwise_parallel}, %v: tensor<4xf32> {ds.param = "v"}, %s: tensor<4xf32> {ds.state = "s"})
      -> (tensor<4xf32> {ds.updates = "w"}, tensor<4xf32> {ds.updates = "v"}, tensor<4xf32> {ds.updates = "s"}) {
    // CHECK: ds.all_reduce sum %{{.*}} {group = ["tp"], purpose = #ds<purpose activation>} : tensor<4xf32>
    %a = ds.all_reduce sum %w {group = ["tp"]} : tensor<4xf32>
    // CHECK: ds.all_reduce sum %{{.*}} {group = ["tp"], names = {{\[\[}}"v"]]} : tensor<4xf32>
    %g = ds.all_reduce sum %w {group = ["tp"], names = [["v"]]} : tensor<4xf32>
    %e = tensor.empty() : tensor<2xf32>
    // CHECK: ds.reduce_scatter sum %{{.*}} into %{{.*}} along 0 {group = ["tp"], purpose = #ds<purpose activation>}
    %h = ds.reduce_scatter sum %a into %e along 0 {group = ["tp"]} : tensor<4xf32> into tensor<2xf32>
    %n = tensor.pad %h low[2] high[0] {
    ^bb0(%i: index):
      %c = arith.constant 0.0 : f32
      tensor.yield %c : f32
    } : tensor<2xf32> to tensor<4xf32>
    return %w, %g, %n : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
}

// -----

// In other modes collectives stay what they are.
module attributes {ds.config = #ds.config<mesh = "dp=2,tp=2">} {
  // CHECK-LABEL: func.func @not_by_hand
  func.func @not_by_hand(%w: tensor<4xf32> {ds.param = "w"}) -> (tensor<4xf32> {ds.updates = "w"}) {
    // CHECK: ds.all_reduce sum %{{.*}} : tensor<4xf32>
    %r = ds.all_reduce sum %w : tensor<4xf32>
    return %r : tensor<4xf32>
  }
}
