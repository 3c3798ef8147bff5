//===- Passes.td - a step over a finite field ---------------*- tablegen -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DS_EXACT_PASSES_TD
#define DS_EXACT_PASSES_TD

include "mlir/Pass/PassBase.td"

def ToFieldPass : Pass<"ds-to-field", "::mlir::ModuleOp"> {
  let summary = "read a step over a finite field, where nothing rounds";
  let description = [{
    Floats become integers modulo a prime, as i64, each the one nearest to zero. What ds does to a step (it moves linear factors,
    takes sums apart, slices, gathers and masks) is the same identity over every field, so the step of n ranks and that of one
    device, both read over a field, agree bit for bit on the same input; two steps that are not the same differ on nearly all.

    | of the step | over the field |
    |---|---|
    | a constant, m * 2^e | m * 2^e, exactly; infinities are the largest and the smallest element; 1/n as it was rounded is 1/n, for n = `ranks` |
    | sums, differences, products, quotients, `math.fma` | those of the field; 1/0 is 0 |
    | maxima, minima, `math.absf`, comparisons | those of the integers that the elements are |
    | between floats of several widths | nothing |
    | between floats and integers | the element of an integer, and the integer of an element |
    | `math.isfinite`, comparisons with an infinity | true but for a few elements, drawn by `seed` |
    | a scalar operation that `ScalarRuleOpInterface` knows | its terms, each times an arbitrary function of the coefficients |
    | `math.exp` and every other scalar operation | an arbitrary function: a hash of the operation and its operands; a remark names it |
    | collectives | `sum` of integers, reduced after it; `mean` as that times 1/n; `prod` of gathered factors |
    | integers, booleans, indices, control flow | as they are; a loop that floats end is left after 64 rounds and an index that was a float is clamped, with a remark |

    Marks are read as on one device: run it before `ds-data-parallel` for one device alone, or after it.

    Input:
    ```mlir
    func.func @step(%x: f32, %y: f32) -> f32 {
      %0 = arith.maximumf %x, %y : f32
      return %0 : f32
    }
    ```

    Output:
    ```mlir
    func.func @step(%x: i64, %y: i64) -> i64 {
      %greater = arith.cmpi sgt, %x, %y : i64
      %0 = arith.select %greater, %x, %y : i64
      return %0 : i64
    }
    ```
  }];
  let dependentDialects = ["::ds::DsDialect", "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
  let options = [
    Option<"prime", "prime", "int64_t", /*default=*/"2147483647",
           "2147483647 (2^31 - 1) or 2147483629.">,
    Option<"ranks", "ranks", "int64_t", /*default=*/"1",
           "A constant that is 1 over so many, rounded, is read as that.">,
    Option<"seed", "seed", "uint64_t", /*default=*/"0",
           "Draws the arbitrary functions; programs that are compared have the same.">,
  ];
}

#endif // DS_EXACT_PASSES_TD
