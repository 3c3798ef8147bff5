//===- InsertReshards.cpp - Operands in required placements ---------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linear in the number of operands. A shard becomes another shard by an all-to-all. If the
// replicated value is required, too, or the sub-axes of the two shards overlap, the value is
// gathered once, and every required placement is made from the gathered value.
//
//===----------------------------------------------------------------------===//
#include "ds/Rewrite/InsertReshards.h"

#include "ds/Analysis/PlacementAnalysis.h"
#include "ds/Analysis/Reshard.h"

using namespace mlir;

namespace ds {

namespace {
class Inserter {
public:
  Inserter(const StepFlow &flow, StepPlacement &placement) : placement(placement) {
    for (Operation *op : flow.operations())
      for (OpOperand *operand : flow.operands(op))
        if (auto required = placement.required.find(operand); required != placement.required.end())
          if (Move move = moveOf(operand->get(), required->second);
              move == Move::AllGather || move == Move::GatherAndSlice)
            gathered.insert(operand->get());
  }

  void move(OpOperand &operand, const Placement &to) {
    Placement from = placement.of(operand.get());
    Location loc = operand.getOwner()->getLoc();
    Value value = operand.get();
    if (moveOf(value, to) == Move::GatherAndSlice ||
        (moveOf(value, to) == Move::AllToAll && gathered.contains(value)))
      value = moved(value, from, Placement::replicated(), loc);
    operand.set(moved(value, placement.of(value), to, loc));
  }

private:
  Move moveOf(Value value, const Placement &to) const {
    return getMove(placement.of(value), to, placement.ranks.size);
  }

  Value moved(Value value, const Placement &from, const Placement &to, Location loc) {
    if (moveOf(value, to) == Move::None)
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
  llvm::DenseSet<Value> gathered; // values of which an operand needs the whole
  llvm::DenseMap<std::tuple<Value, int64_t, int64_t, int64_t>, Value> known;
};
} // namespace

void insertReshards(const StepFlow &flow, StepPlacement &placement) {
  Inserter inserter(flow, placement);
  for (Operation *op : flow.operations())
    for (OpOperand *operand : flow.operands(op))
      if (auto required = placement.required.find(operand); required != placement.required.end())
        inserter.move(*operand, required->second);
  placement.required.clear();
}

} // namespace ds
