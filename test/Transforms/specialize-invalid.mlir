// RUN: ds-opt %s --split-input-file --verify-diagnostics --ds-specialize
// RUN: not ds-opt %inputs/dynamic_batch.mlir --ds-specialize=sizes=batch=many 2>&1 | FileCheck %s
// CHECK: error: 'sizes' must be a list of dimensions and their sizes such as [batch=64, x.1=28], got 'batch=many'

// expected-error @below {{dimension 0 of argument 'x' is dynamic, expected its size in 'sizes', such as sizes=[batch=64]}}
func.func @a_batch_without_a_size(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<?x3xf32> {ds.batch = 0 : i64, ds.name = "x"}) {
  return
}

// -----

module attributes {ds.config = #ds.config<sizes = "batch=8">} {
  // expected-error @below {{dimension 1 of argument 'arg0' is dynamic, expected its size in 'sizes', such as sizes=[arg0.1=64]}}
  func.func @a_dimension_without_a_size(%x: tensor<?x?xf32>) {
    return
  }
}

// -----

module attributes {ds.config = #ds.config<sizes = "batch=8,x.1=2,y.0=3">} {
  // expected-error @below {{'sizes' names 'y.0', expected one of batch, x.1}}
  func.func @a_size_without_a_dimension(%x: tensor<?x?xf32> {ds.batch = 0 : i64, ds.name = "x"}) {
    return
  }
}

// -----

module attributes {ds.config = #ds.config<sizes = "length=8">} {
  // expected-error @below {{'sizes' names 'length', expected nothing, since no argument has a dynamic dimension}}
  func.func @nothing_is_dynamic(%x: tensor<4xf32>) {
    return
  }
}

// -----

module attributes {ds.config = #ds.config<sizes = "batch=8">} {
  // expected-error @below {{'sizes' gives 8 for dimension 0 of argument 'x', which has 4}}
  func.func @a_size_that_is_another(%x: tensor<4xf32> {ds.batch = 0 : i64, ds.name = "x"}) {
    return
  }
}

// -----

// expected-error @below {{'sizes' names 'batch' twice}}
module attributes {ds.config = {sizes = "batch=8,batch=4"}} {}

// -----

// expected-error @below {{'batch' of 'sizes' must be 1 or more, got 0}}
module attributes {ds.config = {sizes = "batch=0"}} {}

// -----

// Which rows are positive is known when the step runs.
module attributes {ds.config = #ds.config<sizes = "batch=8">} {
  func.func @a_size_that_the_data_decide(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
    // expected-error @below {{the size of 'tensor<?xf32>' does not follow from those of the arguments, expected 'tensor.extract_slice' to have static shapes once 'sizes' are known}}
    %s = tensor.extract_slice %x[0] [%n] [1] : tensor<?xf32> to tensor<?xf32>
    return %s : tensor<?xf32>
  }
}

// -----

// A loop that begins with 8 rows and yields twice as many has no type.
module attributes {ds.config = #ds.config<sizes = "batch=8">} {
  func.func @a_size_that_grows(%x: tensor<?xf32>, %k: index) -> tensor<?xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // expected-error @below {{with these 'sizes' a value of 'tensor<16xf32>' is used as one of 'tensor<8xf32>', expected the same shape}}
    %l = scf.for %i = %c0 to %k step %c1 iter_args(%y = %x) -> (tensor<?xf32>) {
      %z = tensor.concat dim(0) %y, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
      scf.yield %z : tensor<?xf32>
    }
    return %l : tensor<?xf32>
  }
}

// -----

// A function without a body takes what its type says.
module attributes {ds.config = #ds.config<sizes = "batch=8">} {
  func.func private @elsewhere(tensor<?xf32>) -> f32
  func.func @a_call_that_stays(%x: tensor<?xf32>) -> f32 {
    // expected-error @below {{the size of 'tensor<?xf32>' does not follow from those of the arguments, expected 'func.call' to have static shapes once 'sizes' are known}}
    %s = call @elsewhere(%x) : (tensor<?xf32>) -> f32
    return %s : f32
  }
}

// -----

// Sizes of two arguments that the step adds.
module attributes {ds.config = #ds.config<sizes = "x.0=8,y.0=4">} {
  func.func @sizes_that_contradict(%x: tensor<?xf32> {ds.name = "x"}, %y: tensor<?xf32> {ds.name = "y"}) -> tensor<?xf32> {
    // expected-error @below {{with these 'sizes' a value of 'tensor<4xf32>' is used as one of 'tensor<8xf32>', expected the same shape}}
    %z = arith.addf %x, %y : tensor<?xf32>
    return %z : tensor<?xf32>
  }
}
