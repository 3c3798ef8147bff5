//===- ShardBatch.cpp - Which rows of a batch a rank holds ----------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An argument of k entries per sample is read as [samples, k], or as [k, samples] where the k
// entries of a sample are apart; a rank holds the entries of its samples. In `global` any choice is
// correct, and placing the step with it gives its cost. One sweep for each candidate.
//
//===----------------------------------------------------------------------===//
#include "ds/Analysis/PlacementAnalysis.h"
#include "ds/Analysis/StepRoles.h"

#include "ds/Dialect/IR/Roles.h"

using namespace mlir;

namespace ds {

//===----------------------------------------------------------------------===//
// Batch arguments
//===----------------------------------------------------------------------===//

int64_t BatchArgument::size() const {
  return cast<RankedTensorType>(argument.getType()).getDimSize(dim);
}

SmallVector<BatchArgument> getBatchArguments(func::FuncOp step) {
  SmallVector<BatchArgument> batch;
  for (BlockArgument argument : step.getArguments()) {
    unsigned number = argument.getArgNumber();
    if (auto dim = step.getArgAttrOfType<IntegerAttr>(number, role::batch))
      batch.push_back({argument, dim.getInt(), step.getArgAttr(number, role::weight) != nullptr,
                       step.getArgAttr(number, role::apart) != nullptr});
  }
  return batch;
}

int64_t getSampleSize(ArrayRef<BatchArgument> batch) {
  SmallVector<int64_t> sizes;
  std::optional<int64_t> weights;
  for (const BatchArgument &argument : batch) {
    sizes.push_back(argument.size());
    if (argument.isWeight)
      weights = argument.size();
  }
  return std::max<int64_t>(1, countSamples(sizes, weights));
}

LogicalResult checkBatchArguments(func::FuncOp step) {
  SmallVector<BatchArgument> batch = getBatchArguments(step);
  if (llvm::all_of(batch, [&](const BatchArgument &argument) {
        return !paramOrState(step, argument.argument.getArgNumber()).empty();
      }))
    return step.emitError("the step has no batch argument; mark the arguments that hold samples "
                          "with ds.batch");
  int64_t samples = getSampleSize(batch);
  for (const BatchArgument &argument : batch) {
    assert(argument.size() > 0 && "the verifier of roles refuses it");
    if (!paramOrState(step, argument.argument.getArgNumber()).empty() &&
        argument.size() % samples != 0)
      return step.emitError("state '")
             << getLabel(step, argument) << "' has " << argument.size()
             << " entries along its dimension of samples, which is no multiple of the " << samples
             << " samples of a step";
  }
  return success();
}

std::string getLabel(func::FuncOp step, const BatchArgument &argument) {
  unsigned number = argument.argument.getArgNumber();
  StringRef name = argumentName(step, number);
  return name.empty() ? "#" + std::to_string(number) : name.str();
}

//===----------------------------------------------------------------------===//
// The choice of rows
//===----------------------------------------------------------------------===//

/// Samples are sharded in blocks of `block` (1: cyclic, B / n: block). In the arguments of `apart`,
/// the entries of a sample are apart.
struct BatchLayout {
  int64_t block = 1;
  llvm::SmallDenseSet<Value> apart;
};

static StepPlacement placeWith(const BatchLayout &layout, const StepFlow &flow,
                               const ReplicaGroup &ranks, ArrayRef<BatchArgument> batch,
                               bool returnsWhole) {
  func::FuncOp step = flow.step();
  int64_t samples = getSampleSize(batch), major = samples / (ranks.size * layout.block);
  auto rowsOf = [&](int64_t dim, int64_t size, bool apart) {
    int64_t entries = size / samples;
    return apart ? Sharding{dim, entries * major, layout.block}
                 : Sharding{dim, major, entries * layout.block};
  };
  StepBoundary boundary;
  for (const BatchArgument &argument : batch)
    if (argument.size() > 0 && argument.size() % samples == 0)
      boundary.arguments[argument.argument] =
          rowsOf(argument.dim, argument.size(), layout.apart.contains(argument.argument));
  for (const StepResult &result : getStepResults(step)) {
    auto dim = step.getResultAttrOfType<IntegerAttr>(result.index, role::batch);
    auto type = dyn_cast<RankedTensorType>(result.operand->get().getType());
    if (returnsWhole && !result.updates.empty())
      boundary.carried.insert(result.index);
    if (auto state = boundary.arguments.find(result.state);
        result.state && state != boundary.arguments.end())
      boundary.results[result.index] = state->second;
    else if (dim && type && type.getDimSize(dim.getInt()) % samples == 0)
      boundary.results[result.index] =
          rowsOf(dim.getInt(), type.getDimSize(dim.getInt()), /*apart=*/false);
  }
  return placeStep(flow, ranks, boundary);
}

/// Returns the sets of arguments that hold the entries of a sample apart: first as the step
/// declares, then the alternatives. Beyond a few undeclared arguments, only all or none of them.
static SmallVector<llvm::SmallDenseSet<Value>> getOrders(ArrayRef<BatchArgument> batch) {
  constexpr unsigned mostAlone = 3;
  int64_t samples = getSampleSize(batch);
  llvm::SmallDenseSet<Value> said;
  SmallVector<Value> open;
  for (const BatchArgument &argument : batch) {
    if (argument.apart)
      said.insert(argument.argument);
    else if (argument.size() > samples && argument.size() % samples == 0)
      open.push_back(argument.argument);
  }
  SmallVector<llvm::SmallDenseSet<Value>> orders;
  unsigned choices = open.size() > mostAlone ? 2 : 1u << open.size();
  for (unsigned choice = 0; choice < choices; ++choice) {
    llvm::SmallDenseSet<Value> &order = orders.emplace_back(said);
    for (auto [i, argument] : llvm::enumerate(open))
      if (open.size() > mostAlone ? choice != 0 : (choice >> i & 1) != 0)
        order.insert(argument);
  }
  return orders;
}

ShardedStep shardStep(const StepFlow &flow, const ReplicaGroup &ranks, bool returnsWhole) {
  SmallVector<BatchArgument> batch = getBatchArguments(flow.step());
  int64_t rows = std::max<int64_t>(1, getSampleSize(batch) / ranks.size);
  SmallVector<int64_t> blocks = {1, rows};
  for (int64_t b = 2; b < rows; ++b)
    if (rows % b == 0)
      blocks.push_back(b);
  std::optional<ShardedStep> best, first;
  // Work that every rank does on all samples costs more than any transfer.
  std::pair<bool, int64_t> least;
  for (const llvm::SmallDenseSet<Value> &order : getOrders(batch))
    for (int64_t block : blocks) {
      ShardedStep tried{block, placeWith({block, order}, flow, ranks, batch, returnsWhole)};
      std::pair cost(!tried.placement.unsharded.empty(), getGatheredBytes(flow, tried.placement));
      if (tried.placement.conflicts.empty() && !cost.first && cost.second == 0)
        return tried;
      if (tried.placement.conflicts.empty() && (!best || cost < least)) {
        best = std::move(tried);
        least = cost;
      } else if (!first) {
        first = std::move(tried);
      }
    }
  return std::move(best ? *best : *first);
}

} // namespace ds
