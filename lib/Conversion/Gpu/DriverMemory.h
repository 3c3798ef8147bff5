//===- DriverMemory.h - More memory for a driver ----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_CONVERSION_GPU_DRIVERMEMORY_H
#define DS_LIB_CONVERSION_GPU_DRIVERMEMORY_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

namespace ds::gpu {

/// Memory after the arena that ds-plan-arena has planned, with no other users.
class DriverMemory {
public:
  explicit DriverMemory(mlir::func::FuncOp driver);
  /// Bytes of the arena so far, a multiple of 64.
  int64_t size() const { return bytes; }
  /// Makes the arena at least `size` bytes large.
  void grow(int64_t size) { bytes = std::max(bytes, size); }
  /// Creates a buffer of `type` at an offset.
  mlir::Value view(mlir::OpBuilder &builder, mlir::MemRefType type, int64_t offset);
  /// Creates a buffer that shares no bytes.
  mlir::Value allocate(mlir::OpBuilder &builder, mlir::MemRefType type);
  /// Gives the driver's argument its new size.
  void finish();

private:
  mlir::func::FuncOp driver;
  mlir::BlockArgument arena;
  int64_t bytes = 0;
};

/// Returns the bytes of a buffer, rounded up to a multiple of 64.
int64_t slotBytes(mlir::MemRefType type);

} // namespace ds::gpu

#endif // DS_LIB_CONVERSION_GPU_DRIVERMEMORY_H
