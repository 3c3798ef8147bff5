//===- BufferSource.h - The source of a copied buffer -----------*- C++ -*-===//
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

/// The memory whose elements a buffer holds, perhaps padded or dilated by zeros, reversed or
/// permuted.
struct BufferSource {
  /// One dimension of the buffer: its element low + step * i is element i of the source, which has
  /// `size` elements, `stride` elements of memory apart; all others are zero. A step of -1 with low
  /// = size - 1 reverses.
  struct Dimension {
    int64_t size, stride, low = 0, step = 1;
    /// True if this is all of a dimension of `wanted` elements, in order.
    bool isWhole(int64_t wanted) const { return size == wanted && low == 0 && step == 1; }
  };

  mlir::Value base;   // the memory; null: none was found
  int64_t offset = 0; // of the first element, from the start of the memory
  llvm::SmallVector<Dimension> dimensions;
};

/// Returns the buffer itself; none if its strides are not constant.
BufferSource describeBuffer(mlir::Value buffer);

/// Looks through the copies that fill `buffer` before `user`, as long as the copied memory is
/// unchanged.
BufferSource findSource(mlir::Value buffer, mlir::Operation *user);

/// Erases buffers that are only written, with their writers.
void eraseUnreadBuffers(mlir::Operation *root);

} // namespace ds

#endif // DS_CONVERSION_DRIVER_BUFFERSOURCE_H
