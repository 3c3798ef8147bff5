// RUN: ds-opt %s -split-input-file -ds-accumulate-gradients | FileCheck %s

// The gradients of four microbatches, a running statistic that goes from one to the next, metrics, rows, and an update that runs once.
module attributes {ds.config = #ds.config<batch = global, device_num = 2, grad_accumulation_step = 4>} {
  // CHECK-LABEL: func.func @step
  // CHECK-SAME: %[[W:.*]]: tensor<3xf32> {ds.param = "w"}, %[[COUNT:.*]]: tensor<f32> {ds.state = "count"}, %[[MEAN:.*]]: tensor<3xf32> {ds.state = "mean"}
  // CHECK-SAME: %[[X:.*]]: tensor<32x3xf32> {ds.batch = 0 : i64, ds.name = "x"}
  // CHECK-SAME: tensor<f32> {ds.metric = "loss"}, tensor<f32> {ds.metric = "most", ds.reduce = "max"}, tensor<32xf32> {ds.batch = 0 : i64}
  // CHECK-SAME: ds.accumulated = 4
  func.func @step(%w: tensor<3xf32> {ds.param = "w"}, %count: tensor<f32> {ds.state = "count"}, %mean: tensor<3xf32> {ds.state = "mean"},
      %x: tensor<8x3xf32> {ds.batch = 0 : i64, ds.name = "x"})
      -> (tensor<3xf32> {ds.updates = "w"}, tensor<f32> {ds.updates = "count"}, tensor<3xf32> {ds.updates = "mean"},
          tensor<f32> {ds.metric = "loss"}, tensor<f32> {ds.metric = "most", ds.reduce = "max"}, tensor<8xf32> {ds.batch = 0 : i64}) {
    %z8 = arith.constant dense<0.0> : tensor<8xf32>
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %z = arith.constant dense<0.0> : tensor<f32>
    %one = arith.constant dense<1.0> : tensor<f32>
    // CHECK: %[[X4:.*]] = tensor.expand_shape %[[X]] {{\[\[}}0, 1], [2]] output_shape [4, 8, 3]
    // CHECK: %[[LOOP:.*]]:5 = scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[G:.*]] = %{{.*}}, %[[M:.*]] = %[[MEAN]], %[[L:.*]] = %{{.*}}, %[[MOST:.*]] = %{{.*}}, %[[ROWS:.*]] = %{{.*}})
    // CHECK: %[[XI:.*]] = tensor.extract_slice %[[X4]][%[[I]], 0, 0] [1, 8, 3] [1, 1, 1]
    // CHECK: %[[Y:.*]] = linalg.matvec ins(%[[XI]], %[[W]]
    %y = linalg.matvec ins(%x, %w : tensor<8x3xf32>, tensor<3xf32>) outs(%z8 : tensor<8xf32>) -> tensor<8xf32>
    // CHECK: %[[LOSS:.*]] = linalg.dot
    %loss = linalg.dot ins(%y, %y : tensor<8xf32>, tensor<8xf32>) outs(%z : tensor<f32>) -> tensor<f32>
    // CHECK: %[[DW:.*]] = linalg.vecmat
    %dw = linalg.vecmat ins(%y, %x : tensor<8xf32>, tensor<8x3xf32>) outs(%z3 : tensor<3xf32>) -> tensor<3xf32>
    // CHECK: %[[NEWMEAN:.*]] = linalg.reduce { arith.addf } ins(%[[XI]] : tensor<8x3xf32>) outs(%[[M]] : tensor<3xf32>)
    %newmean = linalg.reduce { arith.addf } ins(%x : tensor<8x3xf32>) outs(%mean : tensor<3xf32>) dimensions = [0]
    // CHECK: %[[GN:.*]] = arith.addf %[[G]], %[[DW]] : tensor<3xf32>
    // CHECK: %[[LN:.*]] = arith.addf %[[L]], %[[LOSS]] : tensor<f32>
    // CHECK: %[[MN:.*]] = arith.maximumf %[[MOST]], %[[LOSS]] : tensor<f32>
    // CHECK: %[[RN:.*]] = tensor.insert_slice %[[Y]] into %[[ROWS]][%[[I]], 0] [1, 8] [1, 1]
    // CHECK: scf.yield %[[GN]], %[[NEWMEAN]], %[[LN]], %[[MN]], %[[RN]]
    // CHECK: %[[FOUR:.*]] = arith.constant dense<4.000000e+00> : tensor<3xf32>
    // CHECK: %[[AVERAGE:.*]] = arith.divf %[[LOOP]]#0, %[[FOUR]]
    // CHECK: %[[AVERAGELOSS:.*]] = arith.divf %[[LOOP]]#2
    // CHECK: %[[ALLROWS:.*]] = tensor.collapse_shape %[[LOOP]]#4 {{\[\[}}0, 1]] : tensor<4x8xf32> into tensor<32xf32>
    // CHECK: %[[MARK:.*]] = ds.gradient %[[AVERAGE]] of "w"
    %g = ds.gradient %dw of "w" : tensor<3xf32>
    // CHECK: %[[NEW:.*]] = arith.subf %[[W]], %[[MARK]]
    %new = arith.subf %w, %g : tensor<3xf32>
    %next = arith.addf %count, %one : tensor<f32>
    // CHECK: return %[[NEW]], %{{.*}}, %[[LOOP]]#1, %[[AVERAGELOSS]], %[[LOOP]]#3, %[[ALLROWS]]
    return %new, %next, %newmean, %loss, %loss, %y
        : tensor<3xf32>, tensor<f32>, tensor<3xf32>, tensor<f32>, tensor<f32>, tensor<8xf32>
  }
}

// -----

// Each microbatch draws from a key of its own; gradients of 16 bits are added up in f32. The count that the update alone reads changes once.
module attributes {ds.config = #ds.config<batch = local, device_num = 2, grad_accumulation_step = 2>} {
  // CHECK-LABEL: func.func @keys_and_halves
  func.func @keys_and_halves(%w: tensor<3xbf16> {ds.param = "w"}, %t: tensor<bf16> {ds.state = "t"}, %x: tensor<4x3xbf16> {ds.batch = 0 : i64},
      %key: tensor<2xi32> {ds.seed}) -> (tensor<3xbf16> {ds.updates = "w"}, tensor<bf16> {ds.updates = "t"}) {
    %z = arith.constant dense<0.0> : tensor<3xbf16>
    %one = arith.constant dense<1.0> : tensor<bf16>
    %c0 = arith.constant 0 : index
    // CHECK: %[[T:.*]] = arith.addf %arg1
    %next = arith.addf %t, %one : tensor<bf16>
    // CHECK: %[[LOOP:.*]] = scf.for %[[I:.*]] = %{{.*}} iter_args(%{{.*}}) -> (tensor<3xf32>)
    // CHECK: %[[FAR:.*]] = arith.constant 65536 : index
    // CHECK: %[[AT:.*]] = arith.muli %[[I]], %[[FAR]]
    // CHECK: arith.index_cast %[[AT]]
    // CHECK: %[[KEY:.*]] = linalg.generic {{.*}} ins(%arg3 : tensor<2xi32>)
    // CHECK: tensor.extract %[[KEY]]
    %word = tensor.extract %key[%c0] : tensor<2xi32>
    %drawn = arith.sitofp %word : i32 to bf16
    %noise = linalg.fill ins(%drawn : bf16) outs(%z : tensor<3xbf16>) -> tensor<3xbf16>
    %sum = linalg.reduce { arith.addf } ins(%x : tensor<4x3xbf16>) outs(%z : tensor<3xbf16>) dimensions = [0]
    %p = arith.mulf %sum, %noise : tensor<3xbf16>
    %dw = arith.mulf %p, %w : tensor<3xbf16>
    // CHECK: %[[WIDE:.*]] = arith.extf %{{.*}} : tensor<3xbf16> to tensor<3xf32>
    // CHECK: arith.addf %{{.*}}, %[[WIDE]] : tensor<3xf32>
    // CHECK: %[[MEAN:.*]] = arith.divf %[[LOOP]]
    // CHECK: %[[NARROW:.*]] = arith.truncf %[[MEAN]] : tensor<3xf32> to tensor<3xbf16>
    // CHECK: ds.gradient %[[NARROW]] of "w"
    %g = ds.gradient %dw of "w" : tensor<3xbf16>
    %new = arith.subf %w, %g : tensor<3xbf16>
    // CHECK: return %{{.*}}, %[[T]]
    return %new, %next : tensor<3xbf16>, tensor<bf16>
  }
}
