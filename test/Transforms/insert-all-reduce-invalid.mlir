// RUN: ds-opt %s -split-input-file -ds-insert-all-reduce -verify-diagnostics -o /dev/null

#r = affine_map<(i, b) -> (b, i)>
#c = affine_map<(i, b) -> (i)>
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  // expected-error @below {{parameter 'w' is ds.layerwise_parallel, but with batch = global all ranks compute one function and cannot differ in a parameter}}
  func.func @layerwise_in_global(
      %w: tensor<3xf32> {ds.param = "w", ds.layerwise_parallel}, %x: tensor<8x3xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %new = linalg.generic {indexing_maps = [#r, #c], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<8x3xf32>) outs(%w : tensor<3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %o, %a : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    return %new : tensor<3xf32>
  }
}

// -----

#r = affine_map<(i, b) -> (b, i)>
#c = affine_map<(i, b) -> (i)>
module attributes {ds.config = #ds.config<batch = local, device_num = 2>} {
  // The largest value of a rank's samples is its own; as a count it has no mean over ranks.
  func.func @integer_statistic(
      %w: tensor<3xf32> {ds.param = "w"}, %s: tensor<3xi32> {ds.state = "count"},
      %x: tensor<8x3xi32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}, tensor<3xi32> {ds.updates = "count"}) {
    %new = linalg.generic {indexing_maps = [#r, #c], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<8x3xi32>) outs(%s : tensor<3xi32>) {
    ^bb0(%a: i32, %o: i32):
      %m = arith.maxsi %o, %a : i32
      linalg.yield %m : i32
    } -> tensor<3xi32>
    // expected-error @below {{state 'count' depends on the samples of a rank and is not a float, so ranks cannot agree on its mean; set local_state to rank0 or per_rank, or mark it with ds.batch if it holds one entry per sample}}
    return %w, %new : tensor<3xf32>, tensor<3xi32>
  }
}

// -----

#r = affine_map<(i, b) -> (b, i)>
#c = affine_map<(i, b) -> (i)>
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

// Only what is decided by a value that all ranks have is run by all of them.
module attributes {ds.config = #ds.config<batch = local, device_num = 2>} {
  func.func @ranks_decide_apart(
      %w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %zero = arith.constant dense<0.0> : tensor<3xf32>
    %c0 = arith.constant 0 : index
    %bound = arith.constant 1.0 : f32
    %g = linalg.reduce { arith.addf } ins(%x : tensor<8x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
    %first = tensor.extract %g[%c0] : tensor<3xf32>
    %small = arith.cmpf olt, %first, %bound : f32
    %new = scf.if %small -> tensor<3xf32> {
      // expected-error @below {{ranks decide apart whether they come here, so they cannot combine a value; combine what they decide by with ds.combine}}
      %all = ds.gradient %g of "w" : tensor<3xf32>
      %n = arith.subf %w, %all : tensor<3xf32>
      scf.yield %n : tensor<3xf32>
    } else {
      scf.yield %w : tensor<3xf32>
    }
    return %new : tensor<3xf32>
  }
}

// -----

// All ranks have both values, but each chooses one by samples of its own.
module attributes {ds.config = #ds.config<batch = local, device_num = 2>} {
  func.func @ranks_choose_apart(
      %w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %zero = arith.constant dense<0.0> : tensor<3xf32>
    %c0 = arith.constant 0 : index
    %bound = arith.constant 1.0 : f32
    %g = linalg.reduce { arith.addf } ins(%x : tensor<8x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
    %all = ds.gradient %g of "w" : tensor<3xf32>
    %n = arith.subf %w, %all : tensor<3xf32>
    %first = tensor.extract %g[%c0] : tensor<3xf32>
    %small = arith.cmpf olt, %first, %bound : f32
    // expected-error @below {{parameter 'w' is updated from this value, which differs from rank to rank; mark its gradient with ds.gradient, or what decides about it with ds.combine}}
    %new = scf.if %small -> tensor<3xf32> {
      scf.yield %n : tensor<3xf32>
    } else {
      scf.yield %w : tensor<3xf32>
    }
    return %new : tensor<3xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = local, device_num = 2>} {
  func.func @a_hidden_state_is_averaged(
      %w: tensor<3xf32> {ds.param = "w"}, %h: tensor<8xf32> {ds.state = "h"}, %x: tensor<8xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}, tensor<8xf32> {ds.updates = "h"}) {
    %new = arith.addf %h, %x : tensor<8xf32>
    // expected-warning @below {{state 'h' is made of single samples, and its mean over ranks mixes those of all; mark it with ds.batch if it holds one entry per sample, or set local_state to rank0 or per_rank}}
    return %w, %new : tensor<3xf32>, tensor<8xf32>
  }
}
