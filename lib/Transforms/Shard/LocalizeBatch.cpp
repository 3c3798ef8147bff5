//===- LocalizeBatch.cpp - Give every rank its rows of the whole batch ----===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `global`: values that hold samples shrink to the rank's rows, in place, and moves between
// placements become slices and collectives (ShardedBatch.cpp writes the moves).
//
//===----------------------------------------------------------------------===//
#include "ds/Transforms/Passes.h"

#include "ShardedBatch.h"
#include "StepLocalizer.h"

#include "ds/Analysis/PlacementAnalysis.h"
#include "ds/Analysis/StepRoles.h"
#include "ds/Dialect/IR/Roles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"

namespace ds {
#define GEN_PASS_DEF_LOCALIZEBATCHPASS
#include "ds/Transforms/Passes.h.inc"
} // namespace ds

using namespace mlir;

namespace ds {
namespace {

/// Records on arguments and results which rows a rank holds.
void writeLayouts(const ShardedBatch &batch) {
  func::FuncOp step = batch.flow.step();
  const StepPlacement &placement = batch.sharded.placement;
  auto layoutOf = [&](Value value) {
    return getLayoutAttr(step.getContext(), placement.of(value).sharding);
  };
  SmallVector<BatchArgument> arguments = getBatchArguments(step);
  int64_t samples = getSampleSize(arguments);
  for (const BatchArgument &argument : arguments)
    if (placement.of(argument.argument).isSharded())
      step.setArgAttr(argument.argument.getArgNumber(), role::layout, layoutOf(argument.argument));
    else if (argument.size() % samples != 0)
      step.emitWarning("batch argument '")
          << getLabel(step, argument) << "' has " << argument.size()
          << " entries, which is no multiple of the " << samples
          << " samples of a step, so every rank holds all of them";
  for (const StepResult &result : getStepResults(step))
    if (result.perSample)
      step.setResultAttr(result.index, role::layout, layoutOf(result.operand->get()));
  int64_t rows = samples / placement.ranks.size, block = batch.sharded.block;
  remark::passed(step.getLoc(),
                 remark::RemarkOpts::name("BatchLayout").category("ds-localize-batch"))
      << "layout" << getLayoutAttr(step.getContext(), {0, rows / block, block}).getValue()
      << remark::metric("rowsPerRank", rows);
}

struct LocalizeBatch final : impl::LocalizeBatchPassBase<LocalizeBatch> {
  using LocalizeBatchPassBase::LocalizeBatchPassBase;

  void runOnOperation() override {
    FailureOr<std::unique_ptr<ShardedBatch>> batch = shardBatch(getOperation(), entry);
    if (failed(batch))
      return signalPassFailure();
    if (!*batch)
      return;
    ShardedBatch &sharded = **batch;
    writeLayouts(sharded);
    localizeStep(
        sharded.flow, sharded.sharded.placement,
        {"ds-localize-batch", "rows of other samples are read here, so all ranks get all samples"});
  }
};

} // namespace
} // namespace ds
