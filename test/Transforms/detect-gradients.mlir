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

module attributes {ds.config = #ds.config<batch = local, device_num = 2>} {
  // Ranks decide by the sum of their losses, in which the penalty counts once; each reports its own, with all of the penalty.
  // CHECK-LABEL: func.func @a_report_sees_neither_sums_nor_masks
  func.func @a_report_sees_neither_sums_nor_masks(
      %w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}, tensor<f32> {ds.metric = "loss"}) {
    %zero = arith.constant dense<0.0> : tensor<3xf32>
    %none = arith.constant dense<0.0> : tensor<f32>
    %limit = arith.constant 1.0 : f32
    // CHECK-DAG: %[[ONCE:.*]] = ds.replicated_to_partial sum %[[NONE:.*]] : tensor<f32>
    // CHECK-DAG: %[[MASKED:.*]] = linalg.reduce { arith.addf } ins(%[[SQUARES:.*]] : tensor<8x3xf32>) outs(%[[ONCE]] : tensor<f32>)
    // CHECK-DAG: %[[TOTAL:.*]] = linalg.reduce { arith.addf } ins(%[[SQUARES]] : tensor<8x3xf32>) outs(%[[NONE]] : tensor<f32>)
    // CHECK-DAG: %[[ALL:.*]] = ds.combine sum %[[MASKED]] : tensor<f32>
    %squares = arith.mulf %x, %x : tensor<8x3xf32>
    %total = linalg.reduce { arith.addf } ins(%squares : tensor<8x3xf32>) outs(%none : tensor<f32>) dimensions = [0, 1]
    // CHECK-DAG: %[[PENALTY:.*]] = linalg.reduce { arith.addf } ins(%{{.*}} : tensor<3xf32>)
    %square = arith.mulf %w, %w : tensor<3xf32>
    %penalty = linalg.reduce { arith.addf } ins(%square : tensor<3xf32>) outs(%none : tensor<f32>) dimensions = [0]
    // CHECK-DAG: arith.addf %[[ALL]], %[[PENALTY]] : tensor<f32>
    // CHECK-DAG: %[[OWN:.*]] = arith.addf %[[TOTAL]], %[[PENALTY]] : tensor<f32>
    %loss = arith.addf %total, %penalty : tensor<f32>
    %g = linalg.reduce { arith.addf } ins(%x : tensor<8x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
    %l = tensor.extract %loss[] : tensor<f32>
    %steps = arith.cmpf olt, %l, %limit : f32
    %moved = arith.subf %w, %g : tensor<3xf32>
    // CHECK: arith.select
    %new = arith.select %steps, %moved, %w : tensor<3xf32>
    // CHECK: return %{{.*}}, %[[OWN]]
    return %new, %loss : tensor<3xf32>, tensor<f32>
  }
}

// -----

// What is made of a gradient and of itself is the rank's own, and so is how often: comparisons do not add up.
// CHECK-LABEL: @ranks_halve_their_own_as_often_as_it_needs
// CHECK-NOT: ds.combine
// CHECK: ds.gradient %{{.*}} of "w" : tensor<3xf32>
module attributes {ds.config = #ds.config<batch = local, device_num = 2>} {
  func.func @ranks_halve_their_own_as_often_as_it_needs(
      %w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x2x3xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %zero = arith.constant dense<0.0> : tensor<2x3xf32>
    %half = arith.constant dense<0.5> : tensor<2x3xf32>
    %one = arith.constant dense<1.0> : tensor<2x3xf32>
    %c0 = arith.constant 0 : index
    %g = linalg.reduce { arith.addf } ins(%x : tensor<8x2x3xf32>) outs(%zero : tensor<2x3xf32>) dimensions = [0]
    %v = scf.while (%a = %g) : (tensor<2x3xf32>) -> tensor<2x3xf32> {
      %large = arith.cmpf ogt, %a, %one : tensor<2x3xf32>
      %more = tensor.extract %large[%c0, %c0] : tensor<2x3xi1>
      scf.condition(%more) %a : tensor<2x3xf32>
    } do {
    ^bb0(%a: tensor<2x3xf32>):
      %b = arith.mulf %a, %half : tensor<2x3xf32>
      scf.yield %b : tensor<2x3xf32>
    }
    %d = tensor.extract_slice %v[0, 0] [1, 3] [1, 1] : tensor<2x3xf32> to tensor<3xf32>
    %new = arith.subf %w, %d : tensor<3xf32>
    return %new : tensor<3xf32>
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

// An optimizer may update a matrix by values of other sizes. What it makes of the gradient, in
// another way than linearly and with nothing of a parameter, it makes of the combined one.
module attributes {ds.config = #ds.config<batch = local, device_num = 2>} {
  // CHECK-LABEL: func.func @an_update_of_one_direction_of_the_gradient
  func.func @an_update_of_one_direction_of_the_gradient(%w: tensor<4x3xf32> {ds.param = "w"},
      %x: tensor<8x4xf32> {ds.batch = 0 : i64}) -> (tensor<4x3xf32> {ds.updates = "w"}) {
    %zero = arith.constant dense<0.0> : tensor<4x3xf32>
    %zero83 = arith.constant dense<0.0> : tensor<8x3xf32>
    %zero4 = arith.constant dense<0.0> : tensor<4xf32>
    %zero3 = arith.constant dense<0.0> : tensor<3xf32>
    %zero0 = arith.constant dense<0.0> : tensor<f32>
    %y = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x3xf32>) outs(%zero83 : tensor<8x3xf32>) -> tensor<8x3xf32>
    // CHECK: %[[DW:.*]] = linalg.matmul indexing_maps
    // CHECK: %[[G:.*]] = ds.gradient %[[DW]] of "w"
    %dw = linalg.matmul indexing_maps = [affine_map<(i, j, b) -> (b, i)>, affine_map<(i, j, b) -> (b, j)>, affine_map<(i, j, b) -> (i, j)>]
        ins(%x, %y : tensor<8x4xf32>, tensor<8x3xf32>) outs(%zero : tensor<4x3xf32>) -> tensor<4x3xf32>
    // CHECK: linalg.reduce { arith.addf } ins(%[[G]] :
    %rows = linalg.reduce { arith.addf } ins(%dw : tensor<4x3xf32>) outs(%zero4 : tensor<4xf32>) dimensions = [1]
    %length = linalg.dot ins(%rows, %rows : tensor<4xf32>, tensor<4xf32>) outs(%zero0 : tensor<f32>) -> tensor<f32>
    %all = linalg.broadcast ins(%length : tensor<f32>) outs(%zero4 : tensor<4xf32>) dimensions = [0]
    %q = linalg.div ins(%rows, %all : tensor<4xf32>, tensor<4xf32>) outs(%zero4 : tensor<4xf32>) -> tensor<4xf32>
    // CHECK: linalg.vecmat ins(%{{.*}}, %[[G]] :
    %u = linalg.vecmat ins(%q, %dw : tensor<4xf32>, tensor<4x3xf32>) outs(%zero3 : tensor<3xf32>) -> tensor<3xf32>
    %left = linalg.broadcast ins(%q : tensor<4xf32>) outs(%zero : tensor<4x3xf32>) dimensions = [1]
    %right = linalg.broadcast ins(%u : tensor<3xf32>) outs(%zero : tensor<4x3xf32>) dimensions = [0]
    %update = linalg.mul ins(%left, %right : tensor<4x3xf32>, tensor<4x3xf32>) outs(%zero : tensor<4x3xf32>) -> tensor<4x3xf32>
    // CHECK-NOT: ds.gradient
    %new = linalg.sub ins(%w, %update : tensor<4x3xf32>, tensor<4x3xf32>) outs(%zero : tensor<4x3xf32>) -> tensor<4x3xf32>
    return %new : tensor<4x3xf32>
  }
}

// -----

// The moments of a projected gradient are of the projection's size, which would be cheaper to
// combine. The gradient is what is marked, behind what decays the weight as well.
module attributes {ds.config = #ds.config<batch = local, device_num = 2>} {
  // CHECK-LABEL: func.func @moments_of_a_projected_gradient
  func.func @moments_of_a_projected_gradient(%w: tensor<4x3xf32> {ds.param = "w"},
      %p: tensor<2x4xf32> {ds.state = "p"}, %v: tensor<2x3xf32> {ds.state = "v"},
      %x: tensor<8x4xf32> {ds.batch = 0 : i64})
      -> (tensor<4x3xf32> {ds.updates = "w"}, tensor<2x4xf32> {ds.updates = "p"}, tensor<2x3xf32> {ds.updates = "v"}) {
    %zero = arith.constant dense<0.0> : tensor<4x3xf32>
    %zero83 = arith.constant dense<0.0> : tensor<8x3xf32>
    %zero23 = arith.constant dense<0.0> : tensor<2x3xf32>
    %y = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x3xf32>) outs(%zero83 : tensor<8x3xf32>) -> tensor<8x3xf32>
    // CHECK: %[[DW:.*]] = linalg.matmul indexing_maps
    // CHECK: %[[G:.*]] = ds.gradient %[[DW]] of "w"
    %dw = linalg.matmul indexing_maps = [affine_map<(i, j, b) -> (b, i)>, affine_map<(i, j, b) -> (b, j)>, affine_map<(i, j, b) -> (i, j)>]
        ins(%x, %y : tensor<8x4xf32>, tensor<8x3xf32>) outs(%zero : tensor<4x3xf32>) -> tensor<4x3xf32>
    // CHECK: linalg.add ins(%[[G]], %{{.*}} :
    %decayed = linalg.add ins(%dw, %w : tensor<4x3xf32>, tensor<4x3xf32>) outs(%zero : tensor<4x3xf32>) -> tensor<4x3xf32>
    // CHECK-NOT: ds.gradient
    %d = linalg.matmul ins(%p, %decayed : tensor<2x4xf32>, tensor<4x3xf32>) outs(%zero23 : tensor<2x3xf32>) -> tensor<2x3xf32>
    %square = linalg.mul ins(%d, %d : tensor<2x3xf32>, tensor<2x3xf32>) outs(%zero23 : tensor<2x3xf32>) -> tensor<2x3xf32>
    %newv = linalg.add ins(%v, %square : tensor<2x3xf32>, tensor<2x3xf32>) outs(%zero23 : tensor<2x3xf32>) -> tensor<2x3xf32>
    %scaled = linalg.div ins(%d, %newv : tensor<2x3xf32>, tensor<2x3xf32>) outs(%zero23 : tensor<2x3xf32>) -> tensor<2x3xf32>
    %update = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>]
        ins(%p, %scaled : tensor<2x4xf32>, tensor<2x3xf32>) outs(%zero : tensor<4x3xf32>) -> tensor<4x3xf32>
    %new = linalg.sub ins(%w, %update : tensor<4x3xf32>, tensor<4x3xf32>) outs(%zero : tensor<4x3xf32>) -> tensor<4x3xf32>
    return %new, %p, %newv : tensor<4x3xf32>, tensor<2x4xf32>, tensor<2x3xf32>
  }
}
