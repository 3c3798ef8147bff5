// RUN: ds-opt %s -ds-verify-in-flight -split-input-file | FileCheck %s

// What lies elsewhere may be used, in other memory and in other bytes of the arena.

// CHECK-LABEL: func.func @other_memory
func.func @other_memory(%a: memref<4xf32>, %b: memref<4xf32>, %i: index, %v: f32) {
  %view = memref.cast %a : memref<4xf32> to memref<?xf32>
  %p = ds.all_reduce_start sum %a : memref<4xf32>
  memref.store %v, %b[%i] : memref<4xf32>
  %q = ds.all_reduce_start sum %b : memref<4xf32>
  ds.wait %p, %a : memref<4xf32>
  memref.store %v, %view[%i] : memref<?xf32>
  ds.wait %q, %b : memref<4xf32>
  return
}

// -----

module {
  func.func private @all_reduce_start_0(%c: !llvm.ptr, %g: memref<4xf32>) -> !llvm.ptr attributes {ds.collective} {
    return %c : !llvm.ptr
  }
  func.func private @wait_1(%c: !llvm.ptr, %p: !llvm.ptr, %g: memref<4xf32>) attributes {ds.collective} {
    return
  }
  func.func private @kernel(memref<4xf32>)
  // CHECK-LABEL: func.func @other_bytes_of_the_arena
  func.func @other_bytes_of_the_arena(%c: !llvm.ptr, %arena: memref<64xi8>) {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %g = memref.view %arena[%c0][] : memref<64xi8> to memref<4xf32>
    %other = memref.view %arena[%c16][] : memref<64xi8> to memref<4xf32>
    %p = func.call @all_reduce_start_0(%c, %g) : (!llvm.ptr, memref<4xf32>) -> !llvm.ptr
    func.call @kernel(%other) : (memref<4xf32>) -> ()
    func.call @wait_1(%c, %p, %g) : (!llvm.ptr, !llvm.ptr, memref<4xf32>) -> ()
    func.call @kernel(%g) : (memref<4xf32>) -> ()
    return
  }
}
