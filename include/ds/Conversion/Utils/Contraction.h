//===- Contraction.h - Recognise contractions on generic form ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A contraction is out += lhs * rhs over at least one reduction loop. Matmul, batched and
// transposed forms and convolutions all look the same once they are `linalg.generic`; only the maps
// differ.
//
//===----------------------------------------------------------------------===//
#ifndef DS_CONVERSION_UTILS_CONTRACTION_H
#define DS_CONVERSION_UTILS_CONTRACTION_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace ds {

/// True if the body is out + lhs * rhs on floats, each factor perhaps widened, a loop reduces, and
/// either both operands have loops that only they share with the output (a matrix product, perhaps
/// batched) or one is read in windows (a convolution, perhaps of each channel alone).
bool isContraction(mlir::linalg::GenericOp op);

/// True for the first of these two: a matrix product.
bool isMatrixProduct(mlir::linalg::GenericOp op);

/// True for a contraction in bf16 or f16 alone. A GPU's library computes it with sums in f32 and
/// rounds once; a kernel must not, since its sums would have 16 bits.
bool isNarrowContraction(mlir::linalg::GenericOp op);

/// True if the op copies its only input, permuted: all loops parallel, the output map a
/// permutation.
bool isPermutedCopy(mlir::linalg::GenericOp op);

/// True if all loops are parallel and the body yields its only input unchanged.
bool yieldsItsInput(mlir::linalg::GenericOp op);

/// Returns the value, a scalar or an operand, that an op writes everywhere (on tensors or buffers);
/// null if it writes another one.
mlir::Value valueOfFill(mlir::Operation *op);

/// True if the op writes the constant zero everywhere (on tensors or buffers).
bool isZeroFill(mlir::Operation *op);

/// Returns the two values of which a body with one result yields the larger one, as a maximum or as
/// a comparison and a select; null if it yields another value.
std::pair<mlir::Value, mlir::Value> operandsOfMaximum(mlir::linalg::GenericOp op);

} // namespace ds

#endif // DS_CONVERSION_UTILS_CONTRACTION_H
