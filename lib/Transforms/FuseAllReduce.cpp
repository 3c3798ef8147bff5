//===- FuseAllReduce.cpp - put all-reduces into buckets ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// BucketAssignment says which operands become one collective. Each is placed right behind the
// operand that is ready last, metrics behind the last collective; whatever used an earlier result
// before that place sinks behind it. Assignment keeps the dependencies between buckets acyclic, so
// sinking never moves an operand of the bucket.
//
//===----------------------------------------------------------------------===//

#include "BucketAssignment.h"
#include "ds/Transforms/Passes.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/SetVector.h"

namespace ds {
#define GEN_PASS_DEF_FUSEALLREDUCEPASS
#include "ds/Transforms/Passes.h.inc"
} // namespace ds

using namespace mlir;
using namespace ds;

/// The operands of a bucket; one that is reduced for two results travels once.
static llvm::MapVector<Value, SmallVector<Member>> operandsOf(ArrayRef<Member> members) {
  llvm::MapVector<Value, SmallVector<Member>> operands;
  for (const Member &member : members)
    operands[member.input()].push_back(member);
  return operands;
}

static ArrayAttr namesOf(Builder &builder,
                         const llvm::MapVector<Value, SmallVector<Member>> &operands) {
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
  auto stayBehind = [&](Operation *op) {
    if (op && (!anchor || anchor->isBeforeInBlock(op)))
      anchor = op;
  };
  for (const Member &member : members)
    stayBehind(inBlock(block, member.input().getDefiningOp()));
  return anchor;
}

/// Everything in the block before `fused` that uses its results, directly or not, in block order.
static SmallVector<Operation *> usersBefore(AllReduceOp fused) {
  llvm::SetVector<Operation *> users;
  SmallVector<Operation *> work{fused};
  while (!work.empty())
    for (Operation *user : work.pop_back_val()->getUsers()) {
      Operation *top = inBlock(fused->getBlock(), user);
      if (top && top->isBeforeInBlock(fused) && users.insert(top))
        work.push_back(top);
    }
  SmallVector<Operation *> ordered = users.takeVector();
  llvm::sort(ordered, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return ordered;
}

static void sinkUsers(AllReduceOp fused) {
  Operation *last = fused;
  for (Operation *user : usersBefore(fused)) {
    user->moveAfter(last);
    last = user;
  }
}

/// Metrics wait for everything else: behind the last collective that does not need them.
static void moveBehindCollectives(AllReduceOp metrics) {
  Operation *last = metrics;
  for (Operation *op = metrics->getNextNode(); op && movesFreely(op); op = op->getNextNode())
    if (isCollective(op))
      last = op;
  if (last == metrics)
    return;
  metrics->moveAfter(last);
  // A collective that needs a metric sinks behind it again, with everything between them that it
  // needs.
  sinkUsers(metrics);
}

static AllReduceOp fuse(ArrayRef<Member> members, std::optional<int64_t> id,
                        const llvm::SetVector<Operation *> &placed) {
  AllReduceOp first = members.front().op();
  Block *block = first->getBlock();
  OpBuilder builder(first->getContext());
  Operation *anchor = findAnchor(block, members);
  Block::iterator place = anchor ? std::next(anchor->getIterator()) : block->begin();
  // Behind earlier buckets that are ready at the same time: buckets start in their order.
  for (Block::iterator next = place; isa<AllReduceOp>(*next);)
    if (placed.contains(&*next++))
      place = next;
  builder.setInsertionPoint(block, place);
  auto operands = operandsOf(members);
  SmallVector<Value> inputs;
  for (const auto &entry : operands)
    inputs.push_back(entry.first);
  AllReduceOp last = members.back().op();
  auto fused = AllReduceOp::create(builder, last.getLoc(), first.getKind(), inputs, first.getZone(),
                                   namesOf(builder, operands), id, first.getGroupAttr());
  int64_t bytes = 0;
  for (auto [entry, result] : llvm::zip_equal(operands, fused.getResults())) {
    for (const Member &member : entry.second)
      member.result().replaceAllUsesWith(result);
    bytes += entry.second.front().bytes();
  }
  remark::passed(fused.getLoc(), remark::RemarkOpts::name("Bucket").category("ds-fuse-all-reduce"))
      << (stringifyZone(fused.getZone()) + " bucket").str() << remark::metric("id", id.value_or(-1))
      << remark::metric("members", inputs.size()) << remark::metric("bytes", bytes);
  sinkUsers(fused);
  if (fused.getZone() == Zone::Metric)
    moveBehindCollectives(fused);
  return fused;
}

/// Whether the bucket is one whole operation already.
static bool isWhole(ArrayRef<Member> members) {
  AllReduceOp op = members.front().op();
  return members.size() == op.getInputs().size() &&
         llvm::all_of(members, [&](const Member &member) { return member.operation == op; });
}

namespace {

struct FuseAllReduce final : ds::impl::FuseAllReducePassBase<FuseAllReduce> {
  using FuseAllReducePassBase::FuseAllReducePassBase;

  void runOnOperation() final {
    FailureOr<Config> config = getConfig(getOperation());
    if (failed(config))
      return signalPassFailure();
    if (config->fusionPolicy().mode == FusionPolicy::Mode::Auto) {
      getOperation().emitError("'comm_fusion = auto' is not built yet");
      return signalPassFailure();
    }
    getOperation().walk([&](FunctionOpInterface step) { fuseIn(step, *config); });
  }

private:
  static void fuseIn(FunctionOpInterface step, const Config &config) {
    std::vector<Member> members = collectMembers(step);
    if (members.empty())
      return;
    llvm::SetVector<Operation *> replaced, placed;
    for (const Bucket &bucket : assignBuckets(step, config, members)) {
      SmallVector<Member> inBucket;
      for (unsigned i : bucket.members)
        inBucket.push_back(members[i]);
      if (isWhole(inBucket)) {
        AllReduceOp op = inBucket.front().op();
        if (bucket.id)
          op.setFusion(*bucket.id);
        if (op.getZone() == Zone::Metric)
          moveBehindCollectives(op);
        placed.insert(op);
        continue;
      }
      for (const Member &member : inBucket)
        replaced.insert(member.operation);
      placed.insert(fuse(inBucket, bucket.id, placed));
    }
    for (Operation *op : replaced)
      op->erase();
  }
};

} // namespace
