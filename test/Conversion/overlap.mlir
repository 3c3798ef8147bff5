// RUN: ds-opt %s --ds-overlap --split-input-file | FileCheck %s --enable-var-scope

// Starts behind the last operand, waits behind everything that needs none, updates in the order of buckets, metrics too.
module attributes {ds.config = #ds.config<device_num = 2, overlap = on>} {
// CHECK-LABEL: func.func @step_of_two_layers(
// CHECK-SAME: %[[W0:.*]]: tensor<4x4xf32> {ds.param = "w0"}, %[[W1:.*]]: tensor<4x4xf32> {ds.param = "w1"}, %[[H:[^:]*]]: tensor<4x4xf32>
// CHECK-NEXT: %[[DW1:.*]] = math.tanh %[[H]]
// CHECK-NEXT: %[[S1:.*]], %[[P1:.*]] = ds.all_reduce_start sum %[[DW1]] {fusion = 1024 : i64, names = {{\[\[}}"w1"]]}
// CHECK-NEXT: %[[DX:.*]] = arith.mulf %[[H]], %[[W1]]
// CHECK-NEXT: %[[DW0:.*]] = math.exp %[[DX]]
// CHECK-NEXT: %[[S0:.*]], %[[P0:.*]] = ds.all_reduce_start sum %[[DW0]] {fusion = 1025 : i64, names = {{\[\[}}"w0"]]}
// CHECK-NEXT: %[[LOSS:.*]] = math.log %[[DX]]
// CHECK-NEXT: %[[SL:.*]], %[[PL:.*]] = ds.all_reduce_start mean %[[LOSS]] {purpose = #ds<purpose metric>}
// CHECK-NEXT: %[[R1:.*]] = ds.wait %[[P1]], %[[S1]]
// CHECK-NEXT: %[[N1:.*]] = arith.subf %[[W1]], %[[R1]]
// CHECK-NEXT: %[[R0:.*]] = ds.wait %[[P0]], %[[S0]]
// CHECK-NEXT: %[[N0:.*]] = arith.subf %[[W0]], %[[R0]]
// CHECK-NEXT: %[[RL:.*]] = ds.wait %[[PL]], %[[SL]]
// CHECK-NEXT: return %[[N0]], %[[N1]], %[[RL]]
func.func @step_of_two_layers(%w0: tensor<4x4xf32> {ds.param = "w0"}, %w1: tensor<4x4xf32> {ds.param = "w1"}, %h: tensor<4x4xf32>)
    -> (tensor<4x4xf32> {ds.updates = "w0"}, tensor<4x4xf32> {ds.updates = "w1"}, tensor<4x4xf32>) {
  %dw1 = math.tanh %h : tensor<4x4xf32>
  %r1 = ds.all_reduce sum %dw1 {fusion = 1024 : i64, names = [["w1"]]} : tensor<4x4xf32>
  %dx = arith.mulf %h, %w1 : tensor<4x4xf32>
  %dw0 = math.exp %dx : tensor<4x4xf32>
  %r0 = ds.all_reduce sum %dw0 {fusion = 1025 : i64, names = [["w0"]]} : tensor<4x4xf32>
  %loss = math.log %dx : tensor<4x4xf32>
  %l = ds.all_reduce mean %loss {purpose = #ds<purpose metric>} : tensor<4x4xf32>
  %n0 = arith.subf %w0, %r0 : tensor<4x4xf32>
  %n1 = arith.subf %w1, %r1 : tensor<4x4xf32>
  return %n0, %n1, %l : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}
}

// -----
// What reads a parameter and waits itself, for a later bucket, stays before the parameter's update: it takes the old value.
module attributes {ds.config = #ds.config<device_num = 2, overlap = on>} {
// CHECK-LABEL: func.func @readers_stay_before_the_update(
// CHECK: %[[R1:.*]] = ds.wait
// CHECK-NEXT: %[[R0:.*]] = ds.wait
// CHECK-NEXT: %[[N0:.*]] = arith.mulf %{{.*}}, %[[R0]]
// CHECK-NEXT: %[[N1:.*]] = arith.subf %{{.*}}, %[[R1]]
// CHECK-NEXT: return %[[N0]], %[[N1]]
func.func @readers_stay_before_the_update(%w0: tensor<4xf32> {ds.param = "w0"}, %w1: tensor<4xf32> {ds.param = "w1"}, %h: tensor<4xf32>)
    -> (tensor<4xf32> {ds.updates = "w0"}, tensor<4xf32> {ds.updates = "w1"}) {
  %dw1 = math.tanh %h : tensor<4xf32>
  %r1 = ds.all_reduce sum %dw1 : tensor<4xf32>
  %dw0 = math.exp %h : tensor<4xf32>
  %r0 = ds.all_reduce sum %dw0 : tensor<4xf32>
  %n0 = arith.mulf %w1, %r0 : tensor<4xf32>
  %n1 = arith.subf %w1, %r1 : tensor<4xf32>
  return %n0, %n1 : tensor<4xf32>, tensor<4xf32>
}
}

// -----
// A start overwrites its operands, so whoever reads them comes first, as it did.
module attributes {ds.config = #ds.config<device_num = 2, overlap = on>} {
// CHECK-LABEL: func.func @readers_of_a_gradient_come_first(
// CHECK: %[[G:.*]] = math.tanh
// CHECK-NEXT: math.exp %[[G]]
// CHECK-NEXT: ds.all_reduce_start sum %[[G]]
// CHECK-NEXT: math.log
func.func @readers_of_a_gradient_come_first(%h: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %g = math.tanh %h : tensor<4xf32>
  %norm = math.exp %g : tensor<4xf32>
  %other = math.log %h : tensor<4xf32>
  %r = ds.all_reduce sum %g : tensor<4xf32>
  return %norm, %other, %r : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
}

// -----
// Of 1 MiB in flight at most, each of two buckets of 768 KiB is waited for before the next one starts.
module attributes {ds.config = #ds.config<device_num = 2, overlap = on, overlap_memory = 1>} {
// CHECK-LABEL: func.func @bounds_what_is_in_flight(
// CHECK: %[[SA:.*]], %[[PA:.*]] = ds.all_reduce_start
// CHECK-NEXT: math.exp
// CHECK-NEXT: ds.wait %[[PA]], %[[SA]]
// CHECK-NEXT: %[[SB:.*]], %[[PB:.*]] = ds.all_reduce_start
// CHECK-NEXT: math.log
// CHECK-NEXT: ds.wait %[[PB]], %[[SB]]
func.func @bounds_what_is_in_flight(%h: tensor<196608xf32>) -> (tensor<196608xf32>, tensor<196608xf32>, tensor<196608xf32>) {
  %a = math.tanh %h : tensor<196608xf32>
  %ra = ds.all_reduce sum %a : tensor<196608xf32>
  %b = math.exp %h : tensor<196608xf32>
  %rb = ds.all_reduce sum %b : tensor<196608xf32>
  %c = math.log %h : tensor<196608xf32>
  return %ra, %rb, %c : tensor<196608xf32>, tensor<196608xf32>, tensor<196608xf32>
}
}

// -----
// The other side of the boundary: exactly 1 MiB.
module attributes {ds.config = #ds.config<device_num = 2, overlap = on, overlap_memory = 1>} {
// CHECK-LABEL: func.func @may_fill_the_bound(
// CHECK-COUNT-2: ds.all_reduce_start
// CHECK-COUNT-2: ds.wait
func.func @may_fill_the_bound(%h: tensor<131072xf32>) -> (tensor<131072xf32>, tensor<131072xf32>) {
  %a = math.tanh %h : tensor<131072xf32>
  %ra = ds.all_reduce sum %a : tensor<131072xf32>
  %b = math.exp %h : tensor<131072xf32>
  %rb = ds.all_reduce sum %b : tensor<131072xf32>
  return %ra, %rb : tensor<131072xf32>, tensor<131072xf32>
}
}

// -----
// What is rows of something else, and what is in a loop blocks as before.
module attributes {ds.config = #ds.config<device_num = 2, overlap = on>} {
// CHECK-LABEL: func.func @some_exchanges_block(
// CHECK-NOT: ds.all_reduce_start
func.func @some_exchanges_block(%h: tensor<4xf32>, %n: index) -> (tensor<4xf32>, tensor<8xf32>, tensor<2x1xf32>, tensor<4xf32>, tensor<8xf32>) {
  %0 = math.exp %h : tensor<4xf32>
  %g = math.tanh %h : tensor<4xf32>
  %1 = ds.all_reduce sum %g : tensor<4xf32>
  %e = tensor.empty() : tensor<8xf32>
  %2 = tensor.insert_slice %1 into %e[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %s = tensor.extract_slice %g[0] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %v = tensor.expand_shape %s [[0, 1]] output_shape [2, 1] : tensor<2xf32> into tensor<2x1xf32>
  %3 = ds.all_reduce sum %v : tensor<2x1xf32>
  %6 = ds.all_reduce sum %g : tensor<4xf32>
  %7 = tensor.expand_shape %6 [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  %8 = tensor.collapse_shape %7 [[0, 1]] : tensor<2x2xf32> into tensor<4xf32>
  %9 = tensor.insert_slice %8 into %e[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %4 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %h) -> tensor<4xf32> {
    %5 = ds.all_reduce sum %x : tensor<4xf32>
    scf.yield %5 : tensor<4xf32>
  }
  return %0, %2, %3, %4, %9 : tensor<4xf32>, tensor<8xf32>, tensor<2x1xf32>, tensor<4xf32>, tensor<8xf32>
}
}

// -----
module attributes {ds.config = #ds.config<device_num = 2>} {
// CHECK-LABEL: func.func @is_off_on_one_host(
// CHECK: ds.all_reduce sum
func.func @is_off_on_one_host(%h: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ds.all_reduce sum %h : tensor<4xf32>
  return %0 : tensor<4xf32>
}
}

// -----
module attributes {ds.config = #ds.config<device_num = 2, comm_costs = "1ms:1GB">} {
// CHECK-LABEL: func.func @is_on_over_a_link(
// CHECK: ds.all_reduce_start sum
func.func @is_on_over_a_link(%h: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ds.all_reduce sum %h : tensor<4xf32>
  return %0 : tensor<4xf32>
}
}

// -----
module attributes {ds.config = #ds.config<device_num = 2, comm_costs = "1ms:1GB", overlap = off>} {
// CHECK-LABEL: func.func @is_off_when_asked(
// CHECK: ds.all_reduce sum
func.func @is_off_when_asked(%h: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ds.all_reduce sum %h : tensor<4xf32>
  return %0 : tensor<4xf32>
}
}

// -----
// What the backward pass needs itself is waited for early. What leads to the next such sum comes first, gradients of weights while one is under way;
// the first gradient is in flight meanwhile, and its wait is still behind everything.
module attributes {ds.config = #ds.config<device_num = 2, overlap = on>} {
// CHECK-LABEL: func.func @statistics_of_all_samples(
// CHECK-SAME: %[[W0:.*]]: tensor<4xf32> {ds.param = "w0"}, %[[W1:.*]]: tensor<4xf32> {ds.param = "w1"}, %[[H:[^:]*]]: tensor<4xf32>
// CHECK-NEXT: %[[D1:.*]] = math.tanh %[[H]]
// CHECK-NEXT: %[[DX1:.*]] = arith.mulf %[[D1]], %[[W1]]
// CHECK-NEXT: %[[SA:.*]], %[[PA:.*]] = ds.all_reduce_start sum %[[DX1]] {purpose = #ds<purpose activation>}
// CHECK-NEXT: %[[DW1:.*]] = math.exp %[[D1]]
// CHECK-NEXT: %[[S1:.*]], %[[P1:.*]] = ds.all_reduce_start sum %[[DW1]] {names = {{\[\[}}"w1"]]}
// CHECK-NEXT: %[[A:.*]] = ds.wait %[[PA]], %[[SA]]
// CHECK-NEXT: %[[B:.*]] = arith.mulf %[[A]], %[[W0]]
// CHECK-NEXT: %[[SB:.*]], %[[PB:.*]] = ds.all_reduce_start sum %[[B]] {purpose = #ds<purpose activation>}
// CHECK-NEXT: %[[DW0:.*]] = math.exp %[[A]]
// CHECK-NEXT: %[[S0:.*]], %[[P0:.*]] = ds.all_reduce_start sum %[[DW0]] {names = {{\[\[}}"w0"]]}
// CHECK-NEXT: %[[SUM:.*]] = ds.wait %[[PB]], %[[SB]]
// CHECK-NEXT: %[[L:.*]] = math.log %[[SUM]]
// CHECK-NEXT: %[[R1:.*]] = ds.wait %[[P1]], %[[S1]]
// CHECK-NEXT: %[[N1:.*]] = arith.subf %[[W1]], %[[R1]]
// CHECK-NEXT: %[[R0:.*]] = ds.wait %[[P0]], %[[S0]]
// CHECK-NEXT: %[[N0:.*]] = arith.subf %[[W0]], %[[R0]]
// CHECK-NEXT: return %[[N0]], %[[N1]], %[[L]]
func.func @statistics_of_all_samples(%w0: tensor<4xf32> {ds.param = "w0"}, %w1: tensor<4xf32> {ds.param = "w1"}, %h: tensor<4xf32>)
    -> (tensor<4xf32> {ds.updates = "w0"}, tensor<4xf32> {ds.updates = "w1"}, tensor<4xf32>) {
  %d1 = math.tanh %h : tensor<4xf32>
  %dw1 = math.exp %d1 : tensor<4xf32>
  %r1 = ds.all_reduce sum %dw1 {names = [["w1"]]} : tensor<4xf32>
  %dx1 = arith.mulf %d1, %w1 : tensor<4xf32>
  %a = ds.all_reduce sum %dx1 {purpose = #ds<purpose activation>} : tensor<4xf32>
  %dw0 = math.exp %a : tensor<4xf32>
  %r0 = ds.all_reduce sum %dw0 {names = [["w0"]]} : tensor<4xf32>
  %b = arith.mulf %a, %w0 : tensor<4xf32>
  %sum = ds.all_reduce sum %b {purpose = #ds<purpose activation>} : tensor<4xf32>
  %l = math.log %sum : tensor<4xf32>
  %n0 = arith.subf %w0, %r0 : tensor<4xf32>
  %n1 = arith.subf %w1, %r1 : tensor<4xf32>
  return %n0, %n1, %l : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
}

// -----
// A sum on the way of activations that needs a combined gradient is waited for late, in its order.
module attributes {ds.config = #ds.config<device_num = 2, overlap = on>} {
// CHECK-LABEL: func.func @behind_a_gradient(
// CHECK: ds.all_reduce_start
// CHECK-NEXT: math.exp
// CHECK-NEXT: ds.wait
// CHECK-NEXT: math.tanh
// CHECK-NEXT: ds.all_reduce_start
// CHECK-NEXT: ds.wait
func.func @behind_a_gradient(%g: tensor<4xf32>, %h: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %m = arith.negf %g : tensor<4xf32>
  %r = ds.all_reduce sum %m {names = [["w"]]} : tensor<4xf32>
  %t = math.tanh %r : tensor<4xf32>
  %a = ds.all_reduce sum %t {purpose = #ds<purpose activation>} : tensor<4xf32>
  %e = math.exp %h : tensor<4xf32>
  return %a, %e : tensor<4xf32>, tensor<4xf32>
}
}

// -----
// A sharded optimizer: parameters are gathered in the order in which layers need them, the second while the first layer computes; gradients leave
// as shards behind the backward pass; what reads or updates a shard waits until it has left.
module attributes {ds.config = #ds.config<device_num = 2, overlap = on>} {
// CHECK-LABEL: func.func @sharded_parameters(
// CHECK-SAME: %[[V1:.*]]: tensor<2xf32> {ds.param = "w1"}, %[[V0:.*]]: tensor<2xf32> {ds.param = "w0"}, %[[H:[^:]*]]: tensor<4xf32>
// CHECK: %[[S0:.*]], %[[P0:.*]] = ds.all_gather_start %[[V0]] into
// CHECK: %[[S1:.*]], %[[P1:.*]] = ds.all_gather_start %[[V1]] into
// CHECK: %[[W0:.*]] = ds.wait %[[P0]], %[[S0]] : tensor<4xf32> keeping %[[V0]] : tensor<2xf32>
// CHECK: %[[A:.*]] = arith.mulf %[[H]], %[[W0]]
// CHECK: %[[W1:.*]] = ds.wait %[[P1]], %[[S1]] : tensor<4xf32> keeping %[[V1]] : tensor<2xf32>
// CHECK: %[[B:.*]] = arith.mulf %[[A]], %[[W1]]
// CHECK: %[[G1:.*]] = math.tanh %[[B]]
// CHECK-NEXT: %[[T1:.*]], %[[Q1:.*]] = ds.reduce_scatter_start sum %[[G1]] into
// CHECK-NEXT: %[[G0:.*]] = math.exp %[[B]]
// CHECK-NEXT: %[[T0:.*]], %[[Q0:.*]] = ds.reduce_scatter_start sum %[[G0]] into
// CHECK-NEXT: %[[DECAY:.*]] = math.exp %[[V1]]
// CHECK: %[[R1:.*]] = ds.wait %[[Q1]], %[[T1]] : tensor<2xf32> keeping %[[G1]] : tensor<4xf32>
// CHECK: arith.subf %[[DECAY]], %[[R1]]
// CHECK: %[[R0:.*]] = ds.wait %[[Q0]], %[[T0]] : tensor<2xf32> keeping %[[G0]] : tensor<4xf32>
// CHECK: arith.subf %[[V0]], %[[R0]]
func.func @sharded_parameters(%v1: tensor<2xf32> {ds.param = "w1"}, %v0: tensor<2xf32> {ds.param = "w0"}, %h: tensor<4xf32>)
    -> (tensor<2xf32> {ds.updates = "w1"}, tensor<2xf32> {ds.updates = "w0"}) {
  %e1 = tensor.empty() : tensor<4xf32>
  %w1 = ds.all_gather %v1 into %e1 along 0 {purpose = #ds<purpose activation>} : tensor<2xf32> into tensor<4xf32>
  %e0 = tensor.empty() : tensor<4xf32>
  %w0 = ds.all_gather %v0 into %e0 along 0 {purpose = #ds<purpose activation>} : tensor<2xf32> into tensor<4xf32>
  %a = arith.mulf %h, %w0 : tensor<4xf32>
  %b = arith.mulf %a, %w1 : tensor<4xf32>
  %g1 = math.tanh %b : tensor<4xf32>
  %f1 = tensor.empty() : tensor<2xf32>
  %r1 = ds.reduce_scatter sum %g1 into %f1 along 0 {names = [["w1"]]} : tensor<4xf32> into tensor<2xf32>
  %g0 = math.exp %b : tensor<4xf32>
  %f0 = tensor.empty() : tensor<2xf32>
  %r0 = ds.reduce_scatter sum %g0 into %f0 along 0 {names = [["w0"]]} : tensor<4xf32> into tensor<2xf32>
  %decay = math.exp %v1 : tensor<2xf32>
  %n1 = arith.subf %decay, %r1 : tensor<2xf32>
  %n0 = arith.subf %v0, %r0 : tensor<2xf32>
  return %n1, %n0 : tensor<2xf32>, tensor<2xf32>
}
}

// -----
// level3 gathers a parameter for each pass. The next one is on its way while the layer before computes, and no third one is whole.
module attributes {ds.config = #ds.config<device_num = 2, enable_parallel_optimizer = true, optimizer_level = level3, overlap = on>} {
// CHECK-LABEL: func.func @gathered_twice(
// CHECK-SAME: %[[V:.*]]: tensor<2xf32> {ds.param = "w"}, %[[U:.*]]: tensor<2xf32> {ds.param = "u"}, %[[H:[^:]*]]: tensor<4xf32>
// CHECK: %[[S0:.*]], %[[P0:.*]] = ds.all_gather_start %[[V]] into
// CHECK-NEXT: %[[W:.*]] = ds.wait %[[P0]], %[[S0]]
// CHECK-NEXT: %[[S1:.*]], %[[P1:.*]] = ds.all_gather_start %[[U]] into
// CHECK-NEXT: %[[A:.*]] = arith.mulf %[[H]], %[[W]]
// CHECK-NEXT: %[[X:.*]] = ds.wait %[[P1]], %[[S1]]
// CHECK-NEXT: %[[S2:.*]], %[[P2:.*]] = ds.all_gather_start %[[V]] into
// CHECK-NEXT: %[[B:.*]] = arith.mulf %[[A]], %[[X]]
// CHECK-NEXT: %[[AGAIN:.*]] = ds.wait %[[P2]], %[[S2]]
// CHECK-NEXT: arith.mulf %[[B]], %[[AGAIN]]
func.func @gathered_twice(%v: tensor<2xf32> {ds.param = "w"}, %u: tensor<2xf32> {ds.param = "u"}, %h: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %w = ds.all_gather %v into %e along 0 {purpose = #ds<purpose activation>} : tensor<2xf32> into tensor<4xf32>
  %a = arith.mulf %h, %w : tensor<4xf32>
  %d = tensor.empty() : tensor<4xf32>
  %x = ds.all_gather %u into %d along 0 {purpose = #ds<purpose activation>} : tensor<2xf32> into tensor<4xf32>
  %b = arith.mulf %a, %x : tensor<4xf32>
  %f = tensor.empty() : tensor<4xf32>
  %again = ds.all_gather %v into %f along 0 {purpose = #ds<purpose activation>} : tensor<2xf32> into tensor<4xf32>
  %c = arith.mulf %b, %again : tensor<4xf32>
  return %c : tensor<4xf32>
}
}

// -----
// A view of what leaves may become a copy, where a later operation overwrites what it shows: it is taken before.
module attributes {ds.config = #ds.config<device_num = 2, overlap = on>} {
// CHECK-LABEL: func.func @view_of_what_leaves(
// CHECK: %[[OLD:.*]] = tensor.extract_slice
// CHECK: ds.all_gather_start
// CHECK: ds.wait
// CHECK: arith.subf %[[OLD]]
func.func @view_of_what_leaves(%v: tensor<2xf32> {ds.param = "w"}, %h: tensor<4xf32>, %k: tensor<1xf32>) -> (tensor<1xf32>, tensor<4xf32>) {
  %old = tensor.extract_slice %v[0] [1] [1] : tensor<2xf32> to tensor<1xf32>
  %e = tensor.empty() : tensor<4xf32>
  %w = ds.all_gather %v into %e along 0 {purpose = #ds<purpose activation>} : tensor<2xf32> into tensor<4xf32>
  %t = math.tanh %h : tensor<4xf32>
  %a = arith.mulf %t, %w : tensor<4xf32>
  %n = arith.subf %old, %k : tensor<1xf32>
  return %n, %a : tensor<1xf32>, tensor<4xf32>
}
}
