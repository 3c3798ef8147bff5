//===- StepPlan.cpp - The plan of a module's step -------------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the configuration, refuses a step without parameters or with a parameter that no result
// updates, and plans.
//
//===----------------------------------------------------------------------===//
#include "StepPlan.h"
#include "ds/Rewrite/Unfuse.h"

#include "llvm/ADT/StringSet.h"

#include <numeric>

using namespace mlir;

namespace ds {

std::optional<ReplicaGroup> getBatchRanks(MLIRContext *ctx, const Config &config) {
  std::vector<MeshAxis> mesh = config.mesh();
  if (mesh.size() > 1)
    return ReplicaGroup(mesh[0].size, ArrayAttr::get(ctx, StringAttr::get(ctx, mesh[0].name)));
  std::optional<int64_t> ranks = config.deviceNum();
  return ranks ? std::optional<ReplicaGroup>(*ranks) : std::nullopt;
}

bool runsAlone(const Config &config) {
  std::vector<MeshAxis> mesh = config.mesh();
  return config.parallelMode() == ParallelMode::StandAlone ||
         (mesh.empty() ? config.deviceNum() : mesh[0].size) == 1;
}

static LogicalResult checkParameters(func::FuncOp step) {
  llvm::StringSet<> updated;
  for (const StepResult &result : getStepResults(step))
    updated.insert(result.updates);
  bool any = false;
  for (unsigned i = 0; i < step.getNumArguments(); ++i) {
    auto parameter = step.getArgAttrOfType<StringAttr>(i, "ds.param");
    if (!parameter)
      continue;
    any = true;
    if (!updated.contains(parameter.getValue()))
      return step.emitError("no result updates parameter '")
             << parameter.getValue() << "'; expected a result with ds.updates = \""
             << parameter.getValue() << "\"";
  }
  if (!any)
    return step.emitError("the step has no parameter; mark the trainable arguments with ds.param");
  return success();
}

FailureOr<func::FuncOp> getCheckedStep(ModuleOp module, StringRef entry) {
  func::FuncOp step = getStep(module, entry);
  if (!step || failed(checkParameters(step)))
    return failure();
  return step;
}

bool unfuseSums(const ReductionPlan &plan) {
  bool changed = false;
  for (Operation *op : plan.fusedSums)
    changed |= unfuse(op);
  return changed;
}

FailureOr<PlannedStep> planStep(ModuleOp module, StringRef entry) {
  FailureOr<func::FuncOp> checked = getCheckedStep(module, entry);
  FailureOr<Config> config = getConfig(module);
  if (failed(checked) || failed(config))
    return failure();
  func::FuncOp step = *checked;
  bool local = config->batch() == BatchSemantics::Local;
  std::optional<ReplicaGroup> ranks = getBatchRanks(module.getContext(), *config);
  if (!local && !ranks)
    return step.emitError("batch = global needs the number of ranks; set device_num");
  // The first axis of the mesh that a search will choose divides the batch.
  if (!local && config->parallelMode() == ParallelMode::AutoParallel && !config->isSet("mesh"))
    if (SmallVector<BatchArgument> batch = getBatchArguments(step); !batch.empty())
      ranks->size = std::gcd(ranks->size, getSampleSize(batch));
  StepFlow flow(step);
  FailureOr<ReductionPlan> plan =
      local ? planLocal(flow, *config, ranks ? ranks->axes : nullptr) : planGlobal(flow, *ranks);
  if (failed(plan))
    return failure();
  if (unfuseSums(*plan))
    return planStep(module, entry);
  return PlannedStep{step, std::move(flow), *config, std::move(*plan)};
}

} // namespace ds
