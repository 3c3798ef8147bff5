//===- Passes.td - From a step on tensors to a driver of calls -*- tablegen -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_CONVERSION_PASSES
#define DS_CONVERSION_PASSES

include "mlir/Pass/PassBase.td"

def WidenAccumulatorsPass : Pass<"ds-widen-accumulators", "::mlir::func::FuncOp"> {
  let summary = "accumulate 16-bit reductions in f32";
  let description = [{
    A sum of bf16 or f16 values kept in 16 bits loses every addend below a thousandth of the total. Reductions whose
    accumulator is a 16-bit float accumulate in f32 and are rounded once at the end, as frameworks do.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

def FoldContractionsPass : Pass<"ds-fold-contractions", "::mlir::func::FuncOp"> {
  let summary = "absorb transposes into the indexing maps of contractions";
  let description = [{
    A contraction reads and writes any permutation at full speed, an elementwise kernel does not. Pure transposes of a
    contraction's operands and of its only use become part of its maps. Runs on generic form, before kernels are fused.

    Input:
    ```mlir
    func.func @weight_gradient(%x: tensor<8x4xf32>, %dy: tensor<8x2xf32>) -> tensor<2x4xf32> {
      %cst = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<4x2xf32>
      %zero = linalg.fill ins(%cst : f32) outs(%e : tensor<4x2xf32>) -> tensor<4x2xf32>
      %0 = linalg.generic {
          indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
          iterator_types = ["parallel", "parallel", "reduction"]}
          ins(%x, %dy : tensor<8x4xf32>, tensor<8x2xf32>) outs(%zero : tensor<4x2xf32>) {
      ^bb0(%a: f32, %b: f32, %c: f32):
        %1 = arith.mulf %a, %b : f32
        %2 = arith.addf %c, %1 : f32
        linalg.yield %2 : f32
      } -> tensor<4x2xf32>
      %3 = tensor.empty() : tensor<2x4xf32>
      %4 = linalg.generic {
          indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>],
          iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<4x2xf32>) outs(%3 : tensor<2x4xf32>) {
      ^bb0(%a: f32, %b: f32):
        linalg.yield %a : f32
      } -> tensor<2x4xf32>
      return %4 : tensor<2x4xf32>
    }
    ```

    Output:
    ```mlir
    func.func @weight_gradient(%x: tensor<8x4xf32>, %dy: tensor<8x2xf32>) -> tensor<2x4xf32> {
      %cst = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<2x4xf32>
      %zero = linalg.fill ins(%cst : f32) outs(%e : tensor<2x4xf32>) -> tensor<2x4xf32>
      %0 = linalg.generic {
          indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (n, m)>],
          iterator_types = ["parallel", "parallel", "reduction"]}
          ins(%x, %dy : tensor<8x4xf32>, tensor<8x2xf32>) outs(%zero : tensor<2x4xf32>) {
      ^bb0(%a: f32, %b: f32, %c: f32):
        %1 = arith.mulf %a, %b : f32
        %2 = arith.addf %c, %1 : f32
        linalg.yield %2 : f32
      } -> tensor<2x4xf32>
      return %0 : tensor<2x4xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def FuseKernelsPass : Pass<"ds-fuse-kernels", "::mlir::func::FuncOp"> {
  let summary = "fuse elementwise operations into the kernels that use them";
  let description = [{
    Elementwise producers are fused into elementwise and reducing consumers. Contractions are never touched, or the form
    that the library recognises would be lost; a producer that reads its own init is never fused, because its addition
    would be repeated once per reduction iteration; an expensive producer is not repeated by a broadcast.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect", "::mlir::affine::AffineDialect"];
}

def SetDestinationsPass : Pass<"ds-set-destinations", "::mlir::func::FuncOp"> {
  let summary = "say where every result of the step and of its control flow is stored";
  let description = [{
    Each returned value is materialised into its destination: the argument that it updates, or a new argument. Values
    yielded by loops go into the iteration argument, values yielded by conditionals into one tensor outside of them, so
    no region hands out memory of its own. A value that is, or may be a view of, an argument other than its own
    destination, or that has two destinations, is copied first: writing one result must not change another.

    Input:
    ```mlir
    func.func @keep_previous(%w: tensor<4xf32> {ds.param = "w"}, %prev: tensor<4xf32> {ds.state = "prev"})
        -> (tensor<4xf32> {ds.updates = "w"}, tensor<4xf32> {ds.updates = "prev"}) {
      %0 = tensor.empty() : tensor<4xf32>
      %new = linalg.exp ins(%w : tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
      return %new, %w : tensor<4xf32>, tensor<4xf32>
    }
    ```

    Output:
    ```mlir
    func.func @keep_previous(%w: tensor<4xf32> {ds.param = "w"}, %prev: tensor<4xf32> {ds.state = "prev"})
        -> (tensor<4xf32> {ds.updates = "w"}, tensor<4xf32> {ds.updates = "prev"}) {
      %0 = tensor.empty() : tensor<4xf32>
      %new = linalg.exp ins(%w : tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
      %copy = bufferization.alloc_tensor() copy(%w) : tensor<4xf32>
      %1 = bufferization.materialize_in_destination %new in %w : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      %2 = bufferization.materialize_in_destination %copy in %prev : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      return %1, %2 : tensor<4xf32>, tensor<4xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect", "::mlir::tensor::TensorDialect"];
}

def SplitEmptyTensorsPass : Pass<"ds-split-empty-tensors", "::mlir::func::FuncOp"> {
  let summary = "give every use its own tensor.empty and zero fill";
  let description = [{
    Shared empties make bufferization cubic in their uses and turn shared fills into copies. No CSE may run between this
    pass and one-shot-bufferize.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::bufferization::BufferizationDialect"];
}

def DropResultsPass : Pass<"ds-drop-results", "::mlir::func::FuncOp"> {
  let summary = "drop the results of a bufferized step, which lie in their destinations";
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def NormalizeKernelsPass : Pass<"ds-normalize-kernels", "::mlir::func::FuncOp"> {
  let summary = "copies, fills and named operations on buffers become generic; booleans are stored as bytes";
  let description = [{
    After this pass every operation that touches an array is a `linalg.generic`, a collective, or a scalar load or store
    of the driver. `memref<..xi1>` becomes `memref<..xi8>` with conversions inside the bodies, because LLVM vectorises
    neither loads nor stores of i1.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::arith::ArithDialect"];
}

def ConvertDsToRuntimePass : Pass<"convert-ds-to-runtime", "::mlir::ModuleOp"> {
  let summary = "collectives become calls of the runtime's C ABI";
  let description = [{
    The step receives the rank's context as its first argument. Each collective becomes a call of a small private
    function, one per signature, which hands the buffers to `dsrt_*`. Errors stay in the context, so calls need no
    branch; the condition of an `scf.while` also asks `dsrt_failed`, because a value that a failed collective left behind
    might never end the loop.
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
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::func::FuncDialect"];
}

def OutlineKernelsPass : Pass<"ds-outline-kernels", "::mlir::ModuleOp"> {
  let summary = "outline every kernel to a function of its own and share equal ones";
  let description = [{
    Each remaining `linalg.generic` moves, with its loops ordered for unit strides, into a private function whose
    arguments are the buffers and scalars it uses. Functions with the same text are one function, named after a hash of
    that text.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

def ApproximateMathPass : Pass<"ds-approximate-math", "::mlir::func::FuncOp"> {
  let summary = "exp, log, tanh and erf become polynomials, which vectorise";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect"];
}

def PlanArenaPass : Pass<"ds-plan-arena", "::mlir::func::FuncOp"> {
  let summary = "replace allocations by static offsets in one arena";
  let description = [{
    Lifetimes are intervals over the linearised function, through views and control flow; offsets are first fit, 64-byte
    aligned. The buffers of one collective lie next to each other, in order and dense, so that a backend can treat a
    bucket as one span.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect", "::mlir::arith::ArithDialect"];
}

#endif // DS_CONVERSION_PASSES
