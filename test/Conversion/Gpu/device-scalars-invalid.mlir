// RUN: ds-opt %s --ds-device-scalars --split-input-file --verify-diagnostics

func.func @rounds(%flag: memref<index>) {
  %0 = memref.load %flag[] : memref<index>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'scf.for' op has no code on a GPU: it depends on a number that the step computes, which the host would have to wait for}}
  scf.for %i = %c0 to %0 step %c1 {
  }
  return
}

// -----

func.func private @all_reduce(%x: memref<8xf32>) attributes {ds.collective}
func.func @exchange(%flag: memref<i1>, %x: memref<8xf32>) {
  %0 = memref.load %flag[] : memref<i1>
  scf.if %0 {
    // expected-error @+1 {{'func.call' op has no code on a GPU: a branch that the step decides holds it, and only kernels and products can be left out there}}
    func.call @all_reduce(%x) : (memref<8xf32>) -> ()
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
