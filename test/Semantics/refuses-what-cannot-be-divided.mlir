// RUN: ds-opt %s -split-input-file -verify-diagnostics -ds-insert-all-reduce -o /dev/null
// What keeps samples from being followed through a `local` step, or a `global` step from being divided, is said at the operation.

module attributes {ds.config = #ds.config<batch = local, device_num = 2>} {
  func.func @pairs_of_samples_meet_samples_of_two_times(%w: tensor<16xf32> {ds.param = "w"},
      %t: tensor<16xf32> {ds.batch = 0 : i64}, %x: tensor<8xf32> {ds.batch = 0 : i64}) -> (tensor<16xf32> {ds.updates = "w"}) {
    %e = tensor.empty() : tensor<2x8xf32>
    %two = linalg.broadcast ins(%x : tensor<8xf32>) outs(%e : tensor<2x8xf32>) dimensions = [0]
    %flat = tensor.collapse_shape %two [[0, 1]] : tensor<2x8xf32> into tensor<16xf32>
    // expected-error @below {{cannot follow the samples of a rank here: operands hold different rows of the batch}}
    %sum = arith.addf %t, %flat : tensor<16xf32>
    return %w : tensor<16xf32>
  }
}

// -----

#b = affine_map<(b, j) -> (b)>
#window = affine_map<(b, j) -> (b + j)>
#both = affine_map<(b, j) -> (b, j)>
module attributes {ds.config = #ds.config<batch = local, device_num = 2>} {
  func.func @a_window_over_the_samples(%w: tensor<9xf32> {ds.param = "w"}, %x: tensor<8xf32> {ds.batch = 0 : i64})
      -> (tensor<9xf32> {ds.updates = "w"}) {
    %e = tensor.empty() : tensor<8x2xf32>
    // expected-error @below {{a replicated operand is indexed by an expression of the divided loop}}
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
module attributes {ds.config = #ds.config<batch = local, device_num = 2>} {
  func.func @a_chain_of_quotients(%w: tensor<f32> {ds.param = "w"}, %x: tensor<8xf32> {ds.batch = 0 : i64})
      -> (tensor<f32> {ds.updates = "w"}) {
    // expected-error @below {{the divided loop is a reduction whose combiner is not one of sum, prod, max, min, and, or}}
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
module attributes {ds.config = #ds.config<batch = local, device_num = 2>} {
  func.func @samples_overwrite_one_another(%w: tensor<f32> {ds.param = "w"}, %x: tensor<8xf32> {ds.batch = 0 : i64})
      -> (tensor<f32> {ds.updates = "w"}) {
    // expected-error @below {{a result is not indexed by the divided loop}}
    %y = linalg.generic {indexing_maps = [#b, #none], iterator_types = ["parallel"]}
        ins(%x : tensor<8xf32>) outs(%w : tensor<f32>) {
    ^bb0(%a: f32, %o: f32):
      linalg.yield %a : f32
    } -> tensor<f32>
    return %y : tensor<f32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = local, device_num = 2>} {
  func.func @one_sample_is_written(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %row = tensor.empty() : tensor<1x3xf32>
    // expected-error @below {{the slice is written into a part of the samples}}
    %y = tensor.insert_slice %row into %x[0, 0] [1, 3] [1, 1] : tensor<1x3xf32> into tensor<8x3xf32>
    return %w : tensor<3xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = local, device_num = 2>} {
  func.func @other_rows_are_written(%w: tensor<16xf32> {ds.param = "w"},
      %t: tensor<16xf32> {ds.batch = 0 : i64}, %x: tensor<8xf32> {ds.batch = 0 : i64}) -> (tensor<16xf32> {ds.updates = "w"}) {
    %e = tensor.empty() : tensor<2x8xf32>
    %two = linalg.broadcast ins(%x : tensor<8xf32>) outs(%e : tensor<2x8xf32>) dimensions = [0]
    %flat = tensor.collapse_shape %two [[0, 1]] : tensor<2x8xf32> into tensor<16xf32>
    // expected-error @below {{source and destination hold different rows of the batch}}
    %y = tensor.insert_slice %t into %flat[0] [16] [1] : tensor<16xf32> into tensor<16xf32>
    return %w : tensor<16xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = local, device_num = 2>} {
  func.func @one_sample_more(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %zero = arith.constant 0.0 : f32
    // expected-error @below {{the padding adds samples that do not fill every rank}}
    %y = tensor.pad %x low[1, 0] high[0, 0] {
    ^bb0(%i: index, %j: index):
      tensor.yield %zero : f32
    } : tensor<8x3xf32> to tensor<9x3xf32>
    return %w : tensor<3xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = local, device_num = 2>} {
  func.func @pieces_of_other_rows(%w: tensor<16xf32> {ds.param = "w"},
      %t: tensor<16xf32> {ds.batch = 0 : i64}, %x: tensor<8xf32> {ds.batch = 0 : i64}) -> (tensor<16xf32> {ds.updates = "w"}) {
    // expected-error @below {{the pieces hold different rows of the batch}}
    %y = tensor.concat dim(0) %t, %x : (tensor<16xf32>, tensor<8xf32>) -> tensor<24xf32>
    return %w : tensor<16xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = local, device_num = 2>} {
  func.func @a_token_before_the_samples(%w: tensor<8x3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64})
      -> (tensor<8x3xf32> {ds.updates = "w"}) {
    // expected-error @below {{a replicated piece is appended to the samples}}
    %y = tensor.concat dim(0) %w, %x : (tensor<8x3xf32>, tensor<8x3xf32>) -> tensor<16x3xf32>
    return %w : tensor<8x3xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = local, device_num = 2>} {
  func.func @the_first_sample_is_read(%w: tensor<8xf32> {ds.param = "w"}, %x: tensor<8xf32> {ds.batch = 0 : i64})
      -> (tensor<8xf32> {ds.updates = "w"}) {
    %c0 = arith.constant 0 : index
    // expected-error @below {{one sample of the batch is read by every rank}}
    %y = tensor.extract %x[%c0] : tensor<8xf32>
    return %w : tensor<8xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  func.func @samples_as_a_gradient(%w: tensor<8xf32> {ds.param = "w"}, %x: tensor<8xf32> {ds.batch = 0 : i64})
      -> (tensor<8xf32> {ds.updates = "w"}) {
    // expected-error @below {{a gradient mark stands on a value of single samples}}
    %g = ds.gradient %x of "w" : tensor<8xf32>
    return %w : tensor<8xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  func.func @samples_counted_once(%w: tensor<8xf32> {ds.param = "w"}, %x: tensor<8xf32> {ds.batch = 0 : i64})
      -> (tensor<8xf32> {ds.updates = "w"}) {
    // expected-error @below {{only a replicated value can be counted once}}
    %y = ds.once sum %x : tensor<8xf32>
    return %w : tensor<8xf32>
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
    // expected-error @below {{the number of the rank is used before the batch is divided}}
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
  // expected-error @below {{the batch of argument '#2' has 12 entries, which is no multiple of the 8 samples of the others}}
  func.func @three_entries_for_two_samples(%w: tensor<8xf32> {ds.param = "w"}, %x: tensor<8xf32> {ds.batch = 0 : i64},
      %y: tensor<12xf32> {ds.batch = 0 : i64}) -> (tensor<8xf32> {ds.updates = "w"}) {
    return %w : tensor<8xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = local, device_num = 2>} {
  func.func @a_rank_reads_one_of_its_samples(%w: tensor<8xf32> {ds.param = "w"}, %x: tensor<8xf32> {ds.batch = 0 : i64})
      -> (tensor<8xf32> {ds.updates = "w"}) {
    %c0 = arith.constant 0 : index
    // expected-error @below {{cannot follow the samples of a rank here: one sample of the batch is read by every rank}}
    %y = tensor.extract %x[%c0] : tensor<8xf32>
    return %w : tensor<8xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = local, device_num = 2>} {
  func.func @the_only_sample_loses_its_dimension(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<1x3xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    // expected-error @below {{cannot follow the samples of a rank here: the slice drops the dimension of the samples}}
    %y = tensor.extract_slice %x[0, 0] [1, 3] [1, 1] : tensor<1x3xf32> to tensor<3xf32>
    return %w : tensor<3xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = local, device_num = 2>} {
  // Three times of one sample: is it the unit dimension that holds the sample, or does one follow the samples at all times?
  func.func @the_only_sample_behind_the_times(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<3x1xf32> {ds.batch = 1 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %flat = tensor.collapse_shape %x [[0, 1]] : tensor<3x1xf32> into tensor<3xf32>
    // expected-error @below {{cannot follow the samples of a rank here: the reshape splits the samples of one rank over two dimensions}}
    %y = tensor.expand_shape %flat [[0, 1]] output_shape [3, 1] : tensor<3xf32> into tensor<3x1xf32>
    return %w : tensor<3xf32>
  }
}
