// RUN: ds-opt %s --ds-schedule-update --split-input-file --verify-diagnostics

// A value that ranks combine beside gradients is of this step, the gradients are of an earlier one.
module attributes {ds.config = #ds.config<update = "delayed=1">} {
  func.func @step(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<4x3xf32> {ds.batch = 0 : i64}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %z = arith.constant dense<0.0> : tensor<3xf32>
    %dw = linalg.reduce { arith.addf } ins(%x : tensor<4x3xf32>) outs(%z : tensor<3xf32>) dimensions = [0]
    %g = ds.gradient %dw of "w" : tensor<3xf32>
    %dv = linalg.reduce { arith.maximumf } ins(%x : tensor<4x3xf32>) outs(%z : tensor<3xf32>) dimensions = [0]
    // expected-error @below {{update=delayed: ranks combine another value than gradients here, which would meet gradients of an earlier step}}
    %largest = ds.combine max %dv : tensor<3xf32>
    %a = arith.divf %g, %largest : tensor<3xf32>
    %new = arith.subf %w, %a : tensor<3xf32>
    return %new : tensor<3xf32>
  }
}

// -----
// A loss scale: gradients are divided by the one they were multiplied by.
module attributes {ds.config = #ds.config<update = "delayed=1">} {
  // expected-error @below {{update=delayed: gradients are made with state 'scale', which their update changes, so a delayed gradient would meet another value of it}}
  func.func @step(%w: tensor<3xf32> {ds.param = "w"}, %scale: tensor<3xf32> {ds.state = "scale", ds.init = "ones"},
      %x: tensor<4x3xf32> {ds.batch = 0 : i64}) -> (tensor<3xf32> {ds.updates = "w"}, tensor<3xf32> {ds.updates = "scale"}) {
    %z = arith.constant dense<0.0> : tensor<3xf32>
    %sum = linalg.reduce { arith.addf } ins(%x : tensor<4x3xf32>) outs(%z : tensor<3xf32>) dimensions = [0]
    %dw = arith.mulf %sum, %scale : tensor<3xf32>
    %g = ds.gradient %dw of "w" : tensor<3xf32>
    %a = arith.divf %g, %scale : tensor<3xf32>
    %new = arith.subf %w, %a : tensor<3xf32>
    %larger = arith.addf %scale, %a : tensor<3xf32>
    return %new, %larger : tensor<3xf32>, tensor<3xf32>
  }
}

// -----
module attributes {ds.config = #ds.config<update = "delayed=2">} {
  func.func @step(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<4x3xf32> {ds.batch = 0 : i64}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %z = arith.constant dense<0.0> : tensor<3xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %dw = linalg.reduce { arith.addf } ins(%x : tensor<4x3xf32>) outs(%z : tensor<3xf32>) dimensions = [0]
    %new = scf.for %i = %c0 to %c1 step %c1 iter_args(%v = %w) -> (tensor<3xf32>) {
      // expected-error @below {{update=delayed cannot keep a gradient that is marked inside of control flow; mark it where the step has it}}
      %g = ds.gradient %dw of "w" : tensor<3xf32>
      %next = arith.subf %v, %g : tensor<3xf32>
      scf.yield %next : tensor<3xf32>
    }
    return %new : tensor<3xf32>
  }
}

// -----
// A count of the forward pass that differs from rank to rank has no mean.
module attributes {ds.config = #ds.config<update = "average_parameters=2">} {
  // expected-error @below {{update=average_parameters: 'seen' is a state of the forward pass, differs from rank to rank and is not a float, so it has no mean}}
  func.func @step(%w: tensor<3xf32> {ds.param = "w"}, %seen: tensor<i32> {ds.state = "seen"}, %x: tensor<4x3xf32> {ds.batch = 0 : i64},
      %many: tensor<4xi32> {ds.batch = 0 : i64}) -> (tensor<3xf32> {ds.updates = "w"}, tensor<i32> {ds.updates = "seen"}) {
    %z = arith.constant dense<0.0> : tensor<3xf32>
    %sum = linalg.reduce { arith.addf } ins(%x : tensor<4x3xf32>) outs(%z : tensor<3xf32>) dimensions = [0]
    %count = linalg.reduce { arith.addi } ins(%many : tensor<4xi32>) outs(%seen : tensor<i32>) dimensions = [0]
    %number = tensor.extract %seen[] : tensor<i32>
    %f = arith.sitofp %number : i32 to f32
    %factor = tensor.splat %f : tensor<3xf32>
    %dw = arith.mulf %sum, %factor : tensor<3xf32>
    %g = ds.gradient %dw of "w" : tensor<3xf32>
    %new = arith.subf %w, %g : tensor<3xf32>
    return %new, %count : tensor<3xf32>, tensor<i32>
  }
}

// -----
// A count of updates that a rank skips by its own gradient.
module attributes {ds.config = #ds.config<update = "average_parameters=2,states=mean">} {
  // expected-error @below {{update=average_parameters: 'taken' is not a float, so an average cannot reset it or take its mean; leave out 'states'}}
  func.func @step(%w: tensor<3xf32> {ds.param = "w"}, %taken: tensor<3xi32> {ds.state = "taken"}, %x: tensor<4x3xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}, tensor<3xi32> {ds.updates = "taken"}) {
    %z = arith.constant dense<0.0> : tensor<3xf32>
    %dw = linalg.reduce { arith.addf } ins(%x : tensor<4x3xf32>) outs(%z : tensor<3xf32>) dimensions = [0]
    %g = ds.gradient %dw of "w" : tensor<3xf32>
    %new = arith.subf %w, %g : tensor<3xf32>
    %whole = arith.fptosi %g : tensor<3xf32> to tensor<3xi32>
    %more = arith.addi %taken, %whole : tensor<3xi32>
    return %new, %more : tensor<3xf32>, tensor<3xi32>
  }
}

// -----
module attributes {ds.config = #ds.config<update = "average_parameters=2">} {
  // expected-error @below {{update=average_parameters: 'w' is ds.layerwise_parallel and has no mean over ranks}}
  func.func @step(%w: tensor<3xf32> {ds.param = "w", ds.layerwise_parallel}, %x: tensor<4x3xf32> {ds.batch = 0 : i64}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %z = arith.constant dense<0.0> : tensor<3xf32>
    %dw = linalg.reduce { arith.addf } ins(%x : tensor<4x3xf32>) outs(%z : tensor<3xf32>) dimensions = [0]
    %g = ds.gradient %dw of "w" : tensor<3xf32>
    %new = arith.subf %w, %g : tensor<3xf32>
    return %new : tensor<3xf32>
  }
}

// -----
module attributes {ds.config = #ds.config<gradient_compression = "bf16,error_feedback">} {
  func.func @step(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<4x3xf32> {ds.batch = 0 : i64}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %z = arith.constant dense<0.0> : tensor<3xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %dw = linalg.reduce { arith.addf } ins(%x : tensor<4x3xf32>) outs(%z : tensor<3xf32>) dimensions = [0]
    %new = scf.for %i = %c0 to %c1 step %c1 iter_args(%v = %w) -> (tensor<3xf32>) {
      // expected-error @below {{gradient_compression cannot compress a gradient that is marked inside of control flow; mark it where the step has it}}
      %g = ds.gradient %dw of "w" : tensor<3xf32>
      %next = arith.subf %v, %g : tensor<3xf32>
      scf.yield %next : tensor<3xf32>
    }
    return %new : tensor<3xf32>
  }
}

// -----
// The gradients of all ranks have a shape.
module attributes {ds.config = #ds.config<gradient_compression = "top_k(1)", gradients_mean = true>} {
  // expected-error @below {{gradient_compression=top_k needs the number of ranks; set device_num}}
  func.func @step(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<4x3xf32> {ds.batch = 0 : i64}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %z = arith.constant dense<0.0> : tensor<3xf32>
    %dw = linalg.reduce { arith.addf } ins(%x : tensor<4x3xf32>) outs(%z : tensor<3xf32>) dimensions = [0]
    %g = ds.gradient %dw of "w" : tensor<3xf32>
    %new = arith.subf %w, %g : tensor<3xf32>
    return %new : tensor<3xf32>
  }
}
