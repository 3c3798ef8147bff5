// RUN: ds-opt %s --split-input-file --verify-diagnostics --ds-prepare-step

// As upstream's elementwise fusion makes them of a producer that reads its own destination.
func.func @read_and_written_at_once(%x: tensor<4xf32>, %y: tensor<3xf32>, %e: tensor<4xf32>, %z: tensor<3xf32>) -> (tensor<4xf32>, tensor<3xf32>) {
  // expected-error @below {{iterations of the parallel loop d1 read and write the same element of result 0; make the loop a reduction, or the result one element for each}}
  %r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>],
      iterator_types = ["reduction", "parallel"]} ins(%x, %y : tensor<4xf32>, tensor<3xf32>) outs(%e, %z : tensor<4xf32>, tensor<3xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32, %p: f32):
    %s = arith.addf %o, %a : f32
    %t = arith.mulf %s, %b : f32
    %u = arith.addf %p, %t : f32
    linalg.yield %s, %u : f32, f32
  } -> (tensor<4xf32>, tensor<3xf32>)
  return %r#0, %r#1 : tensor<4xf32>, tensor<3xf32>
}

// -----

// What every iteration writes alike, or a loop of one iteration, is no such thing.
func.func @written_alike(%x: tensor<4xf32>, %y: tensor<1xf32>, %e: tensor<4xf32>, %z: tensor<4x3xf32>) -> (tensor<4xf32>, tensor<4x3xf32>, tensor<4xf32>) {
  %r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4xf32>) outs(%e, %z : tensor<4xf32>, tensor<4x3xf32>) {
  ^bb0(%a: f32, %o: f32, %p: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s, %s : f32, f32
  } -> (tensor<4xf32>, tensor<4x3xf32>)
  %q = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<1xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %o, %a : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %r#0, %r#1, %q : tensor<4xf32>, tensor<4x3xf32>, tensor<4xf32>
}

// -----

// Nobody could divide or run a call in the body of a kernel: what is not inlined there is refused by name.
func.func private @more(f32, f32) -> f32
func.func @a_reducer_without_a_body(%x: tensor<4x3xf32>, %z: tensor<3xf32>) -> tensor<3xf32> {
  %s = linalg.reduce ins(%x : tensor<4x3xf32>) outs(%z : tensor<3xf32>) dimensions = [0] (%in: f32, %out: f32) {
    // expected-error @below {{'more' cannot be inlined: it has no body, and 'linalg.reduce' calls it for every element}}
    %r = func.call @more(%in, %out) : (f32, f32) -> f32
    linalg.yield %r : f32
  }
  return %s : tensor<3xf32>
}

// -----

func.func private @again(%a: f32, %b: f32) -> f32 {
  // expected-error @below {{'through' cannot be inlined: it calls itself}}
  %r = func.call @through(%b, %a) : (f32, f32) -> f32
  return %r : f32
}
func.func private @through(%a: f32, %b: f32) -> f32 {
  %r = func.call @again(%a, %b) : (f32, f32) -> f32
  return %r : f32
}
func.func @a_reducer_that_calls_itself(%x: tensor<4x3xf32>, %z: tensor<3xf32>) -> tensor<3xf32> {
  %s = linalg.reduce ins(%x : tensor<4x3xf32>) outs(%z : tensor<3xf32>) dimensions = [0] (%in: f32, %out: f32) {
    %r = func.call @again(%in, %out) : (f32, f32) -> f32
    linalg.yield %r : f32
  }
  return %s : tensor<3xf32>
}

// -----

func.func private @halve(%a: tensor<3xf32>, %n: index) -> tensor<3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ends = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %ends -> (tensor<3xf32>) {
    scf.yield %a : tensor<3xf32>
  } else {
    %b = arith.addf %a, %a : tensor<3xf32>
    %less = arith.subi %n, %c1 : index
    // expected-error @below {{'halve' cannot be inlined: it calls itself}}
    %s = func.call @halve(%b, %less) : (tensor<3xf32>, index) -> tensor<3xf32>
    scf.yield %s : tensor<3xf32>
  }
  return %r : tensor<3xf32>
}
func.func @recursion(%x: tensor<3xf32>) -> tensor<3xf32> {
  %c9 = arith.constant 9 : index
  %r = func.call @halve(%x, %c9) : (tensor<3xf32>, index) -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

// A global that a step changes is a state of the module, which no rank could share.
ml_program.global private mutable @count(dense<0.0> : tensor<f32>) : tensor<f32>

func.func @reads_a_mutable_global() -> tensor<f32> {
  // expected-error @below {{a step has no values of its module but immutable ones that stand in it, got @count; make it an argument and a result of the step, with 'ds.state' and 'ds.updates'}}
  %c = ml_program.global_load @count : tensor<f32>
  %one = arith.constant dense<1.0> : tensor<f32>
  %d = arith.addf %c, %one : tensor<f32>
  ml_program.global_store @count = %d : tensor<f32>
  return %c : tensor<f32>
}

// -----

// The store is there although nothing follows it.
ml_program.global private mutable @count(dense<0.0> : tensor<f32>) : tensor<f32>

func.func @stores_in_a_graph(%x: tensor<f32>) -> tensor<f32> {
  // expected-error @below {{a step has no values of its module but immutable ones that stand in it, got @count;}}
  %t = ml_program.global_store_graph @count = %x ordering(-> !ml_program.token) : tensor<f32>
  return %x : tensor<f32>
}

// -----

func.func @computes_a_shape(%x: tensor<4x3xf32>) -> tensor<2xindex> {
  // expected-error @below {{'shape.shape_of' computes a shape while the step runs, expected static shapes}}
  %s = shape.shape_of %x : tensor<4x3xf32> -> tensor<2xindex>
  return %s : tensor<2xindex>
}

// -----

func.func @works_on_memory(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'bufferization.to_buffer' works on memory, expected a step on tensors}}
  %m = bufferization.to_buffer %x : tensor<4xf32> to memref<4xf32>
  %y = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @has_no_lowering(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'tosa.custom' has no lowering in upstream, expected operations that have one}}
  %y = tosa.custom %x {domain_name = "d", implementation_attrs = "", operator_name = "n"} : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// expected-error @below {{'tosa.variable' is part of a state of the module, expected an argument and a result of the step with 'ds.state' and 'ds.updates'}}
tosa.variable @held = dense<1.0> : tensor<4xf32>

func.func @reads_a_variable(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = tosa.variable_read @held : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func private @twice(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = arith.addf %x, %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func private @square(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = arith.mulf %x, %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func @calls_one_of_two(%x: tensor<4xf32>, %b: i1) -> tensor<4xf32> {
  // expected-error @below {{'func.constant' calls one of several functions, expected a call of one by its name}}
  %f = func.constant @twice : (tensor<4xf32>) -> tensor<4xf32>
  %g = func.constant @square : (tensor<4xf32>) -> tensor<4xf32>
  %h = arith.select %b, %f, %g : (tensor<4xf32>) -> tensor<4xf32>
  %y = func.call_indirect %h(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @values_left_out() -> tensor<4x3xf32> {
  // expected-error @below {{the values of resource '__elided__' are not in the file, expected a module that is printed with all of them}}
  %k = arith.constant dense_resource<__elided__> : tensor<4x3xf32>
  return %k : tensor<4x3xf32>
}
