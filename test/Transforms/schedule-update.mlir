// RUN: ds-opt %s --ds-schedule-update --split-input-file | FileCheck %s
// RUN: ds-opt %s --ds-schedule-update --ds-schedule-update --split-input-file | FileCheck %s

// Parameters are the last average; what a rank has made of them since, its momentum and a count lie beside them.
// CHECK-LABEL: @average_parameters
// CHECK-SAME: (%[[W:[a-z0-9_]+]]: tensor<3xf32> {ds.param = "w"}, %[[M:[a-z0-9_]+]]: tensor<1x3xf32> {ds.per_rank, ds.state = "m"}, %{{[a-z0-9_]+}}: tensor<4x3xf32> {ds.batch = 0 : i64},
// CHECK-SAME:  %[[COUNT:[a-z0-9_]+]]: tensor<i64> {ds.state = "update.step"}, %[[LOCAL:[a-z0-9_]+]]: tensor<1x3xf32> {ds.per_rank, ds.state = "w.local"}, %[[OUTER:[a-z0-9_]+]]: tensor<3xf32> {ds.state = "w.outer_momentum"})
// CHECK-SAME: -> (tensor<3xf32> {ds.updates = "w"}, tensor<1x3xf32> {ds.updates = "m"}, tensor<i64> {ds.updates = "update.step"}, tensor<3xf32> {ds.updates = "w.outer_momentum"}, tensor<1x3xf32> {ds.updates = "w.local"})
// CHECK:      %[[BEFORE:.*]] = tensor.extract %[[COUNT]][]
// CHECK:      %[[START:.*]] = arith.ori
// CHECK:      %[[DUE:.*]] = arith.ori
// CHECK:      tensor.collapse_shape %[[LOCAL]]
// CHECK:      arith.select %[[START]]
// CHECK-NOT:  ds.gradient
// CHECK:      %[[IF:.*]]:2 = scf.if %[[DUE]] -> (tensor<3xf32>, tensor<3xf32>) {
// CHECK:        ds.combine mean %[[NEW:.*]] : tensor<3xf32>
// CHECK:      } else {
// CHECK-NEXT:   scf.yield %[[W]], %[[OUTER]]
// CHECK:      }
// CHECK:      %[[KEPT:.*]] = tensor.expand_shape %[[NEW]]
// CHECK:      return %[[IF]]#0, %{{.*}}, %{{.*}}, %[[IF]]#1, %[[KEPT]]
module attributes {ds.config = #ds.config<update = "average_parameters=4,outer=nesterov(0.5,0.75)">} {
  func.func @average_parameters(%w: tensor<3xf32> {ds.param = "w"}, %m: tensor<3xf32> {ds.state = "m"}, %x: tensor<4x3xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}, tensor<3xf32> {ds.updates = "m"}) {
    %z = arith.constant dense<0.0> : tensor<3xf32>
    %dw = linalg.reduce { arith.addf } ins(%x : tensor<4x3xf32>) outs(%z : tensor<3xf32>) dimensions = [0]
    %g = ds.gradient %dw of "w" : tensor<3xf32>
    %v = arith.addf %m, %g : tensor<3xf32>
    %new = arith.subf %w, %v : tensor<3xf32>
    return %new, %v : tensor<3xf32>, tensor<3xf32>
  }
}

// -----
// Elastic ranks and what they share pull each other: a sum of what they differ by travels, and each goes on from its own.
// CHECK-LABEL: @elastic
// CHECK-SAME: %[[W:[a-z0-9_]+]]: tensor<3xf32> {ds.param = "w"}
// CHECK-SAME: %[[LOCAL:[a-z0-9_]+]]: tensor<1x3xf32> {ds.per_rank, ds.state = "w.local"}
// CHECK:      %[[FIRST:.*]] = arith.cmpi eq
// CHECK:      arith.select %[[FIRST]]
// CHECK:      %[[IF:.*]]:2 = scf.if %{{.*}} -> (tensor<3xf32>, tensor<3xf32>) {
// CHECK:        arith.constant 2.500000e-01
// CHECK:        ds.combine sum
// CHECK:      } else {
// CHECK-NEXT:   scf.yield %[[W]], %{{.*}}
// CHECK:      }
// CHECK:      %[[KEPT:.*]] = tensor.expand_shape %[[IF]]#1
// CHECK:      return %[[IF]]#0, %{{.*}}, %[[KEPT]]
module attributes {ds.config = #ds.config<update = "average_parameters=4,elastic=0.25">} {
  func.func @elastic(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<4x3xf32> {ds.batch = 0 : i64}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %z = arith.constant dense<0.0> : tensor<3xf32>
    %dw = linalg.reduce { arith.addf } ins(%x : tensor<4x3xf32>) outs(%z : tensor<3xf32>) dimensions = [0]
    %g = ds.gradient %dw of "w" : tensor<3xf32>
    %new = arith.subf %w, %g : tensor<3xf32>
    return %new : tensor<3xf32>
  }
}

// -----
// Running statistics are averaged with the parameters; an average takes the mean of optimizer states where it is asked to.
// CHECK-LABEL: @states
// CHECK-SAME: tensor<3xf32> {ds.state = "running"}
// CHECK-SAME: tensor<1x3xf32> {ds.per_rank, ds.state = "w.local"}
// CHECK-SAME: tensor<1x3xf32> {ds.per_rank, ds.state = "running.local"}
// CHECK:      scf.if %{{.*}} -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
// CHECK-COUNT-3: ds.combine mean
// CHECK:      } else {
// CHECK-NOT:  ds.combine
module attributes {ds.config = #ds.config<update = "average_parameters=4,states=mean">} {
  func.func @states(%w: tensor<3xf32> {ds.param = "w"}, %m: tensor<3xf32> {ds.state = "m"}, %r: tensor<3xf32> {ds.state = "running"}, %x: tensor<4x3xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}, tensor<3xf32> {ds.updates = "m"}, tensor<3xf32> {ds.updates = "running"}) {
    %z = arith.constant dense<0.0> : tensor<3xf32>
    %dw = linalg.reduce { arith.addf } ins(%x : tensor<4x3xf32>) outs(%z : tensor<3xf32>) dimensions = [0]
    %running = arith.addf %r, %dw : tensor<3xf32>
    %g = ds.gradient %dw of "w" : tensor<3xf32>
    %v = arith.addf %m, %g : tensor<3xf32>
    %new = arith.subf %w, %v : tensor<3xf32>
    return %new, %v, %running : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
  }
}

// -----
// A gradient of two steps ago, before anything of this one is computed.
// CHECK-LABEL: @delayed
// CHECK-SAME:  %[[COUNT:[a-z0-9_]+]]: tensor<i64> {ds.state = "update.step"}, %[[RING:[a-z0-9_]+]]: tensor<1x2x3xf32> {ds.per_rank, ds.state = "w.delayed"})
// CHECK:       %[[SLOT:.*]] = arith.index_cast
// CHECK:       %[[OLD:.*]] = tensor.extract_slice %[[RING]][0, %[[SLOT]], 0] [1, 1, 3]
// CHECK-NEXT:  %[[GRADIENT:.*]] = tensor.collapse_shape %[[OLD]]
// CHECK-NEXT:  %[[G:.*]] = ds.gradient %[[GRADIENT]] of "w"
// CHECK:       %[[DW:.*]] = linalg.reduce
// CHECK:       arith.subf %{{.*}}, %[[G]]
// CHECK:       %[[NOW:.*]] = tensor.expand_shape %[[DW]]
// CHECK:       tensor.insert_slice %[[NOW]] into %[[RING]][0, %[[SLOT]], 0]
module attributes {ds.config = #ds.config<update = "delayed=2">} {
  func.func @delayed(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<4x3xf32> {ds.batch = 0 : i64}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %z = arith.constant dense<0.0> : tensor<3xf32>
    %dw = linalg.reduce { arith.addf } ins(%x : tensor<4x3xf32>) outs(%z : tensor<3xf32>) dimensions = [0]
    %g = ds.gradient %dw of "w" : tensor<3xf32>
    %new = arith.subf %w, %g : tensor<3xf32>
    return %new : tensor<3xf32>
  }
}

// -----
// What ranks exchange are the factors; what they did not send they add to their next gradient. A vector travels as it is.
// CHECK-LABEL: @power_sgd
// CHECK-SAME:  tensor<1x16x12xf32> {ds.per_rank, ds.state = "w.compression_error"}
// CHECK-SAME:  tensor<12x2xf32> {ds.state = "w.power_factor"}
// CHECK:       ds.combine mean %{{.*}} : tensor<16x2xf32>
// CHECK:       ds.gradient %{{.*}} of "w" {pinned} : tensor<12x2xf32>
// CHECK-NOT:   ds.gradient %{{.*}} : tensor<16x12xf32>
// CHECK:       ds.gradient %{{.*}} of "v" : tensor<12xf32>
module attributes {ds.config = #ds.config<gradient_compression = "power_sgd(2),error_feedback", gradients_mean = true>} {
  func.func @power_sgd(%w: tensor<16x12xf32> {ds.param = "w"}, %v: tensor<12xf32> {ds.param = "v"}, %x: tensor<4x16x12xf32> {ds.batch = 0 : i64})
      -> (tensor<16x12xf32> {ds.updates = "w"}, tensor<12xf32> {ds.updates = "v"}) {
    %z = arith.constant dense<0.0> : tensor<16x12xf32>
    %zv = arith.constant dense<0.0> : tensor<12xf32>
    %dw = linalg.reduce { arith.addf } ins(%x : tensor<4x16x12xf32>) outs(%z : tensor<16x12xf32>) dimensions = [0]
    %dv = linalg.reduce { arith.addf } ins(%dw : tensor<16x12xf32>) outs(%zv : tensor<12xf32>) dimensions = [0]
    %g = ds.gradient %dw of "w" : tensor<16x12xf32>
    %new = arith.subf %w, %g : tensor<16x12xf32>
    %gv = ds.gradient %dv of "v" : tensor<12xf32>
    %newv = arith.subf %v, %gv : tensor<12xf32>
    return %new, %newv : tensor<16x12xf32>, tensor<12xf32>
  }
}

// -----
// What the type on the wire loses.
// CHECK-LABEL: @rounded
// CHECK-SAME:  %[[ERROR:[a-z0-9_]+]]: tensor<1x3xf32> {ds.per_rank, ds.state = "w.compression_error"}
// CHECK:       arith.truncf %{{.*}} : f32 to bf16
// CHECK:       arith.extf %{{.*}} : bf16 to f32
// CHECK:       ds.gradient
// CHECK:       arith.subf %{{.*}} : f32
module attributes {ds.config = #ds.config<gradient_compression = "bf16,error_feedback">} {
  func.func @rounded(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<4x3xf32> {ds.batch = 0 : i64}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %z = arith.constant dense<0.0> : tensor<3xf32>
    %dw = linalg.reduce { arith.addf } ins(%x : tensor<4x3xf32>) outs(%z : tensor<3xf32>) dimensions = [0]
    %g = ds.gradient %dw of "w" : tensor<3xf32>
    %new = arith.subf %w, %g : tensor<3xf32>
    return %new : tensor<3xf32>
  }
}
