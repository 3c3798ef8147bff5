// RUN: ds-opt %s -convert-ds-to-runtime -split-input-file -verify-diagnostics | FileCheck %s

// One call per bucket; names and the bucket's number are no part of the call.
// CHECK-LABEL: func.func @step
// CHECK-SAME: (%[[CTX:.*]]: !llvm.ptr {ds.context}, %[[A:.*]]: memref<3xf32>, %[[B:.*]]: memref<2x2xf32>)
// CHECK: call @all_reduce_0(%[[CTX]], %[[A]], %[[B]]) : (!llvm.ptr, memref<3xf32>, memref<2x2xf32>) -> ()
// CHECK: call @all_reduce_0(%[[CTX]], %[[A]], %[[B]])
// CHECK: %[[R:.*]] = call @dsrt_rank(%[[CTX]]) : (!llvm.ptr) -> i32
// CHECK: arith.index_cast %[[R]] : i32 to index
// CHECK: call @barrier_1(%[[CTX]])
// CHECK: func.func private @all_reduce_0(%[[C:.*]]: !llvm.ptr, %[[X:.*]]: memref<3xf32>, %[[Y:.*]]: memref<2x2xf32>) attributes {ds.collective}
// CHECK-DAG: arith.constant 3 : i64
// CHECK-DAG: arith.constant 4 : i64
// CHECK-DAG: memref.extract_aligned_pointer_as_index %[[X]]
// CHECK-DAG: memref.extract_aligned_pointer_as_index %[[Y]]
// CHECK: call @dsrt_all_reduce(%[[C]]
func.func @step(%a: memref<3xf32>, %b: memref<2x2xf32>) -> index {
  ds.all_reduce sum %a, %b {fusion = 1024 : i64, names = [["a"], ["b"]]} : memref<3xf32>, memref<2x2xf32>
  ds.all_reduce sum %a, %b {fusion = 1025 : i64} : memref<3xf32>, memref<2x2xf32>
  %r = ds.rank : index
  ds.barrier
  return %r : index
}

// -----

// The wait names the buffers too, so that they live until it.
// CHECK-LABEL: func.func @started
// CHECK: %[[P:.*]] = call @all_reduce_start_0({{.*}}) : (!llvm.ptr, memref<4xf32>) -> !llvm.ptr
// CHECK: call @wait_1({{.*}}, %[[P]], {{.*}}) : (!llvm.ptr, !llvm.ptr, memref<4xf32>) -> ()
func.func @started(%a: memref<4xf32>) {
  %p = ds.all_reduce_start sum %a : memref<4xf32>
  ds.wait %p, %a : memref<4xf32>
  return
}

// -----

// CHECK-LABEL: func.func @loop_ends_after_a_failure
// CHECK: scf.while
// CHECK: %[[F:.*]] = func.call @dsrt_failed
// CHECK: %[[OK:.*]] = arith.cmpi eq, %[[F]]
// CHECK: %[[GO:.*]] = arith.andi {{.*}}, %[[OK]]
// CHECK: scf.condition(%[[GO]])
func.func @loop_ends_after_a_failure(%a: memref<f32>) {
  %zero = arith.constant 0.0 : f32
  scf.while : () -> () {
    %v = memref.load %a[] : memref<f32>
    %go = arith.cmpf ogt, %v, %zero : f32
    scf.condition(%go)
  } do {
    ds.all_reduce sum %a : memref<f32>
    scf.yield
  }
  return
}

// -----

// CHECK-LABEL: func.func @loop_without_collectives_is_left_alone
// CHECK-NOT: dsrt_failed
func.func @loop_without_collectives_is_left_alone(%a: memref<f32>) {
  %zero = arith.constant 0.0 : f32
  scf.while : () -> () {
    %v = memref.load %a[] : memref<f32>
    %go = arith.cmpf ogt, %v, %zero : f32
    scf.condition(%go)
  } do {
    scf.yield
  }
  return
}

// -----

// CHECK-LABEL: func.func @group
// CHECK: func.func private @all_reduce_0
// CHECK: call @dsrt_group_create
// CHECK: call @dsrt_all_reduce
func.func @group(%a: memref<4xf32>) {
  ds.all_reduce max %a {group = array<i64: 0, 2>} : memref<4xf32>
  return
}

// -----

func.func @tensors_are_refused(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'ds.all_reduce' op works on tensors; expected buffers, as bufferization leaves them}}
  %r = ds.all_reduce sum %a : tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @inner_dimension_is_refused(%a: memref<2x4xf32>, %b: memref<2x2xf32>) {
  // expected-error @below {{'ds.reduce_scatter' op along dimension 1 cannot be executed; expected dimension 0}}
  ds.reduce_scatter sum %a into %b along 1 : memref<2x4xf32> into memref<2x2xf32>
  return
}

// -----

func.func @unknown_wire_type_is_refused(%a: memref<4xi4>) {
  // expected-error @below {{'ds.broadcast' op moves elements of type 'i4', which the runtime does not know}}
  ds.broadcast %a from 0 : memref<4xi4>
  return
}

// -----

func.func @a() {
  return
}
// expected-error @below {{'b' is a second public function beside 'a'; expected one step}}
func.func @b() {
  return
}
