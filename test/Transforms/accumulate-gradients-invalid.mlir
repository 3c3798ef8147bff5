// RUN: ds-opt %s -split-input-file -ds-accumulate-gradients -verify-diagnostics -o /dev/null

module attributes {ds.config = #ds.config<batch = global, device_num = 2, grad_accumulation_step = 4>} {
  // Whether a step is taken would be decided by the loss of one microbatch.
  func.func @a_loss_decides(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %z = arith.constant dense<0.0> : tensor<f32>
    %limit = arith.constant 1.0 : f32
    %dw = linalg.reduce { arith.addf } ins(%x : tensor<8x3xf32>) outs(%z3 : tensor<3xf32>) dimensions = [0]
    %loss = linalg.reduce { arith.addf } ins(%x : tensor<8x3xf32>) outs(%z : tensor<f32>) dimensions = [0, 1]
    %g = ds.gradient %dw of "w" : tensor<3xf32>
    %l = tensor.extract %loss[] : tensor<f32>
    %steps = arith.cmpf olt, %l, %limit : f32
    %moved = arith.subf %w, %g : tensor<3xf32>
    // expected-error @below {{grad_accumulation_step: this reads gradients, which all microbatches make, and also a value that each of them computes anew}}
    %new = arith.select %steps, %moved, %w : tensor<3xf32>
    return %new : tensor<3xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = global, device_num = 2, grad_accumulation_step = 4>} {
  func.func @one_of_two_is_marked(%w: tensor<3xf32> {ds.param = "w"}, %v: tensor<3xf32> {ds.param = "v"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}, tensor<3xf32> {ds.updates = "v"}) {
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %dw = linalg.reduce { arith.addf } ins(%x : tensor<8x3xf32>) outs(%z3 : tensor<3xf32>) dimensions = [0]
    %g = ds.gradient %dw of "w" : tensor<3xf32>
    %neww = arith.subf %w, %g : tensor<3xf32>
    %newv = arith.subf %v, %dw : tensor<3xf32>
    // expected-error @below {{grad_accumulation_step: parameter 'v' is updated without a gradient (ds.gradient)}}
    return %neww, %newv : tensor<3xf32>, tensor<3xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = global, device_num = 2, grad_accumulation_step = 4>} {
  func.func @a_result_of_one_microbatch(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}, tensor<3xf32> {ds.name = "sum"}) {
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %dw = linalg.reduce { arith.addf } ins(%x : tensor<8x3xf32>) outs(%z3 : tensor<3xf32>) dimensions = [0]
    %g = ds.gradient %dw of "w" : tensor<3xf32>
    %new = arith.subf %w, %g : tensor<3xf32>
    // expected-error @below {{grad_accumulation_step: result #1 is that of one microbatch; mark it with ds.metric, which sets how several become one}}
    return %new, %dw : tensor<3xf32>, tensor<3xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = global, device_num = 2, grad_accumulation_step = 4>} {
  func.func @a_mean_of_integers(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64},
      %c: tensor<8xi32> {ds.batch = 0 : i64}) -> (tensor<3xf32> {ds.updates = "w"}, tensor<i32> {ds.metric = "count"}) {
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %z = arith.constant dense<0> : tensor<i32>
    %dw = linalg.reduce { arith.addf } ins(%x : tensor<8x3xf32>) outs(%z3 : tensor<3xf32>) dimensions = [0]
    %count = linalg.reduce { arith.addi } ins(%c : tensor<8xi32>) outs(%z : tensor<i32>) dimensions = [0]
    %g = ds.gradient %dw of "w" : tensor<3xf32>
    %new = arith.subf %w, %g : tensor<3xf32>
    // expected-error @below {{grad_accumulation_step: result #1 is a metric that microbatches cannot make one of: ds.reduce = "mean" of 'tensor<i32>'}}
    return %new, %count : tensor<3xf32>, tensor<i32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = global, device_num = 2, grad_accumulation_step = 4>} {
  // expected-error @below {{grad_accumulation_step cannot accumulate a step with a state that holds entries per sample: 'queue'}}
  func.func @a_queue(%w: tensor<3xf32> {ds.param = "w"}, %q: tensor<8x3xf32> {ds.state = "queue", ds.batch = 0 : i64},
      %x: tensor<8x3xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}, tensor<8x3xf32> {ds.updates = "queue", ds.batch = 0 : i64}) {
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %dw = linalg.reduce { arith.addf } ins(%q : tensor<8x3xf32>) outs(%z3 : tensor<3xf32>) dimensions = [0]
    %g = ds.gradient %dw of "w" : tensor<3xf32>
    %new = arith.subf %w, %g : tensor<3xf32>
    return %new, %x : tensor<3xf32>, tensor<8x3xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = global, device_num = 2, grad_accumulation_step = 4>} {
  func.func @a_gradient_in_a_branch(%w: tensor<3xf32> {ds.param = "w"}, %on: tensor<i1>, %x: tensor<8x3xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %dw = linalg.reduce { arith.addf } ins(%x : tensor<8x3xf32>) outs(%z3 : tensor<3xf32>) dimensions = [0]
    %is = tensor.extract %on[] : tensor<i1>
    %new = scf.if %is -> tensor<3xf32> {
      // expected-error @below {{grad_accumulation_step cannot accumulate a gradient that is marked inside of control flow; mark it where the step has it}}
      %g = ds.gradient %dw of "w" : tensor<3xf32>
      %moved = arith.subf %w, %g : tensor<3xf32>
      scf.yield %moved : tensor<3xf32>
    } else {
      scf.yield %w : tensor<3xf32>
    }
    return %new : tensor<3xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = global, device_num = 2, grad_accumulation_step = 4>} {
  // expected-error @below {{grad_accumulation_step cannot split argument 'y', whose entries of a sample lie apart (ds.apart)}}
  func.func @entries_apart(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64},
      %y: tensor<16x3xf32> {ds.batch = 0 : i64, ds.apart, ds.name = "y"}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %dw = linalg.reduce { arith.addf } ins(%x : tensor<8x3xf32>) outs(%z3 : tensor<3xf32>) dimensions = [0]
    %g = ds.gradient %dw of "w" : tensor<3xf32>
    %new = arith.subf %w, %g : tensor<3xf32>
    return %new : tensor<3xf32>
  }
}
