// RUN: ds-opt %s -convert-ds-to-calls=prefix=acme -split-input-file -verify-diagnostics | FileCheck %s
// RUN: not ds-opt %s -split-input-file -convert-ds-to-calls 2>&1 | FileCheck %s --check-prefix=PREFIX
// RUN: not ds-opt %s -split-input-file -convert-ds-to-calls=prefix=1st 2>&1 | FileCheck %s --check-prefix=DIGIT
// RUN: not ds-opt %s -split-input-file -convert-ds-to-calls=prefix=exchange. 2>&1 | FileCheck %s --check-prefix=MODULE
// A prefix that ends in a dot is a module of functions, as in IREE.
// MODULE: call @exchange.all_reduce_sum_f32(%{{.*}}) : (tensor<?xf32>) -> tensor<?xf32>
// MODULE: func.func private @exchange.barrier()
// PREFIX: error: expected 'prefix' to begin the names of functions, as in prefix=acme, got ''
// DIGIT: error: expected 'prefix' to begin the names of functions, as in prefix=acme, got '1st'

// One function serves every size; reduction, type and group stand in its name.
// CHECK-LABEL: func.func @names_say_what_a_function_does
// CHECK: call @acme_all_reduce_sum_f32(%{{.*}}) : (tensor<?xf32>) -> tensor<?xf32>
// CHECK: call @acme_all_reduce_sum_f32(%{{.*}}) : (tensor<?xf32>) -> tensor<?xf32>
// CHECK: call @acme_all_reduce_max_i32_among_0_2(
// CHECK: call @acme_all_gather_f32(
// CHECK: call @acme_barrier() : () -> ()
// CHECK: func.func private @acme_all_reduce_sum_f32(tensor<?xf32>) -> tensor<?xf32> attributes {llvm.emit_c_interface}
// CHECK: func.func private @acme_all_reduce_max_i32_among_0_2(tensor<?xi32>) -> tensor<?xi32>
// CHECK: func.func private @acme_all_gather_f32(tensor<?xf32>) -> tensor<?xf32>
// CHECK: func.func private @acme_barrier()
// CHECK-NOT: func.func
func.func @names_say_what_a_function_does(%a: tensor<2x3xf32>, %b: tensor<5xf32>, %c: tensor<4xi32>, %o: tensor<10xf32>)
    -> (tensor<2x3xf32>, tensor<4xi32>, tensor<10xf32>) {
  %r = ds.all_reduce sum %a {names = [["a"]]} : tensor<2x3xf32>
  %s = ds.all_reduce sum %b {names = [["b"]]} : tensor<5xf32>
  %t = ds.all_reduce max %c {group = array<i64: 0, 2>} : tensor<4xi32>
  %g = ds.all_gather %s into %o along 0 : tensor<5xf32> into tensor<10xf32>
  ds.barrier
  return %r, %t, %g : tensor<2x3xf32>, tensor<4xi32>, tensor<10xf32>
}

// -----

// CHECK-LABEL: func.func @roots_and_sources_are_operands
// CHECK: %[[ROOT:.*]] = arith.constant 1 : i64
// CHECK: call @acme_broadcast_f32(%{{.*}}, %[[ROOT]]) : (tensor<?xf32>, i64) -> tensor<?xf32>
// CHECK: %[[SOURCES:.*]] = arith.constant dense<[1, -1]> : tensor<2xi64>
// CHECK: %[[LIST:.*]] = tensor.cast %[[SOURCES]] : tensor<2xi64> to tensor<?xi64>
// CHECK: call @acme_collective_permute_f32(%{{.*}}, %[[LIST]]) : (tensor<?xf32>, tensor<?xi64>) -> tensor<?xf32>
func.func @roots_and_sources_are_operands(%a: tensor<3xf32>, %o: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %r = ds.broadcast %a from 1 : tensor<3xf32>
  %p = ds.collective_permute %a into %o from [1, -1] : tensor<3xf32> into tensor<3xf32>
  return %r, %p : tensor<3xf32>, tensor<3xf32>
}

// -----

// A start returns the values in flight and a handle; the wait also gets what the start reads from other memory.
// CHECK-LABEL: func.func @starts_and_waits
// CHECK: %[[S:.*]]:2 = call @acme_all_reduce_sum_f32_start(%{{.*}}) : (tensor<?xf32>) -> (tensor<?xf32>, i64)
// CHECK: %[[T:.*]]:2 = call @acme_all_gather_f32_start(%{{.*}}) : (tensor<?xf32>) -> (tensor<?xf32>, i64)
// CHECK: call @acme_all_reduce_sum_f32_wait(%[[S]]#1, %[[S]]#0) : (i64, tensor<?xf32>) -> tensor<?xf32>
// CHECK: %[[KEPT:.*]] = tensor.cast %{{.*}} : tensor<2xf32> to tensor<?xf32>
// CHECK: call @acme_all_gather_f32_wait(%[[T]]#1, %[[T]]#0, %[[KEPT]]) : (i64, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
func.func @starts_and_waits(%a: tensor<2x3xf32>, %b: tensor<2xf32>, %o: tensor<4xf32>) -> (tensor<2x3xf32>, tensor<4xf32>) {
  %s, %p = ds.all_reduce_start sum %a : tensor<2x3xf32>
  %t, %q = ds.all_gather_start %b into %o along 0 : tensor<2xf32> into tensor<4xf32>
  %r = ds.wait %p, %s : tensor<2x3xf32>
  %g = ds.wait %q, %t : tensor<4xf32> keeping %b : tensor<2xf32>
  return %r, %g : tensor<2x3xf32>, tensor<4xf32>
}

// -----

// Numbers along axes are made of the rank's number.
// CHECK-LABEL: func.func @ranks
// CHECK: %[[R:.*]] = call @acme_rank() : () -> i64
// CHECK: %[[I:.*]] = arith.index_cast %[[R]] : i64 to index
// CHECK: arith.divui %[[I]]
// CHECK: call @acme_num_ranks() : () -> i64
// CHECK: call @acme_all_reduce_sum_f32_along_dp_tp(
// CHECK-NOT: ds.rank
module attributes {ds.config = #ds.config<device_num = 4, mesh = "dp=2,tp=2">} {
  func.func @ranks(%a: tensor<4xf32>) -> (index, index, tensor<4xf32>) {
    %t = ds.rank {group = ["dp"]} : index
    %n = ds.num_ranks : index
    %r = ds.all_reduce sum %a {group = ["dp", "tp"]} : tensor<4xf32>
    return %t, %n, %r : index, index, tensor<4xf32>
  }
}

// -----

// A module that has declared a function keeps it.
// CHECK-LABEL: func.func private @acme_all_reduce_sum_f32(tensor<?xf32>) -> tensor<?xf32>
// CHECK-NOT: private
// CHECK: call @acme_all_reduce_sum_f32(
// CHECK-NOT: private
func.func private @acme_all_reduce_sum_f32(tensor<?xf32>) -> tensor<?xf32>
func.func @declared(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = ds.all_reduce sum %a : tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// expected-error@+1 {{the module has 'acme_all_reduce_sum_f32', expected a declaration of type '(tensor<?xf32>) -> tensor<?xf32>'}}
func.func private @acme_all_reduce_sum_f32(tensor<4xf32>) -> tensor<4xf32>
func.func @declared_otherwise(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = ds.all_reduce sum %a : tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @buffers(%a: memref<4xf32>) {
  // expected-error@+1 {{works on buffers; expected tensors, as they are before bufferization}}
  ds.all_reduce sum %a : memref<4xf32>
  return
}
