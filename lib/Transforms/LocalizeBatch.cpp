//===- LocalizeBatch.cpp - Give every rank its rows of the whole batch ----===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `global`: what carries samples shrinks to the rank's rows, in place, and moves between placements
// become slices and collectives (DividedBatch.cpp makes them).
//
//===----------------------------------------------------------------------===//
#include "ds/Transforms/Passes.h"

#include "DividedBatch.h"

#include "ds/Analysis/Localizer.h"
#include "ds/Analysis/ReductionPlan.h"
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

//===----------------------------------------------------------------------===//
// The rewrite
//===----------------------------------------------------------------------===//

StringAttr layoutAttr(MLIRContext *ctx, const Sharding &rows) {
  // One row per rank is both; cyclic is the sampler's order.
  if (rows.b == 1)
    return StringAttr::get(ctx, "cyclic");
  if (rows.a == 1)
    return StringAttr::get(ctx, "block");
  return StringAttr::get(ctx, "block_cyclic(" + llvm::Twine(rows.b) + ")");
}

class StepLocalizer {
public:
  explicit StepLocalizer(DividedBatch &batch)
      : flow(batch.flow), step(flow.step()), n(batch.numRanks), block(batch.divided.block),
        placement(batch.divided.placement) {}

  void run() {
    OpBuilder b = OpBuilder::atBlockBegin(&step.getBody().front());
    Value rank = RankOp::create(b, step.getLoc());
    localizeArguments();
    Localizer localizer(
        n, rank, [&](OpOperand &operand) { return shardOf(operand.get()); },
        [&](Value value) { return shardOf(value); });
    for (Operation *op : flow.operations())
      localizeOperation(op, localizer);
    localizeResults();
    if (rank.use_empty())
      rank.getDefiningOp()->erase();
  }

private:
  std::optional<Sharding> shardOf(Value value) const {
    Placement at = placement.of(value);
    return at.isSharded() ? std::optional(at.sharding) : std::nullopt;
  }
  void localizeArguments() {
    SmallVector<BatchArgument> batch = getBatchArguments(step);
    int64_t rows = getSampleSize(batch) / n;
    for (const BatchArgument &argument : batch) {
      Value value = argument.argument;
      Sharding held = *shardOf(value);
      value.setType(getLocalType(cast<RankedTensorType>(value.getType()), held));
      step.setArgAttr(argument.argument.getArgNumber(), role::layout,
                      layoutAttr(step.getContext(), held));
    }
    remark::passed(step.getLoc(),
                   remark::RemarkOpts::name("BatchLayout").category("ds-localize-batch"))
        << "layout" << layoutAttr(step.getContext(), {0, rows / block, block}).getValue()
        << remark::metric("rowsPerRank", rows);
  }

  void localizeOperation(Operation *op, Localizer &localizer) {
    // Moves stand behind what is local by now, and the first that reads one finds it.
    for (OpOperand *operand : flow.operands(op))
      if (auto reshard = operand->get().getDefiningOp<ReshardOp>())
        lower(reshard, localizer);
    if (auto reshard = dyn_cast<ReshardOp>(op))
      return lower(reshard, localizer);
    if (auto reduce = dyn_cast<AllReduceOp>(op); reduce && shardOf(op->getResult(0)))
      return lower(reduce, localizer);
    bool sharded = false;
    auto localizeType = [&](Value value) {
      if (auto sharding = shardOf(value)) {
        value.setType(getLocalType(cast<RankedTensorType>(value.getType()), *sharding));
        sharded = true;
      }
    };
    llvm::for_each(op->getResults(), localizeType);
    if (flow.isControl(op)) {
      for (Region &region : op->getRegions())
        if (!region.empty())
          llvm::for_each(region.getArguments(), localizeType);
      return;
    }
    sharded |= llvm::any_of(
        flow.operands(op), [&](OpOperand *operand) { return shardOf(operand->get()).has_value(); });
    if (!sharded)
      return;
    if (getWrittenRule(op))
      op->removeDiscardableAttr(shardingRuleAttrName); // it is for the whole shapes
    if (auto interface = dyn_cast<PlacementOpInterface>(op))
      interface.localize(localizer);
    else if (auto constant = dyn_cast<arith::ConstantOp>(op))
      localizeConstant(constant);
  }

  void lower(ReshardOp op, Localizer &localizer) {
    if (auto before = op.getValue().getDefiningOp<ReshardOp>())
      lower(before, localizer);
    Placement from = Placement::of(op.getFrom()), to = Placement::of(op.getTo());
    OpBuilder b(op);
    if (from.isSharded())
      remark::passed(op.getLoc(),
                     remark::RemarkOpts::name("AllGatherInserted").category("ds-localize-batch"))
          << "rows of other samples are read here, so all ranks get all samples"
          << remark::metric("bytes", getWireBytes(op.getResult()));
    replace(op, localizer.reshard(b, op.getLoc(), op.getValue(), from, to), to);
  }

  /// Of what is wanted in shards alone every rank receives its own.
  void lower(AllReduceOp op, Localizer &localizer) {
    Placement to = placement.of(op->getResult(0));
    OpBuilder b(op);
    replace(op,
            localizer.reshard(b, op.getLoc(), op->getOperand(0), Placement::partial(op.getKind()),
                              to, op.getZone(), op.getNames()),
            to);
  }

  /// Values that are made later may lie where the erased one did.
  void replace(Operation *move, Value made, const Placement &to) {
    placement.placements.erase(move->getResult(0));
    placement.placements[made] = to;
    move->getResult(0).replaceAllUsesWith(made);
    move->erase();
  }

  static void localizeConstant(arith::ConstantOp op) {
    auto type = cast<RankedTensorType>(op.getType());
    op.setValueAttr(cast<DenseElementsAttr>(op.getValue()).resizeSplat(type));
  }

  void localizeResults() {
    for (const StepResult &result : getStepResults(step))
      if (result.perSample)
        step.setResultAttr(result.index, role::layout,
                           layoutAttr(step.getContext(), *shardOf(result.operand->get())));
    Block &body = step.getBody().front();
    step.setType(FunctionType::get(step.getContext(), body.getArgumentTypes(),
                                   body.getTerminator()->getOperandTypes()));
  }

  const StepFlow &flow;
  func::FuncOp step;
  int64_t n, block;
  StepPlacement &placement;
};

struct LocalizeBatch final : impl::LocalizeBatchPassBase<LocalizeBatch> {
  using LocalizeBatchPassBase::LocalizeBatchPassBase;

  void runOnOperation() override {
    FailureOr<std::unique_ptr<DividedBatch>> batch = divideBatch(getOperation(), entry);
    if (failed(batch))
      return signalPassFailure();
    if (*batch)
      StepLocalizer(**batch).run();
  }
};

} // namespace
} // namespace ds
