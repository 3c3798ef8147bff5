//===- CollectiveGraph.h - which all-reduces may become one -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Members are single operands of all-reduces. Two of them may share a collective only if, after all
// fusions so far, neither is needed to compute the other.
//
//===----------------------------------------------------------------------===//

#ifndef DS_LIB_TRANSFORMS_COLLECTIVEGRAPH_H
#define DS_LIB_TRANSFORMS_COLLECTIVEGRAPH_H

#include "ds/Dialect/IR/Ds.h"

#include "llvm/ADT/BitVector.h"

namespace ds {

/// One operand of an all-reduce on tensors.
struct Member {
  mlir::Operation *operation;
  unsigned operand;

  AllReduceOp op() const { return mlir::cast<AllReduceOp>(operation); }
  mlir::Value input() const { return operation->getOperand(operand); }
  mlir::Value result() const { return operation->getResult(operand); }
  llvm::ArrayRef<mlir::Attribute> names() const;
  int64_t bytes() const;
};

/// Dependencies between members, and between the groups they are merged into.
class CollectiveGraph {
public:
  CollectiveGraph(mlir::Operation *root, llvm::ArrayRef<Member> members);

  /// Merges the groups of `a` and `b` unless that closes a cycle; says whether they are one now.
  bool merge(unsigned a, unsigned b);

private:
  /// Whether group `from` is needed to compute group `to`.
  bool reaches(unsigned from, unsigned to) const;

  std::vector<unsigned> groupOf;         // of each member
  std::vector<llvm::BitVector> needs;    // members each group needs, its own excluded
  std::vector<llvm::BitVector> contents; // members of each group
};

} // namespace ds

#endif // DS_LIB_TRANSFORMS_COLLECTIVEGRAPH_H
