//===- BufferSource.h - What a copied buffer was made from ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_CONVERSION_DRIVER_BUFFERSOURCE_H
#define DS_CONVERSION_DRIVER_BUFFERSOURCE_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace ds {

/// Memory that a buffer shows, padded or dilated by zeros, reversed, permuted.
struct BufferSource {
  /// One dimension of the buffer: its element low + step * i is element i of `size`, `stride`
  /// elements of memory apart; all others are zero. A step of -1 with low = size - 1 reverses.
  struct Dimension {
    int64_t size, stride, low = 0, step = 1;
    /// True if this is all of a dimension of `wanted` elements, in order.
    bool isWhole(int64_t wanted) const { return size == wanted && low == 0 && step == 1; }
  };

  mlir::Value base;   // whose memory it is; null: none was found
  int64_t offset = 0; // of the first element, from the start of the memory
  llvm::SmallVector<Dimension> dimensions;
};

/// The buffer itself; none if its strides are no constants.
BufferSource describeBuffer(mlir::Value buffer);

/// Looks through the copies that `user` reads `buffer` from, as far as the copied memory still
/// holds the same.
BufferSource findSource(mlir::Value buffer, mlir::Operation *user);

/// Erases buffers that are only ever written, with what writes them.
void eraseUnreadBuffers(mlir::Operation *root);

} // namespace ds

#endif // DS_CONVERSION_DRIVER_BUFFERSOURCE_H
