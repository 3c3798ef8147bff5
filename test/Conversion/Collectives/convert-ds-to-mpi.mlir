// RUN: ds-opt %s -convert-ds-to-mpi -split-input-file -verify-diagnostics | FileCheck %s

// Upstream's lowering counts the elements of the first dimension, so a buffer has one.
// CHECK-LABEL: func.func @buffers_are_reduced_in_place
// CHECK-SAME: (%[[A:.*]]: memref<2x3xf32>, %[[B:.*]]: memref<4xf32>, %[[S:.*]]: memref<f32>, %[[I:.*]]: memref<2xi64>)
// CHECK: %[[WORLD:.*]] = mpi.comm_world : !mpi.comm
// CHECK: %[[F:.*]] = memref.collapse_shape %[[A]] {{\[}}[0, 1]] : memref<2x3xf32> into memref<6xf32>
// CHECK: mpi.allreduce(%[[F]], %[[F]], MPI_SUM, %[[WORLD]]) : memref<6xf32>, memref<6xf32>
// CHECK: mpi.allreduce(%[[B]], %[[B]], MPI_SUM, %[[WORLD]]) : memref<4xf32>, memref<4xf32>
// CHECK: mpi.allreduce(%[[S]], %[[S]], MPI_MAX, %{{.*}}) : memref<f32>, memref<f32>
// CHECK: mpi.allreduce(%[[I]], %[[I]], MPI_MIN
// CHECK: mpi.allreduce(%[[I]], %[[I]], MPI_PROD
// CHECK: mpi.allreduce(%[[I]], %[[I]], MPI_BAND
// CHECK: mpi.allreduce(%[[I]], %[[I]], MPI_BOR
// CHECK: mpi.barrier
// CHECK-NOT: ds.
func.func @buffers_are_reduced_in_place(%a: memref<2x3xf32>, %b: memref<4xf32>, %s: memref<f32>, %i: memref<2xi64>) {
  ds.all_reduce sum %a, %b {fusion = 1024 : i64, names = [["a"], ["b"]]} : memref<2x3xf32>, memref<4xf32>
  ds.all_reduce max %s : memref<f32>
  ds.all_reduce min %i : memref<2xi64>
  ds.all_reduce prod %i : memref<2xi64>
  ds.all_reduce and %i : memref<2xi64>
  ds.all_reduce or %i : memref<2xi64>
  ds.barrier
  return
}

// -----

// CHECK-LABEL: func.func @ranks
// CHECK: %[[R:.*]] = mpi.comm_rank(%{{.*}}) : i32
// CHECK: arith.index_cast %[[R]] : i32 to index
// CHECK: %[[N:.*]] = mpi.comm_size(%{{.*}}) : i32
// CHECK: arith.index_cast %[[N]] : i32 to index
func.func @ranks() -> (index, index) {
  %r = ds.rank : index
  %n = ds.num_ranks : index
  return %r, %n : index, index
}

// -----

func.func @tensors(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{works on tensors; expected buffers, as bufferization leaves them}}
  %r = ds.all_reduce sum %a : tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @means(%a: memref<4xf32>) {
  // expected-error@+1 {{reduces to a mean, which MPI does not have; expected a sum, as ds-apply-mean makes it}}
  ds.all_reduce mean %a : memref<4xf32>
  return
}

// -----

func.func @groups_of_ranks(%a: memref<4xf32>) {
  // expected-error@+1 {{meets in the group array<i64: 0, 1>, but the mpi dialect cannot free the communicator of one; expected all ranks, or --convert-ds-to-calls}}
  ds.all_reduce sum %a {group = array<i64: 0, 1>} : memref<4xf32>
  return
}

// -----

module attributes {ds.config = #ds.config<device_num = 4, mesh = "dp=2,tp=2">} {
  func.func @groups_of_axes(%a: memref<4xf32>) {
    // expected-error@+1 {{meets in the group ["tp"], but the mpi dialect cannot free the communicator of one}}
    ds.all_reduce sum %a {group = ["tp"]} : memref<4xf32>
    return
  }
}

// -----

func.func @other_collectives(%a: memref<4xf32>, %b: memref<8xf32>) {
  // expected-error@+1 {{'ds.all_gather' op has no counterpart in the mpi dialect, whose collectives are allreduce and barrier; expected --convert-ds-to-calls}}
  ds.all_gather %a into %b along 0 : memref<4xf32> into memref<8xf32>
  return
}

// -----

func.func @starts(%a: memref<4xf32>) {
  // expected-error@+1 {{'ds.all_reduce_start' op has no counterpart in the mpi dialect}}
  %p = ds.all_reduce_start sum %a : memref<4xf32>
  ds.wait %p, %a : memref<4xf32>
  return
}

// -----

func.func @halves(%a: memref<4xbf16>) {
  // expected-error@+1 {{moves elements of type 'bf16', which MPI does not know}}
  ds.all_reduce sum %a : memref<4xbf16>
  return
}

// -----

// CHECK-LABEL: func.func @as_many_elements_as_mpi_counts
// CHECK: mpi.allreduce
func.func @as_many_elements_as_mpi_counts(%a: memref<2147483647xf32>) {
  ds.all_reduce sum %a : memref<2147483647xf32>
  return
}

// -----

func.func @more_elements(%a: memref<2x1073741824xf32>) {
  // expected-error@+1 {{moves 2147483648 elements, expected at most 2147483647, as many as MPI counts}}
  ds.all_reduce sum %a : memref<2x1073741824xf32>
  return
}
