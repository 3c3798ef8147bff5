//===- KernelLoops.h - Loops of a kernel as threads see them ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_CONVERSION_GPU_KERNELLOOPS_H
#define DS_LIB_CONVERSION_GPU_KERNELLOOPS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <memory>

namespace ds::gpu {

/// How the points of a kernel are mapped to threads.
enum class Scheme { scalar, flat, serial, warp, block, column, split, scatter };

struct ScatterForm;

struct KernelLoops {
  mlir::linalg::GenericOp op;
  llvm::SmallVector<int64_t> sizes;
  llvm::SmallVector<unsigned> parallel, reduction; // slowest first, by the largest operand
  llvm::SmallVector<unsigned> accumulated;         // results that reduction loops do not index
  llvm::SmallVector<unsigned> pointwise;           // results that are stored at every point
  llvm::SmallVector<mlir::Operation *> combiners;  // of `accumulated`, while `reorders`
  bool reorders = true;                            // partial results of a reduction can be combined
  std::shared_ptr<const ScatterForm> scatter;      // null: another kind of reduction
  bool alongMemory = false; // the fastest loop of the largest operand is a reduction

  int64_t points() const { return product(parallel); }  // results
  int64_t rounds() const { return product(reduction); } // values reduced to each result
  int64_t product(llvm::ArrayRef<unsigned> loops) const;
  /// Returns the fastest parallel loop with more than one iteration, if any.
  std::optional<unsigned> fastest() const;
};

/// Reads the loops of a kernel; emits an error if there is no scheme for them.
llvm::FailureOr<KernelLoops> readLoops(mlir::linalg::GenericOp op);

/// Returns the scheme that suits the sizes.
Scheme chooseScheme(const KernelLoops &loops);

/// Returns the absolute stride of `loop` in the operand, in elements. The operand's indices are
/// linear in the loops.
int64_t strideOf(const KernelLoops &loops, mlir::OpOperand &operand, unsigned loop);

/// True if `width` neighbours along `loop` are contiguous in the operand and aligned to their total
/// size.
bool isWide(const KernelLoops &loops, mlir::OpOperand &operand, unsigned loop, int64_t width);

inline constexpr int64_t kThreads = 256; // of a block
inline constexpr int64_t kWarp = 32;
inline constexpr int64_t kRows = kThreads / kWarp;

} // namespace ds::gpu

#endif // DS_LIB_CONVERSION_GPU_KERNELLOOPS_H
