// Each role attribute where it does not belong or with a value it cannot have.
// RUN: ds-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{'func.func' op argument 0: expected a string that is not empty for 'ds.param', got 3 : i64}}
func.func @step(%w: tensor<4xf32> {ds.param = 3 : i64}) {
  return
}

// -----
// expected-error @below {{'func.func' op argument 0: expected a string that is not empty for 'ds.param', got ""}}
func.func @step(%w: tensor<4xf32> {ds.param = ""}) {
  return
}

// -----
// expected-error @below {{'func.func' op argument 0: expected a tensor of floats for 'ds.param', got 'tensor<4xi32>'}}
func.func @step(%w: tensor<4xi32> {ds.param = "w"}) {
  return
}

// -----
// expected-error @below {{'func.func' op argument 0: expected a tensor of floats for 'ds.param', got 'f32'}}
func.func @step(%w: f32 {ds.param = "w"}) {
  return
}

// -----
// expected-error @below {{'func.func' op argument 0: 'ds.param' and 'ds.state' exclude one another}}
func.func @step(%w: tensor<4xf32> {ds.param = "w", ds.state = "w"}) {
  return
}

// -----
// expected-error @below {{'func.func' op argument 0: unknown attribute 'ds.parm', did you mean 'ds.param'?}}
func.func @step(%w: tensor<4xf32> {ds.parm = "w"}) {
  return
}

// -----
// expected-error @below {{'func.func' op argument 0: unknown attribute 'ds.something_else'}}
func.func @step(%w: tensor<4xf32> {ds.something_else}) {
  return
}

// -----
// expected-error @below {{'func.func' op argument 0: 'ds.updates' belongs on a result, got an argument}}
func.func @step(%w: tensor<4xf32> {ds.updates = "w"}) {
  return
}

// -----
// expected-error @below {{'func.func' op argument 0: expected a dimension of 'tensor<4xf32>' for 'ds.batch', got 1}}
func.func @step(%x: tensor<4xf32> {ds.batch = 1 : i64}) {
  return
}

// -----
// expected-error @below {{'func.func' op argument 0: expected at least one sample for 'ds.batch', got 'tensor<0x3xf32>'}}
func.func @no_samples(%x: tensor<0x3xf32> {ds.batch = 0 : i64}) {
  return
}

// -----
// expected-error @below {{'func.func' op result 0: expected at least one sample for 'ds.batch', got 'tensor<4x0xf32>'}}
func.func @no_samples(%x: tensor<4x0xf32>) -> (tensor<4x0xf32> {ds.batch = 1 : i64}) {
  return %x : tensor<4x0xf32>
}

// -----
// expected-error @below {{'func.func' op argument 0: expected an i64 of at least 0 for 'ds.batch', got -1 : i64}}
func.func @step(%x: tensor<4xf32> {ds.batch = -1 : i64}) {
  return
}

// -----
// expected-error @below {{'func.func' op argument 0: expected an i64 of at least 0 for 'ds.batch', got 0 : i32}}
func.func @step(%x: tensor<4xf32> {ds.batch = 0 : i32}) {
  return
}

// -----
// expected-error @below {{'func.func' op argument 0: expected a dimension of 'f32' for 'ds.batch', got 0}}
func.func @step(%x: f32 {ds.batch = 0 : i64}) {
  return
}

// -----
// expected-error @below {{'func.func' op argument 0: expected a dimension of 'tensor<*xf32>' for 'ds.batch', got 0}}
func.func @step(%x: tensor<*xf32> {ds.batch = 0 : i64}) {
  return
}

// -----
// expected-error @below {{'func.func' op argument 0: 'ds.layout' needs 'ds.batch' beside it}}
func.func @step(%x: tensor<4xf32> {ds.layout = "block"}) {
  return
}

// -----
// expected-error @below {{'func.func' op argument 0: expected "block", "cyclic" or "block_cyclic(N)" for 'ds.layout', got "rows"}}
func.func @step(%x: tensor<4xf32> {ds.batch = 0 : i64, ds.layout = "rows"}) {
  return
}

// -----
// expected-error @below {{'func.func' op argument 0: 'ds.init' needs 'ds.param' beside it}}
func.func @step(%x: tensor<4xf32> {ds.init = "zeros"}) {
  return
}

// -----
// expected-error @below {{'func.func' op argument 0: 'ds.fusion' needs 'ds.param' beside it}}
func.func @step(%x: tensor<4xf32> {ds.state = "s", ds.fusion = 1 : i64}) {
  return
}

// -----
// expected-error @below {{'func.func' op argument 0: expected an i64 of at least 0 for 'ds.fusion', got -1 : i64}}
func.func @step(%x: tensor<4xf32> {ds.param = "s", ds.fusion = -1 : i64}) {
  return
}

// -----
// expected-error @below {{'func.func' op argument 0: expected a unit attribute for 'ds.layerwise_parallel', got 1 : i64}}
func.func @step(%x: tensor<4xf32> {ds.param = "s", ds.layerwise_parallel = 1 : i64}) {
  return
}

// -----
// expected-error @below {{'func.func' op argument 0: expected a tensor of integers for 'ds.seed', got 'tensor<2xf32>'}}
func.func @step(%k: tensor<2xf32> {ds.seed}) {
  return
}

// -----
// expected-error @below {{'func.func' op argument 0: expected a unit attribute for 'ds.seed', got "k"}}
func.func @step(%k: tensor<2xi32> {ds.seed = "k"}) {
  return
}

// -----
// expected-error @below {{'func.func' op argument 0: expected a string that is not empty for 'ds.name', got ""}}
func.func @step(%x: f32 {ds.name = ""}) {
  return
}

// -----
// expected-error @below {{'func.func' op result 0: 'ds.param' belongs on an argument, got a result}}
func.func private @step() -> (tensor<4xf32> {ds.param = "w"})

// -----
// The layout of a result is that of the argument which it updates.
// expected-error @below {{'func.func' op result 0: 'ds.sharding' needs 'ds.updates' beside it}}
func.func private @step() -> (tensor<4xf32> {ds.metric = "loss", ds.sharding = #ds.sharding<[{"tp"}]>})

// -----
// expected-error @below {{'func.func' op result 0: unknown attribute 'ds.update', did you mean 'ds.updates'?}}
func.func private @step() -> (tensor<4xf32> {ds.update = "w"})

// -----
// expected-error @below {{'func.func' op result 0: expected a string that is not empty for 'ds.updates', got unit}}
func.func private @step() -> (tensor<4xf32> {ds.updates})

// -----
// expected-error @below {{'func.func' op result 0: 'ds.metric' and 'ds.updates' exclude one another}}
func.func private @step() -> (tensor<4xf32> {ds.updates = "w", ds.metric = "w"})

// -----
// expected-error @below {{'func.func' op result 0: 'ds.reduce' needs 'ds.metric' beside it}}
func.func private @step() -> (tensor<4xf32> {ds.reduce = "mean"})

// -----
// expected-error @below {{'func.func' op result 0: expected "mean", "sum", "max" or "none" for 'ds.reduce', got "avg"}}
func.func private @step() -> (tensor<4xf32> {ds.metric = "loss", ds.reduce = "avg"})

// -----
// expected-error @below {{'func.func' op result 0: expected a dimension of 'tensor<4xf32>' for 'ds.batch', got 2}}
func.func private @step() -> (tensor<4xf32> {ds.batch = 2 : i64})

// -----
// expected-error @below {{'func.func' op argument 0: 'ds.weight' needs 'ds.batch' beside it}}
func.func private @step(tensor<4xf32> {ds.weight})

// -----
// expected-error @below {{'func.func' op argument 0: expected a tensor of one float per sample for 'ds.weight', got 'tensor<4x3xf32>'}}
func.func private @step(tensor<4x3xf32> {ds.batch = 0 : i64, ds.weight})

// -----
// expected-error @below {{'func.func' op argument 0: expected a tensor of one float per sample for 'ds.weight', got 'tensor<4xi32>'}}
func.func private @step(tensor<4xi32> {ds.batch = 0 : i64, ds.weight})

// -----
// expected-error @below {{'func.func' op argument 0: expected a unit attribute for 'ds.weight', got "w"}}
func.func private @step(tensor<4xf32> {ds.batch = 0 : i64, ds.weight = "w"})

// -----
// expected-error @below {{'func.func' op argument 0: 'ds.index_range' needs 'ds.batch' beside it}}
func.func private @step(tensor<4xi32> {ds.index_range = array<i64: 0, 10>})

// -----
// expected-error @below {{'func.func' op argument 0: expected a tensor of integers for 'ds.index_range', got 'tensor<4xf32>'}}
func.func private @step(tensor<4xf32> {ds.batch = 0 : i64, ds.index_range = array<i64: 0, 10>})

// -----
// expected-error @below {{'func.func' op argument 0: expected an array<i64: LOW, HIGH, ..> with LOW below HIGH for 'ds.index_range', got array<i64: 10, 0>}}
func.func private @step(tensor<4xi32> {ds.batch = 0 : i64, ds.index_range = array<i64: 10, 0>})

// -----
// expected-error @below {{'func.func' op argument 0: expected an array<i64: LOW, HIGH, ..> with LOW below HIGH for 'ds.index_range', got array<i64: 10>}}
func.func private @step(tensor<4xi32> {ds.batch = 0 : i64, ds.index_range = array<i64: 10>})

// -----
// expected-error @below {{'func.func' op argument 0: expected a tensor of integers for 'ds.unsigned', got 'tensor<4xf32>'}}
func.func private @step(tensor<4xf32> {ds.batch = 0 : i64, ds.unsigned})

// -----

// expected-error @below {{'func.func' op argument 0: expected at least one word for 'ds.seed', got 'tensor<2x0xi32>'}}
func.func @step(%k: tensor<2x0xi32> {ds.seed}) {
  return
}

// -----
// expected-error @below {{'func.func' op argument 0: 'ds.apart' needs 'ds.batch' beside it}}
func.func private @step(tensor<4xf32> {ds.name = "x", ds.apart})

// -----
// What a state holds of samples is computed, not read.
// expected-error @below {{'func.func' op argument 0: 'ds.state' and 'ds.weight' exclude one another}}
func.func private @step(tensor<4xf32> {ds.state = "h", ds.batch = 0 : i64, ds.weight})

// -----
// expected-error @below {{'func.func' op argument 0: 'ds.batch' and 'ds.param' exclude one another}}
func.func private @step(tensor<4xf32> {ds.param = "w", ds.batch = 0 : i64})

// -----
// expected-error @below {{'func.func' op argument 0: expected a tensor whose dimension 0 counts ranks for 'ds.per_rank', got 'tensor<f32>'}}
func.func private @step(tensor<f32> {ds.state = "s", ds.per_rank})

// -----
// expected-error @below {{'func.func' op argument 0: 'ds.per_rank' needs 'ds.state' beside it}}
func.func private @step(tensor<1xf32> {ds.name = "x", ds.per_rank})
