//===- Passes.td - Loops, math and LLVM of kernels ---------*- tablegen -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_CONVERSION_KERNELS_PASSES
#define DS_CONVERSION_KERNELS_PASSES

include "mlir/Pass/PassBase.td"

def ConvertToLLVMPass : Pass<"ds-convert-to-llvm", "::mlir::ModuleOp"> {
  let summary = "arith, cf, func, index and memref to LLVM in one conversion";
  let description = [{
    What `convert-func-to-llvm` with bare pointers, `finalize-memref-to-llvm`, `convert-arith-to-llvm`,
    `convert-index-to-llvm` and `convert-cf-to-llvm` do one after another, by the same patterns, without the casts
    between their types. What is none of these, such as calls that `math` became, is left.

    Input:
    ```mlir
    func.func @f(%n: index, %x: f32) -> i1 {
      %one = index.constant 1
      %m = index.add %n, %one
      %far = arith.cmpi sgt, %m, %n : index
      %large = arith.cmpf ogt, %x, %x : f32
      %both = arith.andi %far, %large : i1
      return %both : i1
    }
    ```

    Output:
    ```mlir
    llvm.func @f(%arg0: i64, %arg1: f32) -> i1 {
      %0 = llvm.mlir.constant(1 : i64) : i64
      %1 = llvm.add %arg0, %0 : i64
      %2 = llvm.icmp "sgt" %1, %arg0 : i64
      %3 = llvm.fcmp "ogt" %arg1, %arg1 : f32
      %4 = llvm.and %2, %3 : i1
      llvm.return %4 : i1
    }
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def ExpandMathPass : Pass<"ds-expand-math", "::mlir::ModuleOp"> {
  let summary = "functions become arithmetic, which vectorises, or calls of libm";
  let description = [{
    `exp`, `expm1`, `log`, `log1p`, `tanh`, `erf`, `sin` and `cos` of f32 become straight arithmetic within the bounds
    of docs/Numerics.md. The others stay calls of libm, also `expm1` and `log1p` of f64, which upstream's conversion
    would be inexact near 0. bf16 and f16 are computed in f32 and rounded once. `fptosi` and `fptoui` give the
    nearest integer of the type, and 0 for NaN. With `libm=false` functions that have no expansion stay as they are.

    Input:
    ```mlir
    func.func @f(%x: bf16) -> bf16 {
      %0 = math.rsqrt %x : bf16
      return %0 : bf16
    }
    ```

    Output:
    ```mlir
    func.func @f(%arg0: bf16) -> bf16 {
      %cst = arith.constant 1.000000e+00 : f32
      %0 = arith.extf %arg0 : bf16 to f32
      %1 = math.sqrt %0 : f32
      %2 = arith.divf %cst, %1 : f32
      %3 = arith.truncf %2 : f32 to bf16
      return %3 : bf16
    }
    ```
  }];
  let options = [Option<"libm", "libm", "bool", "true", "Calls of libm where there is no instruction">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect"];
}

def RelaxReductionsPass : Pass<"ds-relax-reductions", "::mlir::func::FuncOp"> {
  let summary = "the sums and products of reductions may be done in any order";
  let description = [{
    Marks the operations between an accumulator of a reduction and its new value with `reassoc` and `contract`, and the
    products that are added to it with `contract`. Everything else in a body is done as written.

    Input:
    ```mlir
    #v = affine_map<(d0) -> (d0)>
    #s = affine_map<(d0) -> ()>
    func.func @dot(%x: memref<64xf32>, %y: memref<64xf32>, %s: memref<f32>) {
      linalg.generic {indexing_maps = [#v, #v, #s], iterator_types = ["reduction"]} ins(%x, %y : memref<64xf32>, memref<64xf32>) outs(%s : memref<f32>) {
      ^bb0(%a: f32, %b: f32, %sum: f32):
        %d = arith.subf %a, %b : f32
        %p = arith.mulf %d, %b : f32
        %r = arith.addf %sum, %p : f32
        linalg.yield %r : f32
      }
      return
    }
    ```

    Output:
    ```mlir
    #map = affine_map<(d0) -> (d0)>
    #map1 = affine_map<(d0) -> ()>
    func.func @dot(%arg0: memref<64xf32>, %arg1: memref<64xf32>, %arg2: memref<f32>) {
      linalg.generic {indexing_maps = [#map, #map, #map1], iterator_types = ["reduction"]} ins(%arg0, %arg1 : memref<64xf32>, memref<64xf32>) outs(%arg2 : memref<f32>) {
      ^bb0(%in: f32, %in_0: f32, %out: f32):
        %0 = arith.subf %in, %in_0 : f32
        %1 = arith.mulf %0, %in_0 fastmath<contract> : f32
        %2 = arith.addf %out, %1 fastmath<reassoc,contract> : f32
        linalg.yield %2 : f32
      }
      return
    }
    ```
  }];
}

def LowerKernelsPass : Pass<"ds-lower-kernels", "::mlir::func::FuncOp"> {
  let summary = "kernels become loops, windows are written out";
  let description = [{
    Kernels become loops by upstream's `convert-linalg-to-loops`. The innermost `ds.window_loops` of them
    (`ds-outline-kernels` counts them) are written out, so that the accumulators of a pooling stay in registers. A
    loop of less than 16 iterations around a window is marked to be vectorised, which LLVM would not do.

    Input:
    ```mlir
    #in = affine_map<(d0, d1) -> (d0, d1)>
    #out = affine_map<(d0, d1) -> (d0)>
    func.func @pairs(%x: memref<14x2xf32>, %y: memref<14xf32>) {
      linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "reduction"]} ins(%x : memref<14x2xf32>) outs(%y : memref<14xf32>) attrs = {ds.window_loops = 1 : i64} {
      ^bb0(%a: f32, %max: f32):
        %m = arith.maximumf %max, %a : f32
        linalg.yield %m : f32
      }
      return
    }
    ```

    Output:
    ```mlir
    #loop_vectorize = #llvm.loop_vectorize<disable = false, predicateEnable = true>
    #loop_annotation = #llvm.loop_annotation<vectorize = #loop_vectorize>
    func.func @pairs(%arg0: memref<14x2xf32>, %arg1: memref<14xf32>) {
      %c0 = arith.constant 0 : index
      %c14 = arith.constant 14 : index
      %c1 = arith.constant 1 : index
      scf.for %arg2 = %c0 to %c14 step %c1 {
        %0 = memref.load %arg0[%arg2, %c0] : memref<14x2xf32>
        %1 = memref.load %arg1[%arg2] : memref<14xf32>
        %2 = arith.maximumf %1, %0 : f32
        memref.store %2, %arg1[%arg2] : memref<14xf32>
        %3 = memref.load %arg0[%arg2, %c1] : memref<14x2xf32>
        %4 = memref.load %arg1[%arg2] : memref<14xf32>
        %5 = arith.maximumf %4, %3 : f32
        memref.store %5, %arg1[%arg2] : memref<14xf32>
      } {llvm.loop_annotation = #loop_annotation}
      return
    }
    ```
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect", "::mlir::affine::AffineDialect", "::mlir::LLVM::LLVMDialect"];
}

#endif // DS_CONVERSION_KERNELS_PASSES
