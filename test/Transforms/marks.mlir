// RUN: ds-opt %s -split-input-file -ds-insert-all-reduce | FileCheck %s
// Marks are where ranks meet in `local`: what comes before varies from rank to rank, only uses of their results see what is combined.

module attributes {ds.config = #ds.config<batch = local, device_num = 4>} {
// The metric reads above the mark, so it stays the rank's own; the update reads below.
// CHECK-LABEL: func.func @only_uses_of_the_result_are_combined
// CHECK-SAME: tensor<f32> {ds.metric = "first"}
// CHECK: %[[G:.*]] = linalg.reduce
// CHECK: %[[ALL:.*]] = ds.all_reduce sum %[[G]] {names = {{\[\[}}"w"]]} : tensor<3xf32>
// CHECK: tensor.extract %[[G]]
// CHECK: arith.subf %{{.*}}, %[[ALL]] : tensor<3xf32>
func.func @only_uses_of_the_result_are_combined(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64})
    -> (tensor<3xf32> {ds.updates = "w"}, tensor<f32> {ds.metric = "first"}) {
  %zero = arith.constant dense<0.0> : tensor<3xf32>
  %c0 = arith.constant 0 : index
  %g = linalg.reduce { arith.addf } ins(%x : tensor<8x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
  %m = ds.gradient %g of "w" : tensor<3xf32>
  %first = tensor.extract %g[%c0] : tensor<3xf32>
  %metric = tensor.from_elements %first : tensor<f32>
  %new = arith.subf %w, %m : tensor<3xf32>
  return %new, %metric : tensor<3xf32>, tensor<f32>
}
}

// -----

module attributes {ds.config = #ds.config<batch = local, device_num = 4>} {
// What is computed from a combined gradient is the same on all ranks: nobody combines it again, whatever ds.reduce says.
// CHECK-LABEL: func.func @a_metric_behind_a_mark_is_taken_as_it_is
// CHECK-SAME: tensor<f32> {ds.metric = "norm", ds.reduce = "none"}
// CHECK-COUNT-1: ds.all_reduce
// CHECK-NOT: ds.all_reduce
func.func @a_metric_behind_a_mark_is_taken_as_it_is(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64})
    -> (tensor<3xf32> {ds.updates = "w"}, tensor<f32> {ds.metric = "norm", ds.reduce = "sum"}) {
  %zero = arith.constant dense<0.0> : tensor<3xf32>
  %none = arith.constant dense<0.0> : tensor<f32>
  %g = linalg.reduce { arith.addf } ins(%x : tensor<8x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
  %m = ds.gradient %g of "w" : tensor<3xf32>
  %squares = arith.mulf %m, %m : tensor<3xf32>
  %norm = linalg.reduce { arith.addf } ins(%squares : tensor<3xf32>) outs(%none : tensor<f32>) dimensions = [0]
  %new = arith.subf %w, %m : tensor<3xf32>
  return %new, %norm : tensor<3xf32>, tensor<f32>
}
}

// -----

module attributes {ds.config = #ds.config<batch = local, device_num = 4>} {
// Beside a value of the rank's own a combined one is whole, and the reduction belongs to the forward pass.
// CHECK-LABEL: func.func @a_second_forward_pass_reads_the_combined_gradient
// CHECK: ds.all_reduce sum %{{.*}} {purpose = #ds<purpose activation>} : tensor<3xf32>
// CHECK: ds.all_reduce sum %{{.*}} {names = {{\[\[}}"w"]]} : tensor<3xf32>
func.func @a_second_forward_pass_reads_the_combined_gradient(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64})
    -> (tensor<3xf32> {ds.updates = "w"}) {
  %zero = arith.constant dense<0.0> : tensor<3xf32>
  %rows = tensor.empty() : tensor<8x3xf32>
  %g = linalg.reduce { arith.addf } ins(%x : tensor<8x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
  %m = ds.gradient %g of "w" : tensor<3xf32>
  %ascent = arith.addf %w, %m : tensor<3xf32>
  %wide = linalg.broadcast ins(%ascent : tensor<3xf32>) outs(%rows : tensor<8x3xf32>) dimensions = [0]
  %y = arith.mulf %x, %wide : tensor<8x3xf32>
  %h = linalg.reduce { arith.addf } ins(%y : tensor<8x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
  %n = ds.gradient %h of "w" : tensor<3xf32>
  %new = arith.subf %w, %n : tensor<3xf32>
  return %new : tensor<3xf32>
}
}

// -----

module attributes {ds.config = #ds.config<batch = local, device_num = 4>} {
// CHECK-LABEL: func.func @gradients_of_a_loop_are_combined_after_it
// CHECK: scf.for
// CHECK-NOT: ds.all_reduce
// CHECK: scf.yield
// CHECK: ds.all_reduce sum %{{.*}} {names = {{\[\[}}"w"]]} : tensor<3xf32>
func.func @gradients_of_a_loop_are_combined_after_it(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64})
    -> (tensor<3xf32> {ds.updates = "w"}) {
  %zero = arith.constant dense<0.0> : tensor<3xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%total = %zero) -> (tensor<3xf32>) {
    %rows = tensor.extract_slice %x[%i, 0] [2, 3] [1, 1] : tensor<8x3xf32> to tensor<2x3xf32>
    %g = linalg.reduce { arith.addf } ins(%rows : tensor<2x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
    %m = ds.gradient %g of "w" : tensor<3xf32>
    %next = arith.addf %total, %m : tensor<3xf32>
    scf.yield %next : tensor<3xf32>
  }
  %new = arith.subf %w, %sum : tensor<3xf32>
  return %new : tensor<3xf32>
}
}

// -----

module attributes {ds.config = #ds.config<batch = local, device_num = 4>} {
// What all ranks add behind a mark counts once where the sum is taken later.
// CHECK-LABEL: func.func @what_all_ranks_add_counts_once
// CHECK: ds.replicated_to_partial sum
// CHECK: ds.all_reduce sum %{{.*}} {names = {{\[\[}}"w"]]} : tensor<3xf32>
func.func @what_all_ranks_add_counts_once(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64})
    -> (tensor<3xf32> {ds.updates = "w"}) {
  %zero = arith.constant dense<0.0> : tensor<3xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%total = %w) -> (tensor<3xf32>) {
    %rows = tensor.extract_slice %x[%i, 0] [2, 3] [1, 1] : tensor<8x3xf32> to tensor<2x3xf32>
    %g = linalg.reduce { arith.addf } ins(%rows : tensor<2x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
    %m = ds.gradient %g of "w" : tensor<3xf32>
    %next = arith.addf %total, %m : tensor<3xf32>
    scf.yield %next : tensor<3xf32>
  }
  return %sum : tensor<3xf32>
}
}

// -----

module attributes {ds.config = #ds.config<batch = local, device_num = 4>} {
// CHECK-LABEL: func.func @gradients_of_layerwise_parameters_are_the_ranks_own
// CHECK-NOT: ds.all_reduce
// CHECK: return
func.func @gradients_of_layerwise_parameters_are_the_ranks_own(%w: tensor<3xf32> {ds.param = "w", ds.layerwise_parallel}, %x: tensor<8x3xf32> {ds.batch = 0 : i64})
    -> (tensor<3xf32> {ds.updates = "w"}) {
  %zero = arith.constant dense<0.0> : tensor<3xf32>
  %g = linalg.reduce { arith.addf } ins(%x : tensor<8x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
  %m = ds.gradient %g of "w" : tensor<3xf32>
  %new = arith.subf %w, %m : tensor<3xf32>
  return %new : tensor<3xf32>
}
}

// -----

module attributes {ds.config = #ds.config<batch = local, device_num = 4, gradients_mean = true>} {
// A mark says its kind, and only the one that gradients have moves on. The sum of the count stays a sum.
// CHECK-LABEL: func.func @each_mark_has_its_kind
// CHECK-DAG: ds.all_reduce mean %{{.*}} {names = {{\[\[}}"w"]]} : tensor<3xf32>
// CHECK-DAG: ds.all_reduce sum %{{.*}} {purpose = #ds<purpose state>} : tensor<f32>
// CHECK-DAG: ds.all_reduce max %{{.*}} {purpose = #ds<purpose state>} : tensor<f32>
// CHECK-DAG: ds.all_reduce sum %{{.*}} {purpose = #ds<purpose state>} : tensor<i32>
func.func @each_mark_has_its_kind(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64}, %n: tensor<8xi32> {ds.batch = 0 : i64})
    -> (tensor<3xf32> {ds.updates = "w"}) {
  %zero = arith.constant dense<0.0> : tensor<3xf32>
  %nothing = arith.constant dense<0> : tensor<i32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %g = linalg.reduce { arith.addf } ins(%x : tensor<8x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
  %count = linalg.reduce { arith.addi } ins(%n : tensor<8xi32>) outs(%nothing : tensor<i32>) dimensions = [0]
  %m = ds.gradient %g of "w" : tensor<3xf32>
  %own = tensor.extract %g[%c0] : tensor<3xf32>
  %other = tensor.extract %g[%c1] : tensor<3xf32>
  %whole = ds.combine sum %own : f32
  %most = ds.combine max %other : f32
  %all = ds.combine sum %count : tensor<i32>
  %of = tensor.extract %all[] : tensor<i32>
  %samples = arith.sitofp %of : i32 to f32
  %both = arith.mulf %whole, %most : f32
  %rate = arith.divf %both, %samples : f32
  %rates = tensor.splat %rate : tensor<3xf32>
  %step = arith.mulf %m, %rates : tensor<3xf32>
  %new = arith.subf %w, %step : tensor<3xf32>
  return %new : tensor<3xf32>
}
}

// -----

module attributes {ds.config = #ds.config<batch = local, device_num = 4, gradients_mean = true>} {
// CHECK-LABEL: func.func @a_pinned_mark_is_combined_where_it_stands
// CHECK: %[[G:.*]] = linalg.reduce
// CHECK-NEXT: ds.all_reduce mean %[[G]] {names = {{\[\[}}"w"]]} : tensor<4x3xf32>
func.func @a_pinned_mark_is_combined_where_it_stands(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x4x3xf32> {ds.batch = 0 : i64})
    -> (tensor<3xf32> {ds.updates = "w"}) {
  %wide = arith.constant dense<0.0> : tensor<4x3xf32>
  %zero = arith.constant dense<0.0> : tensor<3xf32>
  %g = linalg.reduce { arith.addf } ins(%x : tensor<8x4x3xf32>) outs(%wide : tensor<4x3xf32>) dimensions = [0]
  %m = ds.gradient %g of "w" {pinned} : tensor<4x3xf32>
  %sum = linalg.reduce { arith.addf } ins(%m : tensor<4x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
  %new = arith.subf %w, %sum : tensor<3xf32>
  return %new : tensor<3xf32>
}
}

// -----

module attributes {ds.config = #ds.config<batch = local, device_num = 4, gradients_mean = true>} {
// Without the pin the smaller sum travels.
// CHECK-LABEL: func.func @a_mark_is_combined_where_it_is_cheapest
// CHECK: ds.all_reduce mean %{{.*}} {names = {{\[\[}}"w"]]} : tensor<3xf32>
func.func @a_mark_is_combined_where_it_is_cheapest(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x4x3xf32> {ds.batch = 0 : i64})
    -> (tensor<3xf32> {ds.updates = "w"}) {
  %wide = arith.constant dense<0.0> : tensor<4x3xf32>
  %zero = arith.constant dense<0.0> : tensor<3xf32>
  %g = linalg.reduce { arith.addf } ins(%x : tensor<8x4x3xf32>) outs(%wide : tensor<4x3xf32>) dimensions = [0]
  %m = ds.gradient %g of "w" : tensor<4x3xf32>
  %sum = linalg.reduce { arith.addf } ins(%m : tensor<4x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
  %new = arith.subf %w, %sum : tensor<3xf32>
  return %new : tensor<3xf32>
}
}

// -----

module attributes {ds.config = #ds.config<batch = local, device_num = 4, local_state = per_rank>} {
// With local_state = per_rank the next step starts from what the rank has, so a gradient times such a state is combined behind the product.
// CHECK-LABEL: func.func @a_state_per_rank_is_the_ranks_own
// CHECK: %[[P:.*]] = arith.mulf
// CHECK-NEXT: ds.all_reduce sum %[[P]] {names = {{\[\[}}"w"]]} : tensor<3xf32>
func.func @a_state_per_rank_is_the_ranks_own(%w: tensor<3xf32> {ds.param = "w"}, %s: tensor<3xf32> {ds.state = "s"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64})
    -> (tensor<3xf32> {ds.updates = "w"}, tensor<3xf32> {ds.updates = "s"}) {
  %zero = arith.constant dense<0.0> : tensor<3xf32>
  %g = linalg.reduce { arith.addf } ins(%x : tensor<8x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
  %p = arith.mulf %s, %zero : tensor<3xf32>
  %m = ds.gradient %p of "w" : tensor<3xf32>
  %new = arith.subf %w, %m : tensor<3xf32>
  return %new, %g : tensor<3xf32>, tensor<3xf32>
}
}
