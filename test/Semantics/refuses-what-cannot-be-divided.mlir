// RUN: ds-opt %s -split-input-file -verify-diagnostics -ds-detect-gradients -ds-insert-all-reduce -o /dev/null
// What keeps samples from being followed through a `local` step, or a `global` step from being divided, is said at the operation.

module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  func.func @samples_as_a_gradient(%w: tensor<8xf32> {ds.param = "w"}, %x: tensor<8xf32> {ds.batch = 0 : i64})
      -> (tensor<8xf32> {ds.updates = "w"}) {
    // expected-error @below {{a gradient mark stands on a value of single samples; mark their sum}}
    %g = ds.gradient %x of "w" : tensor<8xf32>
    return %w : tensor<8xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  func.func @a_partial_sum_counted_once(%w: tensor<f32> {ds.param = "w"}, %x: tensor<8xf32> {ds.batch = 0 : i64})
      -> (tensor<f32> {ds.updates = "w"}) {
    %zero = arith.constant dense<0.0> : tensor<f32>
    %s = linalg.reduce {arith.addf} ins(%x : tensor<8xf32>) outs(%zero : tensor<f32>) dimensions = [0]
    // expected-error @below {{only a replicated value can be counted once}}
    %y = ds.replicated_to_partial sum %s : tensor<f32>
    return %y : tensor<f32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  func.func @a_parameter_is_all_reduced(%w: tensor<8xf32> {ds.param = "w"}, %x: tensor<8xf32> {ds.batch = 0 : i64})
      -> (tensor<8xf32> {ds.updates = "w"}) {
    // expected-error @below {{the operand of an all-reduce is not partial}}
    %y = ds.all_reduce sum %w : tensor<8xf32>
    return %y : tensor<8xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  func.func @the_rank_is_asked_for(%w: tensor<8xf32> {ds.param = "w"}, %x: tensor<8xf32> {ds.batch = 0 : i64})
      -> (tensor<8xf32> {ds.updates = "w"}) {
    // expected-error @below {{the number of the rank is used before the batch is sharded}}
    %r = ds.rank : index
    return %w : tensor<8xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  func.func @three_rows_of_a_parameter_for_two_samples(%w: tensor<12xf32> {ds.param = "w"}, %x: tensor<8xf32> {ds.batch = 0 : i64})
      -> (tensor<12xf32> {ds.updates = "w"}, tensor<12xf32> {ds.batch = 0 : i64}) {
    // expected-error @below {{result #1 is marked with ds.batch = 0, but its 12 entries are no multiple of the 8 samples}}
    return %w, %w : tensor<12xf32>, tensor<12xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  func.func @samples_lie_along_another_dimension(%w: tensor<8xf32> {ds.param = "w"}, %x: tensor<8x8xf32> {ds.batch = 0 : i64})
      -> (tensor<8xf32> {ds.updates = "w"}, tensor<8x8xf32> {ds.batch = 1 : i64}) {
    // expected-error @below {{result #1 is marked with ds.batch = 1, but dimension 0 holds its samples}}
    return %w, %x : tensor<8xf32>, tensor<8x8xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  // expected-error @below {{state 'h' has 12 entries along its dimension of samples, which is no multiple of the 8 samples of a step}}
  func.func @three_entries_for_two_samples(%w: tensor<8xf32> {ds.param = "w"}, %x: tensor<8xf32> {ds.batch = 0 : i64},
      %h: tensor<12xf32> {ds.state = "h", ds.batch = 0 : i64})
      -> (tensor<8xf32> {ds.updates = "w"}, tensor<12xf32> {ds.updates = "h", ds.batch = 0 : i64}) {
    return %w, %h : tensor<8xf32>, tensor<12xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  // expected-error @below {{the step has no batch argument; mark the arguments that hold samples with ds.batch}}
  func.func @a_state_is_no_data(%w: tensor<8xf32> {ds.param = "w"}, %h: tensor<8xf32> {ds.state = "h", ds.batch = 0 : i64})
      -> (tensor<8xf32> {ds.updates = "w"}, tensor<8xf32> {ds.updates = "h", ds.batch = 0 : i64}) {
    return %w, %h : tensor<8xf32>, tensor<8xf32>
  }
}
