// RUN: ds-opt %s --ds-device-scalars --split-input-file --verify-diagnostics

func.func @branch(%flag: memref<i1>) {
  %0 = memref.load %flag[] : memref<i1>
  // expected-error @+1 {{'scf.if' op has no code on a GPU: it depends on a number that the step computes, which the host would have to wait for}}
  scf.if %0 {
  }
  return
}

// -----

func.func @slice(%at: memref<index>, %x: memref<8xf32>) {
  %0 = memref.load %at[] : memref<index>
  // expected-error @+1 {{'memref.subview' op has no code on a GPU}}
  %1 = memref.subview %x[%0] [1] [1] : memref<8xf32> to memref<1xf32, strided<[1], offset: ?>>
  return
}
