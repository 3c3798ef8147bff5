// RUN: ds-opt %s -ds-split-empty-tensors | FileCheck %s

// Shared fills would become one fill and copies of it.
// CHECK-LABEL: @gives_every_use_its_own_fill
// CHECK-DAG: %[[E0:.*]] = tensor.empty()
// CHECK-DAG: %[[F0:.*]] = linalg.fill ins({{.*}}) outs(%[[E0]]
// CHECK-DAG: %[[E1:.*]] = tensor.empty()
// CHECK-DAG: %[[F1:.*]] = linalg.fill ins({{.*}}) outs(%[[E1]]
// CHECK-DAG: linalg.matmul ins(%arg0, %arg1 : {{.*}}) outs(%[[F0]]
// CHECK-DAG: linalg.matmul ins(%arg1, %arg0 : {{.*}}) outs(%[[F1]]
func.func @gives_every_use_its_own_fill(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %x = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
  %y = linalg.matmul ins(%b, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %x, %y : tensor<4x4xf32>, tensor<4x4xf32>
}

// A table of constants may be what a kernel looks numbers up in.
// CHECK-LABEL: @makes_no_copy_in_the_body_of_a_kernel
// CHECK-DAG: linalg.fill
// CHECK-DAG: linalg.fill
// CHECK-DAG: linalg.fill
// CHECK: linalg.generic
// CHECK-NOT: linalg.fill
// CHECK-COUNT-3: tensor.extract
// CHECK-NOT: linalg.fill
// CHECK: return
func.func @makes_no_copy_in_the_body_of_a_kernel(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi64>) {
  %zero = arith.constant 0 : i64
  %index = arith.constant 0 : index
  %e = tensor.empty() : tensor<4xi64>
  %numbers = linalg.fill ins(%zero : i64) outs(%e : tensor<4xi64>) -> tensor<4xi64>
  %out = tensor.empty() : tensor<4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%out : tensor<4xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %number = tensor.extract %numbers[%i] : tensor<4xi64>
    %other = tensor.extract %numbers[%index] : tensor<4xi64>
    %sum = arith.addi %number, %other : i64
    %at = arith.index_cast %sum : i64 to index
    %v = tensor.extract %x[%at] : tensor<4xf32>
    linalg.yield %v : f32
  } -> tensor<4xf32>
  return %r, %numbers : tensor<4xf32>, tensor<4xi64>
}

// What is in flight and kept until it has left is one use: its wait keeps what its start reads.
// CHECK-LABEL: @keeps_what_a_start_reads
// CHECK: %[[T:.*]], %[[P:.*]] = ds.all_gather_start %[[READ:[^ ]+]] into
// CHECK: ds.wait %[[P]], %[[T]] : tensor<4xf32> keeping %[[READ]] : tensor<2xf32>
func.func @keeps_what_a_start_reads(%x: tensor<2xf32>) -> (tensor<4xf32>, tensor<2xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2xf32>
  %e4 = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  %t, %p = ds.all_gather_start %f into %e4 along 0 : tensor<2xf32> into tensor<4xf32>
  %y = linalg.add ins(%x, %x : tensor<2xf32>, tensor<2xf32>) outs(%f : tensor<2xf32>) -> tensor<2xf32>
  %z = ds.wait %p, %t : tensor<4xf32> keeping %f : tensor<2xf32>
  return %z, %y : tensor<4xf32>, tensor<2xf32>
}
