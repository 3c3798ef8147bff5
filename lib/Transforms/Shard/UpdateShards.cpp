//===- UpdateShards.cpp - What an update will be divided into -------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same demand for shards as in ShardedUpdate.cpp, on a step without all-reduces: the values
// that are combined end the way up, as their all-reduces will.
//
//===----------------------------------------------------------------------===//
#include "UpdateShards.h"

#include "ds/Dialect/IR/Roles.h"

using namespace mlir;

namespace ds {

DividedArgument divideArgument(func::FuncOp step, BlockArgument argument, int64_t dim, int64_t n,
                               bool marked) {
  int64_t size = cast<RankedTensorType>(argument.getType()).getDimSize(dim);
  return {{dim, /*a=*/1, /*b=*/size / n},
          marked,
          step.getArgAttr(argument.getArgNumber(), role::param) != nullptr};
}

void markDivided(func::FuncOp step, BlockArgument argument, int64_t dim) {
  MLIRContext *ctx = step.getContext();
  unsigned number = argument.getArgNumber();
  SmallVector<ArrayAttr> dims(cast<RankedTensorType>(argument.getType()).getRank(),
                              ArrayAttr::get(ctx, {}));
  if (auto marked = step.getArgAttrOfType<ShardingAttr>(number, role::sharding))
    dims.assign(marked.getDims().begin(), marked.getDims().end());
  SmallVector<Attribute> axes(dims[dim].getValue());
  auto batchAxis = StringAttr::get(ctx, getBatchAxis(step));
  if (!llvm::is_contained(axes, batchAxis))
    axes.push_back(batchAxis);
  dims[dim] = ArrayAttr::get(ctx, axes);
  step.setArgAttr(number, role::sharding, ShardingAttr::get(ctx, dims));
}

/// The first one, from `dim` on, that the ranks divide.
static std::optional<int64_t> findDimension(BlockArgument argument, int64_t dim, int64_t n) {
  auto type = cast<RankedTensorType>(argument.getType());
  for (; dim < type.getRank(); ++dim)
    if (type.getDimSize(dim) > 0 && type.getDimSize(dim) % n == 0)
      return dim;
  return std::nullopt;
}

/// As the field's guide says: what is large enough, in the first dimension that the ranks divide.
DividedArguments findLargeArguments(func::FuncOp step, const Config &config, int64_t n) {
  DividedArguments large;
  for (BlockArgument argument : step.getArguments()) {
    unsigned number = argument.getArgNumber();
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type || paramOrState(step, number).empty() || step.getArgAttr(number, role::layout) ||
        step.getArgAttr(number, role::batch) || step.getArgAttr(number, role::layerwiseParallel) ||
        getStoredBytes(argument) < config.parallelOptimizerThreshold())
      continue;
    if (std::optional<int64_t> dim = findDimension(argument, 0, n))
      large[argument] = divideArgument(step, argument, *dim, n, /*marked=*/false);
  }
  return large;
}

bool divideOtherwise(func::FuncOp step, const StepPlacement &placement, int64_t n,
                     DividedArguments &divided) {
  llvm::DenseMap<BlockArgument, OpOperand *> results;
  for (const StepResult &result : getStepResults(step))
    results[result.parameter ? result.parameter : result.state] = result.operand;
  auto gains = [&](BlockArgument argument, const DividedArgument &how) {
    OpOperand *result = results.lookup(argument);
    bool isGathered =
        llvm::any_of(argument.getUses(), [&](OpOperand &use) { return placement.wantsWhole(use); });
    return result && placement.of(result->get()) == Placement::sharded(how.sharding) &&
           (how.isParameter || !isGathered);
  };
  bool changed = false;
  divided.remove_if([&](auto &entry) {
    auto &[argument, how] = entry;
    if (how.marked || gains(argument, how))
      return false;
    changed = true;
    std::optional<int64_t> next = findDimension(argument, how.sharding.dim + 1, n);
    if (next)
      how = divideArgument(step, argument, *next, n, /*marked=*/false);
    return !next;
  });
  return changed;
}

namespace {

class DryRun {
public:
  DryRun(const StepFlow &flow, const ReplicaGroup &ranks, const DenseSet<Value> &varying)
      : flow(flow), varying(varying) {
    placement.ranks = ranks;
  }

  /// Places the update for these arguments, as ShardedUpdate does.
  void place(const DividedArguments &divided) {
    placement.placements.clear();
    placement.wanted.clear();
    for (Value value : varying)
      placement.placements[value] = Placement::varying();
    placeUpdate(flow, divided, placement);
  }

  const StepPlacement &placed() const { return placement; }

  UpdateShards collect(const DividedArguments &divided, const DenseSet<Value> &combined,
                       bool gathersTwice) {
    UpdateShards shards;
    shards.arguments = divided;
    for (Value value : combined)
      if (std::optional<Sharding> sharding = scattered(value))
        placement.placements[value] = Placement::sharded(*sharding);
    for (Operation *op : flow.operations())
      follow(op);
    for (auto [value, at] : placement.placements)
      if (at.isSharded())
        shards.values.insert(value);
    for (const auto &[argument, how] : divided) {
      int64_t whole = llvm::count_if(argument.getUses(),
                                     [&](OpOperand &use) { return placement.wantsWhole(use); });
      if (whole > 0)
        shards.gathered[argument] = gathersTwice && whole > 1 ? 2 : 1;
    }
    return shards;
  }

private:
  /// The shard in which all that read a combined value want it.
  std::optional<Sharding> scattered(Value value) const {
    std::optional<Sharding> wanted;
    for (OpOperand &use : value.getUses())
      if (auto it = placement.wanted.find(&use); it != placement.wanted.end()) {
        if (!it->second.isSharded() || (wanted && *wanted != it->second.sharding))
          return std::nullopt;
        wanted = it->second.sharding;
      }
    for (OpOperand &use : value.getUses())
      if (!wanted ||
          (!placement.wanted.contains(&use) && !canConsumeShard(flow, placement, use, *wanted)))
        return std::nullopt;
    return wanted;
  }

  /// What is made of shards alone, as on the way to a norm.
  void follow(Operation *op) {
    auto isShard = [&](OpOperand *operand) {
      return placement.of(operand->get()).isSharded() && !placement.wantsWhole(*operand);
    };
    if (!followsOperands(flow, placement, op) || !llvm::any_of(flow.operands(op), isShard) ||
        llvm::any_of(op->getResults(),
                     [&](Value result) { return placement.of(result).isSharded(); }))
      return;
    PlacementRule rule(op, flow.operands(op), placement.ranks, [&](OpOperand &operand) {
      return isShard(&operand) ? placement.of(operand.get()) : Placement::replicated();
    });
    placeOperation(op, rule);
    if (rule.reason)
      return;
    for (auto [result, at] : llvm::zip(op->getResults(), rule.results))
      if (at.isSharded())
        placement.placements[result] = at;
  }

  const StepFlow &flow;
  const DenseSet<Value> &varying;
  StepPlacement placement;
};

} // namespace

UpdateShards findUpdateShards(const StepFlow &flow, const ReplicaGroup &ranks, const Config &config,
                              const DenseSet<Value> &varying, const DenseSet<Value> &combined) {
  DividedArguments divided = findLargeArguments(flow.step(), config, ranks.size);
  DryRun update(flow, ranks, varying);
  update.place(divided);
  while (divideOtherwise(flow.step(), update.placed(), ranks.size, divided))
    update.place(divided);
  return update.collect(divided, combined, config.optimizerLevel() == OptimizerLevel::Level3);
}

} // namespace ds
