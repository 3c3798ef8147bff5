// RUN: ds-opt %s -split-input-file -verify-diagnostics -ds-insert-all-reduce -ds-localize-batch -o /dev/null
// Why an operation is run by every rank on all samples is said at the operation.

module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  func.func @pairs_of_samples_meet_samples_of_two_times(%w: tensor<16xf32> {ds.param = "w"},
      %t: tensor<16xf32> {ds.batch = 0 : i64}, %x: tensor<8xf32> {ds.batch = 0 : i64}) -> (tensor<16xf32> {ds.updates = "w"}) {
    %e = tensor.empty() : tensor<2x8xf32>
    %two = linalg.broadcast ins(%x : tensor<8xf32>) outs(%e : tensor<2x8xf32>) dimensions = [0]
    %flat = tensor.collapse_shape %two [[0, 1]] : tensor<2x8xf32> into tensor<16xf32>
    // expected-warning @below {{every rank computes this for all samples: operands hold different rows of the batch}}
    %sum = arith.addf %t, %flat : tensor<16xf32>
    %each = tensor.empty() : tensor<8x2xf32>
    %twice = linalg.broadcast ins(%x : tensor<8xf32>) outs(%each : tensor<8x2xf32>) dimensions = [1]
    %pairs = tensor.collapse_shape %twice [[0, 1]] : tensor<8x2xf32> into tensor<16xf32>
    %together = arith.mulf %t, %pairs : tensor<16xf32>
    return %w : tensor<16xf32>
  }
}

// -----

#b = affine_map<(b, j) -> (b)>
#window = affine_map<(b, j) -> (b + j)>
#both = affine_map<(b, j) -> (b, j)>
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  func.func @a_window_over_the_samples(%w: tensor<9xf32> {ds.param = "w"}, %x: tensor<8xf32> {ds.batch = 0 : i64})
      -> (tensor<9xf32> {ds.updates = "w"}) {
    %e = tensor.empty() : tensor<8x2xf32>
    // expected-warning @below {{every rank computes this for all samples: a replicated operand is indexed by an expression of the sharded loop}}
    %y = linalg.generic {indexing_maps = [#b, #window, #both], iterator_types = ["parallel", "parallel"]}
        ins(%x, %w : tensor<8xf32>, tensor<9xf32>) outs(%e : tensor<8x2xf32>) {
    ^bb0(%a: f32, %k: f32, %o: f32):
      %p = arith.mulf %a, %k : f32
      linalg.yield %p : f32
    } -> tensor<8x2xf32>
    return %w : tensor<9xf32>
  }
}

// -----

#b = affine_map<(b) -> (b)>
#none = affine_map<(b) -> ()>
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  func.func @a_chain_of_quotients(%w: tensor<f32> {ds.param = "w"}, %x: tensor<8xf32> {ds.batch = 0 : i64})
      -> (tensor<f32> {ds.updates = "w"}) {
    // expected-warning @below {{every rank computes this for all samples: the sharded loop is a reduction whose combiner is not one of sum, prod, max, min, and, or}}
    %y = linalg.generic {indexing_maps = [#b, #none], iterator_types = ["reduction"]}
        ins(%x : tensor<8xf32>) outs(%w : tensor<f32>) {
    ^bb0(%a: f32, %o: f32):
      %q = arith.divf %a, %o : f32
      linalg.yield %q : f32
    } -> tensor<f32>
    return %y : tensor<f32>
  }
}

// -----

#b = affine_map<(b) -> (b)>
#none = affine_map<(b) -> ()>
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  func.func @samples_overwrite_one_another(%w: tensor<f32> {ds.param = "w"}, %x: tensor<8xf32> {ds.batch = 0 : i64})
      -> (tensor<f32> {ds.updates = "w"}) {
    // expected-warning @below {{every rank computes this for all samples: a result is not indexed by the sharded loop}}
    %y = linalg.generic {indexing_maps = [#b, #none], iterator_types = ["parallel"]}
        ins(%x : tensor<8xf32>) outs(%w : tensor<f32>) {
    ^bb0(%a: f32, %o: f32):
      linalg.yield %a : f32
    } -> tensor<f32>
    return %y : tensor<f32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  func.func @one_sample_is_written(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %row = tensor.empty() : tensor<1x3xf32>
    // expected-warning @below {{every rank computes this for all samples: the slice is written into a part of the sharded dimension}}
    %y = tensor.insert_slice %row into %x[0, 0] [1, 3] [1, 1] : tensor<1x3xf32> into tensor<8x3xf32>
    return %w : tensor<3xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  func.func @other_rows_are_written(%w: tensor<16xf32> {ds.param = "w"},
      %t: tensor<16xf32> {ds.batch = 0 : i64}, %x: tensor<8xf32> {ds.batch = 0 : i64}) -> (tensor<16xf32> {ds.updates = "w"}) {
    %e = tensor.empty() : tensor<2x8xf32>
    %two = linalg.broadcast ins(%x : tensor<8xf32>) outs(%e : tensor<2x8xf32>) dimensions = [0]
    %flat = tensor.collapse_shape %two [[0, 1]] : tensor<2x8xf32> into tensor<16xf32>
    // expected-warning @below {{every rank computes this for all samples: operands hold different rows of the batch}}
    %y = tensor.insert_slice %t into %flat[0] [16] [1] : tensor<16xf32> into tensor<16xf32>
    %each = tensor.empty() : tensor<8x2xf32>
    %twice = linalg.broadcast ins(%x : tensor<8xf32>) outs(%each : tensor<8x2xf32>) dimensions = [1]
    %pairs = tensor.collapse_shape %twice [[0, 1]] : tensor<8x2xf32> into tensor<16xf32>
    %together = arith.mulf %t, %pairs : tensor<16xf32>
    return %w : tensor<16xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  func.func @one_sample_more(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %zero = arith.constant 0.0 : f32
    // expected-warning @below {{every rank computes this for all samples: the padding adds to the sharded dimension what does not fill every rank}}
    %y = tensor.pad %x low[1, 0] high[0, 0] {
    ^bb0(%i: index, %j: index):
      tensor.yield %zero : f32
    } : tensor<8x3xf32> to tensor<9x3xf32>
    return %w : tensor<3xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  func.func @pieces_of_other_rows(%w: tensor<16xf32> {ds.param = "w"},
      %t: tensor<16xf32> {ds.batch = 0 : i64}, %x: tensor<8xf32> {ds.batch = 0 : i64}) -> (tensor<16xf32> {ds.updates = "w"}) {
    // expected-warning @below {{every rank computes this for all samples: operands hold different rows of the batch}}
    %y = tensor.concat dim(0) %t, %x : (tensor<16xf32>, tensor<8xf32>) -> tensor<24xf32>
    %each = tensor.empty() : tensor<8x2xf32>
    %twice = linalg.broadcast ins(%x : tensor<8xf32>) outs(%each : tensor<8x2xf32>) dimensions = [1]
    %pairs = tensor.collapse_shape %twice [[0, 1]] : tensor<8x2xf32> into tensor<16xf32>
    %together = arith.mulf %t, %pairs : tensor<16xf32>
    return %w : tensor<16xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  func.func @a_token_before_the_samples(%w: tensor<1x3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64})
      -> (tensor<1x3xf32> {ds.updates = "w"}) {
    // expected-warning @below {{every rank computes this for all samples: a piece is joined to the sharded dimension that does not fill every rank}}
    %y = tensor.concat dim(0) %w, %x : (tensor<1x3xf32>, tensor<8x3xf32>) -> tensor<9x3xf32>
    return %w : tensor<1x3xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  func.func @the_first_sample_is_read(%w: tensor<8xf32> {ds.param = "w"}, %x: tensor<8xf32> {ds.batch = 0 : i64})
      -> (tensor<8xf32> {ds.updates = "w"}) {
    %c0 = arith.constant 0 : index
    // expected-warning @below {{every rank computes this for all samples: one sample of the batch is read by every rank}}
    %y = tensor.extract %x[%c0] : tensor<8xf32>
    return %w : tensor<8xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  func.func @a_rank_reads_one_of_its_samples(%w: tensor<8xf32> {ds.param = "w"}, %x: tensor<8xf32> {ds.batch = 0 : i64})
      -> (tensor<8xf32> {ds.updates = "w"}) {
    %c0 = arith.constant 0 : index
    // expected-warning @below {{every rank computes this for all samples: one sample of the batch is read by every rank}}
    %y = tensor.extract %x[%c0] : tensor<8xf32>
    return %w : tensor<8xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  func.func @two_rules_of_one_operation(%w: tensor<8xf32> {ds.param = "w"}, %x: tensor<8xf32> {ds.batch = 0 : i64})
      -> (tensor<8xf32> {ds.updates = "w"}) {
    // expected-error @below {{cannot shard the batch over 2 ranks here: 'arith.mulf' is sharded by its interface in C++; remove its 'ds.sharding_rule'}}
    %y = arith.mulf %x, %x {ds.sharding_rule = #ds.sharding_rule<([i], [i]) -> ([i]) {i=8}>} : tensor<8xf32>
    return %w : tensor<8xf32>
  }
}
