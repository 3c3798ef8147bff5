// RUN: ds-opt %s -ds-insert-progress | FileCheck %s

func.func private @start(!llvm.ptr, memref<8xf32>) -> !llvm.ptr attributes {ds.collective}
func.func private @wait(!llvm.ptr, !llvm.ptr, memref<8xf32>) attributes {ds.collective}
func.func private @all_gather(!llvm.ptr, memref<8xf32>) attributes {ds.collective}
func.func private @kernel(memref<4xf32>)

// The runtime is asked behind every kernel while something is under way, in loops, too, and nowhere else.
// CHECK-LABEL: func.func @step
// CHECK-NEXT: call @kernel
// CHECK-NEXT: %[[P:.*]] = call @start
// CHECK-NEXT: call @kernel
// CHECK-NEXT: call @dsrt_progress(%arg0) : (!llvm.ptr) -> i64
// CHECK-NEXT: %[[Q:.*]] = call @start
// CHECK-NEXT: scf.for
// CHECK-NEXT:   call @kernel
// CHECK-NEXT:   call @dsrt_progress(%arg0)
// CHECK-NEXT: }
// CHECK-NEXT: call @wait(%arg0, %[[P]]
// CHECK-NEXT: call @kernel
// CHECK-NEXT: call @dsrt_progress(%arg0)
// CHECK-NEXT: call @wait(%arg0, %[[Q]]
// CHECK-NEXT: call @kernel
// CHECK-NEXT: return
func.func @step(%context: !llvm.ptr, %g: memref<8xf32>, %h: memref<8xf32>, %a: memref<4xf32>, %from: index, %to: index, %by: index) {
  call @kernel(%a) : (memref<4xf32>) -> ()
  %p = call @start(%context, %g) : (!llvm.ptr, memref<8xf32>) -> !llvm.ptr
  call @kernel(%a) : (memref<4xf32>) -> ()
  %q = call @start(%context, %h) : (!llvm.ptr, memref<8xf32>) -> !llvm.ptr
  scf.for %i = %from to %to step %by {
    func.call @kernel(%a) : (memref<4xf32>) -> ()
  }
  call @wait(%context, %p, %g) : (!llvm.ptr, !llvm.ptr, memref<8xf32>) -> ()
  call @kernel(%a) : (memref<4xf32>) -> ()
  call @wait(%context, %q, %h) : (!llvm.ptr, !llvm.ptr, memref<8xf32>) -> ()
  call @kernel(%a) : (memref<4xf32>) -> ()
  return
}

// A blocking collective is its own progress.
// CHECK-LABEL: func.func @blocking
// CHECK-NEXT: call @all_gather
// CHECK-NEXT: call @kernel
// CHECK-NEXT: return
func.func @blocking(%context: !llvm.ptr, %g: memref<8xf32>, %a: memref<4xf32>) {
  call @all_gather(%context, %g) : (!llvm.ptr, memref<8xf32>) -> ()
  call @kernel(%a) : (memref<4xf32>) -> ()
  return
}
