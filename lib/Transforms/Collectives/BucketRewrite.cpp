//===- BucketRewrite.cpp - one collective per bucket ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each collective is placed right behind the operand that is ready last. When all are in place,
// everything that now stands before what it uses sinks right behind it; assignment keeps the
// dependencies between buckets acyclic, so that this order exists. Only what may have to sink is
// looked at.
//
//===----------------------------------------------------------------------===//

#include "BucketRewrite.h"

#include "mlir/IR/Remarks.h"

#include <set>

using namespace mlir;
using namespace ds;

/// The operands of a bucket; one that is asked for by two results travels once.
using BucketOperands = llvm::MapVector<Value, SmallVector<Member>>;

static BucketOperands operandsOf(ArrayRef<Member> members) {
  BucketOperands operands;
  for (const Member &member : members)
    operands[member.input()].push_back(member);
  return operands;
}

static ArrayAttr namesOf(Builder &builder, const BucketOperands &operands) {
  SmallVector<Attribute> lists;
  bool named = false;
  for (const auto &[value, members] : operands) {
    SmallVector<Attribute> names;
    for (const Member &member : members)
      names.append(member.names().begin(), member.names().end());
    named |= !names.empty();
    if (names.empty())
      names.push_back(builder.getStringAttr("unnamed"));
    lists.push_back(builder.getArrayAttr(names));
  }
  return named ? builder.getArrayAttr(lists) : builder.getArrayAttr({});
}

/// The operation of `block` that holds or is `op`; null if it lies elsewhere.
static Operation *inBlock(Block *block, Operation *op) {
  return op ? block->findAncestorOpInBlock(*op) : nullptr;
}

/// The last operation of the block that the bucket has to stand behind; null for the start of the
/// block.
static Operation *findAnchor(Block *block, ArrayRef<Member> members) {
  Operation *anchor = nullptr;
  for (const Member &member : members)
    for (Value source : member.sources())
      if (Operation *op = inBlock(block, source.getDefiningOp());
          op && (!anchor || anchor->isBeforeInBlock(op)))
        anchor = op;
  return anchor;
}

namespace {

/// Moves operations of a block behind what they use; all others keep their order, and so do those
/// that sink behind the same operation. `moved` are the operations that may stand behind their
/// users.
class Sinking {
public:
  Sinking(Block &block, ArrayRef<Operation *> moved) : block(block) {
    findAffected(moved);
    llvm::sort(affected, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
    for (Operation *op : affected)
      place[op] = place.size();
  }

  void run() {
    for (Operation *op : affected) {
      unsigned missing = 0;
      op->walk([&](Operation *inner) {
        for (Value operand : inner->getOperands()) {
          Operation *source = inBlock(&block, operand.getDefiningOp());
          auto at = place.find(source);
          if (!source || source == op || at == place.end())
            continue;
          if (!held.contains(source) && at->second < place.lookup(op))
            continue;
          waiting[source].push_back(op);
          ++missing;
        }
      });
      if (missing > 0)
        held[op] = missing;
      else
        release(op);
    }
  }

private:
  /// The moved operations, their users before them, and what uses those before them: nothing else
  /// can have to wait. From the last one up, so that one visit of each user is enough.
  void findAffected(ArrayRef<Operation *> moved) {
    affected.append(moved.begin(), moved.end());
    llvm::sort(affected, [](Operation *a, Operation *b) { return b->isBeforeInBlock(a); });
    llvm::DenseSet<Operation *> isMoved(moved.begin(), moved.end()), seen;
    for (unsigned i = 0; i < moved.size(); ++i) {
      Operation *source = affected[i];
      SmallVector<Operation *> work{source};
      while (!work.empty())
        for (Operation *user : work.pop_back_val()->getUsers()) {
          Operation *there = inBlock(&block, user);
          if (!there || !there->isBeforeInBlock(source) || !seen.insert(there).second)
            continue;
          work.push_back(there);
          if (!isMoved.contains(there))
            affected.push_back(there);
        }
    }
  }

  /// Lets everything that waited for `op` alone follow it, and what waited for that, too.
  void release(Operation *op) {
    Operation *last = op;
    std::set<std::pair<unsigned, Operation *>> ready;
    auto arrive = [&](Operation *source) {
      auto users = waiting.find(source);
      if (users == waiting.end())
        return;
      for (Operation *user : users->second)
        if (--held[user] == 0) {
          held.erase(user);
          ready.insert({place.lookup(user), user});
        }
      waiting.erase(users);
    };
    arrive(op);
    while (!ready.empty()) {
      Operation *next = ready.begin()->second;
      ready.erase(ready.begin());
      next->moveAfter(last);
      last = next;
      arrive(next);
    }
  }

  Block &block;
  SmallVector<Operation *> affected; // in the order of the block
  DenseMap<Operation *, unsigned> place;
  DenseMap<Operation *, unsigned> held; // to what they still miss
  DenseMap<Operation *, SmallVector<Operation *, 2>> waiting;
};

} // namespace

void ds::sinkBehind(Block &block, ArrayRef<Operation *> moved) { Sinking(block, moved).run(); }

static Operation *fuse(ArrayRef<Member> members, std::optional<int64_t> id,
                       const llvm::SetVector<Operation *> &placed, StringRef pass) {
  CollectiveOpInterface first = members.front().op();
  Block *block = first->getBlock();
  OpBuilder builder(first->getContext());
  Operation *anchor = findAnchor(block, members);
  Block::iterator place = anchor ? std::next(anchor->getIterator()) : block->begin();
  // Behind earlier buckets that are ready at the same time: buckets start in their order.
  for (Block::iterator next = place; next->getName() == first->getName();)
    if (placed.contains(&*next++))
      place = next;
  builder.setInsertionPoint(block, place);
  BucketOperands operands = operandsOf(members);
  SmallVector<Value> inputs, outs;
  for (const auto &[value, group] : operands) {
    inputs.push_back(value);
    llvm::append_range(outs, ArrayRef(group.front().sources()).drop_front());
  }
  Operation *fused = createLike(builder, members.back().op()->getLoc(), first, inputs, outs);
  fused->setAttr("names", namesOf(builder, operands));
  if (id)
    fused->setAttr("fusion", builder.getI64IntegerAttr(*id));
  else
    fused->removeAttr("fusion");
  int64_t bytes = 0;
  for (auto [entry, result] : llvm::zip_equal(operands, fused->getResults())) {
    for (const Member &member : entry.second)
      member.result().replaceAllUsesWith(result);
    bytes += entry.second.front().bytes();
  }
  remark::passed(fused->getLoc(), remark::RemarkOpts::name("Bucket").category(pass))
      << (stringifyPurpose(first.getPurpose()) + " bucket").str()
      << remark::metric("id", id.value_or(-1)) << remark::metric("members", operands.size())
      << remark::metric("bytes", bytes);
  return fused;
}

/// Whether the bucket is one whole operation already.
static bool isWhole(ArrayRef<Member> members) {
  Operation *op = members.front().op();
  return members.size() == op->getNumResults() &&
         llvm::all_of(members, [&](const Member &member) { return member.op() == op; });
}

llvm::SetVector<Operation *> ds::rewriteBuckets(ArrayRef<Member> members, ArrayRef<Bucket> buckets,
                                                StringRef pass) {
  llvm::SetVector<Operation *> replaced, placed;
  SmallVector<Operation *> made;
  for (const Bucket &bucket : buckets) {
    SmallVector<Member> inBucket;
    for (unsigned i : bucket.members)
      inBucket.push_back(members[i]);
    if (isWhole(inBucket)) {
      Operation *op = inBucket.front().op();
      if (bucket.id)
        op->setAttr("fusion", Builder(op).getI64IntegerAttr(*bucket.id));
      placed.insert(op);
      continue;
    }
    for (const Member &member : inBucket)
      replaced.insert(member.op());
    made.push_back(fuse(inBucket, bucket.id, placed, pass));
    placed.insert(made.back());
  }
  for (Operation *op : replaced)
    op->erase();
  llvm::MapVector<Block *, SmallVector<Operation *>> moved;
  for (Operation *op : made)
    moved[op->getBlock()].push_back(op);
  for (const auto &[block, collectives] : moved)
    sinkBehind(*block, collectives);
  return placed;
}
