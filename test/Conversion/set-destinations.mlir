// RUN: ds-opt %s -ds-set-destinations -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: @copies_a_value_that_is_another_argument
// CHECK-SAME: %[[W:.*]]: tensor<4xf32> {ds.param = "w"}, %[[P:.*]]: tensor<4xf32> {ds.state = "p"}, %[[X:.*]]: tensor<4xf32> {bufferization.writable = false}
// CHECK: %[[ADD:.*]] = linalg.add
// CHECK: %[[COPY:.*]] = bufferization.alloc_tensor() copy(%[[W]])
// CHECK-NOT: alloc_tensor
// CHECK: bufferization.materialize_in_destination %[[ADD]] in %[[W]]
// CHECK: bufferization.materialize_in_destination %[[COPY]] in %[[P]]
func.func @copies_a_value_that_is_another_argument(%w: tensor<4xf32> {ds.param = "w"}, %p: tensor<4xf32> {ds.state = "p"}, %x: tensor<4xf32>)
    -> (tensor<4xf32> {ds.updates = "w"}, tensor<4xf32> {ds.updates = "p"}) {
  %e_n = tensor.empty() : tensor<4xf32>
  %n = linalg.add ins(%w, %x : tensor<4xf32>, tensor<4xf32>) outs(%e_n : tensor<4xf32>) -> tensor<4xf32>
  return %n, %w : tensor<4xf32>, tensor<4xf32>
}

// -----

// CHECK-LABEL: @copies_the_second_of_two_equal_results
// CHECK: %[[N:.*]] = linalg.add
// CHECK: %[[COPY:.*]] = bufferization.alloc_tensor() copy(%[[N]])
// CHECK: bufferization.materialize_in_destination %[[N]] in %arg0
// CHECK: bufferization.materialize_in_destination %[[COPY]] in %arg1
func.func @copies_the_second_of_two_equal_results(%w: tensor<4xf32> {ds.param = "w"}, %p: tensor<4xf32> {ds.state = "p"})
    -> (tensor<4xf32> {ds.updates = "w"}, tensor<4xf32> {ds.updates = "p"}) {
  %e_n = tensor.empty() : tensor<4xf32>
  %n = linalg.add ins(%w, %p : tensor<4xf32>, tensor<4xf32>) outs(%e_n : tensor<4xf32>) -> tensor<4xf32>
  return %n, %n : tensor<4xf32>, tensor<4xf32>
}

// -----

// CHECK-LABEL: @leaves_a_frozen_parameter_alone
// CHECK-SAME: %[[W:.*]]: tensor<4xf32> {ds.param = "w"}
// CHECK-NEXT: return %[[W]]
func.func @leaves_a_frozen_parameter_alone(%w: tensor<4xf32> {ds.param = "w"}) -> (tensor<4xf32> {ds.updates = "w"}) {
  return %w : tensor<4xf32>
}

// -----

// CHECK-LABEL: @gives_a_metric_an_argument
// CHECK-SAME: %[[M:[a-z0-9]+]]: tensor<f32> {ds.result = 0 : i64}
// CHECK: bufferization.materialize_in_destination {{.*}} in %[[M]]
func.func @gives_a_metric_an_argument(%x: tensor<f32>) -> (tensor<f32> {ds.metric = "loss"}) {
  %e_n = tensor.empty() : tensor<f32>
  %n = linalg.add ins(%x, %x : tensor<f32>, tensor<f32>) outs(%e_n : tensor<f32>) -> tensor<f32>
  return %n : tensor<f32>
}

// -----

// CHECK-LABEL: @stores_loop_values_in_iteration_arguments
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = {{.*}}, %[[B:.*]] = {{.*}})
// CHECK: %[[N:.*]] = linalg.add ins(%[[A]], %[[B]]
// CHECK: %[[COPY:.*]] = bufferization.alloc_tensor() copy(%[[A]])
// CHECK: %[[NA:.*]] = bufferization.materialize_in_destination %[[N]] in %[[A]]
// CHECK: %[[NB:.*]] = bufferization.materialize_in_destination %[[COPY]] in %[[B]]
// CHECK: scf.yield %[[NA]], %[[NB]]
func.func @stores_loop_values_in_iteration_arguments(%w: tensor<4xf32> {ds.state = "w"}, %x: tensor<4xf32>) -> (tensor<4xf32> {ds.updates = "w"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %r:2 = scf.for %i = %c0 to %c9 step %c1 iter_args(%a = %w, %b = %x) -> (tensor<4xf32>, tensor<4xf32>) {
    %e_n = tensor.empty() : tensor<4xf32>
    %n = linalg.add ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%e_n : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %n, %a : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: @stores_branch_values_in_one_tensor
// CHECK: %[[E:.*]] = bufferization.alloc_tensor() : tensor<4xf32>
// CHECK: scf.if
// CHECK: bufferization.materialize_in_destination {{.*}} in %[[E]]
// CHECK: else
// CHECK: bufferization.materialize_in_destination {{.*}} in %[[E]]
func.func @stores_branch_values_in_one_tensor(%w: tensor<4xf32> {ds.state = "w"}, %c: tensor<i1>) -> (tensor<4xf32> {ds.updates = "w"}) {
  %f = tensor.extract %c[] : tensor<i1>
  %r = scf.if %f -> tensor<4xf32> {
    %e_n = tensor.empty() : tensor<4xf32>
    %n = linalg.add ins(%w, %w : tensor<4xf32>, tensor<4xf32>) outs(%e_n : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %n : tensor<4xf32>
  } else {
    scf.yield %w : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

// expected-error @below {{result #0 updates 'v', which is no parameter or state of the step}}
func.func @refuses_an_update_of_nothing(%w: tensor<4xf32> {ds.param = "w"}) -> (tensor<4xf32> {ds.updates = "v"}) {
  return %w : tensor<4xf32>
}

// -----

// expected-error @below {{'w' is updated by two results}}
func.func @refuses_two_updates_of_one_name(%w: tensor<4xf32> {ds.param = "w"})
    -> (tensor<4xf32> {ds.updates = "w"}, tensor<4xf32> {ds.updates = "w"}) {
  return %w, %w : tensor<4xf32>, tensor<4xf32>
}

// -----

// expected-error @below {{result #0 of the step is not a ranked tensor}}
func.func @refuses_a_scalar_result(%w: tensor<4xf32> {ds.param = "w"}) -> f32 {
  %z = arith.constant 0.0 : f32
  return %z : f32
}

// -----

func.func @refuses_a_result_of_another_type(%w: tensor<4xf32> {ds.param = "w"}) -> (tensor<2xf32> {ds.updates = "w"}) {
  %z = arith.constant dense<0.0> : tensor<2xf32>
  // expected-error @below {{operand #0 has type 'tensor<2xf32>', expected 'tensor<4xf32>' of the place where it is stored}}
  return %z : tensor<2xf32>
}

// -----

func.func @refuses_an_operation_without_buffers(%x: tensor<4x4xf32> {ds.state = "x"}, %i: tensor<4x1xindex>)
    -> (tensor<4x4xf32> {ds.updates = "x"}) {
  // expected-error @below {{'tensor.gather' op cannot be executed: it works on tensors and has no lowering to buffers}}
  %g = tensor.gather %x[%i] gather_dims([0]) : (tensor<4x4xf32>, tensor<4x1xindex>) -> tensor<4x4xf32>
  return %g : tensor<4x4xf32>
}

// -----

func.func private @elsewhere(tensor<4xf32>) -> tensor<4xf32>
func.func @refuses_a_call_that_was_not_inlined(%x: tensor<4xf32> {ds.state = "x"}) -> (tensor<4xf32> {ds.updates = "x"}) {
  // expected-error @below {{'func.call' op calls 'elsewhere', which could not be inlined}}
  %r = call @elsewhere(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// expected-error @below {{'refuses_several_blocks' has several blocks; expected structured control flow (scf)}}
func.func @refuses_several_blocks(%x: tensor<4xf32> {ds.state = "x"}) -> (tensor<4xf32> {ds.updates = "x"}) {
  cf.br ^end
^end:
  return %x : tensor<4xf32>
}

// -----

// The condition drops an argument and hands on a value of its own: both get a place.
// CHECK-LABEL: @aligns_a_loop_whose_condition_hands_on_other_values
// CHECK: arith.constant 3
// CHECK: %[[ANY:.*]] = tensor.empty() : tensor<4xf32>
// CHECK: scf.while (%[[N:.*]] = %{{.*}}, %[[A:.*]] = %{{.*}}, %[[OWN:.*]] = %[[ANY]])
// CHECK: %[[ROOT:.*]] = linalg.sqrt
// CHECK: %[[STORED:.*]] = bufferization.materialize_in_destination %[[ROOT]] in %[[OWN]]
// CHECK: scf.condition(%{{.*}}) %[[N]], %[[A]], %[[STORED]]
// CHECK: ^bb0(%{{.*}}: tensor<i32>, %{{.*}}: tensor<4xf32>, %[[HELD:.*]]: tensor<4xf32>)
// CHECK: linalg.add ins(%[[HELD]]
// CHECK: scf.yield %{{.*}}, %{{.*}}, %[[HELD]] : tensor<i32>, tensor<4xf32>, tensor<4xf32>
func.func @aligns_a_loop_whose_condition_hands_on_other_values(%w: tensor<4xf32> {ds.param = "w"}, %n: tensor<i32>)
    -> (tensor<4xf32> {ds.updates = "w"}) {
  %e = tensor.empty() : tensor<4xf32>
  %last = arith.constant 3 : i32
  %r = scf.while (%k = %n, %a = %w) : (tensor<i32>, tensor<4xf32>) -> tensor<4xf32> {
    %root = linalg.sqrt ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %count = tensor.extract %k[] : tensor<i32>
    %more = arith.cmpi slt, %count, %last : i32
    scf.condition(%more) %root : tensor<4xf32>
  } do {
  ^bb0(%root: tensor<4xf32>):
    %sum = linalg.add ins(%root, %w : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %next = arith.constant dense<2> : tensor<i32>
    scf.yield %next, %sum : tensor<i32>, tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

// A loop over buffers has nothing to store, whatever its condition hands on.
// CHECK-LABEL: func.func @a_loop_over_buffers
// CHECK: scf.while : () -> memref<16xf32>
func.func @a_loop_over_buffers(%go: i1) {
  %r = scf.while : () -> memref<16xf32> {
    %a = memref.alloc() : memref<16xf32>
    scf.condition(%go) %a : memref<16xf32>
  } do {
  ^bb0(%m: memref<16xf32>):
    memref.dealloc %m : memref<16xf32>
    scf.yield
  }
  return
}
