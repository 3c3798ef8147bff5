//===- BucketRewrite.h - one collective per bucket --------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared by the passes that fuse collectives: places the collective of a bucket, and moves its
// users after it.
//
//===----------------------------------------------------------------------===//

#ifndef DS_TRANSFORMS_COLLECTIVES_BUCKETREWRITE_H
#define DS_TRANSFORMS_COLLECTIVES_BUCKETREWRITE_H

#include "BucketAssignment.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace ds {

/// Moves operations of a block after their operands. All others keep their order, as do operations
/// that sink after the same one. `moved` are the operations that may follow their users.
void sinkBehind(mlir::Block &block, llvm::ArrayRef<mlir::Operation *> moved);

/// Replaces the members of each bucket by one collective, and returns the collectives in the order
/// of their buckets. A bucket that consists of one operation stays as it is, and gets the id.
llvm::SetVector<mlir::Operation *> rewriteBuckets(llvm::ArrayRef<Member> members,
                                                  llvm::ArrayRef<Bucket> buckets,
                                                  mlir::StringRef pass);

} // namespace ds

#endif // DS_TRANSFORMS_COLLECTIVES_BUCKETREWRITE_H
