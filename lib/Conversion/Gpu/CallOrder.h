//===- CallOrder.h - Driver calls that may overlap --------------*- C++ -*-===//
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

/// Returns the bytes that `value`, an operand of a call, shows. Without a root it may be any
/// buffer.
Access accessOf(mlir::Value value);

/// A call, its accesses, and its cost if it is a kernel of one launch.
struct OrderedCall {
  mlir::func::CallOp call;
  llvm::SmallVector<Access> accesses;
  bool isLaunch = false; // may share a launch with others
  int64_t blocks = 0;
  int64_t rounds = 0;                // iterations of each thread, one after another
  llvm::SmallVector<size_t> earlier; // calls that must have ended

  /// Adds the accesses of the call's operands, of which `written` are written; false if one may be
  /// any buffer.
  bool addAccesses(const llvm::BitVector &written);
};

/// Moves operations without effects, which compute addresses, before all calls of the block.
void hoistAddresses(mlir::Block &block);

/// Fills in `earlier` from the accesses of the calls, in program order. About linear in their
/// number: a write hides the accesses before it.
void findDependences(llvm::MutableArrayRef<OrderedCall> calls);

/// Calls that run concurrently; a track is one call, or several that run one after another in one
/// block.
struct CallGroup {
  llvm::SmallVector<llvm::SmallVector<size_t>> tracks;
};

/// Returns an order with few launches. Calls that are no launches run as soon as they are ready; if
/// none is, all ready kernels are launched together. A kernel of one block that depends only on
/// others of one block follows them in that block.
std::vector<CallGroup> orderCalls(llvm::ArrayRef<OrderedCall> calls);

} // namespace ds::gpu

#endif // DS_LIB_CONVERSION_GPU_CALLORDER_H
