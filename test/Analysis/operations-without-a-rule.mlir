// RUN: ds-opt %s -split-input-file -allow-unregistered-dialect -ds-insert-all-reduce -verify-diagnostics | FileCheck %s
// An operation without a placement rule runs on whole operands if it does nothing but compute numbers.

module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  // CHECK-LABEL: func.func @partial_operands_are_reduced_first(
  func.func @partial_operands_are_reduced_first(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %zero = arith.constant dense<0.0> : tensor<3xf32>
    %column = arith.constant dense<[3, 1]> : tensor<2xindex>
    %row = arith.constant dense<3> : tensor<1xindex>
    // CHECK: %[[G:.*]] = linalg.reduce
    // CHECK-NEXT: %[[ALL:.*]] = ds.all_reduce sum %[[G]] {names = {{\[\[}}"w"]]} : tensor<3xf32>
    %g = linalg.reduce { arith.addf } ins(%x : tensor<8x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
    // CHECK-NEXT: tensor.reshape %[[ALL]]
    %a = tensor.reshape %g(%column) : (tensor<3xf32>, tensor<2xindex>) -> tensor<3x1xf32>
    // CHECK-NOT: ds.all_reduce
    %b = tensor.reshape %a(%row) : (tensor<3x1xf32>, tensor<1xindex>) -> tensor<3xf32>
    return %b : tensor<3xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = local, device_num = 2>} {
  // CHECK-LABEL: func.func @so_they_are_in_local(
  func.func @so_they_are_in_local(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %zero = arith.constant dense<0.0> : tensor<3xf32>
    %row = arith.constant dense<3> : tensor<1xindex>
    // CHECK: %[[G:.*]] = linalg.reduce
    // CHECK-NEXT: %[[ALL:.*]] = ds.all_reduce sum %[[G]] {names = {{\[\[}}"w"]]} : tensor<3xf32>
    %dw = linalg.reduce { arith.addf } ins(%x : tensor<8x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
    %g = ds.gradient %dw of "w" : tensor<3xf32>
    // CHECK-NEXT: tensor.reshape %[[ALL]]
    %b = tensor.reshape %g(%row) : (tensor<3xf32>, tensor<1xindex>) -> tensor<3xf32>
    return %b : tensor<3xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  func.func @nobody_knows_it(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %zero = arith.constant dense<0.0> : tensor<3xf32>
    %g = linalg.reduce { arith.addf } ins(%x : tensor<8x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
    // expected-error @below {{no placement rule for 'other.identity' with an operand that is partial(sum)}}
    %h = "other.identity"(%g) : (tensor<3xf32>) -> tensor<3xf32>
    return %h : tensor<3xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  func.func private @f(tensor<3xf32>) -> tensor<3xf32>
  func.func @it_may_have_effects(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %zero = arith.constant dense<0.0> : tensor<3xf32>
    %g = linalg.reduce { arith.addf } ins(%x : tensor<8x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
    // expected-error @below {{no placement rule for 'func.call' with an operand that is partial(sum)}}
    %h = call @f(%g) : (tensor<3xf32>) -> tensor<3xf32>
    return %h : tensor<3xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  func.func @it_makes_an_index(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %zero = arith.constant dense<0.0> : tensor<3xf32>
    %c0 = arith.constant 0 : index
    %g = linalg.reduce { arith.addf } ins(%x : tensor<8x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
    // expected-error @below {{no placement rule for 'tensor.dim' with an operand that is partial(sum)}}
    %size = tensor.dim %g, %c0 : tensor<3xf32>
    return %g : tensor<3xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  func.func @where_it_reads_depends_on_samples(%w: tensor<3xf32> {ds.param = "w"}, %p: tensor<2xi32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %shape = arith.index_cast %p : tensor<2xi32> to tensor<2xindex>
    // expected-error @below {{no placement rule for 'tensor.reshape' with an operand that is sharded(0, 1, 1)}}
    %m = tensor.reshape %w(%shape) : (tensor<3xf32>, tensor<2xindex>) -> tensor<3x1xf32>
    return %w : tensor<3xf32>
  }
}
