//===- BucketRewrite.cpp - one collective per bucket ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each collective is placed right after the operand that is ready last. Then every operation that
// now precedes one of its operands sinks right after it; the assignment keeps the dependencies
// between buckets acyclic, so this order exists. Only operations that may have to sink are visited.
//
//===----------------------------------------------------------------------===//

#include "BucketRewrite.h"

#include "mlir/IR/Remarks.h"

#include <set>

using namespace mlir;
using namespace ds;

/// The operands of a bucket, each with the members that need its reduction: a value reduced for two
/// results is sent once.
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

/// Returns the operation of `block` that is or contains `op`; null if `op` is in another block.
static Operation *inBlock(Block *block, Operation *op) {
  return op ? block->findAncestorOpInBlock(*op) : nullptr;
}

/// Returns the last operation of the block that the bucket depends on; null for the start of the
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

/// Moves operations of a block after their operands. All others keep their order, as do operations
/// that sink after the same one. `moved` are the operations that may follow their users.
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
  /// Collects the moved operations and their transitive users before them: only these may have to
  /// sink. Goes from the last one up, so that one visit of each user is enough.
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

  /// Moves the operations that waited only for `op` after it, and then those that waited for these.
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
  DenseMap<Operation *, unsigned> held; // how many operands they still wait for
  DenseMap<Operation *, SmallVector<Operation *, 2>> waiting;
};

} // namespace

void ds::sinkBehind(Block &block, ArrayRef<Operation *> moved) { Sinking(block, moved).run(); }

static Operation *fuse(ArrayRef<Member> members, std::optional<int64_t> id,
                       const llvm::SetVector<Operation *> &placed) {
  CollectiveOpInterface first = members.front().op();
  Block *block = first->getBlock();
  OpBuilder builder(first->getContext());
  Operation *anchor = findAnchor(block, members);
  Block::iterator place = anchor ? std::next(anchor->getIterator()) : block->begin();
  // After earlier buckets that are ready at the same time: buckets start in their order.
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
  for (auto [entry, result] : llvm::zip_equal(operands, fused->getResults()))
    for (const Member &member : entry.second)
      member.result().replaceAllUsesWith(result);
  return fused;
}

/// Emitted before the bucket's operations are replaced.
static void remarkBucket(ArrayRef<Member> members, const Bucket &bucket, StringRef pass) {
  if (!members.front().op()->getContext()->getRemarkEngine())
    return;
  BucketOperands operands = operandsOf(members);
  int64_t bytes = 0;
  for (const auto &entry : operands)
    bytes += entry.second.front().bytes();
  CollectiveOpInterface last = members.back().op();
  remark::passed(last->getLoc(), remark::RemarkOpts::name("Bucket").category(pass))
      << (stringifyPurpose(last.getPurpose()) + " bucket").str()
      << remark::metric("id", bucket.id.value_or(-1)) << remark::metric("members", operands.size())
      << remark::metric("bytes", bytes) << remark::reason("{0}", bucket.end.str());
}

/// True if the bucket consists of all operands of one operation.
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
    remarkBucket(inBucket, bucket, pass);
    if (isWhole(inBucket)) {
      Operation *op = inBucket.front().op();
      if (bucket.id)
        op->setAttr("fusion", Builder(op).getI64IntegerAttr(*bucket.id));
      placed.insert(op);
      continue;
    }
    for (const Member &member : inBucket)
      replaced.insert(member.op());
    made.push_back(fuse(inBucket, bucket.id, placed));
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
