//===- BucketAssignment.h - collectives of a step into buckets --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DS_TRANSFORMS_COLLECTIVES_BUCKETASSIGNMENT_H
#define DS_TRANSFORMS_COLLECTIVES_BUCKETASSIGNMENT_H

#include "CollectiveGraph.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace ds {

/// True if the position of the operation in its block matters to no operation but other collectives
/// on tensors, data dependences aside.
bool movesFreely(mlir::Operation *op);

/// Members that become one collective.
struct Bucket {
  std::vector<unsigned> members;
  std::optional<int64_t> id; // the fusion attribute
  llvm::StringRef end;       // why it has no more members, for remarks
};

/// Returns every operand of `collectives`, which are operations of one name on tensors, in the
/// order in which the operands become ready.
std::vector<Member> collectMembers(mlir::FunctionOpInterface step,
                                   llvm::ArrayRef<CollectiveOpInterface> collectives);

/// Partitions all-reduces: explicit ids first, then gradients by the policy of the configuration,
/// inline neighbours, state, and metrics last. Warns about indices that split nothing; fails where
/// buckets cannot be planned.
mlir::FailureOr<std::vector<Bucket>>
assignBuckets(mlir::FunctionOpInterface step, const Config &config, llvm::ArrayRef<Member> members);

/// Partitions other collectives: explicit ids first, then all others by `policy`.
std::vector<Bucket> assignBuckets(mlir::FunctionOpInterface step, const Config &config,
                                  const FusionPolicy &policy, llvm::ArrayRef<Member> members);

} // namespace ds

#endif // DS_TRANSFORMS_COLLECTIVES_BUCKETASSIGNMENT_H
