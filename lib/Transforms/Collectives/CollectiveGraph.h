//===- CollectiveGraph.h - which collectives may become one -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Members are single operands of collectives of one operation. Two of them may share a collective
// only if, after all fusions so far, neither is needed to compute the other.
//
//===----------------------------------------------------------------------===//

#ifndef DS_TRANSFORMS_COLLECTIVES_COLLECTIVEGRAPH_H
#define DS_TRANSFORMS_COLLECTIVES_COLLECTIVEGRAPH_H

#include "ds/Dialect/IR/Ds.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

namespace ds {

/// One operand of a collective on tensors.
struct Member {
  CollectiveOpInterface operation;
  unsigned operand;

  CollectiveOpInterface op() const { return operation; }
  mlir::Value input() const { return op()->getOperand(operand); }
  /// The input, and the destination where there is one.
  llvm::SmallVector<mlir::Value, 2> sources() const;
  mlir::Value result() const { return op()->getResult(operand); }
  llvm::ArrayRef<mlir::Attribute> names() const;
  /// Bytes of the whole value, after the gather or before the scatter.
  int64_t bytes() const;
};

/// Dependencies between members, and between the groups they are merged into.
class CollectiveGraph {
public:
  explicit CollectiveGraph(llvm::ArrayRef<Member> members);

  /// Merges the groups of `a` and `b` unless that closes a cycle; returns whether they are one
  /// group now.
  bool merge(unsigned a, unsigned b);

private:
  /// A group of members, named by one of them, or another operation that some member needs.
  struct Node {
    llvm::SmallVector<unsigned, 2> needs, neededBy;
    int64_t place = 0; // topological: higher than those of all nodes it needs
    unsigned round = 0;
  };
  using Edges = llvm::SmallVector<unsigned, 2> Node::*;

  void addBlock(mlir::Block *block, const llvm::DenseMap<mlir::Value, unsigned> &memberOf,
                const llvm::DenseSet<mlir::Operation *> &collectives);
  unsigned groupOf(unsigned node);
  /// Collects all nodes between the positions of `from` and `to` that are reachable from `from`
  /// along `edges`; false if `to` is reachable.
  bool collect(unsigned from, unsigned to, Edges edges, llvm::SmallVectorImpl<unsigned> &found);

  std::vector<Node> nodes;      // members first
  std::vector<unsigned> joined; // the node that each one was merged into, or itself
  unsigned round = 0;
};

} // namespace ds

#endif // DS_TRANSFORMS_COLLECTIVES_COLLECTIVEGRAPH_H
