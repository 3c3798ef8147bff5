//===- CollectiveGraph.cpp - which all-reduces may become one ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One walk gives every operation the set of members it needs, as bits; a merge unites two sets. A
// merge is legal if neither group reaches the other through the groups merged so far: equal depth
// is not enough, since two pairs that are independent by themselves can depend on one another
// crosswise.
//
//===----------------------------------------------------------------------===//

#include "CollectiveGraph.h"

using namespace mlir;
using namespace ds;

ArrayRef<Attribute> Member::names() const {
  ArrayAttr names = op().getNames();
  return names.empty() ? ArrayRef<Attribute>() : cast<ArrayAttr>(names[operand]).getValue();
}

int64_t Member::bytes() const {
  auto type = cast<ShapedType>(input().getType());
  return type.getNumElements() * ((type.getElementTypeBitWidth() + 7) / 8);
}

CollectiveGraph::CollectiveGraph(Operation *root, ArrayRef<Member> members)
    : groupOf(members.size()), needs(members.size()), contents(members.size()) {
  DenseMap<Value, unsigned> memberOf;
  for (auto [i, member] : llvm::enumerate(members))
    memberOf[member.result()] = i;
  // Regions first: an operation needs what any operation inside it needs.
  DenseMap<Operation *, llvm::BitVector> neededBy;
  auto unite = [&](llvm::BitVector &into, Value value) {
    if (Operation *op = value.getDefiningOp())
      if (auto found = neededBy.find(op); found != neededBy.end() && !isa<AllReduceOp>(op))
        into |= found->second;
    auto member = memberOf.find(value);
    if (member == memberOf.end())
      return;
    into |= needs[member->second];
    into.set(member->second);
  };
  root->walk<WalkOrder::PostOrder>([&](Operation *op) {
    llvm::BitVector needed(members.size());
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        unite(needed, operand);
    });
    if (!isa<AllReduceOp>(op)) {
      if (needed.any())
        neededBy[op] = std::move(needed);
      return;
    }
    for (Value result : op->getResults())
      if (auto member = memberOf.find(result); member != memberOf.end()) {
        unsigned i = member->second;
        needs[i].resize(members.size());
        unite(needs[i], members[i].input());
      }
  });
  for (unsigned i = 0; i < members.size(); ++i) {
    groupOf[i] = i;
    contents[i].resize(members.size());
    contents[i].set(i);
    needs[i].resize(members.size());
  }
}

bool CollectiveGraph::reaches(unsigned from, unsigned to) const {
  llvm::BitVector seen(groupOf.size());
  SmallVector<unsigned> work{to};
  seen.set(to);
  while (!work.empty()) {
    for (unsigned member : needs[work.pop_back_val()].set_bits()) {
      unsigned group = groupOf[member];
      if (group == from)
        return true;
      if (seen.test(group))
        continue;
      seen.set(group);
      work.push_back(group);
    }
  }
  return false;
}

bool CollectiveGraph::merge(unsigned a, unsigned b) {
  unsigned into = groupOf[a], from = groupOf[b];
  if (into == from)
    return true;
  if (reaches(into, from) || reaches(from, into))
    return false;
  for (unsigned member : contents[from].set_bits())
    groupOf[member] = into;
  contents[into] |= contents[from];
  needs[into] |= needs[from];
  needs[into].reset(contents[into]);
  return true;
}
