// RUN: ds-opt %s --ds-add-gradient-norm --split-input-file --verify-diagnostics

module attributes {ds.config = #ds.config<gradient_norm = true>} {
  func.func @marked_in_parts(%w: tensor<2xf32> {ds.param = "w"}, %x: tensor<8x2xf32> {ds.batch = 0 : i64, ds.name = "x"}, %a: tensor<2xf32>, %b: tensor<2xf32>) -> (tensor<2xf32> {ds.updates = "w"}) {
    %ga = ds.gradient %a of "w" : tensor<2xf32>
    // expected-error @below {{gradient_norm: the gradient of 'w' is marked in parts, of which no norm follows; mark their sum}}
    %gb = ds.gradient %b of "w" : tensor<2xf32>
    %sum = arith.addf %ga, %gb : tensor<2xf32>
    return %sum : tensor<2xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<gradient_norm = true>} {
  func.func @marked_in_a_loop(%w: tensor<2xf32> {ds.param = "w"}, %x: tensor<8x2xf32> {ds.batch = 0 : i64, ds.name = "x"}, %a: tensor<2xf32>, %n: index) -> (tensor<2xf32> {ds.updates = "w"}) {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %sum = scf.for %i = %zero to %n step %one iter_args(%s = %w) -> (tensor<2xf32>) {
      // expected-error @below {{gradient_norm cannot read a gradient that is marked inside of control flow; mark it where the step has it}}
      %g = ds.gradient %a of "w" : tensor<2xf32>
      %t = arith.addf %s, %g : tensor<2xf32>
      scf.yield %t : tensor<2xf32>
    }
    return %sum : tensor<2xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<gradient_norm = true, gradients_mean = true>} {
  // expected-error @below {{gradient_norm: the step has no gradient}}
  func.func @without_a_gradient(%w: tensor<2xf32> {ds.param = "w"}, %x: tensor<8x2xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<2xf32> {ds.updates = "w"}) {
    return %w : tensor<2xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<gradient_norm = true>} {
  // expected-error @below {{gradient_norm: result #1 is a metric of that name already; leave the key out}}
  func.func @has_one(%w: tensor<2xf32> {ds.param = "w"}, %x: tensor<8x2xf32> {ds.batch = 0 : i64, ds.name = "x"}, %n: tensor<f32>) -> (tensor<2xf32> {ds.updates = "w"}, tensor<f32> {ds.metric = "gradient_norm"}) {
    %g = ds.gradient %w of "w" : tensor<2xf32>
    return %g, %n : tensor<2xf32>, tensor<f32>
  }
}

// -----

module attributes {ds.config = #ds.config<gradient_norm = true, parallel_mode = "hybrid_parallel", mesh = "dp=2,tp=2">} {
  // expected-error @below {{gradient_norm: a step of hybrid_parallel holds shards of parameters that ds does not know of; compute the norm in the step}}
  func.func @of_shards(%w: tensor<2xf32> {ds.param = "w"}, %x: tensor<8x2xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<2xf32> {ds.updates = "w"}) {
    %g = ds.gradient %w of "w" : tensor<2xf32>
    return %g : tensor<2xf32>
  }
}
