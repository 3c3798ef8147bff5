//===- ExplainShardings.cpp - What each sharding of a value costs ---------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linear in the number of sharding candidates: the search runs once for each, with all others
// forbidden.
//
//===----------------------------------------------------------------------===//
#include "ds/Transforms/Search/ExplainShardings.h"

#include "ShardAxes.h"

#include "ds/Analysis/StepRoles.h"

using namespace mlir;

namespace ds {
namespace {

class Explainer {
public:
  Explainer(func::FuncOp step, const std::vector<ExplainedValue> &explained, int64_t batchRanks)
      : step(step), explained(explained), batchRanks(batchRanks) {}

  void explain(const StepFlow &flow, const ReplicaGroup &ranks, const StrategyTask &task,
               const StepStrategy &strategy, int64_t time) {
    SmallVector<Value> values;
    SmallVector<unsigned> numbers;
    for (auto [number, asked] : llvm::enumerate(explained))
      for (Value value : find(flow, asked)) {
        values.push_back(value);
        numbers.push_back(number);
      }
    auto alternatives = explainValues(flow, ranks, task, values);
    int64_t beside = time - strategy.cost; // what all plans have in common
    for (auto [number, value, ways] : llvm::zip_equal(numbers, values, alternatives)) {
      ValueOverAxis over{number, cast<StringAttr>(ranks.axes[0]).str(), ranks.size, {}, {}};
      llvm::raw_string_ostream(over.type) << value.getType();
      Placement made = strategy.made.lookup(value);
      for (const Alternative &way : ways) {
        ExplainedCandidate to{describe(way.made), way.bound + beside, way.cost, way.made == made};
        if (to.timeNs)
          *to.timeNs += beside;
        over.ways.push_back(std::move(to));
      }
      found.push_back(std::move(over));
    }
  }

  std::vector<ValueOverAxis> found;

private:
  SmallVector<Value> find(const StepFlow &flow, const ExplainedValue &asked) {
    SmallVector<Value> values;
    if (asked.argument) {
      values.push_back(step.getArgument(*asked.argument));
      return values;
    }
    for (Operation *op : flow.operations())
      if (auto name = op->getLoc()->findInstanceOf<NameLoc>();
          name && name.getName().getValue() == asked.name)
        llvm::append_range(values, op->getResults());
    return values;
  }

  std::string describe(const Placement &placement) const {
    if (placement.isPartial())
      return "partial sums";
    if (!placement.isSharded())
      return "replicated";
    std::string text = "sharded along dimension " + std::to_string(placement.sharding.dim);
    if (placement.sharding.a == batchRanks && batchRanks > 1)
      text += ", within the blocks of '" + getBatchAxis(step) + "'";
    else if (placement.sharding.a > 1)
      text += ", within each of " + std::to_string(placement.sharding.a) + " blocks";
    return text;
  }

  func::FuncOp step;
  const std::vector<ExplainedValue> &explained;
  int64_t batchRanks;
};

} // namespace

FailureOr<std::vector<ValueOverAxis>>
explainShardings(ModuleOp module, StringRef entry, StringRef mesh, int64_t heldByte,
                 const std::vector<ExplainedValue> &explained) {
  FailureOr<Config> config = getConfig(module);
  func::FuncOp step = getStep(module, entry);
  if (failed(config) || !step)
    return failure();
  llvm::cantFail(config->set("mesh", mesh.str()));
  setConfig(module, *config);
  ShardingSearch search(step, *config, heldByte);
  std::vector<MeshAxis> axes = config->mesh();
  Explainer explainer(step, explained, axes.front().size);
  search.setListener([&](const StepFlow &flow, const ReplicaGroup &ranks, const StrategyTask &task,
                         const StepStrategy &strategy) {
    explainer.explain(flow, ranks, task, strategy, search.time() + strategy.holding);
  });
  ScopedDiagnosticHandler quiet(module.getContext(), [](Diagnostic &diagnostic) {
    return success(diagnostic.getSeverity() != DiagnosticSeverity::Error);
  });
  if (failed(shardAxes(step, axes, &search)))
    return failure();
  return std::move(explainer.found);
}

} // namespace ds
