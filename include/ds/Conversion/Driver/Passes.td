//===- Passes.td - Calls, buffers and memory of a step -----*- tablegen -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_CONVERSION_DRIVER_PASSES
#define DS_CONVERSION_DRIVER_PASSES

include "mlir/Pass/PassBase.td"

def CheckSizesPass : Pass<"ds-check-sizes"> {
  let summary = "refuse tensors whose size no number can hold";
  let description = [{
    A value of a type of more than 2^48 bytes (256 TiB) is an error at its place, so that no later product of sizes,
    element bytes and up to 4096 ranks overflows. Dimensions of size 0 count as 1, because strides are computed from
    the others. First in `ds-data-parallel` and in `ds-lower-to-driver`.
  }];
}

def ShareReplicasPass : Pass<"ds-share-replicas", "::mlir::func::FuncOp"> {
  let summary = "ranks of one process hold parameters and optimizer states once";
  let description = [{
    Where `shared_replicas` is on, parameters and states that kernels update element by element are marked `ds.shared`: one
    copy for all ranks of the process. Each rank runs these kernels on its share of the elements. A gradient that they alone
    read is not reduced: they read it of all ranks (`ds.peer`), in the order of ranks, so bits stay as they are; the ranks
    meet in its place. A barrier stands before a share is written that another rank may still read, before a value is read
    whole after that, and at the end of the step.

    What is of each rank, sharded, updated in control flow or otherwise than element by element stays private; so does what
    such an update makes besides. A gradient that something else reads, such as a norm, is all-reduced as before. A remark
    lists what is shared and why something is not.

    Input:
    ```mlir
    module attributes {ds.config = #ds.config<device_num = 2, shared_replicas = on>} {
      func.func @step(%w: memref<64xf32> {ds.param = "w"}, %x: memref<64xf32> {ds.batch = 0 : i64}) {
        %g = memref.alloc() : memref<64xf32>
        linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                        iterator_types = ["parallel"]}
            ins(%w, %x : memref<64xf32>, memref<64xf32>) outs(%g : memref<64xf32>) {
          ^bb0(%a: f32, %b: f32, %out: f32):
            %p = arith.mulf %a, %b : f32
            linalg.yield %p : f32
        }
        ds.all_reduce sum %g {names = [["w"]]} : memref<64xf32>
        linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
            ins(%g : memref<64xf32>) outs(%w : memref<64xf32>) {
          ^bb0(%d: f32, %old: f32):
            %new = arith.subf %old, %d : f32
            linalg.yield %new : f32
        }
        return
      }
    }
    ```

    Output:
    ```mlir
    module attributes {ds.config = #ds.config<device_num = 2, shared_replicas = on>} {
      func.func @step(%w: memref<64xf32> {ds.param = "w", ds.shared}, %x: memref<64xf32> {ds.batch = 0 : i64}) {
        %rank = ds.rank : index
        %g = memref.alloc() : memref<64xf32>
        linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                        iterator_types = ["parallel"]}
            ins(%w, %x : memref<64xf32>, memref<64xf32>) outs(%g : memref<64xf32>) {
          ^bb0(%a: f32, %b: f32, %out: f32):
            %p = arith.mulf %a, %b : f32
            linalg.yield %p : f32
        }
        ds.barrier
        %c32 = arith.constant 32 : index
        %first = arith.muli %rank, %c32 : index
        %g0 = ds.peer %g {rank = 0 : i64} : memref<64xf32>
        %mine0 = memref.subview %g0[%first] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1], offset: ?>>
        %g1 = ds.peer %g {rank = 1 : i64} : memref<64xf32>
        %mine1 = memref.subview %g1[%first] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1], offset: ?>>
        %share = memref.subview %w[%first] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1], offset: ?>>
        linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                        iterator_types = ["parallel"]}
            ins(%mine0, %mine1 : memref<32xf32, strided<[1], offset: ?>>, memref<32xf32, strided<[1], offset: ?>>)
            outs(%share : memref<32xf32, strided<[1], offset: ?>>) {
          ^bb0(%d0: f32, %d1: f32, %old: f32):
            %d = arith.addf %d0, %d1 : f32
            %new = arith.subf %old, %d : f32
            linalg.yield %new : f32
        }
        ds.barrier
        return
      }
    }
    ```
  }];
  let dependentDialects = ["::ds::DsDialect", "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::linalg::LinalgDialect"];
}

def InsertProgressPass : Pass<"ds-insert-progress", "::mlir::ModuleOp"> {
  let summary = "call dsrt_progress after the kernels that run while a collective is under way";
  let description = [{
    A backend without a thread for started collectives (`mpi`) moves them on while the runtime is called. After each call of a
    kernel or a library between a start and its wait the driver gives it the chance; the runtime looks once in 100 us at most.

    Input:
    ```mlir
    func.func private @start(!llvm.ptr, memref<8xf32>) -> !llvm.ptr attributes {ds.collective}
    func.func private @wait(!llvm.ptr, !llvm.ptr, memref<8xf32>) attributes {ds.collective}
    func.func private @kernel(memref<4xf32>)
    func.func @step(%context: !llvm.ptr, %g: memref<8xf32>, %a: memref<4xf32>) {
      %p = call @start(%context, %g) : (!llvm.ptr, memref<8xf32>) -> !llvm.ptr
      call @kernel(%a) : (memref<4xf32>) -> ()
      call @wait(%context, %p, %g) : (!llvm.ptr, !llvm.ptr, memref<8xf32>) -> ()
      return
    }
    ```

    Output:
    ```mlir
    func.func private @start(!llvm.ptr, memref<8xf32>) -> !llvm.ptr attributes {ds.collective}
    func.func private @wait(!llvm.ptr, !llvm.ptr, memref<8xf32>) attributes {ds.collective}
    func.func private @kernel(memref<4xf32>)
    func.func @step(%context: !llvm.ptr, %g: memref<8xf32>, %a: memref<4xf32>) {
      %p = call @start(%context, %g) : (!llvm.ptr, memref<8xf32>) -> !llvm.ptr
      call @kernel(%a) : (memref<4xf32>) -> ()
      %left = call @dsrt_progress(%context) : (!llvm.ptr) -> i64
      call @wait(%context, %p, %g) : (!llvm.ptr, !llvm.ptr, memref<8xf32>) -> ()
      return
    }
    func.func private @dsrt_progress(!llvm.ptr) -> i64
    ```
  }];
}

def DropResultsPass : Pass<"ds-drop-results", "::mlir::func::FuncOp"> {
  let summary = "drop the results of a bufferized step, which lie in their destinations";
  let description = [{
    Input:
    ```mlir
    func.func @step(%w: memref<4xf32> {ds.param = "w"}, %m: memref<f32> {ds.result = 1 : i64})
        -> (memref<4xf32> {ds.updates = "w"}, memref<f32> {ds.metric = "loss"}) {
      return %w, %m : memref<4xf32>, memref<f32>
    }
    ```

    Output:
    ```mlir
    func.func @step(%arg0: memref<4xf32> {ds.param = "w"}, %arg1: memref<f32> {ds.result = 1 : i64}) {
      return
    }
    ```
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def ConvertDsToRuntimePass : Pass<"convert-ds-to-runtime", "::mlir::ModuleOp"> {
  let summary = "collectives become calls of the runtime's C ABI";
  let description = [{
    The step receives the rank's context as its first argument. Each collective becomes a call of a small private
    function, one per signature, which hands the buffers to `dsrt_*`. Errors stay in the context, so calls need no
    branch; the condition of an `scf.while` also asks `dsrt_failed`, because a value that a failed collective left behind
    might never end the loop.

    Input:
    ```mlir
    func.func @step(%a: memref<3xf32>, %b: memref<2x2xf32>) {
      ds.all_reduce sum %a, %b {fusion = 1024 : i64, names = [["a"], ["b"]]} : memref<3xf32>, memref<2x2xf32>
      return
    }
    ```

    Output:
    ```mlir
    func.func @step(%arg0: !llvm.ptr {ds.context}, %arg1: memref<3xf32>, %arg2: memref<2x2xf32>) {
      call @all_reduce_0(%arg0, %arg1, %arg2) : (!llvm.ptr, memref<3xf32>, memref<2x2xf32>) -> ()
      return
    }
    func.func private @all_reduce_0(%arg0: !llvm.ptr, %arg1: memref<3xf32>, %arg2: memref<2x2xf32>) attributes {ds.collective} {
      %c2_i64 = arith.constant 2 : i64
      %c2_i64_0 = arith.constant 2 : i64
      %0 = llvm.alloca %c2_i64_0 x !llvm.ptr : (i64) -> !llvm.ptr
      %1 = llvm.getelementptr %0[0] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
      %intptr = memref.extract_aligned_pointer_as_index %arg1 : memref<3xf32> -> index
      %2 = arith.index_cast %intptr : index to i64
      %3 = llvm.inttoptr %2 : i64 to !llvm.ptr
      llvm.store %3, %1 : !llvm.ptr, !llvm.ptr
      %4 = llvm.getelementptr %0[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
      %intptr_1 = memref.extract_aligned_pointer_as_index %arg2 : memref<2x2xf32> -> index
      %5 = arith.index_cast %intptr_1 : index to i64
      %6 = llvm.inttoptr %5 : i64 to !llvm.ptr
      llvm.store %6, %4 : !llvm.ptr, !llvm.ptr
      %c2_i64_2 = arith.constant 2 : i64
      %7 = llvm.alloca %c2_i64_2 x i64 : (i64) -> !llvm.ptr
      %8 = llvm.getelementptr %7[0] : (!llvm.ptr) -> !llvm.ptr, i64
      %c3_i64 = arith.constant 3 : i64
      llvm.store %c3_i64, %8 : i64, !llvm.ptr
      %9 = llvm.getelementptr %7[1] : (!llvm.ptr) -> !llvm.ptr, i64
      %c4_i64 = arith.constant 4 : i64
      llvm.store %c4_i64, %9 : i64, !llvm.ptr
      %c1_i32 = arith.constant 1 : i32
      %c0_i32 = arith.constant 0 : i32
      %c0_i64 = arith.constant 0 : i64
      %10 = call @dsrt_all_reduce(%arg0, %c2_i64, %0, %7, %c1_i32, %c0_i32, %c0_i64) : (!llvm.ptr, i64, !llvm.ptr, !llvm.ptr, i32, i32, i64) -> i32
      return
    }
    func.func private @dsrt_all_reduce(!llvm.ptr, i64, !llvm.ptr, !llvm.ptr, i32, i32, i64) -> i32
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect"];
}

def CallLibraryPass : Pass<"ds-call-library", "::mlir::ModuleOp"> {
  let summary = "contractions become calls of the library";
  let description = [{
    A contraction is recognised by the strides of its operands along each loop, in any permutation. Its description (loop
    sizes and strides) is an attribute of the called declaration; equal contractions share one. A zero fill directly
    before a contraction becomes `accumulate = false`.

    Input:
    ```mlir
    #mk = affine_map<(m, n, k) -> (m, k)>
    #kn = affine_map<(m, n, k) -> (k, n)>
    #mn = affine_map<(m, n, k) -> (m, n)>
    func.func @step(%a: memref<3x8xf32>, %b: memref<8x4xf32>, %c: memref<3x4xf32>) {
      %zero = arith.constant 0.0 : f32
      linalg.fill ins(%zero : f32) outs(%c : memref<3x4xf32>)
      linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
          ins(%a, %b : memref<3x8xf32>, memref<8x4xf32>) outs(%c : memref<3x4xf32>) {
      ^bb0(%x: f32, %y: f32, %z: f32):
        %p = arith.mulf %x, %y : f32
        %s = arith.addf %z, %p : f32
        linalg.yield %s : f32
      }
      return
    }
    ```

    Output:
    ```mlir
    func.func @step(%arg0: !llvm.ptr {ds.library}, %arg1: memref<3x8xf32>, %arg2: memref<8x4xf32>, %arg3: memref<3x4xf32>) {
      %cst = arith.constant 0.000000e+00 : f32
      call @contraction_0(%arg0, %arg1, %arg2, %arg3) : (!llvm.ptr, memref<3x8xf32>, memref<8x4xf32>, memref<3x4xf32>) -> ()
      return
    }
    func.func private @contraction_0(!llvm.ptr, memref<3x8xf32>, memref<8x4xf32>, memref<3x4xf32>) attributes {ds.contraction = {accumulate = false, lhs = array<i64: 8, 0, 1>, offsets = array<i64: 0, 0, 0>, out = array<i64: 4, 1, 0>, rhs = array<i64: 0, 1, 4>, sizes = array<i64: 3, 4, 8>}}
    ```
  }];
  let options = [Option<"epilogues", "epilogues", "bool", "false",
                        "A row that `out` starts from, and a maximum with zero, are the call's; as a GPU's library has them">];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::func::FuncDialect"];
}

def OutlineKernelsPass : Pass<"ds-outline-kernels", "::mlir::ModuleOp"> {
  let summary = "outline every kernel to a function of its own and share equal ones";
  let description = [{
    Each remaining `linalg.generic` moves, with its loops ordered for unit strides, into a private function whose
    arguments are the buffers and scalars it uses, and where slices begin. Functions with the same text are one function,
    named after a hash of that text.

    Input:
    ```mlir
    #v = affine_map<(d0) -> (d0)>
    func.func @step(%a: memref<8xf32>, %b: memref<8xf32>) {
      %two = arith.constant 2.0 : f32
      linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%a : memref<8xf32>) outs(%b : memref<8xf32>) {
      ^bb0(%x: f32, %o: f32):
        %r = arith.mulf %x, %two : f32
        linalg.yield %r : f32
      }
      return
    }
    ```

    Output:
    ```mlir
    #map = affine_map<(d0) -> (d0)>
    func.func @step(%arg0: memref<8xf32>, %arg1: memref<8xf32>) {
      %cst = arith.constant 2.000000e+00 : f32
      call @kernel_e8ecd724e1d4ff3a(%arg0, %arg1) : (memref<8xf32>, memref<8xf32>) -> ()
      return
    }
    func.func private @kernel_e8ecd724e1d4ff3a(%arg0: memref<8xf32> {llvm.noalias}, %arg1: memref<8xf32> {llvm.noalias}) attributes {ds.kernel} {
      %cst = arith.constant 2.000000e+00 : f32
      linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg0 : memref<8xf32>) outs(%arg1 : memref<8xf32>) {
      ^bb0(%in: f32, %out: f32):
        %0 = arith.mulf %in, %cst : f32
        linalg.yield %0 : f32
      }
      return
    }
    ```
  }];
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

def PlanArenaPass : Pass<"ds-plan-arena", "::mlir::func::FuncOp"> {
  let summary = "replace allocations by static offsets in one arena";
  let description = [{
    Lifetimes are intervals over the linearised function, through views and control flow; offsets are first fit, 64-byte
    aligned. The buffers of one collective lie next to each other, in order and dense, so that a backend can treat a
    bucket as one span.

    Where `apart` is given, the smallest buffers, up to so many bytes together, share their bytes with no other one:
    what writes a buffer then waits for no reader of another one.

    Input:
    ```mlir
    func.func private @kernel(memref<16xf32>, memref<16xf32>)
    func.func @step() {
      %a = memref.alloc() : memref<16xf32>
      %b = memref.alloc() : memref<16xf32>
      call @kernel(%a, %b) : (memref<16xf32>, memref<16xf32>) -> ()
      %c = memref.alloc() : memref<16xf32>
      call @kernel(%b, %c) : (memref<16xf32>, memref<16xf32>) -> ()
      return
    }
    ```

    Output:
    ```mlir
    func.func private @kernel(memref<16xf32>, memref<16xf32>)
    func.func @step(%arg0: memref<128xi8> {ds.arena}) {
      %c64 = arith.constant 64 : index
      %c0 = arith.constant 0 : index
      %view = memref.view %arg0[%c0][] : memref<128xi8> to memref<16xf32>
      %view_0 = memref.view %arg0[%c64][] : memref<128xi8> to memref<16xf32>
      call @kernel(%view, %view_0) : (memref<16xf32>, memref<16xf32>) -> ()
      %view_1 = memref.view %arg0[%c0][] : memref<128xi8> to memref<16xf32>
      call @kernel(%view_0, %view_1) : (memref<16xf32>, memref<16xf32>) -> ()
      return
    }
    ```
  }];
  let options = [Option<"apart", "apart", "int64_t", "0", "Bytes of buffers that share none, the smallest first">];
  let dependentDialects = ["::mlir::memref::MemRefDialect", "::mlir::arith::ArithDialect"];
}

def VerifyInFlightPass : Pass<"ds-verify-in-flight", "::mlir::ModuleOp"> {
  let summary = "check that no operation touches memory of an exchange under way";
  let description = [{
    Of every exchange that is started, on buffers or as a call of the driver, the handle is waited for exactly once, on every path, and between
    start and wait nothing reads or writes its memory, nor a view of it, nor bytes of the arena that it lies in. An error names the operation, the start and
    the wait. So it is with memory that other ranks of the process read: between the collective in which all meet before and the one after, nothing writes it. Runs after bufferization and again after ds-plan-arena. The pass changes nothing.
  }];
}

#endif // DS_CONVERSION_DRIVER_PASSES
