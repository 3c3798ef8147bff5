// What ds makes of the operations of nn: where the data of their results lives decides what is combined, and where.
// RUN: nn-opt %s -split-input-file -verify-diagnostics -ds-data-parallel='config=batch=global,device_num=2' | FileCheck %s

// The result without the samples' letter is each rank's own sum; a product with something whole stays one, and is smaller.
// CHECK-LABEL: func.func @a_product_with_the_whole_stays_partial(
func.func @a_product_with_the_whole_stays_partial(%w: tensor<4x2xf32> {ds.param = "w"}, %x: tensor<8x64xf32> {ds.batch = 0 : i64},
    %y: tensor<8x4xf32> {ds.batch = 0 : i64}, %p: tensor<64x2xf32>) -> (tensor<4x2xf32> {ds.updates = "w"}) {
  // CHECK: %[[G:.*]] = nn.contract "bi,bo->io" %{{.*}}, %{{.*}} : tensor<4x64xf32>, tensor<4x4xf32> -> tensor<64x4xf32>
  // CHECK-NEXT: %[[SMALL:.*]] = nn.contract "io,ip->op" %[[G]], %{{.*}} : tensor<64x4xf32>, tensor<64x2xf32> -> tensor<4x2xf32>
  // CHECK-NEXT: ds.all_reduce sum %[[SMALL]]
  // CHECK-NOT: ds.all_reduce
  %g = nn.contract "bi,bo->io" %x, %y : tensor<8x64xf32>, tensor<8x4xf32> -> tensor<64x4xf32>
  %small = nn.contract "io,ip->op" %g, %p : tensor<64x4xf32>, tensor<64x2xf32> -> tensor<4x2xf32>
  return %small : tensor<4x2xf32>
}

// -----

// The square of a sum is no sum of squares.
// CHECK-LABEL: func.func @a_square_needs_the_whole(
func.func @a_square_needs_the_whole(%w: tensor<f32> {ds.param = "w"}, %x: tensor<8x4xf32> {ds.batch = 0 : i64},
    %y: tensor<8x4xf32> {ds.batch = 0 : i64}) -> (tensor<f32> {ds.updates = "w"}) {
  // CHECK: %[[G:.*]] = nn.contract "bi,bo->io"
  // CHECK-NEXT: %[[ALL:.*]] = ds.all_reduce sum %[[G]]
  // CHECK-NEXT: nn.contract "io,io->" %[[ALL]], %[[ALL]]
  %g = nn.contract "bi,bo->io" %x, %y : tensor<8x4xf32>, tensor<8x4xf32> -> tensor<4x4xf32>
  %norm = nn.contract "io,io->" %g, %g : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<f32>
  return %norm : tensor<f32>
}

// -----

// A gate is linear in its value: what is combined is the one number that becomes of it.
// CHECK-LABEL: func.func @a_gate_is_linear_in_its_value(
func.func @a_gate_is_linear_in_its_value(%w: tensor<f32> {ds.param = "w"}, %v: tensor<4xf32>,
    %x: tensor<8x4xf32> {ds.batch = 0 : i64}, %ones: tensor<8xf32> {ds.batch = 0 : i64}) -> (tensor<f32> {ds.updates = "w"}) {
  // CHECK-NOT: ds.all_reduce
  // CHECK: nn.gate
  // CHECK-NEXT: %[[ONE:.*]] = nn.contract "i,i->"
  // CHECK-NEXT: ds.all_reduce sum %[[ONE]]
  %g = nn.contract "b,bi->i" %ones, %x : tensor<8xf32>, tensor<8x4xf32> -> tensor<4xf32>
  %kept = nn.gate %g by %v : tensor<4xf32>
  %dot = nn.contract "i,i->" %kept, %v : tensor<4xf32>, tensor<4xf32> -> tensor<f32>
  return %dot : tensor<f32>
}

// -----

// What opens it must be whole.
// CHECK-LABEL: func.func @a_gate_is_not_linear_in_what_opens_it(
func.func @a_gate_is_not_linear_in_what_opens_it(%w: tensor<f32> {ds.param = "w"}, %v: tensor<4xf32>,
    %x: tensor<8x4xf32> {ds.batch = 0 : i64}, %ones: tensor<8xf32> {ds.batch = 0 : i64}) -> (tensor<f32> {ds.updates = "w"}) {
  // CHECK: %[[G:.*]] = nn.contract "b,bi->i"
  // CHECK-NEXT: %[[ALL:.*]] = ds.all_reduce sum %[[G]]
  // CHECK-NEXT: nn.gate %{{.*}} by %[[ALL]]
  // CHECK-NOT: ds.all_reduce
  %g = nn.contract "b,bi->i" %ones, %x : tensor<8xf32>, tensor<8x4xf32> -> tensor<4xf32>
  %open = nn.gate %v by %g : tensor<4xf32>
  %dot = nn.contract "i,i->" %open, %v : tensor<4xf32>, tensor<4xf32> -> tensor<f32>
  return %dot : tensor<f32>
}

// -----

// Microbatches: two gated gradients are added before they are combined, once.
// CHECK-LABEL: func.func @gated_gradients_are_combined_once(
func.func @gated_gradients_are_combined_once(%w: tensor<4xf32> {ds.param = "w"}, %x: tensor<8x4xf32> {ds.batch = 0 : i64},
    %y: tensor<8x4xf32> {ds.batch = 0 : i64}, %ones: tensor<8xf32> {ds.batch = 0 : i64}) -> (tensor<4xf32> {ds.updates = "w"}) {
  // CHECK-NOT: ds.all_reduce
  // CHECK: %[[SUM:.*]] = arith.addf
  // CHECK-NEXT: ds.all_reduce sum %[[SUM]]
  // CHECK-NOT: ds.all_reduce
  %g = nn.contract "b,bi->i" %ones, %x : tensor<8xf32>, tensor<8x4xf32> -> tensor<4xf32>
  %h = nn.contract "b,bi->i" %ones, %y : tensor<8xf32>, tensor<8x4xf32> -> tensor<4xf32>
  %kept = nn.gate %g by %w : tensor<4xf32>
  %sum = arith.addf %kept, %h : tensor<4xf32>
  return %sum : tensor<4xf32>
}

// -----

// A table beside samples is computed for the rank's rows alone.
// CHECK-LABEL: func.func @a_producer_makes_the_rows_that_are_wanted(
func.func @a_producer_makes_the_rows_that_are_wanted(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x4xf32> {ds.batch = 0 : i64},
    %r: tensor<8x2xf32>, %c: tensor<2x4xf32>) -> (tensor<3xf32> {ds.updates = "w"}, tensor<f32> {ds.metric = "loss"}) {
  // CHECK: nn.contract "br,ri->bi" %{{.*}}, %{{.*}} : tensor<4x2xf32>, tensor<2x4xf32> -> tensor<4x4xf32>
  %table = nn.contract "br,ri->bi" %r, %c : tensor<8x2xf32>, tensor<2x4xf32> -> tensor<8x4xf32>
  %sum = nn.contract "bi,bi->" %x, %table : tensor<8x4xf32>, tensor<8x4xf32> -> tensor<f32>
  return %w, %sum : tensor<3xf32>, tensor<f32>
}

// -----

// All pairs of samples: one side is gathered, the other stays divided.
// CHECK-LABEL: func.func @all_pairs_of_samples(
func.func @all_pairs_of_samples(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x4xf32> {ds.batch = 0 : i64},
    %y: tensor<8x4xf32> {ds.batch = 0 : i64}) -> (tensor<3xf32> {ds.updates = "w"}, tensor<f32> {ds.metric = "loss"}) {
  // CHECK: ds.all_gather
  // CHECK: nn.contract "bi,ci->bc" %{{.*}}, %{{.*}} : tensor<4x4xf32>, tensor<8x4xf32> -> tensor<4x8xf32>
  %pairs = nn.contract "bi,ci->bc" %x, %y : tensor<8x4xf32>, tensor<8x4xf32> -> tensor<8x8xf32>
  %sum = nn.contract "bc,bc->" %pairs, %pairs : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<f32>
  return %w, %sum : tensor<3xf32>, tensor<f32>
}

// -----

// ds knows no rule of nn.adam: on samples every rank runs it on all of them, and is told what that costs.
func.func @without_a_rule_on_samples(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x4xf32> {ds.batch = 0 : i64},
    %zero: tensor<8x4xf32>, %one: tensor<f32>) -> (tensor<3xf32> {ds.updates = "w"}, tensor<f32> {ds.metric = "loss"}) {
  // expected-warning @below {{every rank computes this for all samples: no placement rule for 'nn.adam' with an operand that is sharded(0, 4, 1); implement ds::PlacementOpInterface for it; 128 bytes are gathered for it in each step}}
  %a, %b, %c = nn.adam %zero, %zero, %zero by %x at %one : tensor<8x4xf32>, tensor<f32>
  %sum = nn.contract "bi,bi->" %x, %a : tensor<8x4xf32>, tensor<8x4xf32> -> tensor<f32>
  return %w, %sum : tensor<3xf32>, tensor<f32>
}
