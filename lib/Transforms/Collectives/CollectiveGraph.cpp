//===- CollectiveGraph.cpp - which collectives may become one --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nodes are the members and the operations that members depend on: no other operation can close a
// cycle. Nodes are kept in a topological order. A merge visits only nodes between the positions of
// the two groups; it moves those that the later group needs before the merged group, and those that
// need the earlier group after it (Pearce and Kelly, 2006). So merging two members takes time
// proportional to the nodes between them, not to the size of the step. Comparing depths would not
// be enough: two independent pairs can depend on one another crosswise.
//
//===----------------------------------------------------------------------===//

#include "CollectiveGraph.h"

#include "ds/Analysis/Placement.h"

#include "llvm/ADT/SetVector.h"

#include <numeric>

using namespace mlir;
using namespace ds;

SmallVector<Value, 2> Member::sources() const {
  SmallVector<Value, 2> values;
  for (unsigned i = operand; i < op()->getNumOperands(); i += op()->getNumResults())
    values.push_back(op()->getOperand(i));
  return values;
}

ArrayRef<Attribute> Member::names() const {
  ArrayAttr names = op().getNames();
  return names.empty() ? ArrayRef<Attribute>() : cast<ArrayAttr>(names[operand]).getValue();
}

int64_t Member::bytes() const {
  return std::max(getStoredBytes(input()), getStoredBytes(result()));
}

/// Calls `read` with every value that `op`, or an operation nested in it, reads from another
/// operation of its block, and with that operation.
static void forEachSource(Operation *op, llvm::function_ref<void(Value, Operation *)> read) {
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands()) {
      if (inner != op && operand.getParentBlock() == inner->getBlock())
        continue;
      Operation *source = operand.getDefiningOp();
      source = source ? op->getBlock()->findAncestorOpInBlock(*source) : nullptr;
      if (source && source != op)
        read(operand, source);
    }
  });
}

CollectiveGraph::CollectiveGraph(ArrayRef<Member> members) : nodes(members.size()) {
  DenseMap<Value, unsigned> memberOf;
  llvm::SetVector<Block *> blocks;
  llvm::DenseSet<Operation *> collectives;
  for (auto [i, member] : llvm::enumerate(members)) {
    memberOf[member.result()] = i;
    blocks.insert(member.op()->getBlock());
    collectives.insert(member.op());
  }
  // Members in different blocks never share a collective, so each block is a separate graph.
  for (Block *block : blocks)
    addBlock(block, memberOf, collectives);
  joined.resize(nodes.size());
  std::iota(joined.begin(), joined.end(), 0);
}

void CollectiveGraph::addBlock(Block *block, const DenseMap<Value, unsigned> &memberOf,
                               const llvm::DenseSet<Operation *> &collectives) {
  auto holdsMembers = [&](Operation *op) { return collectives.contains(op); };
  llvm::DenseSet<Operation *> needed;
  for (Operation &op : llvm::reverse(*block))
    if (holdsMembers(&op) || needed.contains(&op))
      forEachSource(&op, [&](Value, Operation *source) { needed.insert(source); });

  nodes.reserve(nodes.size() + needed.size());
  DenseMap<Operation *, unsigned> nodeOf(needed.size());
  auto connect = [&](unsigned node, Value value, Operation *source) {
    unsigned from = holdsMembers(source) ? memberOf.lookup(value) : nodeOf.lookup(source);
    nodes[node].needs.push_back(from);
    nodes[from].neededBy.push_back(node);
  };
  int64_t place = 0;
  for (Operation &op : *block) {
    if (holdsMembers(&op)) {
      for (unsigned i = 0; i < op.getNumResults(); ++i) {
        unsigned node = memberOf.lookup(op.getResult(i));
        nodes[node].place = place++;
        for (Value value : Member{cast<CollectiveOpInterface>(op), i}.sources())
          if (Operation *source = value.getDefiningOp(); source && source->getBlock() == block)
            connect(node, value, source);
      }
    } else if (needed.contains(&op)) {
      unsigned node = nodeOf[&op] = nodes.size();
      nodes.emplace_back().place = place++;
      forEachSource(&op, [&](Value value, Operation *source) { connect(node, value, source); });
    }
  }
}

unsigned CollectiveGraph::groupOf(unsigned node) {
  while (joined[node] != node)
    node = joined[node] = joined[joined[node]];
  return node;
}

bool CollectiveGraph::collect(unsigned from, unsigned to, Edges edges,
                              SmallVectorImpl<unsigned> &found) {
  auto [low, high] = std::minmax(nodes[from].place, nodes[to].place);
  ++round;
  SmallVector<unsigned> work{from};
  while (!work.empty())
    for (unsigned neighbour : nodes[work.pop_back_val()].*edges) {
      unsigned node = groupOf(neighbour);
      if (node == to)
        return false;
      if (nodes[node].place < low || nodes[node].place > high || nodes[node].round == round)
        continue;
      nodes[node].round = round;
      found.push_back(node);
      work.push_back(node);
    }
  return true;
}

bool CollectiveGraph::merge(unsigned a, unsigned b) {
  unsigned early = groupOf(a), late = groupOf(b);
  if (early == late)
    return true;
  if (nodes[early].place > nodes[late].place)
    std::swap(early, late);
  SmallVector<unsigned> after, before;
  if (!collect(early, late, &Node::neededBy, after))
    return false;
  int64_t place = nodes[late].place;
  if (!after.empty()) {
    // The nodes that must move exchange their positions among themselves: first `before`, then the
    // group, then `after`.
    collect(late, early, &Node::needs, before);
    auto byPlace = [&](unsigned x, unsigned y) { return nodes[x].place < nodes[y].place; };
    llvm::sort(before, byPlace);
    llvm::sort(after, byPlace);
    SmallVector<int64_t> places{nodes[early].place, nodes[late].place};
    for (unsigned node : llvm::concat<unsigned>(before, after))
      places.push_back(nodes[node].place);
    llvm::sort(places);
    for (auto [node, free] : llvm::zip(before, places))
      nodes[node].place = free;
    place = places[before.size()];
    for (auto [node, free] : llvm::zip_equal(after, ArrayRef(places).take_back(after.size())))
      nodes[node].place = free;
  }
  // The shorter lists are appended to the longer ones.
  unsigned into = early, from = late;
  if (nodes[into].needs.size() + nodes[into].neededBy.size() <
      nodes[from].needs.size() + nodes[from].neededBy.size())
    std::swap(into, from);
  nodes[into].needs.append(nodes[from].needs);
  nodes[into].neededBy.append(nodes[from].neededBy);
  nodes[into].place = place;
  joined[from] = into;
  return true;
}
