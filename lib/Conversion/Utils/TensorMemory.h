//===- TensorMemory.h - Which tensors are made in which memory --*- C++ -*-===//
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

/// Whether its result is memory of its first operand: a reshape, a cast, a slice.
bool showsMemoryOf(mlir::Operation *op);

/// The operand in whose memory a value is made, or of whose memory it is a part; null: neither.
mlir::Value madeIn(mlir::Value value);

/// Whether the value may be rows of another one in memory: it is cut out of it.
bool isPart(mlir::Value value);

/// Whether the value may be made in rows of another one, into which it is inserted.
bool becomesPart(mlir::Value value);

/// The operand that all views on the way to it show.
mlir::Value shownBy(mlir::Value value);

} // namespace ds

#endif // DS_CONVERSION_UTILS_TENSORMEMORY_H
