//===- BufferSource.h - What a copied buffer was made from ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_CONVERSION_BUFFERSOURCE_H
#define DS_LIB_CONVERSION_BUFFERSOURCE_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace ds {

/// The elements of `buffer` at low + step * i, in every dimension, are base[i]; all others are
/// zero. A step of -1 with low = size - 1 reverses a dimension.
struct BufferSource {
  mlir::Value base;
  llvm::SmallVector<int64_t> low, step;
};

/// Looks through the copies that `user` reads `buffer` from, as far as the copied memory still
/// holds the same.
BufferSource findSource(mlir::Value buffer, mlir::Operation *user);

/// Erases buffers that are only ever written, with what writes them.
void eraseUnreadBuffers(mlir::Operation *root);

} // namespace ds

#endif // DS_LIB_CONVERSION_BUFFERSOURCE_H
