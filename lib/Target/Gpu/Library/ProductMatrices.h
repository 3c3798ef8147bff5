//===- ProductMatrices.h - A contraction as products of matrices *- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_TARGET_GPU_LIBRARY_PRODUCTMATRICES_H
#define DS_LIB_TARGET_GPU_LIBRARY_PRODUCTMATRICES_H

#include "DevicePlan.h"

#include <optional>

namespace ds::gpu {

/// One matrix in column order, as cuBLASLt takes it.
struct Matrix {
  int64_t rows = 1, columns = 1, leading = 1;
  int64_t batch = 0;       // elements from one of the batch to the next
  bool transposed = false; // the product multiplies by the transpose of the matrix in memory
};

/// Offsets in elements from the operands' addresses.
struct ProductOffsets {
  int64_t lhs = 0, rhs = 0, out = 0, bias = 0;
};

/// One call of the library: its first matrices, or those of each member of a batch by addresses.
struct ProductCall {
  std::vector<ProductOffsets> members;
  bool isFirst = true, isLast = true; // of the calls that accumulate in one place
};

/// D = A * B, for each member of a batch; A is our rhs and B our lhs, or the other way round.
struct ProductMatrices {
  Matrix a, b, d;
  int64_t batches = 1;
  bool isByAddresses = false; // the batch has no strides
  bool isSwapped = false;
  std::vector<ProductCall> calls;
};

/// Returns none if one of the matrices has no unit stride. `byAddresses`: a batch may be one by
/// addresses.
std::optional<ProductMatrices> chooseMatrices(const StridedContraction &contraction,
                                              bool byAddresses);

} // namespace ds::gpu

#endif // DS_LIB_TARGET_GPU_LIBRARY_PRODUCTMATRICES_H
