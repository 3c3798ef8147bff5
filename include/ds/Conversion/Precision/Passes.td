//===- Passes.td - The types of factors -------------------*- tablegen -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_CONVERSION_PRECISION_PASSES
#define DS_CONVERSION_PRECISION_PASSES

include "mlir/Pass/PassBase.td"

def RoundFactorsPass : Pass<"ds-round-factors", "::mlir::func::FuncOp"> {
  let summary = "round the factors of products and convolutions of f32 to bf16";
  let description = [{
    With `precision = bf16`. A value is rounded once, however many products read it, after the operation that computes
    it and before others transpose, pad or slice it. Sums stay in f32. A product keeps its factors if one of them is
    the same in every step, is made of booleans, or comes from the new value of an optimizer's matrix. Runs on generic
    form, before dimensions of one element are dropped, so that what is rounded does not depend on sizes.

    Input:
    ```mlir
    module attributes {ds.config = #ds.config<precision = bf16>} {
      func.func @forward(%x: tensor<8x4xf32>, %w: tensor<4x2xf32>, %zeros: tensor<8x2xf32>) -> tensor<8x2xf32> {
        %0 = linalg.generic {
            indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
            iterator_types = ["parallel", "parallel", "reduction"]}
            ins(%x, %w : tensor<8x4xf32>, tensor<4x2xf32>) outs(%zeros : tensor<8x2xf32>) {
        ^bb0(%a: f32, %b: f32, %c: f32):
          %1 = arith.mulf %a, %b : f32
          %2 = arith.addf %c, %1 : f32
          linalg.yield %2 : f32
        } -> tensor<8x2xf32>
        return %0 : tensor<8x2xf32>
      }
    }
    ```

    Output, with `narrow-factors=true`:
    ```mlir
    #map = affine_map<(d0, d1) -> (d0, d1)>
    #map1 = affine_map<(d0, d1, d2) -> (d0, d2)>
    #map2 = affine_map<(d0, d1, d2) -> (d2, d1)>
    #map3 = affine_map<(d0, d1, d2) -> (d0, d1)>
    module attributes {ds.config = #ds.config<precision = bf16>} {
      func.func @forward(%arg0: tensor<8x4xf32>, %arg1: tensor<4x2xf32>, %arg2: tensor<8x2xf32>) -> tensor<8x2xf32> {
        %0 = tensor.empty() : tensor<4x2xbf16>
        %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<4x2xf32>) outs(%0 : tensor<4x2xbf16>) {
        ^bb0(%in: f32, %out: bf16):
          %5 = arith.truncf %in : f32 to bf16
          linalg.yield %5 : bf16
        } -> tensor<4x2xbf16>
        %2 = tensor.empty() : tensor<8x4xbf16>
        %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<8x4xf32>) outs(%2 : tensor<8x4xbf16>) {
        ^bb0(%in: f32, %out: bf16):
          %5 = arith.truncf %in : f32 to bf16
          linalg.yield %5 : bf16
        } -> tensor<8x4xbf16>
        %4 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%3, %1 : tensor<8x4xbf16>, tensor<4x2xbf16>) outs(%arg2 : tensor<8x2xf32>) {
        ^bb0(%in: bf16, %in_0: bf16, %out: f32):
          %5 = arith.extf %in_0 : bf16 to f32
          %6 = arith.extf %in : bf16 to f32
          %7 = arith.mulf %6, %5 : f32
          %8 = arith.addf %out, %7 : f32
          linalg.yield %8 : f32
        } -> tensor<8x2xf32>
        return %4 : tensor<8x2xf32>
      }
    }
    ```
  }];
  let options = [Option<"narrowFactors", "narrow-factors", "bool", "false",
                        "Products read their factors in 16 bits, as a GPU's library does">];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

#endif // DS_CONVERSION_PRECISION_PASSES
