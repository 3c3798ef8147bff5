//===- StepPreview.cpp - The report of a step on n ranks ------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Read from the step of one rank, so that the report is about what runs.
//
//===----------------------------------------------------------------------===//
#include "ds/Preview/StepPreview.h"
#include "ds/Dialect/IR/Precision.h"

#include "ds/Analysis/Reshard.h"
#include "ds/Analysis/StepRoles.h"
#include "ds/Compiler/BuildManifest.h"
#include "ds/Dialect/IR/PlanAttrs.h"
#include "ds/Dialect/IR/Roles.h"
#include "ds/Plan/StepCosts.h"
#include "ds/Run/Ranks/Batch.h"

using namespace mlir;

namespace ds {
namespace {

std::string placeOf(Location location) {
  auto place = location->findInstanceOf<FileLineColLoc>();
  if (!place || place.getLine() == 0)
    return "";
  return place.getFilename().str() + ":" + std::to_string(place.getLine());
}

const char *nameOf(SearchMode mode) {
  switch (mode) {
  case SearchMode::RecursiveProgramming:
    return "recursive_programming";
  case SearchMode::DynamicProgramming:
    return "dynamic_programming";
  case SearchMode::ShardingPropagation:
    return "sharding_propagation";
  }
  llvm_unreachable("all modes are covered");
}

class CollectiveReader {
public:
  CollectiveReader(func::FuncOp step, const Config &config)
      : step(step), flow(step), costs{config.costRates()}, ranks(config.deviceNum().value_or(1)) {}

  std::vector<CollectiveRow> read() {
    std::vector<CollectiveRow> rows;
    for (CollectiveOpInterface op : collectUnits<CollectiveOpInterface>(step))
      if (!isa<WaitOp, BarrierOp>(op))
        rows.push_back(read(op));
    return rows;
  }

private:
  CollectiveRow read(CollectiveOpInterface op) {
    CollectiveRow row;
    StringRef name = op->getName().stripDialect();
    name.consume_back("_start");
    row.operation = name.str();
    Attribute group = op.getRanks();
    row.axes = describe(group);
    row.ranks = group ? getGroupSize(op, group).value_or(ranks) : ranks;
    row.count = op->getNumResults() ? flow.tripCount(op->getResult(0)) : 1;
    for (Value value : op.getWholes())
      row.bytes += getWireBytes(value);
    Messages messages = getMessages(op, row.ranks, row.bytes);
    row.timeNs = row.count * costs.ofMessages(messages.count, messages.bytes);
    Value moved = op.getRead().getAsOperandRange().front();
    row.of = describe(op, moved);
    Operation *maker = moved.getDefiningOp();
    row.place = placeOf(maker ? maker->getLoc() : op->getLoc());
    return row;
  }

  std::string describe(Attribute group) const {
    std::string text;
    if (auto axes = dyn_cast_or_null<ArrayAttr>(group))
      for (auto axis : axes.getAsRange<StringAttr>())
        text += (text.empty() ? "" : " x ") + axis.str();
    else if (group)
      text = "a group";
    return text.empty() ? "all ranks" : text;
  }

  std::string describe(CollectiveOpInterface op, Value moved) {
    if (auto names = op->getAttrOfType<ArrayAttr>("names"); names && names.size() > 1)
      return std::to_string(names.size()) + " values at once";
    if (auto names = op->getAttrOfType<ArrayAttr>("names"); names && !names.empty()) {
      std::string text;
      for (auto name : cast<ArrayAttr>(names[0]).getAsRange<StringAttr>())
        text += (text.empty() ? "" : ", ") + name.str();
      return text;
    }
    if (auto argument = dyn_cast<BlockArgument>(moved);
        argument && argument.getOwner()->getParentOp() == step)
      return argumentName(step, argument.getArgNumber()).str();
    Operation *maker = moved.getDefiningOp();
    return maker ? maker->getName().getStringRef().str() : "a value of a loop";
  }

  func::FuncOp step;
  StepFlow flow;
  StepCosts costs;
  int64_t ranks;
};

} // namespace

FailureOr<StepPreview> readPreview(ModuleOp module, StringRef entry) {
  func::FuncOp step = getStep(module, entry);
  FailureOr<Config> config = getConfig(module);
  if (!step || failed(config))
    return failure();
  FailureOr<Manifest> manifest = buildManifest(step);
  if (failed(manifest))
    return failure();
  StepPreview preview;
  preview.manifest = std::move(*manifest);
  preview.roundsFactors = roundsFactors(*config);
  preview.collectives = CollectiveReader(step, *config).read();
  int64_t ranks = preview.manifest.numRanks;
  if (preview.manifest.axes.empty())
    preview.manifest.axes = {{"dp", ranks}};
  if (const std::optional<PlanFigures> &plan = preview.manifest.plan) {
    preview.searchMode = nameOf(config->searchMode());
    preview.rows.push_back({"plan" + describeLevel(*plan), preview.manifest.mesh(), plan->timeNs,
                            plan->boundNs, plan->heldBytes});
    if (plan->dataParallelNs)
      preview.rows.push_back({"data parallel", "dp=" + std::to_string(ranks), plan->dataParallelNs,
                              std::nullopt, plan->dataParallelBytes});
  }
  if (auto plan = module->getAttrOfType<DictionaryAttr>(planAttrName))
    if (auto price = plan.getAs<IntegerAttr>("held_byte_ps"))
      preview.heldByte = price.getInt();
  return preview;
}

} // namespace ds
