// RUN: ds-opt %s --ds-convert-to-llvm --canonicalize | FileCheck %s

// All dialects of a kernel in one conversion: no cast between their types is left.

// CHECK-NOT: unrealized_conversion_cast
// CHECK-LABEL: llvm.func @sum(
// CHECK-SAME: %[[X:.*]]: !llvm.ptr, %[[N:.*]]: i64) -> f32
func.func @sum(%x: memref<8xf32>, %n: index) -> f32 {
  %zero = arith.constant 0.0 : f32
  %first = index.constant 0
  %one = index.constant 1
  // CHECK: llvm.br ^[[LOOP:bb[0-9]+]]({{.*}} : i64, f32)
  cf.br ^loop(%first, %zero : index, f32)
^loop(%i: index, %sum: f32):
  // CHECK: %[[AT:.*]] = llvm.getelementptr {{.*}}%[[X]][
  // CHECK: %[[V:.*]] = llvm.load %[[AT]] : !llvm.ptr -> f32
  %v = memref.load %x[%i] : memref<8xf32>
  // CHECK: llvm.fadd %{{.*}}, %[[V]] : f32
  %next = arith.addf %sum, %v : f32
  %j = index.add %i, %one
  // CHECK: llvm.icmp "slt" %{{.*}}, %[[N]] : i64
  %more = arith.cmpi slt, %j, %n : index
  // CHECK: llvm.cond_br
  cf.cond_br %more, ^loop(%j, %next : index, f32), ^end
^end:
  // CHECK: llvm.return
  return %next : f32
}

// What is called stays a call, with bare pointers.
// CHECK-LABEL: llvm.func @calls(
// CHECK: llvm.call @sum(%{{.*}}, %{{.*}}) : (!llvm.ptr, i64) -> f32
func.func @calls(%x: memref<8xf32>) -> f32 {
  %n = arith.constant 8 : index
  %s = func.call @sum(%x, %n) : (memref<8xf32>, index) -> f32
  return %s : f32
}
