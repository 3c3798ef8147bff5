//===- StepStrategy.cpp - The cheapest way to shard a step ----------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Analysis/Search/StepStrategy.h"

#include "StepModel.h"

#include "ds/Analysis/PlacementAnalysis.h"

using namespace mlir;

namespace ds {

std::optional<StepStrategy> findStrategy(const StepFlow &flow, const ReplicaGroup &ranks,
                                         const StrategyTask &task) {
  return StepModel(flow, ranks, task).search();
}

std::vector<std::vector<Alternative>> explainValues(const StepFlow &flow, const ReplicaGroup &ranks,
                                                    const StrategyTask &task,
                                                    ArrayRef<Value> values) {
  StepModel model(flow, ranks, task);
  std::vector<std::vector<Alternative>> found;
  for (Value value : values)
    found.push_back(model.explain(value));
  return found;
}

int64_t getCost(const StepFlow &flow, const StepPlacement &placement, const StrategyTask &task) {
  StrategyCosts costs(flow, placement.ranks, task);
  int64_t cost = 0;
  for (BlockArgument argument : func::FuncOp(flow.step()).getArguments())
    cost += costs.ofBatch(argument, placement.of(argument)) +
            costs.ofGathers(argument, placement.of(argument)) +
            costs.ofHolding(argument, placement.of(argument));
  for (auto [state, parameter] : task.updatedTogether)
    cost += placement.of(state) != placement.of(parameter);
  llvm::DenseMap<Value, SmallVector<Placement, 1>> moved;
  auto take = [&](OpOperand &operand) {
    Placement at = placement.of(operand.get());
    auto required = placement.required.find(&operand);
    if (required == placement.required.end())
      return at;
    SmallVector<Placement, 1> &known = moved[operand.get()];
    if (!llvm::is_contained(known, required->second)) {
      known.push_back(required->second);
      cost += costs.ofMove(operand.get(), at, required->second);
    }
    return required->second;
  };
  for (Operation *op : flow.operations()) {
    SmallVector<Placement> operands, results;
    for (OpOperand *operand : flow.operands(op))
      operands.push_back(take(*operand));
    for (Value result : op->getResults()) {
      results.push_back(placement.of(result));
      cost += costs.ofBatch(result, results.back());
    }
    if (auto reduced = dyn_cast<AllReduceOp>(op); reduced && placement.ranks.meets(op))
      for (auto [value, made] : llvm::zip(op->getOperands(), results))
        cost += costs.ofMove(value, Placement::partial(reduced.getKind()), made);
    bool sharded = dividesWork(op, flow.operands(op), operands, results);
    if (!flow.isControl(op) && !op->hasTrait<OpTrait::IsTerminator>())
      cost += costs.ofWork(op, operands, results, sharded);
  }
  return cost;
}

} // namespace ds
