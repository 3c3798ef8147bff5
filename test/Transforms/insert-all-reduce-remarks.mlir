// RUN: ds-opt %s -split-input-file -ds-detect-gradients -ds-insert-all-reduce -verify-diagnostics --remarks-filter="ds-insert-.*" --remark-policy=all -o /dev/null

// Two partial sources that are added up: the cut is their sum, 12 bytes. Where they are made it would have been 24, and so it would at the two uses
// that need the whole.
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  // expected-remark @below {{all-reduced values", bytes=12, bytesAtDefinition=24, bytesAtUse=24, count=1}}
  func.func @costs_less_than_both_naive_choices(%w: tensor<3xf32> {ds.param = "w"}, %m: tensor<3xf32> {ds.state = "m"},
      %x: tensor<8x3xf32> {ds.batch = 0 : i64}) -> (tensor<3xf32> {ds.updates = "w"}, tensor<3xf32> {ds.updates = "m"}) {
    %zero = arith.constant dense<0.0> : tensor<3xf32>
    %half = arith.constant dense<0.5> : tensor<3xf32>
    %y = arith.mulf %x, %x : tensor<8x3xf32>
    %g1 = linalg.reduce { arith.addf } ins(%x : tensor<8x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
    %g2 = linalg.reduce { arith.addf } ins(%y : tensor<8x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
    // expected-remark @below {{Remark=gradient, Remark="all-reduce of", Remark=w, bytes=12}}
    %g = arith.addf %g1, %g2 : tensor<3xf32>
    %new = arith.subf %w, %g : tensor<3xf32>
    %s = arith.mulf %g, %half : tensor<3xf32>
    %new_m = arith.addf %m, %s : tensor<3xf32>
    return %new, %new_m : tensor<3xf32>, tensor<3xf32>
  }
}

// -----

// A value is widened behind its definition: f64 costs twice as much where it is needed.
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  // expected-remark @below {{all-reduced values", bytes=12, bytesAtDefinition=12, bytesAtUse=24, count=1}}
  func.func @a_cast_makes_the_late_choice_dearer(%w: tensor<3xf64> {ds.param = "w"},
      %x: tensor<8x3xf32> {ds.batch = 0 : i64}) -> (tensor<3xf64> {ds.updates = "w"}) {
    %zero = arith.constant dense<0.0> : tensor<3xf32>
    // expected-remark @below {{Remark=gradient, Remark="all-reduce of", Remark=w, bytes=12}}
    %g = linalg.reduce { arith.addf } ins(%x : tensor<8x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
    %wide = arith.extf %g : tensor<3xf32> to tensor<3xf64>
    %new = arith.subf %w, %wide : tensor<3xf64>
    return %new : tensor<3xf64>
  }
}

// -----

// A maximum is combined where it is born and costs what it costs anywhere.
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  // expected-remark @below {{all-reduced values", bytes=24, bytesAtDefinition=24, bytesAtUse=24, count=2}}
  func.func @counts_a_maximum_alike(%w: tensor<3xf32> {ds.param = "w"}, %m: tensor<3xf32> {ds.state = "m"},
      %x: tensor<8x3xf32> {ds.batch = 0 : i64}) -> (tensor<3xf32> {ds.updates = "w"}, tensor<3xf32> {ds.updates = "m"}) {
    %zero = arith.constant dense<0.0> : tensor<3xf32>
    // expected-remark @below {{Remark=gradient, Remark="all-reduce of", Remark=w, bytes=12}}
    %g = linalg.reduce { arith.addf } ins(%x : tensor<8x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
    %new = arith.subf %w, %g : tensor<3xf32>
    // expected-remark @below {{Remark=state, Remark="all-reduce of", Remark=-, bytes=12}}
    %most = linalg.reduce { arith.maximumf } ins(%x : tensor<8x3xf32>) outs(%m : tensor<3xf32>) dimensions = [0]
    return %new, %most : tensor<3xf32>, tensor<3xf32>
  }
}

// -----

// Two microbatches in a loop: bytes count once per round, so the sum behind the loop costs half of the sources and of the cast
// in the loop.
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  // expected-remark @below {{all-reduced values", bytes=12, bytesAtDefinition=24, bytesAtUse=12, count=1}}
  func.func @a_round_of_a_loop_costs_each_time(%w: tensor<3xf32> {ds.param = "w"},
      %x: tensor<2x8x3xf32> {ds.batch = 1 : i64}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %zero = arith.constant dense<0.0> : tensor<3xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    // expected-remark @below {{Remark=gradient, Remark="all-reduce of", Remark=w, bytes=12}}
    %g = scf.for %k = %c0 to %c2 step %c1 iter_args(%acc = %zero) -> (tensor<3xf32>) {
      %xk = tensor.extract_slice %x[%k, 0, 0] [1, 8, 3] [1, 1, 1] : tensor<2x8x3xf32> to tensor<8x3xf32>
      %gk = linalg.reduce { arith.addf } ins(%xk : tensor<8x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
      %next = arith.addf %acc, %gk : tensor<3xf32>
      scf.yield %next : tensor<3xf32>
    }
    %new = arith.subf %w, %g : tensor<3xf32>
    return %new : tensor<3xf32>
  }
}

// -----

// A number per round is stored in a vector of all: four rounds of 4 bytes or one time 16. At equal bytes one collective
// behind the loop is better than one in every round.
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  // expected-remark @below {{all-reduced values", bytes=16, bytesAtDefinition=16, bytesAtUse=16, count=1}}
  func.func @at_equal_bytes_the_loop_does_not_reduce(%w: tensor<4xf32> {ds.param = "w"},
      %x: tensor<4x8x1xf32> {ds.batch = 1 : i64}) -> (tensor<4xf32> {ds.updates = "w"}) {
    %zero = arith.constant dense<0.0> : tensor<1xf32>
    %zeros = arith.constant dense<0.0> : tensor<4xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    // expected-remark @below {{Remark=gradient, Remark="all-reduce of", Remark=w, bytes=16}}
    %g = scf.for %k = %c0 to %c4 step %c1 iter_args(%acc = %zeros) -> (tensor<4xf32>) {
      %xk = tensor.extract_slice %x[%k, 0, 0] [1, 8, 1] [1, 1, 1] : tensor<4x8x1xf32> to tensor<8x1xf32>
      %gk = linalg.reduce { arith.addf } ins(%xk : tensor<8x1xf32>) outs(%zero : tensor<1xf32>) dimensions = [0]
      %next = tensor.insert_slice %gk into %acc[%k] [1] [1] : tensor<1xf32> into tensor<4xf32>
      scf.yield %next : tensor<4xf32>
    }
    %new = arith.subf %w, %g : tensor<4xf32>
    return %new : tensor<4xf32>
  }
}

// -----

// With a place left over the vector is larger than all rounds together.
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  // expected-remark @below {{all-reduced values", bytes=16, bytesAtDefinition=16, bytesAtUse=20, count=1}}
  func.func @fewer_bytes_in_a_loop_are_reduced_there(%w: tensor<5xf32> {ds.param = "w"},
      %x: tensor<4x8x1xf32> {ds.batch = 1 : i64}) -> (tensor<5xf32> {ds.updates = "w"}) {
    %zero = arith.constant dense<0.0> : tensor<1xf32>
    %zeros = arith.constant dense<0.0> : tensor<5xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %g = scf.for %k = %c0 to %c4 step %c1 iter_args(%acc = %zeros) -> (tensor<5xf32>) {
      %xk = tensor.extract_slice %x[%k, 0, 0] [1, 8, 1] [1, 1, 1] : tensor<4x8x1xf32> to tensor<8x1xf32>
      // expected-remark @below {{Remark="all-reduce of", Remark=-, bytes=4}}
      %gk = linalg.reduce { arith.addf } ins(%xk : tensor<8x1xf32>) outs(%zero : tensor<1xf32>) dimensions = [0]
      %next = tensor.insert_slice %gk into %acc[%k] [1] [1] : tensor<1xf32> into tensor<5xf32>
      scf.yield %next : tensor<5xf32>
    }
    %new = arith.subf %w, %g : tensor<5xf32>
    return %new : tensor<5xf32>
  }
}
