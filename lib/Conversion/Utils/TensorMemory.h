//===- TensorMemory.h - The memory in which tensors are made ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_CONVERSION_UTILS_TENSORMEMORY_H
#define DS_CONVERSION_UTILS_TENSORMEMORY_H

#include "mlir/IR/Operation.h"

namespace ds {

/// True if the result shows memory of the first operand: a reshape, a cast, a slice.
bool showsMemoryOf(mlir::Operation *op);

/// Returns the operand in whose memory a value is written, or of whose memory it is a part; null if
/// there is none.
mlir::Value madeIn(mlir::Value value);

/// True if the value may be rows of another one in memory, since it is a slice of it.
bool isPart(mlir::Value value);

/// True if the value may be written into rows of another one, since it is inserted there.
bool becomesPart(mlir::Value value);

/// Returns the value below all views.
mlir::Value shownBy(mlir::Value value);

} // namespace ds

#endif // DS_CONVERSION_UTILS_TENSORMEMORY_H
