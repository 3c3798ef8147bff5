// RUN: ds-opt %s -split-input-file -ds-detect-gradients -verify-diagnostics -o /dev/null

module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  // expected-error @below {{the step has no parameter; mark the trainable arguments with ds.param}}
  func.func @no_parameter(%x: tensor<8xf32> {ds.batch = 0 : i64}) -> (tensor<8xf32> {ds.batch = 0 : i64}) {
    return %x : tensor<8xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  // expected-error @below {{no result updates parameter 'w'; expected a result with ds.updates = "w"}}
  func.func @nobody_updates(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8xf32> {ds.batch = 0 : i64})
      -> (tensor<8xf32> {ds.batch = 0 : i64}) {
    return %x : tensor<8xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  // expected-error @below {{the step has no batch argument; mark the arguments that hold samples with ds.batch}}
  func.func @no_batch(%w: tensor<3xf32> {ds.param = "w"}) -> (tensor<3xf32> {ds.updates = "w"}) {
    return %w : tensor<3xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = local, device_num = 2>} {
  // expected-error @below {{the step has no batch argument; mark the arguments that hold samples with ds.batch}}
  func.func @no_batch_local(%w: tensor<3xf32> {ds.param = "w"}) -> (tensor<3xf32> {ds.updates = "w"}) {
    return %w : tensor<3xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = global, device_num = 3>} {
  // expected-error @below {{the batch of argument 'x' has 8 samples, which 3 ranks cannot divide}}
  func.func @not_divisible(%w: tensor<3xf32> {ds.param = "w"},
      %x: tensor<8xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<3xf32> {ds.updates = "w"}) {
    return %w : tensor<3xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = global>} {
  // expected-error @below {{batch = global needs the number of ranks; set device_num}}
  func.func @no_ranks(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    return %w : tensor<3xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  func.func @sample_result(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}, tensor<8xf32> {ds.name = "out"}) {
    // expected-error @below {{result #1 holds one entry per sample; mark it with ds.batch = 0 (in JAX: samples=) to return each rank's rows}}
    return %w, %x : tensor<3xf32>, tensor<8xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  func.func @unknown_operation(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<4x4xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %c0 = arith.constant 0 : index
    // expected-error @below {{cannot shard the batch over 2 ranks here: no placement rule for 'tensor.dim' with an operand that is sharded(0, 2, 1); implement ds::PlacementOpInterface for it}}
    %size = tensor.dim %x, %c0 : tensor<4x4xf32>
    return %w : tensor<3xf32>
  }
}

// -----

#window = affine_map<(i, k) -> (i + k)>
#k = affine_map<(i, k) -> (k)>
#i = affine_map<(i, k) -> (i)>
#bi = affine_map<(b, i) -> (b, i)>
#bc = affine_map<(b, i) -> (i)>
module attributes {ds.config = #ds.config<batch = local, device_num = 2>} {
  func.func @windows_over_own_values(%w: tensor<3xf32> {ds.param = "w"}, %v: tensor<3xf32> {ds.param = "v"},
      %x: tensor<8x3xf32> {ds.batch = 0 : i64}, %y: tensor<8x4xf32> {ds.batch = 0 : i64}, %z: tensor<8x2xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}, tensor<3xf32> {ds.updates = "v"}, tensor<8x4xf32> {ds.batch = 0 : i64},
          tensor<8x2xf32> {ds.batch = 0 : i64}) {
    %zero = arith.constant dense<0.0> : tensor<3xf32>
    %first = linalg.reduce { arith.addf } ins(%x : tensor<8x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
    %second = linalg.reduce { arith.maximumf } ins(%x : tensor<8x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
    %meets = linalg.generic {indexing_maps = [#bi, #bc, #bc, #bc], iterator_types = ["reduction", "parallel"]}
        ins(%x, %first, %second : tensor<8x3xf32>, tensor<3xf32>, tensor<3xf32>) outs(%zero : tensor<3xf32>) {
    ^bb0(%s: f32, %a: f32, %b: f32, %o: f32):
      %p = arith.mulf %a, %b : f32
      %q = arith.mulf %p, %s : f32
      %t = arith.addf %o, %q : f32
      linalg.yield %t : f32
    } -> tensor<3xf32>
    %wide = tensor.pad %first low[0] high[1] {
    ^bb0(%at: index):
      %none = arith.constant 0.0 : f32
      tensor.yield %none : f32
    } : tensor<3xf32> to tensor<4xf32>
    %two = tensor.extract_slice %second[0] [2] [1] : tensor<3xf32> to tensor<2xf32>
    %e84 = tensor.empty() : tensor<8x4xf32>
    %wides = linalg.broadcast ins(%wide : tensor<4xf32>) outs(%e84 : tensor<8x4xf32>) dimensions = [0]
    %far = arith.subf %y, %wides : tensor<8x4xf32>
    %e82 = tensor.empty() : tensor<8x2xf32>
    %twos = linalg.broadcast ins(%two : tensor<2xf32>) outs(%e82 : tensor<8x2xf32>) dimensions = [0]
    %near = arith.subf %z, %twos : tensor<8x2xf32>
    // expected-error @below {{a gradient is made and used in one body that cannot be unfused; make it the result of an operation}}
    %neww = linalg.generic {indexing_maps = [#window, #k, #i], iterator_types = ["parallel", "reduction"]}
        ins(%wide, %two : tensor<4xf32>, tensor<2xf32>) outs(%w : tensor<3xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %g = arith.mulf %a, %b : f32
      %q = arith.mulf %g, %g : f32
      %n = arith.subf %o, %q : f32
      linalg.yield %n : f32
    } -> tensor<3xf32>
    %newv = linalg.sub ins(%v, %meets : tensor<3xf32>, tensor<3xf32>) outs(%zero : tensor<3xf32>) -> tensor<3xf32>
    return %neww, %newv, %far, %near : tensor<3xf32>, tensor<3xf32>, tensor<8x4xf32>, tensor<8x2xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = local, device_num = 2>} {
  // The same value feeds the samples and is the new parameter: no gradient stands between.
  func.func @parameter_without_a_gradient(
      // expected-error @below {{parameter 'w' is updated from this value, which differs from rank to rank; mark its gradient with ds.gradient, or what decides about it with ds.combine}}
      %w: tensor<8x3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64})
      -> (tensor<8x3xf32> {ds.updates = "w"}) {
    return %x : tensor<8x3xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = local, device_num = 2>} {
  // Whether ranks step is decided by a loss that each has as its own.
  func.func @a_loss_decides(
      %w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}, tensor<f32> {ds.metric = "loss"}) {
    %zero = arith.constant dense<0.0> : tensor<3xf32>
    %none = arith.constant dense<0.0> : tensor<f32>
    %limit = arith.constant 1.0 : f32
    %squares = arith.mulf %x, %x : tensor<8x3xf32>
    // expected-error @below {{parameter 'w' is updated or not by this value, which differs from rank to rank; combine it: %c = ds.combine mean %loss (in JAX: jax.lax.pmean)}}
    %total = linalg.reduce { arith.addf } ins(%squares : tensor<8x3xf32>) outs(%none : tensor<f32>) dimensions = [0, 1]
    %square = arith.mulf %w, %w : tensor<3xf32>
    %penalty = linalg.reduce { arith.addf } ins(%square : tensor<3xf32>) outs(%none : tensor<f32>) dimensions = [0]
    %loss = arith.addf %total, %penalty : tensor<f32>
    %g = linalg.reduce { arith.addf } ins(%x : tensor<8x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
    %l = tensor.extract %loss[] : tensor<f32>
    %steps = arith.cmpf olt, %l, %limit : f32
    %moved = arith.subf %w, %g : tensor<3xf32>
    %new = arith.select %steps, %moved, %w : tensor<3xf32>
    return %new, %loss : tensor<3xf32>, tensor<f32>
  }
}

// -----

// Comparisons of a partial value do not add up.
module attributes {ds.config = #ds.config<batch = local, device_num = 2>} {
  func.func @a_loop_runs_as_often_as_a_sum_needs(
      %w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x2x3xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %zero = arith.constant dense<0.0> : tensor<2x3xf32>
    %half = arith.constant dense<0.5> : tensor<2x3xf32>
    %one = arith.constant dense<1.0> : tensor<2x3xf32>
    %c0 = arith.constant 0 : index
    // expected-error @below {{parameter 'w' is updated from this value, which differs from rank to rank and does not have the size of a gradient; mark the gradient: %g = ds.gradient %dw of "w" (in JAX: dstep.jax.gradients)}}
    %g = linalg.reduce { arith.addf } ins(%x : tensor<8x2x3xf32>) outs(%zero : tensor<2x3xf32>) dimensions = [0]
    %v = scf.while (%a = %g) : (tensor<2x3xf32>) -> tensor<2x3xf32> {
      %large = arith.cmpf ogt, %a, %one : tensor<2x3xf32>
      %more = tensor.extract %large[%c0, %c0] : tensor<2x3xi1>
      scf.condition(%more) %a : tensor<2x3xf32>
    } do {
    ^bb0(%a: tensor<2x3xf32>):
      %b = arith.mulf %a, %half : tensor<2x3xf32>
      scf.yield %b : tensor<2x3xf32>
    }
    %d = tensor.extract_slice %v[0, 0] [1, 3] [1, 1] : tensor<2x3xf32> to tensor<3xf32>
    %new = arith.subf %w, %d : tensor<3xf32>
    return %new : tensor<3xf32>
  }
}

// -----

// An optimizer may update a matrix by values of other sizes: none of them is the gradient, nor is the update.
module attributes {ds.config = #ds.config<batch = local, device_num = 2>} {
  func.func @an_update_of_one_direction_of_the_gradient(%w: tensor<4x3xf32> {ds.param = "w"},
      %x: tensor<8x4xf32> {ds.batch = 0 : i64}) -> (tensor<4x3xf32> {ds.updates = "w"}) {
    %zero = arith.constant dense<0.0> : tensor<4x3xf32>
    %zero83 = arith.constant dense<0.0> : tensor<8x3xf32>
    %zero4 = arith.constant dense<0.0> : tensor<4xf32>
    %zero3 = arith.constant dense<0.0> : tensor<3xf32>
    %zero0 = arith.constant dense<0.0> : tensor<f32>
    %y = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x3xf32>) outs(%zero83 : tensor<8x3xf32>) -> tensor<8x3xf32>
    %dw = linalg.matmul indexing_maps = [affine_map<(i, j, b) -> (b, i)>, affine_map<(i, j, b) -> (b, j)>, affine_map<(i, j, b) -> (i, j)>]
        ins(%x, %y : tensor<8x4xf32>, tensor<8x3xf32>) outs(%zero : tensor<4x3xf32>) -> tensor<4x3xf32>
    // expected-error @below {{parameter 'w' is updated from this value, which differs from rank to rank and does not have the size of a gradient; mark the gradient: %g = ds.gradient %dw of "w" (in JAX: dstep.jax.gradients)}}
    %rows = linalg.reduce { arith.addf } ins(%dw : tensor<4x3xf32>) outs(%zero4 : tensor<4xf32>) dimensions = [1]
    %length = linalg.dot ins(%rows, %rows : tensor<4xf32>, tensor<4xf32>) outs(%zero0 : tensor<f32>) -> tensor<f32>
    %all = linalg.broadcast ins(%length : tensor<f32>) outs(%zero4 : tensor<4xf32>) dimensions = [0]
    %q = linalg.div ins(%rows, %all : tensor<4xf32>, tensor<4xf32>) outs(%zero4 : tensor<4xf32>) -> tensor<4xf32>
    %u = linalg.vecmat ins(%q, %dw : tensor<4xf32>, tensor<4x3xf32>) outs(%zero3 : tensor<3xf32>) -> tensor<3xf32>
    %left = linalg.broadcast ins(%q : tensor<4xf32>) outs(%zero : tensor<4x3xf32>) dimensions = [1]
    %right = linalg.broadcast ins(%u : tensor<3xf32>) outs(%zero : tensor<4x3xf32>) dimensions = [0]
    %update = linalg.mul ins(%left, %right : tensor<4x3xf32>, tensor<4x3xf32>) outs(%zero : tensor<4x3xf32>) -> tensor<4x3xf32>
    %new = linalg.sub ins(%w, %update : tensor<4x3xf32>, tensor<4x3xf32>) outs(%zero : tensor<4x3xf32>) -> tensor<4x3xf32>
    return %new : tensor<4x3xf32>
  }
}

// -----

// The moments of a projected gradient are of the projection's size, which is cheaper to combine.
module attributes {ds.config = #ds.config<batch = local, device_num = 2>} {
  func.func @moments_of_a_projected_gradient(%w: tensor<4x3xf32> {ds.param = "w"},
      %p: tensor<2x4xf32> {ds.state = "p"}, %v: tensor<2x3xf32> {ds.state = "v"},
      %x: tensor<8x4xf32> {ds.batch = 0 : i64})
      -> (tensor<4x3xf32> {ds.updates = "w"}, tensor<2x4xf32> {ds.updates = "p"}, tensor<2x3xf32> {ds.updates = "v"}) {
    %zero = arith.constant dense<0.0> : tensor<4x3xf32>
    %zero83 = arith.constant dense<0.0> : tensor<8x3xf32>
    %zero23 = arith.constant dense<0.0> : tensor<2x3xf32>
    %y = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x3xf32>) outs(%zero83 : tensor<8x3xf32>) -> tensor<8x3xf32>
    %dw = linalg.matmul indexing_maps = [affine_map<(i, j, b) -> (b, i)>, affine_map<(i, j, b) -> (b, j)>, affine_map<(i, j, b) -> (i, j)>]
        ins(%x, %y : tensor<8x4xf32>, tensor<8x3xf32>) outs(%zero : tensor<4x3xf32>) -> tensor<4x3xf32>
    %decayed = linalg.add ins(%dw, %w : tensor<4x3xf32>, tensor<4x3xf32>) outs(%zero : tensor<4x3xf32>) -> tensor<4x3xf32>
    // expected-error @below {{parameter 'w' is updated from this value, which differs from rank to rank and does not have the size of a gradient; mark the gradient: %g = ds.gradient %dw of "w" (in JAX: dstep.jax.gradients)}}
    %d = linalg.matmul ins(%p, %decayed : tensor<2x4xf32>, tensor<4x3xf32>) outs(%zero23 : tensor<2x3xf32>) -> tensor<2x3xf32>
    %square = linalg.mul ins(%d, %d : tensor<2x3xf32>, tensor<2x3xf32>) outs(%zero23 : tensor<2x3xf32>) -> tensor<2x3xf32>
    %newv = linalg.add ins(%v, %square : tensor<2x3xf32>, tensor<2x3xf32>) outs(%zero23 : tensor<2x3xf32>) -> tensor<2x3xf32>
    %scaled = linalg.div ins(%d, %newv : tensor<2x3xf32>, tensor<2x3xf32>) outs(%zero23 : tensor<2x3xf32>) -> tensor<2x3xf32>
    %update = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>]
        ins(%p, %scaled : tensor<2x4xf32>, tensor<2x3xf32>) outs(%zero : tensor<4x3xf32>) -> tensor<4x3xf32>
    %new = linalg.sub ins(%w, %update : tensor<4x3xf32>, tensor<4x3xf32>) outs(%zero : tensor<4x3xf32>) -> tensor<4x3xf32>
    return %new, %p, %newv : tensor<4x3xf32>, tensor<2x4xf32>, tensor<2x3xf32>
  }
}

// -----

// The square of a mean that does not depend on the parameter: the mean looks like its gradient.
module attributes {ds.config = #ds.config<batch = local, device_num = 2>} {
  func.func @a_squared_statistic(%w: tensor<f32> {ds.param = "w"}, %x: tensor<8xf32> {ds.batch = 0 : i64})
      -> (tensor<f32> {ds.updates = "w"}) {
    %zero = arith.constant dense<0.0> : tensor<f32>
    // expected-error @below {{this value has the size of the gradient of parameter 'w' but does not depend on that parameter, and more than its multiples is used; mark the gradient: %g = ds.gradient %dw of "w" (in JAX: dstep.jax.gradients)}}
    %sum = linalg.reduce { arith.addf } ins(%x : tensor<8xf32>) outs(%zero : tensor<f32>) dimensions = [0]
    %square = arith.mulf %sum, %sum : tensor<f32>
    %new = arith.subf %w, %square : tensor<f32>
    return %new : tensor<f32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = local, device_num = 2>} {
  // expected-error @below {{a rank has one sample, so a layer's output looks like the gradient of its bias; mark every gradient: %g = ds.gradient %dw of "w" (in JAX: dstep.jax.gradients)}}
  func.func @one_sample(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<1x3xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %zero = arith.constant dense<0.0> : tensor<3xf32>
    %g = linalg.reduce { arith.addf } ins(%x : tensor<1x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
    %new = arith.subf %w, %g : tensor<3xf32>
    return %new : tensor<3xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = local, device_num = 2>} {
  func.func @unknown_operation(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<4x4xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %c0 = arith.constant 0 : index
    // expected-error @below {{cannot follow the samples of a rank here: no placement rule for 'tensor.dim' with an operand that is sharded(0, 2, 1); implement ds::PlacementOpInterface for it}}
    %size = tensor.dim %x, %c0 : tensor<4x4xf32>
    return %w : tensor<3xf32>
  }
}
