//===- PlanGlobal.cpp - Reductions of a step over the whole batch ---------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `global`: partial values come from reductions over the sharded batch dimension. Every use that is
// not linear in them, reads them beside sharded data, or returns them from the step needs the
// reduced value.
//
//===----------------------------------------------------------------------===//
#include "ds/Analysis/Cut/ReductionNetwork.h"

#include "ds/Dialect/IR/Roles.h"
#include "ds/Support/DiagnosticKind.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace ds {

/// Succeeds if the step has the arguments that a data-parallel step needs and the ranks divide the
/// batch.
static LogicalResult checkBatch(func::FuncOp step, int64_t numRanks) {
  if (failed(checkBatchArguments(step)))
    return failure();
  SmallVector<BatchArgument> batch = getBatchArguments(step);
  int64_t samples = getSampleSize(batch);
  for (const BatchArgument &argument : batch)
    if (argument.size() == samples && samples % numRanks != 0)
      return step.emitError("the batch of argument '")
             << getLabel(step, argument) << "' has " << samples << " samples, which " << numRanks
             << " ranks cannot divide";
  return success();
}

/// Results leave the step replicated, or per sample where the step declares them so.
static LogicalResult checkResults(func::FuncOp step, const StepPlacement &placement) {
  int64_t samples = getSampleSize(getBatchArguments(step));
  for (const StepResult &result : getStepResults(step)) {
    Placement at = placement.of(result.operand->get());
    auto refuse = [&](std::optional<int64_t> samplesDim) {
      InFlightDiagnostic error = result.operand->getOwner()->emitError("result #") << result.index;
      attach(resultSamples(result.index, samplesDim), error);
      return error;
    };
    if (at.isSharded() && !result.perSample && result.updates.empty())
      return refuse(at.sharding.dim)
             << " holds one entry per sample; mark it with ds.batch = " << at.sharding.dim
             << " (in JAX: samples=) to return each rank's rows";
    if (!result.perSample)
      continue;
    int64_t dim = step.getResultAttrOfType<IntegerAttr>(result.index, role::batch).getInt();
    int64_t size = cast<RankedTensorType>(result.operand->get().getType()).getDimSize(dim);
    if (at.isSharded() && at.sharding.dim != dim)
      return refuse(at.sharding.dim) << " is marked with ds.batch = " << dim << ", but dimension "
                                     << at.sharding.dim << " holds its samples";
    if (!at.isSharded() && size % samples != 0)
      return refuse(std::nullopt) << " is marked with ds.batch = " << dim << ", but its " << size
                                  << " entries are no multiple of the " << samples << " samples";
  }
  return success();
}

FailureOr<ReductionPlan> planGlobal(const StepFlow &flow, const ReplicaGroup &ranks) {
  func::FuncOp step = flow.step();
  if (failed(checkBatch(step, ranks.size)))
    return failure();
  ShardedStep sharded = shardStep(flow, ranks);
  if (failed(checkSharded(sharded.placement)))
    return failure();
  ReductionPlan plan;
  plan.block = sharded.block;
  plan.placement = std::move(sharded.placement);
  if (failed(checkResults(step, plan.placement)))
    return failure();
  cutNetwork(flow, {}, plan);
  findFusedSums(flow, plan);
  nameGradients(flow, plan);
  assignPurposes(flow, [&](Value value) { return plan.placement.of(value).isSharded(); }, plan);
  return plan;
}

/// Returns the partial values of which no use needs the reduced value.
static llvm::DenseSet<Value> findKept(const StepPlacement &placement) {
  llvm::DenseSet<Value> kept, needed;
  for (auto [operand, required] : placement.required)
    needed.insert(operand->get());
  for (auto [value, at] : placement.placements)
    if (at.isPartial() && !needed.contains(value))
      kept.insert(value);
  return kept;
}

FailureOr<ReductionPlan> planSharded(const StepFlow &flow, const ReplicaGroup &ranks,
                                     const StepBoundary &boundary, CutAt where) {
  ReductionPlan plan;
  plan.placement = placeStep(flow, ranks, boundary);
  if (failed(checkSharded(plan.placement)))
    return failure();
  cutNetwork(flow, {}, plan,
             where == CutAt::Uses ? findKept(plan.placement) : llvm::DenseSet<Value>());
  findFusedSums(flow, plan);
  return plan;
}

std::optional<PlacementConflict> findChanged(const StepFlow &flow, const ReductionPlan &plan,
                                             const StepPlacement &placement) {
  llvm::DenseSet<Value> combined;
  for (const Reduction &reduction : plan.reductions)
    combined.insert(reduction.value);
  for (Operation *op : flow.operations())
    for (Value value : op->getResults()) {
      auto it = plan.placement.placements.find(value);
      if (it == plan.placement.placements.end())
        continue;
      Placement before = it->second, now = placement.of(value);
      if (before.isPartial() && !plan.partialValues.contains(value) && !combined.contains(value))
        before = Placement::replicated();
      if (before.kind == now.kind && (before.isReplicated() || before == now))
        continue;
      std::string reason;
      llvm::raw_string_ostream(reason) << "this is " << now << ", but reductions were planned for "
                                       << before << "; please report this";
      return PlacementConflict{op, reason};
    }
  return std::nullopt;
}

} // namespace ds
