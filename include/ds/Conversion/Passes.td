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

def CheckSizesPass : Pass<"ds-check-sizes"> {
  let summary = "refuse tensors whose size no number can hold";
  let description = [{
    A value of a type of more than 2^48 bytes (256 TiB) is an error at its place, so that no later product of sizes,
    element bytes and up to 4096 ranks overflows. Dimensions of size 0 count as 1, because strides are computed from
    the others. First in `ds-data-parallel` and in `ds-lower-to-driver`.
  }];
}

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
    Where exchanges overlap, each all-reduce, reduce-scatter and all-gather becomes a start right behind its last operand
    and a wait. Waits come behind everything that needs none, in the order of the starts, each followed by what becomes
    possible: the update of a parameter behind its bucket, and behind all readers of the old value, so that nothing is
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
    one behind the other along the summed loop, have the sum as their product. Merges contractions of one sum that
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

def ShareReplicasPass : Pass<"ds-share-replicas", "::mlir::func::FuncOp"> {
  let summary = "ranks of one process hold parameters and optimizer states once";
  let description = [{
    Where `shared_replicas` is on, parameters and states that kernels update element by element are marked `ds.shared`: one
    copy for all ranks of the process. Each rank runs these kernels on its share of the elements. A gradient that they alone
    read is not reduced: they read it of all ranks (`ds.peer`), in the order of ranks, so bits stay as they are; the ranks
    meet in its place. A barrier stands before a share is written that another rank may still read, before a value is read
    whole behind that, and at the end of the step.

    What is of each rank, sharded, updated in control flow or otherwise than element by element stays private; so does what
    such an update makes besides. A gradient that something else reads, such as a norm, is all-reduced as before. A remark
    says what is shared and why something is not.

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
  let summary = "call dsrt_progress behind the kernels that run while a collective is under way";
  let description = [{
    A backend without a thread for started collectives (`mpi`) moves them on while the runtime is called. Behind each call of a
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

def StartProductsPass : Pass<"ds-start-products", "::mlir::func::FuncOp"> {
  let summary = "what is added to a product is what the product starts from";
  let description = [{
    For a library that adds to what is there, or a row to each row: `product + y` becomes a product with `y` as its init
    where `y` is another product that nobody else reads, what a loop carries, or a vector along the innermost
    dimensions of the result. A comparison of `z > 0` beside `max(z, 0)` compares the maximum, so that nobody else reads
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
  let summary = "check that nobody touches memory that an exchange has under way";
  let description = [{
    Of every exchange that is started, on buffers or as a call of the driver, the handle is waited for exactly once, on every path, and between
    start and wait nothing reads or writes its memory, nor a view of it, nor bytes of the arena that it lies in. An error names the operation, the start and
    the wait. So it is with memory that other ranks of the process read: between the collective in which all meet before and the one behind, nothing writes it. Runs behind bufferization and again behind ds-plan-arena. The pass changes nothing.
  }];
}

#endif // DS_CONVERSION_PASSES
