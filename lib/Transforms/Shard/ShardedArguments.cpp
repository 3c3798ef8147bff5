//===- ShardedArguments.cpp - What a parallel optimizer shards ------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ShardedArguments.h"

#include "ds/Dialect/IR/Roles.h"

using namespace mlir;

namespace ds {

ShardedArgument shardArgument(func::FuncOp step, BlockArgument argument, int64_t dim, int64_t n,
                              bool marked) {
  int64_t size = cast<RankedTensorType>(argument.getType()).getDimSize(dim);
  return {{dim, /*a=*/1, /*b=*/size / n},
          marked,
          step.getArgAttr(argument.getArgNumber(), role::param) != nullptr};
}

void markSharded(func::FuncOp step, BlockArgument argument, int64_t dim) {
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

/// Returns the first dimension, from `dim` on, that the ranks divide evenly.
static std::optional<int64_t> findDimension(BlockArgument argument, int64_t dim, int64_t n) {
  auto type = cast<RankedTensorType>(argument.getType());
  for (; dim < type.getRank(); ++dim)
    if (type.getDimSize(dim) > 0 && type.getDimSize(dim) % n == 0)
      return dim;
  return std::nullopt;
}

/// As guides of the field recommend: arguments that are large enough, along the first dimension
/// that the ranks divide evenly.
ShardedArguments findLargeArguments(func::FuncOp step, const Config &config, int64_t n) {
  ShardedArguments large;
  for (BlockArgument argument : step.getArguments()) {
    unsigned number = argument.getArgNumber();
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type || paramOrState(step, number).empty() || step.getArgAttr(number, role::layout) ||
        step.getArgAttr(number, role::batch) || step.getArgAttr(number, role::layerwiseParallel) ||
        getStoredBytes(argument) < config.parallelOptimizerThreshold())
      continue;
    if (std::optional<int64_t> dim = findDimension(argument, 0, n))
      large[argument] = shardArgument(step, argument, *dim, n, /*marked=*/false);
  }
  return large;
}

bool shardOtherwise(func::FuncOp step, const StepPlacement &placement, int64_t n,
                    ShardedArguments &sharded) {
  llvm::DenseMap<BlockArgument, OpOperand *> results;
  for (const StepResult &result : getStepResults(step))
    results[result.parameter ? result.parameter : result.state] = result.operand;
  auto gains = [&](BlockArgument argument, const ShardedArgument &how) {
    OpOperand *result = results.lookup(argument);
    bool isGathered =
        llvm::any_of(argument.getUses(), [&](OpOperand &use) { return placement.wantsWhole(use); });
    return result && placement.of(result->get()) == Placement::sharded(how.sharding) &&
           (how.isParameter || !isGathered);
  };
  bool changed = false;
  sharded.remove_if([&](auto &entry) {
    auto &[argument, how] = entry;
    if (how.marked || gains(argument, how))
      return false;
    changed = true;
    std::optional<int64_t> next = findDimension(argument, how.sharding.dim + 1, n);
    if (next)
      how = shardArgument(step, argument, *next, n, /*marked=*/false);
    return !next;
  });
  return changed;
}

} // namespace ds
