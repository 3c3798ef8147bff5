//===- Passes.td - Fusion, layout and order of a step on tensors -*- tablegen -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_CONVERSION_TENSORS_PASSES
#define DS_CONVERSION_TENSORS_PASSES

include "mlir/Pass/PassBase.td"

def WidenAccumulatorsPass : Pass<"ds-widen-accumulators", "::mlir::func::FuncOp"> {
  let summary = "accumulate 16-bit reductions in f32, long sums of f32 in f64";
  let description = [{
    Reductions with a 16-bit float accumulator accumulate in f32 and are rounded once, as frameworks do; in 16 bits a
    sum loses every addend below a thousandth of the total. Sums of 4096 and more values of f32 accumulate in f64;
    contractions do not.

    Input:
    ```mlir
    #v = affine_map<(d0) -> (d0)>
    #s = affine_map<(d0) -> ()>
    func.func @sum(%x: tensor<64xbf16>, %init: tensor<bf16>) -> tensor<bf16> {
      %r = linalg.generic {indexing_maps = [#v, #s], iterator_types = ["reduction"]}
          ins(%x : tensor<64xbf16>) outs(%init : tensor<bf16>) {
      ^bb0(%a: bf16, %b: bf16):
        %c = arith.addf %b, %a : bf16
        linalg.yield %c : bf16
      } -> tensor<bf16>
      return %r : tensor<bf16>
    }
    ```

    Output:
    ```mlir
    #map = affine_map<() -> ()>
    #map1 = affine_map<(d0) -> (d0)>
    #map2 = affine_map<(d0) -> ()>
    func.func @sum(%arg0: tensor<64xbf16>, %arg1: tensor<bf16>) -> tensor<bf16> {
      %0 = tensor.empty() : tensor<f32>
      %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%arg1 : tensor<bf16>) outs(%0 : tensor<f32>) {
      ^bb0(%in: bf16, %out: f32):
        %5 = arith.extf %in : bf16 to f32
        linalg.yield %5 : f32
      } -> tensor<f32>
      %2 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["reduction"]} ins(%arg0 : tensor<64xbf16>) outs(%1 : tensor<f32>) {
      ^bb0(%in: bf16, %out: f32):
        %5 = arith.extf %in : bf16 to f32
        %6 = arith.addf %out, %5 : f32
        linalg.yield %6 : f32
      } -> tensor<f32>
      %3 = tensor.empty() : tensor<bf16>
      %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%2 : tensor<f32>) outs(%3 : tensor<bf16>) {
      ^bb0(%in: f32, %out: bf16):
        %5 = arith.truncf %in : f32 to bf16
        linalg.yield %5 : bf16
      } -> tensor<bf16>
      return %4 : tensor<bf16>
    }
    ```
  }];
  let options = [Option<"narrowFactors", "narrow-factors", "bool", "false",
                        "Contractions read their factors in 16 bits, as a GPU's library does">];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

def OverlapPass : Pass<"ds-overlap", "::mlir::func::FuncOp"> {
  let summary = "exchanges run while the step computes on";
  let description = [{
    Where exchanges overlap, each all-reduce, reduce-scatter and all-gather becomes a start right after its last operand
    and a wait. Waits come after everything that needs none, in the order of the starts, each followed by what becomes
    possible: the update of a parameter after its bucket, and after all readers of the old value, so that nothing is
    copied. With `overlap_memory` the oldest start is waited for before more bytes would be in flight. What the step
    itself needs (activations, sharded parameters) is waited for early: what leads to the next such exchange comes first,
    and gradients of weights while one is under way; parameters are gathered in the order of their first use,
    and with `optimizer_level = level3` one ahead, for memory's sake. Exchanges in control flow and of slices stay as
    they are.

    Input:
    ```mlir
    module attributes {ds.config = #ds.config<device_num = 2, overlap = on>} {
      func.func @step(%w0: tensor<4xf32> {ds.param = "w0"}, %w1: tensor<4xf32> {ds.param = "w1"}, %h: tensor<4xf32>)
          -> (tensor<4xf32> {ds.updates = "w0"}, tensor<4xf32> {ds.updates = "w1"}) {
        %dw1 = math.tanh %h : tensor<4xf32>
        %r1 = ds.all_reduce sum %dw1 {fusion = 1024 : i64, names = [["w1"]]} : tensor<4xf32>
        %dx = arith.mulf %h, %w1 : tensor<4xf32>
        %dw0 = math.exp %dx : tensor<4xf32>
        %r0 = ds.all_reduce sum %dw0 {fusion = 1025 : i64, names = [["w0"]]} : tensor<4xf32>
        %n0 = arith.subf %w0, %r0 : tensor<4xf32>
        %n1 = arith.subf %w1, %r1 : tensor<4xf32>
        return %n0, %n1 : tensor<4xf32>, tensor<4xf32>
      }
    }
    ```

    Output:
    ```mlir
    module attributes {ds.config = #ds.config<device_num = 2, overlap = on>} {
      func.func @step(%w0: tensor<4xf32> {ds.param = "w0"}, %w1: tensor<4xf32> {ds.param = "w1"}, %h: tensor<4xf32>)
          -> (tensor<4xf32> {ds.updates = "w0"}, tensor<4xf32> {ds.updates = "w1"}) {
        %dw1 = math.tanh %h : tensor<4xf32>
        %s1, %p1 = ds.all_reduce_start sum %dw1 {fusion = 1024 : i64, names = [["w1"]]} : tensor<4xf32>
        %dx = arith.mulf %h, %w1 : tensor<4xf32>
        %dw0 = math.exp %dx : tensor<4xf32>
        %s0, %p0 = ds.all_reduce_start sum %dw0 {fusion = 1025 : i64, names = [["w0"]]} : tensor<4xf32>
        %r1 = ds.wait %p1, %s1 : tensor<4xf32>
        %n1 = arith.subf %w1, %r1 : tensor<4xf32>
        %r0 = ds.wait %p0, %s0 : tensor<4xf32>
        %n0 = arith.subf %w0, %r0 : tensor<4xf32>
        return %n0, %n1 : tensor<4xf32>, tensor<4xf32>
      }
    }
    ```
  }];
}

def UnrollWindowsPass : Pass<"ds-unroll-windows", "::mlir::func::FuncOp"> {
  let summary = "reductions over the few elements of a window have no loops";
  let description = [{
    A reduction over the few elements of a window (up to 3 x 3) inside of a row of windows becomes elementwise: each
    element is an input with a map of its own, and the body follows once for each, in the order of the loops. The
    result is stored once, without a fill before or an accumulator that nothing else reads. Contractions and
    overlapping windows stay.

    Input:
    ```mlir
    #in = affine_map<(d0, d1) -> (d0, d1)>
    #out = affine_map<(d0, d1) -> (d0)>
    #row = affine_map<(d0) -> (d0)>
    func.func @pairs(%x: tensor<14x2xf32>) -> tensor<14xf32> {
      %low = arith.constant 0xFF800000 : f32
      %empty = tensor.empty() : tensor<14xf32>
      %start = linalg.generic {indexing_maps = [#row], iterator_types = ["parallel"]} outs(%empty : tensor<14xf32>) {
      ^bb0(%o: f32):
        linalg.yield %low : f32
      } -> tensor<14xf32>
      %0 = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<14x2xf32>) outs(%start : tensor<14xf32>) {
      ^bb0(%a: f32, %max: f32):
        %m = arith.maximumf %max, %a : f32
        linalg.yield %m : f32
      } -> tensor<14xf32>
      return %0 : tensor<14xf32>
    }
    ```

    Output:
    ```mlir
    #first = affine_map<(d0) -> (d0, 0)>
    #second = affine_map<(d0) -> (d0, 1)>
    #row = affine_map<(d0) -> (d0)>
    func.func @pairs(%x: tensor<14x2xf32>) -> tensor<14xf32> {
      %low = arith.constant 0xFF800000 : f32
      %empty = tensor.empty() : tensor<14xf32>
      %0 = linalg.generic {indexing_maps = [#first, #second, #row], iterator_types = ["parallel"]}
          ins(%x, %x : tensor<14x2xf32>, tensor<14x2xf32>) outs(%empty : tensor<14xf32>) {
      ^bb0(%a: f32, %b: f32, %o: f32):
        %1 = arith.maximumf %low, %a : f32
        %m = arith.maximumf %1, %b : f32
        linalg.yield %m : f32
      } -> tensor<14xf32>
      return %0 : tensor<14xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def StoreBooleanConstantsPass : Pass<"ds-store-boolean-constants", "::mlir::func::FuncOp"> {
  let summary = "constant tensors of i1 are stored as bytes";
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

def TightenWindowsPass : Pass<"ds-tighten-windows", "::mlir::func::FuncOp"> {
  let summary = "cut operands to what their windows read";
  let description = [{
    Where an index has a loop of one round, as in `row * 2 + k`, the operand is cut to the elements that are read. Upstream's
    folding of unit dimensions leaves `k` alone, and would let it run over the whole operand. Runs on generic form.

    Input:
    ```mlir
    func.func @strided(%x: tensor<3xf32>, %w: tensor<2xf32>, %init: tensor<1xf32>) -> tensor<1xf32> {
      %0 = linalg.generic {
          indexing_maps = [affine_map<(row, k) -> (row * 2 + k)>, affine_map<(row, k) -> (k)>, affine_map<(row, k) -> (row)>],
          iterator_types = ["parallel", "reduction"]}
          ins(%x, %w : tensor<3xf32>, tensor<2xf32>) outs(%init : tensor<1xf32>) {
      ^bb0(%a: f32, %b: f32, %c: f32):
        %1 = arith.mulf %a, %b : f32
        %2 = arith.addf %c, %1 : f32
        linalg.yield %2 : f32
      } -> tensor<1xf32>
      return %0 : tensor<1xf32>
    }
    ```

    Output:
    ```mlir
    func.func @strided(%x: tensor<3xf32>, %w: tensor<2xf32>, %init: tensor<1xf32>) -> tensor<1xf32> {
      %read = tensor.extract_slice %x[0] [2] [1] : tensor<3xf32> to tensor<2xf32>
      %0 = linalg.generic {
          indexing_maps = [affine_map<(row, k) -> (row * 2 + k)>, affine_map<(row, k) -> (k)>, affine_map<(row, k) -> (row)>],
          iterator_types = ["parallel", "reduction"]}
          ins(%read, %w : tensor<2xf32>, tensor<2xf32>) outs(%init : tensor<1xf32>) {
      ^bb0(%a: f32, %b: f32, %c: f32):
        %1 = arith.mulf %a, %b : f32
        %2 = arith.addf %c, %1 : f32
        linalg.yield %2 : f32
      } -> tensor<1xf32>
      return %0 : tensor<1xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

def ExpandWindowsPass : Pass<"ds-expand-windows", "::mlir::func::FuncOp"> {
  let summary = "windows side by side become dimensions of their own";
  let description = [{
    Where an index is `row * 2 + k` and k runs to 2, the windows fill the dimension without overlapping. The operand is reshaped to
    windows and their elements, so that what computes it can be fused into a pooling. Runs on generic form; contractions stay.

    Input:
    ```mlir
    func.func @pool(%x: tensor<4x6xf32>, %init: tensor<4x3xf32>) -> tensor<4x3xf32> {
      %shape = tensor.empty() : tensor<2xf32>
      %0 = linalg.generic {
          indexing_maps = [affine_map<(n, row, k) -> (n, row * 2 + k)>, affine_map<(n, row, k) -> (k)>, affine_map<(n, row, k) -> (n, row)>],
          iterator_types = ["parallel", "parallel", "reduction"]}
          ins(%x, %shape : tensor<4x6xf32>, tensor<2xf32>) outs(%init : tensor<4x3xf32>) {
      ^bb0(%a: f32, %unused: f32, %b: f32):
        %1 = arith.maximumf %a, %b : f32
        linalg.yield %1 : f32
      } -> tensor<4x3xf32>
      return %0 : tensor<4x3xf32>
    }
    ```

    Output:
    ```mlir
    func.func @pool(%x: tensor<4x6xf32>, %init: tensor<4x3xf32>) -> tensor<4x3xf32> {
      %shape = tensor.empty() : tensor<2xf32>
      %windows = tensor.expand_shape %x [[0], [1, 2]] output_shape [4, 3, 2] : tensor<4x6xf32> into tensor<4x3x2xf32>
      %0 = linalg.generic {
          indexing_maps = [affine_map<(n, row, k) -> (n, row, k)>, affine_map<(n, row, k) -> (k)>, affine_map<(n, row, k) -> (n, row)>],
          iterator_types = ["parallel", "parallel", "reduction"]}
          ins(%windows, %shape : tensor<4x3x2xf32>, tensor<2xf32>) outs(%init : tensor<4x3xf32>) {
      ^bb0(%a: f32, %unused: f32, %b: f32):
        %1 = arith.maximumf %a, %b : f32
        linalg.yield %1 : f32
      } -> tensor<4x3xf32>
      return %0 : tensor<4x3xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
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

    Input:
    ```mlir
    #km = affine_map<(m, n, k) -> (k, m)>
    #kn = affine_map<(m, n, k) -> (k, n)>
    #mn = affine_map<(m, n, k) -> (m, n)>
    #t = affine_map<(i, j) -> (j, i)>
    #i = affine_map<(i, j) -> (i, j)>
    func.func @weight_gradient(%x: tensor<8x3xf32>, %dy: tensor<8x4xf32>) -> tensor<4x3xf32> {
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<3x4xf32>
      %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x4xf32>) -> tensor<3x4xf32>
      %d = linalg.generic {indexing_maps = [#km, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
          ins(%x, %dy : tensor<8x3xf32>, tensor<8x4xf32>) outs(%f : tensor<3x4xf32>) {
      ^bb0(%a: f32, %b: f32, %o: f32):
        %p = arith.mulf %a, %b : f32
        %s = arith.addf %o, %p : f32
        linalg.yield %s : f32
      } -> tensor<3x4xf32>
      %u = tensor.empty() : tensor<4x3xf32>
      %r = linalg.generic {indexing_maps = [#t, #i], iterator_types = ["parallel", "parallel"]}
          ins(%d : tensor<3x4xf32>) outs(%u : tensor<4x3xf32>) {
      ^bb0(%a: f32, %o: f32):
        linalg.yield %a : f32
      } -> tensor<4x3xf32>
      return %r : tensor<4x3xf32>
    }
    ```

    Output:
    ```mlir
    #map = affine_map<(d0, d1, d2) -> (d2, d0)>
    #map1 = affine_map<(d0, d1, d2) -> (d2, d1)>
    #map2 = affine_map<(d0, d1, d2) -> (d1, d0)>
    func.func @weight_gradient(%arg0: tensor<8x3xf32>, %arg1: tensor<8x4xf32>) -> tensor<4x3xf32> {
      %cst = arith.constant 0.000000e+00 : f32
      %0 = tensor.empty() : tensor<4x3xf32>
      %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<4x3xf32>) -> tensor<4x3xf32>
      %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<8x3xf32>, tensor<8x4xf32>) outs(%1 : tensor<4x3xf32>) {
      ^bb0(%in: f32, %in_0: f32, %out: f32):
        %3 = arith.mulf %in, %in_0 : f32
        %4 = arith.addf %out, %3 : f32
        linalg.yield %4 : f32
      } -> tensor<4x3xf32>
      return %2 : tensor<4x3xf32>
    }
    ```
  }];
  let options = [Option<"resultsFirst", "results-first", "bool", "false",
                        "What a product writes is as its readers want it, so that their loops are one in memory">];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def MergeContractionsPass : Pass<"ds-merge-contractions", "::mlir::func::FuncOp"> {
  let summary = "make one contraction of a sum of contractions that differ in their operands";
  let description = [{
    The gradient of a weight that is used at every position of a sequence is a sum of thin products. Their operands,
    one after the other along the summed loop, have the sum as their product. Merges contractions of one sum that
    have the same maps, where the copies move no more memory than the products hold. Runs after ds-fold-contractions,
    before kernels are fused.

    Input:
    ```mlir
    func.func @two_positions(%x0: tensor<1x4xf32>, %dy0: tensor<1x8xf32>, %x1: tensor<1x4xf32>, %dy1: tensor<1x8xf32>) -> tensor<4x8xf32> {
      %cst = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<4x8xf32>
      %zero = linalg.fill ins(%cst : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
      %0 = linalg.generic {
          indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
          iterator_types = ["parallel", "parallel", "reduction"]}
          ins(%x0, %dy0 : tensor<1x4xf32>, tensor<1x8xf32>) outs(%zero : tensor<4x8xf32>) {
      ^bb0(%a: f32, %b: f32, %c: f32):
        %3 = arith.mulf %a, %b : f32
        %4 = arith.addf %c, %3 : f32
        linalg.yield %4 : f32
      } -> tensor<4x8xf32>
      %1 = linalg.generic {
          indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
          iterator_types = ["parallel", "parallel", "reduction"]}
          ins(%x1, %dy1 : tensor<1x4xf32>, tensor<1x8xf32>) outs(%zero : tensor<4x8xf32>) {
      ^bb0(%a: f32, %b: f32, %c: f32):
        %3 = arith.mulf %a, %b : f32
        %4 = arith.addf %c, %3 : f32
        linalg.yield %4 : f32
      } -> tensor<4x8xf32>
      %2 = linalg.generic {
          indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
          iterator_types = ["parallel", "parallel"]}
          ins(%0, %1 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
      ^bb0(%a: f32, %b: f32, %c: f32):
        %3 = arith.addf %a, %b : f32
        linalg.yield %3 : f32
      } -> tensor<4x8xf32>
      return %2 : tensor<4x8xf32>
    }
    ```

    Output:
    ```mlir
    func.func @two_positions(%x0: tensor<1x4xf32>, %dy0: tensor<1x8xf32>, %x1: tensor<1x4xf32>, %dy1: tensor<1x8xf32>) -> tensor<4x8xf32> {
      %cst = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<4x8xf32>
      %zero = linalg.fill ins(%cst : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
      %2 = tensor.empty() : tensor<2x4xf32>
      %inserted_slice = tensor.insert_slice %x0 into %2[0, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<2x4xf32>
      %inserted_slice_0 = tensor.insert_slice %x1 into %inserted_slice[1, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<2x4xf32>
      %3 = tensor.empty() : tensor<2x8xf32>
      %inserted_slice_1 = tensor.insert_slice %dy0 into %3[0, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<2x8xf32>
      %inserted_slice_2 = tensor.insert_slice %dy1 into %inserted_slice_1[1, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<2x8xf32>
      %4 = linalg.generic {
          indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
          iterator_types = ["parallel", "parallel", "reduction"]}
          ins(%inserted_slice_0, %inserted_slice_2 : tensor<2x4xf32>, tensor<2x8xf32>) outs(%zero : tensor<4x8xf32>) {
      ^bb0(%a: f32, %b: f32, %c: f32):
        %5 = arith.mulf %a, %b : f32
        %6 = arith.addf %c, %5 : f32
        linalg.yield %6 : f32
      } -> tensor<4x8xf32>
      return %4 : tensor<4x8xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

def ChannelsLastPass : Pass<"ds-channels-last", "::mlir::func::FuncOp"> {
  let summary = "activations of convolutions lie with channels last";
  let description = [{
    The library's fastest code has channels innermost, and copies other activations before and after each convolution.
    Tensors between convolutions change their order of dimensions, with the kernels, reshapes, slices and padding that
    connect them, where this saves more copies than it needs at the ends. Arguments and results keep their order, and
    so does what other operations read. Contractions take any order. Runs on generic form, before kernels are fused.

    Input:
    ```mlir
    #image = affine_map<(n, o, x, c, j) -> (n, c, x + j)>
    #weights = affine_map<(n, o, x, c, j) -> (o, c, j)>
    #result = affine_map<(n, o, x, c, j) -> (n, o, x)>
    #id = affine_map<(n, o, x) -> (n, o, x)>
    #bias = affine_map<(n, o, x) -> (o)>
    func.func @two(%x: tensor<2x4x8xf32>, %w1: tensor<16x4x3xf32>, %b: tensor<16xf32>, %w2: tensor<8x16x3xf32>) -> tensor<2x8x4xf32> {
      %e = tensor.empty() : tensor<2x16x6xf32>
      %c1 = linalg.generic {indexing_maps = [#image, #weights, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
          ins(%x, %w1 : tensor<2x4x8xf32>, tensor<16x4x3xf32>) outs(%e : tensor<2x16x6xf32>) {
      ^bb0(%a: f32, %k: f32, %o: f32):
        %m = arith.mulf %a, %k : f32
        %s = arith.addf %o, %m : f32
        linalg.yield %s : f32
      } -> tensor<2x16x6xf32>
      %r = linalg.generic {indexing_maps = [#id, #bias, #id], iterator_types = ["parallel", "parallel", "parallel"]}
          ins(%c1, %b : tensor<2x16x6xf32>, tensor<16xf32>) outs(%e : tensor<2x16x6xf32>) {
      ^bb0(%a: f32, %k: f32, %o: f32):
        %s = arith.addf %a, %k : f32
        linalg.yield %s : f32
      } -> tensor<2x16x6xf32>
      %f = tensor.empty() : tensor<2x8x4xf32>
      %c2 = linalg.generic {indexing_maps = [#image, #weights, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
          ins(%r, %w2 : tensor<2x16x6xf32>, tensor<8x16x3xf32>) outs(%f : tensor<2x8x4xf32>) {
      ^bb0(%a: f32, %k: f32, %o: f32):
        %m = arith.mulf %a, %k : f32
        %s = arith.addf %o, %m : f32
        linalg.yield %s : f32
      } -> tensor<2x8x4xf32>
      return %c2 : tensor<2x8x4xf32>
    }
    ```

    Output:
    ```mlir
    #map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d2 + d4)>
    #map1 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d3, d4)>
    #map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1)>
    #map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
    #map4 = affine_map<(d0, d1, d2) -> (d2)>
    #map5 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2 + d4, d3)>
    #map6 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2)>
    func.func @two(%arg0: tensor<2x4x8xf32>, %arg1: tensor<16x4x3xf32>, %arg2: tensor<16xf32>, %arg3: tensor<8x16x3xf32>) -> tensor<2x8x4xf32> {
      %0 = tensor.empty() : tensor<2x16x6xf32>
      %1 = tensor.empty() : tensor<2x6x16xf32>
      %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%arg0, %arg1 : tensor<2x4x8xf32>, tensor<16x4x3xf32>) outs(%1 : tensor<2x6x16xf32>) {
      ^bb0(%in: f32, %in_0: f32, %out: f32):
        %7 = arith.mulf %in, %in_0 : f32
        %8 = arith.addf %out, %7 : f32
        linalg.yield %8 : f32
      } -> tensor<2x6x16xf32>
      %3 = tensor.empty() : tensor<2x6x16xf32>
      %4 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2, %arg2 : tensor<2x6x16xf32>, tensor<16xf32>) outs(%3 : tensor<2x6x16xf32>) {
      ^bb0(%in: f32, %in_0: f32, %out: f32):
        %7 = arith.addf %in, %in_0 : f32
        linalg.yield %7 : f32
      } -> tensor<2x6x16xf32>
      %5 = tensor.empty() : tensor<2x8x4xf32>
      %6 = linalg.generic {indexing_maps = [#map5, #map1, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%4, %arg3 : tensor<2x6x16xf32>, tensor<8x16x3xf32>) outs(%5 : tensor<2x8x4xf32>) {
      ^bb0(%in: f32, %in_0: f32, %out: f32):
        %7 = arith.mulf %in, %in_0 : f32
        %8 = arith.addf %out, %7 : f32
        linalg.yield %8 : f32
      } -> tensor<2x8x4xf32>
      return %6 : tensor<2x8x4xf32>
    }
    ```
  }];
  let options = [Option<"narrow", "narrow", "bool", "false",
                        "Activations of 16 bits, which a GPU's library wants so, in place of those of f32">];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

def FuseKernelsPass : Pass<"ds-fuse-kernels", "::mlir::func::FuncOp"> {
  let summary = "fuse elementwise operations into the kernels that use them";
  let description = [{
    Elementwise producers are fused into elementwise and reducing consumers. Contractions are never touched, or the form
    that the library recognises would be lost; a producer that reads its own init is never fused, because its addition
    would be repeated once per reduction iteration; an expensive producer is not repeated by a broadcast.

    Input:
    ```mlir
    #v = affine_map<(d0) -> (d0)>
    func.func @update(%w: tensor<8xf32>, %g: tensor<8xf32>, %lr: f32) -> tensor<8xf32> {
      %e = tensor.empty() : tensor<8xf32>
      %s = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
          ins(%g : tensor<8xf32>) outs(%e : tensor<8xf32>) {
      ^bb0(%a: f32, %o: f32):
        %r = arith.mulf %a, %lr : f32
        linalg.yield %r : f32
      } -> tensor<8xf32>
      %n = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = ["parallel"]}
          ins(%w, %s : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
      ^bb0(%a: f32, %b: f32, %o: f32):
        %r = arith.subf %a, %b : f32
        linalg.yield %r : f32
      } -> tensor<8xf32>
      return %n : tensor<8xf32>
    }
    ```

    Output:
    ```mlir
    #map = affine_map<(d0) -> (d0)>
    func.func @update(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>, %arg2: f32) -> tensor<8xf32> {
      %0 = tensor.empty() : tensor<8xf32>
      %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%arg0, %arg1 : tensor<8xf32>, tensor<8xf32>) outs(%0 : tensor<8xf32>) {
      ^bb0(%in: f32, %in_0: f32, %out: f32):
        %2 = arith.mulf %in_0, %arg2 : f32
        %3 = arith.subf %in, %2 : f32
        linalg.yield %3 : f32
      } -> tensor<8xf32>
      return %1 : tensor<8xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect", "::mlir::affine::AffineDialect"];
}

def FuseSiblingsPass : Pass<"ds-fuse-siblings", "::mlir::func::FuncOp"> {
  let summary = "fuse kernels that read the same values into one with several results";
  let description = [{
    Two kernels over the same loops, elementwise or reducing, one of which reads what the other reads or, element by element,
    what it computes, become one kernel with the results of both: a parameter and its momentum are updated in one pass over
    memory, and both in place. Nothing moves across a loop or a branch. Contractions are never touched.

    Input:
    ```mlir
    #v = affine_map<(d0) -> (d0)>
    func.func @update(%p: tensor<4096xf32>, %m: tensor<4096xf32>) -> (tensor<4096xf32>, tensor<4096xf32>) {
      %e = tensor.empty() : tensor<4096xf32>
      %decayed = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
          ins(%m : tensor<4096xf32>) outs(%e : tensor<4096xf32>) {
      ^bb0(%a: f32, %o: f32):
        %0 = arith.addf %a, %a : f32
        linalg.yield %0 : f32
      } -> tensor<4096xf32>
      %updated = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = ["parallel"]}
          ins(%p, %m : tensor<4096xf32>, tensor<4096xf32>) outs(%e : tensor<4096xf32>) {
      ^bb0(%a: f32, %b: f32, %o: f32):
        %0 = arith.subf %a, %b : f32
        linalg.yield %0 : f32
      } -> tensor<4096xf32>
      return %updated, %decayed : tensor<4096xf32>, tensor<4096xf32>
    }
    ```

    Output:
    ```mlir
    #v = affine_map<(d0) -> (d0)>
    func.func @update(%p: tensor<4096xf32>, %m: tensor<4096xf32>) -> (tensor<4096xf32>, tensor<4096xf32>) {
      %e = tensor.empty() : tensor<4096xf32>
      %both:2 = linalg.generic {indexing_maps = [#v, #v, #v, #v], iterator_types = ["parallel"]}
          ins(%m, %p : tensor<4096xf32>, tensor<4096xf32>) outs(%e, %e : tensor<4096xf32>, tensor<4096xf32>) {
      ^bb0(%a: f32, %b: f32, %o: f32, %q: f32):
        %0 = arith.addf %a, %a : f32
        %1 = arith.subf %b, %a : f32
        linalg.yield %0, %1 : f32, f32
      } -> (tensor<4096xf32>, tensor<4096xf32>)
      return %both#1, %both#0 : tensor<4096xf32>, tensor<4096xf32>
    }
    ```
  }];
}

def SetDestinationsPass : Pass<"ds-set-destinations", "::mlir::func::FuncOp"> {
  let summary = "say where every result of the step and of its control flow is stored";
  let description = [{
    Each returned value is materialised into its destination: the argument that it updates, or a new argument. Values
    yielded by loops go into the iteration argument, those yielded by conditionals into one tensor outside of them, so
    no region hands out memory of its own. A value that may be a view of another argument, or that has two
    destinations, is copied first.

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

    Input:
    ```mlir
    func.func @step(%w: tensor<4xf32> {ds.param = "w"}, %prev: tensor<4xf32> {ds.state = "prev"}, %g: tensor<4xf32>)
        -> (tensor<4xf32> {ds.updates = "w"}, tensor<4xf32> {ds.updates = "prev"}) {
      %e = tensor.empty() : tensor<4xf32>
      %new = linalg.sub ins(%w, %g : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      return %new, %w : tensor<4xf32>, tensor<4xf32>
    }
    ```

    Output:
    ```mlir
    func.func @step(%arg0: tensor<4xf32> {ds.param = "w"}, %arg1: tensor<4xf32> {ds.state = "prev"}, %arg2: tensor<4xf32> {bufferization.writable = false}) -> (tensor<4xf32> {ds.updates = "w"}, tensor<4xf32> {ds.updates = "prev"}) {
      %0 = tensor.empty() : tensor<4xf32>
      %1 = linalg.sub ins(%arg0, %arg2 : tensor<4xf32>, tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
      %2 = bufferization.alloc_tensor() copy(%arg0) : tensor<4xf32>
      %3 = bufferization.materialize_in_destination %1 in %arg0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      %4 = bufferization.materialize_in_destination %2 in %arg1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      return %3, %4 : tensor<4xf32>, tensor<4xf32>
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

    Input:
    ```mlir
    func.func @two_products(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<4x4xf32>
      %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
      %x = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
      %y = linalg.matmul ins(%b, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
      return %x, %y : tensor<4x4xf32>, tensor<4x4xf32>
    }
    ```

    Output:
    ```mlir
    func.func @two_products(%arg0: tensor<4x4xf32>, %arg1: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
      %cst = arith.constant 0.000000e+00 : f32
      %0 = tensor.empty() : tensor<4x4xf32>
      %1 = tensor.empty() : tensor<4x4xf32>
      %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<4x4xf32>) -> tensor<4x4xf32>
      %3 = linalg.fill ins(%cst : f32) outs(%0 : tensor<4x4xf32>) -> tensor<4x4xf32>
      %4 = linalg.matmul ins(%arg0, %arg1 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%3 : tensor<4x4xf32>) -> tensor<4x4xf32>
      %5 = linalg.matmul ins(%arg1, %arg0 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%2 : tensor<4x4xf32>) -> tensor<4x4xf32>
      return %4, %5 : tensor<4x4xf32>, tensor<4x4xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::bufferization::BufferizationDialect"];
}

def NormalizeKernelsPass : Pass<"ds-normalize-kernels", "::mlir::func::FuncOp"> {
  let summary = "copies, fills and named operations on buffers become generic; booleans are stored as bytes";
  let description = [{
    After this pass every operation that touches an array is a `linalg.generic`, a collective, or a scalar load or store
    of the driver. `memref<..xi1>` becomes `memref<..xi8>` with conversions inside the bodies, because LLVM vectorises
    neither loads nor stores of i1.

    Input:
    ```mlir
    #v = affine_map<(d0) -> (d0)>
    func.func @mask(%x: memref<4xf32>, %mask: memref<4xi1>) {
      %zero = arith.constant 0.0 : f32
      linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%x : memref<4xf32>) outs(%mask : memref<4xi1>) {
      ^bb0(%a: f32, %o: i1):
        %c = arith.cmpf ogt, %a, %zero : f32
        linalg.yield %c : i1
      }
      return
    }
    ```

    Output:
    ```mlir
    #map = affine_map<(d0) -> (d0)>
    func.func @mask(%arg0: memref<4xf32>, %arg1: memref<4xi8>) {
      %cst = arith.constant 0.000000e+00 : f32
      linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg0 : memref<4xf32>) outs(%arg1 : memref<4xi8>) {
      ^bb0(%in: f32, %out: i8):
        %0 = arith.cmpf ogt, %in, %cst : f32
        %1 = arith.extui %0 : i1 to i8
        linalg.yield %1 : i8
      }
      return
    }
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::arith::ArithDialect"];
}

def StartProductsPass : Pass<"ds-start-products", "::mlir::func::FuncOp"> {
  let summary = "what is added to a product is what the product starts from";
  let description = [{
    For a library that adds to what is there, or a row to each row: `product + y` becomes a product with `y` as its init
    where `y` is another product that nothing else reads, what a loop carries, or a vector along the innermost
    dimensions of the result. A comparison of `z > 0` beside `max(z, 0)` compares the maximum, so that nothing else reads
    `z`. Runs on generic form, before kernels are fused.

    Input:
    ```mlir
    func.func @layer(%x: tensor<8x4xf32>, %w: tensor<4x2xf32>, %b: tensor<2xf32>) -> tensor<8x2xf32> {
      %cst = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<8x2xf32>
      %zero = linalg.fill ins(%cst : f32) outs(%e : tensor<8x2xf32>) -> tensor<8x2xf32>
      %0 = linalg.generic {
          indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
          iterator_types = ["parallel", "parallel", "reduction"]}
          ins(%x, %w : tensor<8x4xf32>, tensor<4x2xf32>) outs(%zero : tensor<8x2xf32>) {
      ^bb0(%u: f32, %v: f32, %s: f32):
        %p = arith.mulf %u, %v : f32
        %q = arith.addf %s, %p : f32
        linalg.yield %q : f32
      } -> tensor<8x2xf32>
      %1 = linalg.generic {
          indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>],
          iterator_types = ["parallel", "parallel"]}
          ins(%0, %b : tensor<8x2xf32>, tensor<2xf32>) outs(%e : tensor<8x2xf32>) {
      ^bb0(%u: f32, %v: f32, %s: f32):
        %q = arith.addf %u, %v : f32
        linalg.yield %q : f32
      } -> tensor<8x2xf32>
      return %1 : tensor<8x2xf32>
    }
    ```

    Output:
    ```mlir
    #map = affine_map<(d0, d1) -> (d1)>
    #map1 = affine_map<(d0, d1) -> (d0, d1)>
    #map2 = affine_map<(d0, d1, d2) -> (d0, d2)>
    #map3 = affine_map<(d0, d1, d2) -> (d2, d1)>
    #map4 = affine_map<(d0, d1, d2) -> (d0, d1)>
    func.func @layer(%arg0: tensor<8x4xf32>, %arg1: tensor<4x2xf32>, %arg2: tensor<2xf32>) -> tensor<8x2xf32> {
      %cst = arith.constant 0.000000e+00 : f32
      %0 = tensor.empty() : tensor<8x2xf32>
      %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<8x2xf32>) -> tensor<8x2xf32>
      %2 = tensor.empty() : tensor<8x2xf32>
      %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<2xf32>) outs(%2 : tensor<8x2xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<8x2xf32>
      %4 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<8x4xf32>, tensor<4x2xf32>) outs(%3 : tensor<8x2xf32>) {
      ^bb0(%in: f32, %in_0: f32, %out: f32):
        %5 = arith.mulf %in, %in_0 : f32
        %6 = arith.addf %out, %5 : f32
        linalg.yield %6 : f32
      } -> tensor<8x2xf32>
      return %4 : tensor<8x2xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

#endif // DS_CONVERSION_TENSORS_PASSES
