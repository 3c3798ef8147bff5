// Roles for steps that say nothing but what they donate.
// RUN: ds-opt %s --ds-annotate-step --split-input-file | FileCheck %s
// RUN: ds-opt %s --ds-annotate-step --split-input-file --remarks-filter="ds-.*" 2>&1 | FileCheck %s --check-prefix=REMARK

// Gradient descent with momentum on x * w, the mean over the batch. The momentum is returned first, so donation, which knows
// types only, pairs both crosswise.
#row = affine_map<(d0, d1) -> (d0)>
#col = affine_map<(d0, d1) -> (d1)>
#all = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func.func @state_before_parameters(
// CHECK-SAME: %{{.*}}: tensor<3xf32> {ds.param = "arg0"}, %{{.*}}: tensor<3xf32> {ds.state = "arg1"}
// CHECK-SAME: tensor<4x3xf32> {ds.batch = 0 : i64, ds.name = "arg2"}, %{{.*}}: tensor<f32> {ds.name = "arg3"}
// CHECK-SAME: -> (tensor<3xf32> {ds.updates = "arg1"}, tensor<3xf32> {ds.updates = "arg0"}, tensor<4xf32> {ds.batch = 0 : i64, ds.name = "result2"}, tensor<f32> {ds.metric = "result3"})
// REMARK-DAG: argument 2 holds samples", rows=4
// REMARK-DAG: argument 0 is parameter 'arg0', updated by result 1 although donated to result 0
// REMARK-DAG: argument 1 is state 'arg1', updated by result 0 although donated to result 1
// REMARK-DAG: result 2 is per sample
// REMARK-DAG: result 3 is a metric
func.func @state_before_parameters(%w: tensor<3xf32> {tf.aliasing_output = 0 : i32}, %m: tensor<3xf32> {tf.aliasing_output = 1 : i32}, %x: tensor<4x3xf32>, %lr: tensor<f32>)
    -> (tensor<3xf32>, tensor<3xf32>, tensor<4xf32>, tensor<f32>) {
  %zero = arith.constant 0.0 : f32
  %beta = arith.constant 0.9 : f32
  %decay = arith.constant 0.01 : f32
  %e4 = tensor.empty() : tensor<4xf32>
  %z4 = linalg.fill ins(%zero : f32) outs(%e4 : tensor<4xf32>) -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#all, #col, #row], iterator_types = ["parallel", "reduction"]} ins(%x, %w : tensor<4x3xf32>, tensor<3xf32>) outs(%z4 : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %e0 = tensor.empty() : tensor<f32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<f32>) -> tensor<f32>
  %loss = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%y : tensor<4xf32>) outs(%z0 : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %o, %a : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  %e3 = tensor.empty() : tensor<3xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<3xf32>) -> tensor<3xf32>
  %g = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d1)>, #row], iterator_types = ["parallel", "reduction"]} ins(%x, %y : tensor<4x3xf32>, tensor<4xf32>) outs(%z3 : tensor<3xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  // Weight decay in the momentum: it contains the parameter, but scaled.
  %new_m = linalg.map ins(%m, %g, %w : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) outs(%e3 : tensor<3xf32>) (%a: f32, %b: f32, %c: f32, %o: f32) {
    %1 = arith.mulf %a, %beta : f32
    %2 = arith.addf %1, %b : f32
    %3 = arith.mulf %c, %decay : f32
    %4 = arith.addf %2, %3 : f32
    linalg.yield %4 : f32
  }
  %rate = tensor.extract %lr[] : tensor<f32>
  %new_w = linalg.map ins(%w, %new_m : tensor<3xf32>, tensor<3xf32>) outs(%e3 : tensor<3xf32>) (%a: f32, %b: f32, %o: f32) {
    %1 = arith.mulf %b, %rate : f32
    %2 = arith.subf %a, %1 : f32
    linalg.yield %2 : f32
  }
  return %new_m, %new_w, %y, %loss : tensor<3xf32>, tensor<3xf32>, tensor<4xf32>, tensor<f32>
}

// -----
// A step with roles is left as it is.
// CHECK-LABEL: func.func @has_roles(
// CHECK-SAME: tensor<3xf32> {ds.param = "w"}
// CHECK-SAME: tensor<3xf32> {tf.aliasing_output = 1 : i32}
func.func @has_roles(%w: tensor<3xf32> {ds.param = "w"}, %m: tensor<3xf32> {tf.aliasing_output = 1 : i32}) -> (tensor<3xf32> {ds.updates = "w"}, tensor<3xf32>) {
  return %w, %m : tensor<3xf32>, tensor<3xf32>
}

// -----
// prev = w: the old parameter becomes a state that forgets what it was; counter and moving average contain themselves.
// CHECK-LABEL: func.func @states_of_several_kinds(
// CHECK-SAME: tensor<i32> {ds.state = "arg0"}
// CHECK-SAME: tensor<3xf32> {ds.state = "arg1"}
// CHECK-SAME: tensor<3xf32> {ds.param = "arg2"}
// CHECK-SAME: tensor<4x3xf32> {ds.batch = 0 : i64, ds.name = "arg3"}
// CHECK-SAME: tensor<2xi32> {ds.name = "arg4", ds.seed}
// CHECK-SAME: -> (tensor<3xf32> {ds.updates = "arg2"}, tensor<3xf32> {ds.updates = "arg1"}, tensor<i32> {ds.updates = "arg0"}, tensor<4x3xf32> {ds.batch = 0 : i64, ds.name = "result3"})
func.func @states_of_several_kinds(%count: tensor<i32> {tf.aliasing_output = 2 : i32}, %prev: tensor<3xf32> {tf.aliasing_output = 0 : i32}, %w: tensor<3xf32> {tf.aliasing_output = 1 : i32}, %x: tensor<4x3xf32>, %key: tensor<2xi32> {ds.seed})
    -> (tensor<3xf32>, tensor<3xf32>, tensor<i32>, tensor<4x3xf32>) {
  %one = arith.constant dense<1> : tensor<i32>
  %next = arith.addi %count, %one : tensor<i32>
  %e = tensor.empty() : tensor<4x3xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x, %w : tensor<4x3xf32>, tensor<3xf32>) outs(%e : tensor<4x3xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    linalg.yield %p : f32
  } -> tensor<4x3xf32>
  %zero = arith.constant dense<0.0> : tensor<3xf32>
  %g = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%y : tensor<4x3xf32>) outs(%zero : tensor<3xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %o, %a : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %new = arith.subf %w, %g : tensor<3xf32>
  return %new, %w, %next, %y : tensor<3xf32>, tensor<3xf32>, tensor<i32>, tensor<4x3xf32>
}

// -----
// Which argument weighs the samples is no guess; with that mark alone the samples are found as without it.
// CHECK-LABEL: func.func @a_weight_is_marked(
// CHECK-SAME: tensor<3xf32> {ds.param = "arg0"}
// CHECK-SAME: tensor<4x3xf32> {ds.batch = 0 : i64, ds.name = "arg1"}
// CHECK-SAME: tensor<4xf32> {ds.batch = 0 : i64, ds.name = "arg2", ds.weight}
func.func @a_weight_is_marked(%w: tensor<3xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<4x3xf32>,
    %k: tensor<4xf32> {ds.batch = 0 : i64, ds.weight}) -> tensor<3xf32> {
  %zero = arith.constant dense<0.0> : tensor<3xf32>
  %none = arith.constant dense<0.0> : tensor<4xf32>
  %p = linalg.matvec ins(%x, %w : tensor<4x3xf32>, tensor<3xf32>) outs(%none : tensor<4xf32>) -> tensor<4xf32>
  %d = arith.mulf %p, %k : tensor<4xf32>
  %g = linalg.vecmat ins(%d, %x : tensor<4xf32>, tensor<4x3xf32>) outs(%zero : tensor<3xf32>) -> tensor<3xf32>
  %new = arith.subf %w, %g : tensor<3xf32>
  return %new : tensor<3xf32>
}

// -----

// Whether ranks may read one another's samples is not decided here: products of all pairs hold samples by their rows.
// CHECK-LABEL: func.func @pairs_of_samples(
// CHECK-SAME: tensor<4x3xf32> {ds.batch = 0 : i64
// CHECK-SAME: -> (tensor<f32> {ds.updates = "arg0"}, tensor<4x4xf32> {ds.batch = 0 : i64
func.func @pairs_of_samples(%w: tensor<f32> {tf.aliasing_output = 0 : i32}, %x: tensor<4x3xf32>) -> (tensor<f32>, tensor<4x4xf32>) {
  %zero = arith.constant dense<0.0> : tensor<4x4xf32>
  %l = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %x : tensor<4x3xf32>, tensor<4x3xf32>) outs(%zero : tensor<4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  %f = tensor.extract %w[] : tensor<f32>
  %e = tensor.empty() : tensor<4x4xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%l : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %p = arith.mulf %a, %f : f32
    linalg.yield %p : f32
  } -> tensor<4x4xf32>
  %z0 = arith.constant dense<0.0> : tensor<f32>
  %g = linalg.reduce { arith.addf } ins(%y : tensor<4x4xf32>) outs(%z0 : tensor<f32>) dimensions = [0, 1]
  %new = arith.subf %w, %g : tensor<f32>
  return %new, %y : tensor<f32>, tensor<4x4xf32>
}

// -----

// Each result contains both arguments. What math.fma adds it contains whole, what it multiplies scaled.
// CHECK-LABEL: func.func @updates_by_multiply_and_add(
// CHECK-SAME: -> (tensor<3xf32> {ds.updates = "arg1"}, tensor<3xf32> {ds.updates = "arg0"})
func.func @updates_by_multiply_and_add(%w: tensor<3xf32> {tf.aliasing_output = 0 : i32}, %m: tensor<3xf32> {tf.aliasing_output = 1 : i32},
    %x: tensor<4x3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %decay = arith.constant 0.1 : f32
  %rate = arith.constant -0.01 : f32
  %zero = arith.constant dense<0.0> : tensor<3xf32>
  %g = linalg.reduce { arith.addf } ins(%x : tensor<4x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
  %moved = linalg.map ins(%w, %m, %g : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) outs(%zero : tensor<3xf32>)
    (%a: f32, %b: f32, %c: f32, %o: f32) {
      %s = math.fma %a, %decay, %b : f32
      %t = arith.addf %s, %c : f32
      linalg.yield %t : f32
    }
  %new = linalg.map ins(%w, %m : tensor<3xf32>, tensor<3xf32>) outs(%zero : tensor<3xf32>)
    (%a: f32, %b: f32, %o: f32) {
      %s = math.fma %b, %rate, %a : f32
      linalg.yield %s : f32
    }
  return %moved, %new : tensor<3xf32>, tensor<3xf32>
}

// -----

// A result is sharded as the argument that it updates, of which the later passes read it.
// CHECK-LABEL: func.func @a_marked_result(
// CHECK-SAME: %{{.*}}: tensor<4xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{"dp"}]>}) -> (tensor<4xf32> {ds.updates = "w"})
func.func @a_marked_result(%w: tensor<4xf32> {ds.param = "w"}) -> (tensor<4xf32> {ds.sharding = #ds.sharding<[{"dp"}]>, ds.updates = "w"}) {
  return %w : tensor<4xf32>
}
