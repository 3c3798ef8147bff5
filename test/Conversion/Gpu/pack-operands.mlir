// RUN: ds-opt %s --ds-pack-operands | FileCheck %s

// A matrix of which each loop skips elements is copied, rows and depth densely; so is a result, behind the product.
// CHECK: func.func @step(%[[ARENA:.*]]: memref<384xi8> {ds.arena}
// CHECK-SAME: %[[LIBRARY:.*]]: !llvm.ptr {ds.library}, %[[X:.*]]: memref<4x16xf32>, %[[W:.*]]: memref<3x2xf32>, %[[OUT:.*]]: memref<4x4xf32>)
// CHECK: %[[LHS:.*]] = memref.view %[[ARENA]]{{.*}} to memref<4x3xf32>
// CHECK: call @[[PACK:kernel_.*]](%[[X]], %[[LHS]])
// CHECK: %[[RESULT:.*]] = memref.view %[[ARENA]]{{.*}} to memref<4x2xf32>
// CHECK: call @[[PRODUCT:contraction_0_.*]](%[[LIBRARY]], %[[LHS]], %[[W]], %[[RESULT]])
// CHECK: call @[[UNPACK:kernel_.*]](%[[RESULT]], %[[OUT]])
// CHECK: call @contraction_1(%[[LIBRARY]], %[[X]], %[[W]], %[[OUT]])
func.func @step(%arena: memref<256xi8> {ds.arena}, %library: !llvm.ptr {ds.library}, %x: memref<4x16xf32>, %w: memref<3x2xf32>, %out: memref<4x4xf32>) {
  call @contraction_0(%library, %x, %w, %out) : (!llvm.ptr, memref<4x16xf32>, memref<3x2xf32>, memref<4x4xf32>) -> ()
  call @contraction_1(%library, %x, %w, %out) : (!llvm.ptr, memref<4x16xf32>, memref<3x2xf32>, memref<4x4xf32>) -> ()
  return
}
// CHECK: func.func private @contraction_1(
// CHECK-DAG: func.func private @[[PRODUCT]]({{.*}} attributes {ds.contraction = {accumulate = false, lhs = array<i64: 3, 0, 1>, offsets = array<i64: 0, 0, 0>, out = array<i64: 2, 1, 0>, rhs = array<i64: 0, 1, 2>
// CHECK-DAG: func.func private @[[PACK]]
// CHECK-DAG: memref.reinterpret_cast {{.*}} to offset: [1], sizes: [4, 3], strides: [16, 2]
// CHECK-DAG: memref.reinterpret_cast {{.*}} to offset: [0], sizes: [4, 2], strides: [4, 2]
func.func private @contraction_0(!llvm.ptr, memref<4x16xf32>, memref<3x2xf32>, memref<4x4xf32>) attributes {ds.contraction = {accumulate = false, lhs = array<i64: 16, 0, 2>, offsets = array<i64: 1, 0, 0>, out = array<i64: 4, 2, 0>, rhs = array<i64: 0, 1, 2>, sizes = array<i64: 4, 2, 3>}}
// One unit stride in each is enough.
func.func private @contraction_1(!llvm.ptr, memref<4x16xf32>, memref<3x2xf32>, memref<4x4xf32>) attributes {ds.contraction = {accumulate = false, lhs = array<i64: 16, 0, 1>, offsets = array<i64: 0, 0, 0>, out = array<i64: 4, 1, 0>, rhs = array<i64: 0, 1, 2>, sizes = array<i64: 4, 2, 3>}}
