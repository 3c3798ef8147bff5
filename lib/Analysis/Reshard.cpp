//===- Reshard.cpp - From one placement to another ------------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linear in the number of operands. From one shard to another goes by way of the whole value, which
// is gathered once for all shards that are wanted of it.
//
//===----------------------------------------------------------------------===//
#include "ds/Analysis/Reshard.h"

#include "ds/Analysis/ReductionPlan.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace ds {

Move getMove(const Placement &from, const Placement &to) {
  if (from.kind == to.kind && (!from.isSharded() || from.sharding == to.sharding))
    return Move::None;
  switch (from.kind) {
  case Placement::Replicated:
    return to.isSharded() ? Move::Slice : Move::None;
  case Placement::Sharded:
    return to.isSharded() ? Move::GatherAndSlice : Move::AllGather;
  case Placement::Partial:
    return to.isSharded() ? Move::ReduceScatter : Move::AllReduce;
  case Placement::Varying:
    return Move::None;
  }
  llvm_unreachable("all placements are covered");
}

/// What is beyond 2^50 is all alike.
static int64_t bytesInLoops(int64_t bytes, int64_t tripCount) {
  constexpr int64_t most = int64_t(1) << 50; // thousands of them can be added
  int64_t product;
  return llvm::MulOverflow(bytes, tripCount, product) ? most : std::min(product, most);
}

MovePrice getPrice(const StepFlow &flow, Value value, Move move) {
  if (move == Move::None || move == Move::Slice)
    return {};
  int64_t tripCount = flow.tripCount(value);
  return {bytesInLoops(getWireBytes(value), tripCount), tripCount};
}

namespace {
class Inserter {
public:
  explicit Inserter(StepPlacement &placement) : placement(placement) {}

  void move(OpOperand &operand, const Placement &to) {
    Placement from = placement.of(operand.get());
    Location loc = operand.getOwner()->getLoc();
    Value value = operand.get();
    if (getMove(from, to) == Move::GatherAndSlice)
      value = moved(value, from, Placement::replicated(), loc);
    operand.set(moved(value, placement.of(value), to, loc));
  }

private:
  Value moved(Value value, const Placement &from, const Placement &to, Location loc) {
    if (getMove(from, to) == Move::None)
      return value;
    auto key =
        std::make_tuple(value, to.sharding.dim, to.sharding.a, to.isSharded() ? to.sharding.b : 0);
    Value &made = known[key];
    if (!made) {
      OpBuilder b(value.getContext());
      b.setInsertionPointAfterValue(value);
      made =
          ReshardOp::create(b, loc, value, from.toAttr(b.getContext()), to.toAttr(b.getContext()));
      placement.placements[made] = to;
    }
    return made;
  }

  StepPlacement &placement;
  llvm::DenseMap<std::tuple<Value, int64_t, int64_t, int64_t>, Value> known;
};
} // namespace

void insertReshards(const StepFlow &flow, StepPlacement &placement) {
  Inserter inserter(placement);
  for (Operation *op : flow.operations())
    for (OpOperand *operand : flow.operands(op))
      if (auto wanted = placement.wanted.find(operand); wanted != placement.wanted.end())
        inserter.move(*operand, wanted->second);
  placement.wanted.clear();
}

} // namespace ds
