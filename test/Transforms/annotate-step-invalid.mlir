// RUN: ds-opt %s --ds-annotate-step --split-input-file --verify-diagnostics

// Which is the average and which the fast weight? Both contain both, scaled.
// expected-error @below {{cannot find which result is the new value of donated argument 0, expected one of results 0, 1; say which with pairs=0:result}}
func.func @both_contain_both(%a: tensor<3xf32> {tf.aliasing_output = 0 : i32}, %b: tensor<3xf32> {tf.aliasing_output = 1 : i32}, %x: tensor<4x3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %0 = arith.mulf %a, %b : tensor<3xf32>
  %1 = arith.divf %a, %b : tensor<3xf32>
  return %0, %1 : tensor<3xf32>, tensor<3xf32>
}

// -----
// expected-error @below {{cannot find which result is the new value of donated argument 0: no result has its type 'tensor<3xf32>'}}
func.func @donated_for_nothing(%a: tensor<3xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<4x3xf32>) -> tensor<4xf32> {
  %0 = tensor.empty() : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----
// expected-error @below {{the step has no roles and donates no argument (tf.aliasing_output, or jax.buffer_donor and a result of its type); mark its arguments, or export it with donated parameters and state}}
func.func @donates_nothing(%w: tensor<3xf32>, %x: tensor<4x3xf32>) -> tensor<3xf32> {
  return %w : tensor<3xf32>
}

// -----
// expected-error @below {{the step has no roles and donates no argument (tf.aliasing_output, or jax.buffer_donor and a result of its type)}}
func.func @donates_only_memory(%w: tensor<3xf32>, %x: tensor<4x3xf32> {jax.buffer_donor = true}) -> tensor<3xf32> {
  return %w : tensor<3xf32>
}

// -----
// expected-error @below {{cannot find which result is the new value of donated argument 0, expected one of results 0, 1; say which with pairs=0:result}}
func.func @both_donors_contain_both(%a: tensor<3xf32> {jax.buffer_donor = true}, %b: tensor<3xf32> {jax.buffer_donor = true}, %x: tensor<4x3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %0 = arith.mulf %a, %b : tensor<3xf32>
  %1 = arith.divf %a, %b : tensor<3xf32>
  return %0, %1 : tensor<3xf32>, tensor<3xf32>
}

// -----
// expected-error @below {{cannot find the batch: argument 1 has leading size 4, argument 2 has 5; mark the batch arguments with ds.batch}}
func.func @leading_sizes_differ(%w: tensor<3xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<4x3xf32>, %y: tensor<5xf32>) -> tensor<3xf32> {
  return %w : tensor<3xf32>
}

// -----
// expected-error @below {{argument 2 of type 'tensor<2xi32>' can be a random key or samples; mark it with ds.seed or ds.batch}}
func.func @a_key_or_two_samples(%w: tensor<3xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<2x3xf32>, %key: tensor<2xi32>) -> tensor<3xf32> {
  return %w : tensor<3xf32>
}

// -----
// expected-error @below {{no argument can hold samples: every ranked one is donated}}
func.func @no_samples(%w: tensor<3xf32> {tf.aliasing_output = 0 : i32}, %lr: tensor<f32>) -> tensor<3xf32> {
  return %w : tensor<3xf32>
}

// -----
// expected-error @below {{cannot distinguish one sample from other dimensions; mark the batch arguments with ds.batch}}
func.func @one_sample(%w: tensor<3xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<1x3xf32>) -> tensor<3xf32> {
  return %w : tensor<3xf32>
}

// -----
func.func private @helper(%w: tensor<3xf32>) -> tensor<3xf32> {
  return %w : tensor<3xf32>
}
func.func @calls_are_not_inlined(%w: tensor<3xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<4x3xf32>) -> tensor<3xf32> {
  // expected-error @below {{expected a step without calls; inline 'helper' first}}
  %0 = call @helper(%w) : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----
// expected-error @below {{result 0 updates 'v', which is no parameter or state, did you mean 'w'?}}
func.func @updates_nobody(%w: tensor<3xf32> {ds.param = "w"}) -> (tensor<3xf32> {ds.updates = "v"}) {
  return %w : tensor<3xf32>
}

// -----
// expected-error @below {{result 0 updates 'w' of type 'tensor<3xf32>' with a value of type 'tensor<4xf32>'}}
func.func @updates_with_another_type(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<4xf32>) -> (tensor<4xf32> {ds.updates = "w"}) {
  return %x : tensor<4xf32>
}

// -----
// expected-error @below {{results 0 and 1 both update 'w'}}
func.func @updates_twice(%w: tensor<3xf32> {ds.param = "w"}) -> (tensor<3xf32> {ds.updates = "w"}, tensor<3xf32> {ds.updates = "w"}) {
  return %w, %w : tensor<3xf32>, tensor<3xf32>
}

// -----
// expected-error @below {{arguments 0 and 1 have the same name 'w'}}
func.func @one_name_for_two(%w: tensor<3xf32> {ds.param = "w"}, %m: tensor<3xf32> {ds.state = "w"}) {
  return
}

// -----
// expected-error @below {{argument 0 has a dynamic shape, expected a static one: 'tensor<?xf32>'}}
func.func @dynamic_argument(%w: tensor<?xf32> {ds.param = "w"}) {
  return
}

// -----
// expected-error @below {{result 0 has a dynamic shape, expected a static one: 'tensor<?xf32>'}}
func.func @dynamic_result(%w: tensor<3xf32> {ds.param = "w"}, %n: index) -> tensor<?xf32> {
  %0 = tensor.empty(%n) : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----
// expected-error @below {{arguments 1 and 2 both weigh the samples, expected one 'ds.weight'}}
func.func @two_weights(%w: tensor<3xf32> {ds.param = "w"}, %a: tensor<8xf32> {ds.batch = 0 : i64, ds.weight},
    %b: tensor<8xf32> {ds.batch = 0 : i64, ds.weight}) -> (tensor<8xf32>, tensor<8xf32>) {
  return %a, %b : tensor<8xf32>, tensor<8xf32>
}

// -----
// expected-error @below {{argument 1 weighs the samples, but nothing reads it: padding would count}}
func.func @a_weight_that_weighs_nothing(%w: tensor<3xf32> {ds.param = "w"}, %a: tensor<8xf32> {ds.batch = 0 : i64, ds.weight}) {
  return
}

// -----
// expected-error @below {{result 1 holds no samples (ds.batch), but 'h', which it updates, samples along dimension 0}}
func.func @a_state_of_samples_loses_them(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8xf32> {ds.batch = 0 : i64},
    %h: tensor<8xf32> {ds.state = "h", ds.batch = 0 : i64}) -> (tensor<3xf32> {ds.updates = "w"}, tensor<8xf32> {ds.updates = "h"}) {
  return %w, %x : tensor<3xf32>, tensor<8xf32>
}

// -----
// expected-error @below {{result 0 holds samples along dimension 1 (ds.batch), but 'w', which it updates, no samples}}
func.func @a_parameter_of_samples(%w: tensor<3x8xf32> {ds.param = "w"}, %x: tensor<8xf32> {ds.batch = 0 : i64})
    -> (tensor<3x8xf32> {ds.updates = "w", ds.batch = 1 : i64}) {
  return %w : tensor<3x8xf32>
}

// -----
func.func @an_unknown_operation(%w: tensor<f32> {tf.aliasing_output = 0 : i32}, %x: tensor<8xf32>) -> tensor<f32> {
  %shape = arith.constant dense<[4, 2]> : tensor<2xi32>
  // expected-error @below {{cannot follow the samples here: no placement rule for 'tensor.reshape' with an operand that is sharded}}
  %pairs = tensor.reshape %x(%shape) : (tensor<8xf32>, tensor<2xi32>) -> tensor<4x2xf32>
  %c0 = arith.constant 0 : index
  %first = tensor.extract %pairs[%c0, %c0] : tensor<4x2xf32>
  %s = tensor.from_elements %first : tensor<f32>
  %new = arith.subf %w, %s : tensor<f32>
  return %new : tensor<f32>
}
