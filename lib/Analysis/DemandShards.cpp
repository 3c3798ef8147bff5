//===- DemandShards.cpp - Compute only the rank's part of whole values ----===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A mask of the whole batch comes out replicated and would be computed whole by every rank. One
// sweep backward gives it to its producers what its uses want; linear in the number of operands.
//
//===----------------------------------------------------------------------===//
#include "ds/Analysis/PlacementAnalysis.h"

using namespace mlir;

namespace ds {

/// The one shard in which all uses take the value.
static std::optional<Sharding> wantedShard(Value value, const StepPlacement &state) {
  std::optional<Sharding> wanted;
  for (OpOperand &use : value.getUses()) {
    OperandUse taken = state.useOf(use);
    if (taken.kind != OperandUse::Slice || (wanted && *wanted != taken.sharding))
      return std::nullopt;
    wanted = taken.sharding;
  }
  return wanted;
}

void demandShards(const StepFlow &flow, StepPlacement &state) {
  for (Operation *op : llvm::reverse(flow.operations())) {
    if (op->getNumResults() != 1)
      continue;
    Value result = op->getResult(0);
    if (!state.of(result).isReplicated() || !isa<RankedTensorType>(result.getType()))
      continue;
    std::optional<Sharding> wanted = wantedShard(result, state);
    if (!wanted)
      continue;
    if (llvm::any_of(flow.operands(op), [&](OpOperand *operand) {
          return !state.of(operand->get()).isReplicated() ||
                 state.useOf(*operand).kind != OperandUse::AsIs;
        }))
      continue;
    llvm::DenseMap<OpOperand *, Sharding> wants;
    if (!demandByRule(op, *wanted, wants))
      continue;
    state.placements[result] = Placement::sharded(*wanted);
    for (OpOperand &use : result.getUses())
      state.uses.erase(&use);
    for (auto [operand, sharding] : wants)
      state.uses[operand] = {OperandUse::Slice, sharding};
  }
}

} // namespace ds
