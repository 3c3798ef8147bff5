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
    // expected-error @below {{result #1 holds one entry per sample; mark it with ds.batch (in JAX: samples=) to return each rank's rows}}
    return %w, %x : tensor<3xf32>, tensor<8xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  func.func @unknown_operation(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<4x4xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %c0 = arith.constant 0 : index
    // expected-error @below {{cannot divide the batch over 2 ranks here: no placement rule for 'tensor.dim' with an operand that is sharded(0, 2, 1); implement ds::PlacementOpInterface for it}}
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
      %x: tensor<8x3xf32> {ds.batch = 0 : i64}) -> (tensor<3xf32> {ds.updates = "w"}, tensor<3xf32> {ds.updates = "v"}) {
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
    return %neww, %newv : tensor<3xf32>, tensor<3xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = local, device_num = 2>} {
  // The same value feeds the samples and is the new parameter: no gradient stands between.
  func.func @parameter_without_a_gradient(
      %w: tensor<8x3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64})
      -> (tensor<8x3xf32> {ds.updates = "w"}) {
    // expected-error @below {{parameter 'w' is updated from a value of the batch that is not linear in any gradient; ranks cannot agree on it}}
    return %x : tensor<8x3xf32>
  }
}

// -----

// The derivative of a function of the parameter may be what multiplies the gradient here, so that
// the product would be combined; but then no state would be made of the rank's own.
module attributes {ds.config = #ds.config<batch = local, device_num = 2>} {
  func.func @moments_of_a_gradient_that_a_parameter_projects(%w: tensor<4x3xf32> {ds.param = "w"},
      %p: tensor<2x4xf32> {ds.param = "p"}, %v: tensor<2x3xf32> {ds.state = "v"},
      %x: tensor<8x4xf32> {ds.batch = 0 : i64})
      -> (tensor<4x3xf32> {ds.updates = "w"}, tensor<2x4xf32> {ds.updates = "p"}, tensor<2x3xf32> {ds.updates = "v"}) {
    %zero = arith.constant dense<0.0> : tensor<4x3xf32>
    %zero83 = arith.constant dense<0.0> : tensor<8x3xf32>
    %zero23 = arith.constant dense<0.0> : tensor<2x3xf32>
    %ww = linalg.mul ins(%w, %w : tensor<4x3xf32>, tensor<4x3xf32>) outs(%zero : tensor<4x3xf32>) -> tensor<4x3xf32>
    %y = linalg.matmul ins(%x, %ww : tensor<8x4xf32>, tensor<4x3xf32>) outs(%zero83 : tensor<8x3xf32>) -> tensor<8x3xf32>
    %dw = linalg.matmul indexing_maps = [affine_map<(i, j, b) -> (b, i)>, affine_map<(i, j, b) -> (b, j)>, affine_map<(i, j, b) -> (i, j)>]
        ins(%x, %y : tensor<8x4xf32>, tensor<8x3xf32>) outs(%zero : tensor<4x3xf32>) -> tensor<4x3xf32>
    %decayed = linalg.add ins(%dw, %w : tensor<4x3xf32>, tensor<4x3xf32>) outs(%zero : tensor<4x3xf32>) -> tensor<4x3xf32>
    %d = linalg.matmul ins(%p, %decayed : tensor<2x4xf32>, tensor<4x3xf32>) outs(%zero23 : tensor<2x3xf32>) -> tensor<2x3xf32>
    %square = linalg.mul ins(%d, %d : tensor<2x3xf32>, tensor<2x3xf32>) outs(%zero23 : tensor<2x3xf32>) -> tensor<2x3xf32>
    // expected-error @below {{parameter 'w' is updated by this new value of 'v', which differs from rank to rank; mark the gradient that it is made of: %g = ds.gradient %dw of "w"}}
    %newv = linalg.add ins(%v, %square : tensor<2x3xf32>, tensor<2x3xf32>) outs(%zero23 : tensor<2x3xf32>) -> tensor<2x3xf32>
    %scaled = linalg.div ins(%d, %newv : tensor<2x3xf32>, tensor<2x3xf32>) outs(%zero23 : tensor<2x3xf32>) -> tensor<2x3xf32>
    %update = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>]
        ins(%p, %scaled : tensor<2x4xf32>, tensor<2x3xf32>) outs(%zero : tensor<4x3xf32>) -> tensor<4x3xf32>
    %new = linalg.sub ins(%w, %update : tensor<4x3xf32>, tensor<4x3xf32>) outs(%zero : tensor<4x3xf32>) -> tensor<4x3xf32>
    return %new, %p, %newv : tensor<4x3xf32>, tensor<2x4xf32>, tensor<2x3xf32>
  }
}
