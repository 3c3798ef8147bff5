// RUN: ds-opt %s -split-input-file -ds-localize-batch -verify-diagnostics -o /dev/null

#r = affine_map<(i, b) -> (b, i)>
#c = affine_map<(i, b) -> (i)>
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  func.func @partial_value_leaves_the_step(
      %w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<3xf32>
    %init = linalg.fill ins(%zero : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
    %sum = linalg.generic {indexing_maps = [#r, #c], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<8x3xf32>) outs(%init : tensor<3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %o, %a : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    // expected-error @below {{operand #0 is partial but must be whole here; run ds-insert-all-reduce first}}
    return %sum : tensor<3xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  // The first sample belongs to one rank, so all ranks get all samples.
  func.func @first_sample(
      %w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    // expected-warning @below {{every rank computes this for all samples: the slice cuts or drops the sharded dimension}}
    %s = tensor.extract_slice %x[0, 0] [1, 3] [1, 1] : tensor<8x3xf32> to tensor<3xf32>
    return %s : tensor<3xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  // What a region does with samples is not guessed.
  func.func @an_unknown_operation(
      %w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    // expected-error @below {{cannot shard the batch over 2 ranks here: no placement rule for 'tensor.generate' with an operand that is sharded(0, 4, 1)}}
    %s = tensor.generate {
    ^bb0(%i: index, %j: index):
      %e = tensor.extract %x[%j, %i] : tensor<8x3xf32>
      tensor.yield %e : f32
    } : tensor<3x8xf32>
    return %w : tensor<3xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  // A pure operation without a rule runs on all samples.
  func.func @a_pure_operation_without_a_rule(
      %w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64}, %shape: tensor<1xi32> {ds.name = "shape"})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    // expected-warning @below {{every rank computes this for all samples: no placement rule for 'tensor.reshape' with an operand that is sharded(0, 4, 1); implement ds::PlacementOpInterface for it; 96 bytes are gathered for it in each step}}
    %s = tensor.reshape %x(%shape) : (tensor<8x3xf32>, tensor<1xi32>) -> tensor<24xf32>
    return %w : tensor<3xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  func.func @what_is_moved_is_where_the_move_says(
      %w: tensor<8x3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64}) -> (tensor<8x3xf32> {ds.updates = "w"}) {
    // expected-error @below {{cannot shard the batch over 2 ranks here: a value is moved that is sharded(0, 4, 1), not replicated}}
    %r = ds.reshard %x from <replicated> to <sharded(0, 1, 4)> : tensor<8x3xf32>
    return %w : tensor<8x3xf32>
  }
}
