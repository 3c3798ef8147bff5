//===- LocalizeBatch.cpp - Give every rank its rows of the whole batch ----===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `global`: places the step with its all-reduces, then rewrites it in place. A value that carries
// samples shrinks to the rank's rows; a replicated operand beside it is sliced, unless its producer
// can make the slice itself (demand). Values without data are cloned per use first, so that an
// activation and a weight of equal type do not share them.
//
//===----------------------------------------------------------------------===//
#include "ds/Transforms/Passes.h"

#include "StepPlan.h"

#include "ds/Analysis/Localizer.h"
#include "ds/Dialect/IR/Roles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"

namespace ds {
#define GEN_PASS_DEF_LOCALIZEBATCHPASS
#include "ds/Transforms/Passes.h.inc"
} // namespace ds

using namespace mlir;

namespace ds {
namespace {

//===----------------------------------------------------------------------===//
// Values without data
//===----------------------------------------------------------------------===//

/// Empties, splat constants, fills and broadcasts of constants: nothing is lost by making them once
/// per use.
bool holdsNoData(Operation *op) {
  if (op->getNumResults() != 1 || !isa<RankedTensorType>(op->getResult(0).getType()))
    return false;
  DenseElementsAttr constant;
  if (isa<tensor::EmptyOp>(op))
    return true;
  if (matchPattern(op, m_Constant(&constant)))
    return constant.isSplat();
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || linalgOp.getNumReductionLoops() != 0)
    return false;
  auto isConstant = [&](OpOperand &operand) {
    if (operand.getOwner() == op && !linalgOp.payloadUsesValueFromOperand(&operand))
      return operand.get().getDefiningOp<tensor::EmptyOp>() != nullptr;
    return matchPattern(operand.get(), m_Constant());
  };
  // Own operands first: with one that is data, the body need not be read.
  return llvm::all_of(op->getOpOperands(), isConstant) &&
         llvm::all_of(llvm::make_pointee_range(getReadOperands(op)), isConstant);
}

void clonePerUse(func::FuncOp step) {
  SmallVector<Operation *> shared;
  walkUnits(step, [&](Operation *op) {
    if (holdsNoData(op) && !op->use_empty())
      shared.push_back(op);
    return WalkResult::advance();
  });
  for (Operation *op : llvm::reverse(shared)) {
    OpBuilder b(op);
    for (OpOperand &use : llvm::make_early_inc_range(llvm::drop_begin(op->getResult(0).getUses())))
      use.set(b.clone(*op)->getResult(0));
  }
}

//===----------------------------------------------------------------------===//
// The rewrite
//===----------------------------------------------------------------------===//

LogicalResult checkPlaced(const StepFlow &flow, int64_t numRanks, const DividedStep &divided) {
  if (failed(checkDivided(divided, numRanks)))
    return failure();
  const StepPlacement &placement = divided.placement;
  auto isOpen = [&](OpOperand *operand) {
    return placement.useOf(*operand).kind == OperandUse::Need &&
           placement.of(operand->get()).isPartial();
  };
  if (llvm::none_of(placement.uses, [&](auto &entry) { return isOpen(entry.first); }))
    return success();
  for (Operation *op : flow.operations())
    for (OpOperand *operand : flow.operands(op))
      if (isOpen(operand))
        return op->emitError("operand #")
               << operand->getOperandNumber()
               << " is partial but must be whole here; run ds-insert-all-reduce first";
  llvm_unreachable("every use is one of an operation of the step");
}

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
  StepLocalizer(const StepFlow &flow, int64_t numRanks, DividedStep divided)
      : flow(flow), step(flow.step()), n(numRanks), block(divided.block),
        placement(std::move(divided.placement)) {}

  void run() {
    OpBuilder b = OpBuilder::atBlockBegin(&step.getBody().front());
    Value rank = RankOp::create(b, step.getLoc());
    localizeArguments();
    Localizer localizer(
        n, rank, [&](OpOperand &operand) { return shardOf(operand); },
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
  std::optional<Sharding> shardOf(OpOperand &operand) const {
    OperandUse use = placement.useOf(operand);
    if (use.kind == OperandUse::Slice || use.thenSlice)
      return use.sharding;
    return use.kind == OperandUse::Gather ? std::nullopt : shardOf(operand.get());
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
    OpBuilder b(op);
    for (OpOperand *operand : flow.operands(op)) {
      OperandUse use = placement.useOf(*operand);
      if (use.kind == OperandUse::Gather)
        operand->set(gather(b, *operand, localizer));
      if (use.kind == OperandUse::Slice || use.thenSlice)
        operand->set(slice(b, *operand, use.sharding, localizer));
    }
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
    sharded |= llvm::any_of(flow.operands(op),
                            [&](OpOperand *operand) { return shardOf(*operand).has_value(); });
    if (!sharded)
      return;
    if (getWrittenRule(op))
      op->removeDiscardableAttr(shardingRuleAttrName); // it is for the whole shapes
    if (auto interface = dyn_cast<PlacementOpInterface>(op))
      interface.localize(localizer);
    else if (auto constant = dyn_cast<arith::ConstantOp>(op))
      localizeConstant(constant);
  }

  /// One slice per value and shard.
  Value slice(OpBuilder &b, OpOperand &operand, const Sharding &sharding, Localizer &localizer) {
    auto key = std::make_tuple(operand.get(), sharding.dim, sharding.a, sharding.b);
    Value &made = slices[key];
    if (!made) {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointAfterValue(operand.get());
      // Behind the definition of the rank's number for arguments of the step.
      if (operand.get().getParentBlock() == &step.getBody().front() &&
          isa<BlockArgument>(operand.get()))
        b.setInsertionPointAfterValue(localizer.rank());
      made = localizer.slice(b, operand.getOwner()->getLoc(), operand.get(), sharding);
    }
    return made;
  }

  /// One all-gather per value, right behind it.
  Value gather(OpBuilder &b, OpOperand &operand, Localizer &localizer) {
    Value local = operand.get();
    Value &made = gathered[local];
    if (!made) {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointAfterValue(local);
      made = localizer.gather(b, local.getLoc(), local, *shardOf(local));
      remark::passed(operand.getOwner()->getLoc(),
                     remark::RemarkOpts::name("AllGatherInserted").category("ds-localize-batch"))
          << "rows of other samples are read here, so all ranks get all samples"
          << remark::metric("bytes", getWireBytes(made));
    }
    return made;
  }

  static void localizeConstant(arith::ConstantOp op) {
    auto type = cast<RankedTensorType>(op.getType());
    op.setValueAttr(cast<DenseElementsAttr>(op.getValue()).resizeSplat(type));
  }

  void localizeResults() {
    for (const StepResult &result : getStepResults(step))
      if (result.perSample)
        step.setResultAttr(result.index, role::layout,
                           layoutAttr(step.getContext(), *shardOf(*result.operand)));
    Block &body = step.getBody().front();
    step.setType(FunctionType::get(step.getContext(), body.getArgumentTypes(),
                                   body.getTerminator()->getOperandTypes()));
  }

  const StepFlow &flow;
  func::FuncOp step;
  int64_t n, block;
  StepPlacement placement;
  llvm::DenseMap<std::tuple<Value, int64_t, int64_t, int64_t>, Value> slices;
  llvm::DenseMap<Value, Value> gathered;
};

struct LocalizeBatch final : impl::LocalizeBatchPassBase<LocalizeBatch> {
  using LocalizeBatchPassBase::LocalizeBatchPassBase;

  void runOnOperation() override {
    FailureOr<Config> config = getConfig(getOperation());
    if (failed(config))
      return signalPassFailure();
    if (runsAlone(*config) || config->batch() == BatchSemantics::Local)
      return;
    func::FuncOp step = getStep(getOperation(), entry);
    if (!step)
      return signalPassFailure();
    if (!config->deviceNum()) {
      step.emitError("batch = global needs the number of ranks; set device_num");
      return signalPassFailure();
    }
    int64_t n = *config->deviceNum();
    clonePerUse(step);
    StepFlow flow(step);
    DividedStep divided = divideStep(flow, n);
    if (failed(checkPlaced(flow, n, divided)))
      return signalPassFailure();
    for (const PlacementConflict &conflict : divided.placement.undivided)
      conflict.op->emitWarning("every rank computes this for all samples: ")
          << conflict.reason << "; " << getGatheredBytes(flow, divided.placement, conflict.op)
          << " bytes are gathered for it in each step";
    demandShards(flow, divided.placement);
    StepLocalizer(flow, n, std::move(divided)).run();
  }
};

} // namespace
} // namespace ds
