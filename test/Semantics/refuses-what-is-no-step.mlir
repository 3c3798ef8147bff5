// RUN: ds-opt %s -split-input-file -verify-diagnostics -ds-detect-gradients -ds-insert-all-reduce -o /dev/null
// Modules that do not say what the step is, and steps that ranks cannot agree on.

// expected-error @below {{the module has no public function to take as the step}}
module {
  func.func private @helper(%x: tensor<8xf32>) -> tensor<8xf32> {
    return %x : tensor<8xf32>
  }
}

// -----

module {
  // expected-note @below {{the other is 'train'}}
  func.func @train(%w: tensor<8xf32> {ds.param = "w"}) -> (tensor<8xf32> {ds.updates = "w"}) {
    return %w : tensor<8xf32>
  }
  // expected-error @below {{the module has more than one public function; say which is the step with entry=}}
  func.func @evaluate(%w: tensor<8xf32> {ds.param = "w"}) -> tensor<8xf32> {
    return %w : tensor<8xf32>
  }
}

// -----

// expected-error @below {{expected a step of one block, got 2; control flow is written with scf}}
func.func @goes_on_in_another_block(%w: tensor<8xf32> {ds.param = "w"}, %x: tensor<8xf32> {ds.batch = 0 : i64})
    -> (tensor<8xf32> {ds.updates = "w"}) {
  cf.br ^end
^end:
  return %w : tensor<8xf32>
}

// -----

// The gradient of both parameters is one value; only one of them wants it summed.
module attributes {ds.config = #ds.config<batch = local, device_num = 2>} {
  // expected-error @below {{parameter 'v' is ds.layerwise_parallel but shares its gradient with a parameter that is not}}
  func.func @one_gradient_of_two_parameters(%w: tensor<3xf32> {ds.param = "w"}, %v: tensor<3xf32> {ds.param = "v", ds.layerwise_parallel},
      %x: tensor<8x3xf32> {ds.batch = 0 : i64}) -> (tensor<3xf32> {ds.updates = "w"}, tensor<3xf32> {ds.updates = "v"}) {
    %zero = arith.constant dense<0.0> : tensor<3xf32>
    %g = linalg.reduce { arith.addf } ins(%x : tensor<8x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
    %new_w = arith.subf %w, %g : tensor<3xf32>
    %new_v = arith.subf %v, %g : tensor<3xf32>
    return %new_w, %new_v : tensor<3xf32>, tensor<3xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = local, device_num = 2, sync_metrics = true>} {
  func.func @the_mean_of_a_count(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64},
      %n: tensor<8xi32> {ds.batch = 0 : i64}) -> (tensor<3xf32> {ds.updates = "w"}, tensor<i32> {ds.metric = "right"}) {
    %zero = arith.constant dense<0.0> : tensor<3xf32>
    %none = arith.constant dense<0> : tensor<i32>
    %g = linalg.reduce { arith.addf } ins(%x : tensor<8x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
    %new = arith.subf %w, %g : tensor<3xf32>
    %right = linalg.reduce { arith.addi } ins(%n : tensor<8xi32>) outs(%none : tensor<i32>) dimensions = [0]
    // expected-error @below {{metric 'right' is not a float, so it has no mean over ranks; set ds.reduce to sum, max, min or none}}
    return %new, %right : tensor<3xf32>, tensor<i32>
  }
}
