//===- CallOrder.h - Calls of a driver that may run together ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_CONVERSION_GPU_CALLORDER_H
#define DS_LIB_CONVERSION_GPU_CALLORDER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/BitVector.h"

#include <limits>
#include <vector>

namespace ds::gpu {

/// Arguments of a kernel are limited to 4 KiB.
inline constexpr size_t mostArguments = 256;

/// Bytes of a buffer that a call reads, and maybe writes. Arguments of the driver do not overlap.
struct Access {
  mlir::Value root; // an argument of the driver, or a constant
  int64_t begin = 0, end = std::numeric_limits<int64_t>::max();
  bool writes = false;
};

/// What `value`, an operand of a call, shows. No root: it may be any buffer.
Access accessOf(mlir::Value value);

/// A call, what it touches, and what it costs if it is a kernel of one launch.
struct OrderedCall {
  mlir::func::CallOp call;
  llvm::SmallVector<Access> accesses;
  bool isLaunch = false; // may share a launch with others
  int64_t blocks = 0;
  int64_t rounds = 0;                // that each thread makes, one after another
  llvm::SmallVector<size_t> earlier; // calls that must have ended

  /// Notes what the operands of the call show, of which `written` are written; false if one may be
  /// any buffer.
  bool addAccesses(const llvm::BitVector &written);
};

/// Moves what computes addresses before all calls of the block.
void hoistAddresses(mlir::Block &block);

/// Fills in `earlier` from what the calls, in program order, touch. About linear in their number:
/// a write hides what was before it.
void findDependences(llvm::MutableArrayRef<OrderedCall> calls);

/// Calls that run at once; each track is one or more after one another, in one block.
struct CallGroup {
  llvm::SmallVector<llvm::SmallVector<size_t>> tracks;
};

/// An order with few launches. Other calls run as soon as they can; before one has to wait, all
/// kernels that are ready are launched together. A kernel of one block that needs only others of
/// one block follows them in that block.
std::vector<CallGroup> orderCalls(llvm::ArrayRef<OrderedCall> calls);

} // namespace ds::gpu

#endif // DS_LIB_CONVERSION_GPU_CALLORDER_H
