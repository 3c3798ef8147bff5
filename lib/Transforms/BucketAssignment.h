//===- BucketAssignment.h - all-reduces of a step into buckets --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DS_LIB_TRANSFORMS_BUCKETASSIGNMENT_H
#define DS_LIB_TRANSFORMS_BUCKETASSIGNMENT_H

#include "CollectiveGraph.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace ds {

/// Whether nothing but other collectives on tensors depends on where the operation stands in its
/// block.
bool movesFreely(mlir::Operation *op);

/// Members that become one collective.
struct Bucket {
  std::vector<unsigned> members;
  std::optional<int64_t> id; // the fusion attribute
};

/// Every operand of the all-reduces, all-gathers or reduce-scatters (`Op`) of `step`, in the order
/// in which the operands become ready.
template <typename Op> std::vector<Member> collectMembers(mlir::FunctionOpInterface step);

/// Partitions all-reduces: explicit ids first, then gradients by the policy of the configuration,
/// inline neighbours, state, and metrics last. Warns about indices that split nothing.
std::vector<Bucket> assignBuckets(mlir::FunctionOpInterface step, const Config &config,
                                  llvm::ArrayRef<Member> members);

/// Partitions all-gathers or reduce-scatters: explicit ids first, then all others by `policy`.
std::vector<Bucket> assignBuckets(mlir::FunctionOpInterface step, const Config &config,
                                  const FusionPolicy &policy, llvm::ArrayRef<Member> members);

} // namespace ds

#endif // DS_LIB_TRANSFORMS_BUCKETASSIGNMENT_H
