// RUN: ds-opt %s -split-input-file -ds-detect-gradients | FileCheck %s

#x = affine_map<(k, n, b) -> (b, k)>
#g = affine_map<(k, n, b) -> (b, n)>
#w = affine_map<(k, n, b) -> (k, n)>
#id = affine_map<(i, j) -> (i, j)>
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  // CHECK-LABEL: func.func @marks_the_sum_over_the_batch
  func.func @marks_the_sum_over_the_batch(
      %w: tensor<4x3xf32> {ds.param = "w"},
      %x: tensor<8x4xf32> {ds.batch = 0 : i64}, %dy: tensor<8x3xf32> {ds.batch = 0 : i64})
      -> (tensor<4x3xf32> {ds.updates = "w"}) {
    %zero = arith.constant 0.0 : f32
    %lr = arith.constant 0.1 : f32
    %e = tensor.empty() : tensor<4x3xf32>
    %init = linalg.fill ins(%zero : f32) outs(%e : tensor<4x3xf32>) -> tensor<4x3xf32>
    // CHECK: %[[DW:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<8x4xf32>, tensor<8x3xf32>)
    %dw = linalg.generic {indexing_maps = [#x, #g, #w],
        iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x, %dy : tensor<8x4xf32>, tensor<8x3xf32>) outs(%init : tensor<4x3xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %o, %p : f32
      linalg.yield %s : f32
    } -> tensor<4x3xf32>
    // CHECK: %[[G:.*]] = ds.gradient %[[DW]] of "w" : tensor<4x3xf32>
    // CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[G]] :
    %new = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%w, %dw : tensor<4x3xf32>, tensor<4x3xf32>) outs(%e : tensor<4x3xf32>) {
    ^bb0(%p: f32, %d: f32, %o: f32):
      %m = arith.mulf %d, %lr : f32
      %n = arith.subf %p, %m : f32
      linalg.yield %n : f32
    } -> tensor<4x3xf32>
    return %new : tensor<4x3xf32>
  }
}

// -----

#r = affine_map<(i, b) -> (b, i)>
#c = affine_map<(i, b) -> (i)>
#one = affine_map<(i) -> (i)>
#row = affine_map<(b, i) -> (i)>
#all = affine_map<(b, i) -> (b, i)>
module attributes {ds.config = #ds.config<batch = local, device_num = 2>} {
  // The sum over the rank's rows also centres the rows themselves: that use stays the rank's own.
  // CHECK-LABEL: func.func @local_marks_only_the_use_of_the_update
  func.func @local_marks_only_the_use_of_the_update(
      %w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}, tensor<8x3xf32> {ds.batch = 0 : i64}) {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<3xf32>
    %eb = tensor.empty() : tensor<8x3xf32>
    %init = linalg.fill ins(%zero : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
    // CHECK: %[[SUM:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<8x3xf32>)
    %sum = linalg.generic {indexing_maps = [#r, #c], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<8x3xf32>) outs(%init : tensor<3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %o, %a : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    // CHECK: %[[G:.*]] = ds.gradient %[[SUM]] of "w"
    // CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[SUM]] : tensor<8x3xf32>, tensor<3xf32>)
    %centred = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
        ins(%x, %sum : tensor<8x3xf32>, tensor<3xf32>) outs(%eb : tensor<8x3xf32>) {
    ^bb0(%a: f32, %m: f32, %o: f32):
      %s = arith.subf %a, %m : f32
      linalg.yield %s : f32
    } -> tensor<8x3xf32>
    // CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[G]] : tensor<3xf32>, tensor<3xf32>)
    %new = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
        ins(%w, %sum : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
    ^bb0(%p: f32, %d: f32, %o: f32):
      %n = arith.subf %p, %d : f32
      linalg.yield %n : f32
    } -> tensor<3xf32>
    return %new, %centred : tensor<3xf32>, tensor<8x3xf32>
  }
}

// -----

#r = affine_map<(i, b) -> (b, i)>
#c = affine_map<(i, b) -> (i)>
#one = affine_map<(i) -> (i)>
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  // A mark that a front end wrote is kept, and no second one is made.
  // CHECK-LABEL: func.func @keeps_a_mark_of_the_front_end
  // CHECK-COUNT-1: ds.gradient
  // CHECK-NOT: ds.gradient
  func.func @keeps_a_mark_of_the_front_end(
      %w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<3xf32>
    %init = linalg.fill ins(%zero : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
    %sum = linalg.generic {indexing_maps = [#r, #c], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<8x3xf32>) outs(%init : tensor<3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %o, %a : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    %g = ds.gradient %sum of "w" : tensor<3xf32>
    %new = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
        ins(%w, %g : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
    ^bb0(%p: f32, %d: f32, %o: f32):
      %n = arith.subf %p, %d : f32
      linalg.yield %n : f32
    } -> tensor<3xf32>
    return %new : tensor<3xf32>
  }
}

// -----

#one = affine_map<(i) -> (i)>
module attributes {ds.config = #ds.config<device_num = 1>} {
  // One device has nobody to combine with.
  // CHECK-LABEL: func.func @one_device_is_left_alone
  // CHECK-NOT: ds.gradient
  func.func @one_device_is_left_alone(%w: tensor<3xf32> {ds.param = "w"})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    return %w : tensor<3xf32>
  }
}

// -----

#x = affine_map<(i, b) -> (b, i)>
#c = affine_map<(i, b) -> (i)>
// Ranks along tp compute the loss alike, and each of the three counts it: the marked gradient is multiplied where the update reads it.
module attributes {ds.config = #ds.config<loss_repeated_mean = false, mesh = "dp=2,tp=3">} {
  // CHECK-LABEL: func.func @a_repeated_loss_counts_each_time(
  func.func @a_repeated_loss_counts_each_time(
      %w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %zero = arith.constant dense<0.0> : tensor<3xf32>
    %dw = linalg.generic {indexing_maps = [#x, #c], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<8x3xf32>) outs(%zero : tensor<3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %o, %a : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    // CHECK: %[[G:.*]] = ds.gradient %{{.*}} of "w" : tensor<3xf32>
    // CHECK: %[[THREE:.*]] = arith.constant 3.0
    // CHECK: %[[ALL:.*]] = linalg.generic {{.*}} ins(%[[G]] : tensor<3xf32>)
    // CHECK: arith.mulf %{{.*}}, %[[THREE]] : f32
    // CHECK: arith.subf %{{.*}}, %[[ALL]] : tensor<3xf32>
    %new = arith.subf %w, %dw : tensor<3xf32>
    return %new : tensor<3xf32>
  }
}

// -----

// Of one sample as well, a running statistic is no gradient.
module attributes {ds.config = #ds.config<batch = local, device_num = 2>} {
  // CHECK-LABEL: func.func @one_sample_and_a_statistic(
  func.func @one_sample_and_a_statistic(%calls: tensor<f32> {ds.param = "calls"}, %mean: tensor<3xf32> {ds.state = "mean"}, %x: tensor<1x3xf32> {ds.batch = 0 : i64})
      -> (tensor<f32> {ds.updates = "calls"}, tensor<3xf32> {ds.updates = "mean"}) {
    // CHECK-NOT: ds.gradient
    %zero = arith.constant dense<0.0> : tensor<3xf32>
    %sum = linalg.reduce { arith.addf } ins(%x : tensor<1x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
    %new = arith.addf %mean, %sum : tensor<3xf32>
    return %calls, %new : tensor<f32>, tensor<3xf32>
  }
}

// -----

// A rank has one sample, but nothing that could be taken for a gradient: the step updates nothing by it.
module attributes {ds.config = #ds.config<batch = local, device_num = 2>} {
  // CHECK-LABEL: func.func @one_sample_and_no_update(
  func.func @one_sample_and_no_update(%calls: tensor<f32> {ds.param = "calls"}, %b: tensor<3xf32>, %x: tensor<1x3xf32> {ds.batch = 0 : i64})
      -> (tensor<f32> {ds.updates = "calls"}, tensor<1x3xf32> {ds.batch = 0 : i64}) {
    // CHECK-NOT: ds.gradient
    // CHECK-NOT: ds.combine
    %one = arith.constant dense<1.0> : tensor<f32>
    %next = arith.addf %calls, %one : tensor<f32>
    %row = tensor.expand_shape %b [[0, 1]] output_shape [1, 3] : tensor<3xf32> into tensor<1x3xf32>
    %y = arith.addf %x, %row : tensor<1x3xf32>
    return %next, %y : tensor<f32>, tensor<1x3xf32>
  }
}
