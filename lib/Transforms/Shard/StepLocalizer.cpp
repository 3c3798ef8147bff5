//===- StepLocalizer.cpp - A placed step on the shapes of one rank --------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One walk in program order. Each operation shrinks by its own rule (`PlacementOpInterface`), and
// Localizer.cpp lowers each move between placements.
//
//===----------------------------------------------------------------------===//
#include "StepLocalizer.h"

#include "ds/Analysis/PlacementAnalysis.h"
#include "ds/Analysis/Reshard.h"
#include "ds/Analysis/Rules/Localizer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;

namespace ds {
namespace {

class StepLocalizer {
public:
  StepLocalizer(const StepFlow &flow, StepPlacement &placement, const GatherRemark &remark)
      : flow(flow), step(flow.step()), ranks(placement.ranks), placement(placement),
        remark(remark) {}

  void run() {
    OpBuilder b = OpBuilder::atBlockBegin(&step.getBody().front());
    Value rank = RankOp::create(b, step.getLoc(), ranks.axes);
    llvm::for_each(step.getArguments(), [&](Value value) { localizeType(value); });
    Localizer localizer(
        ranks, rank, [&](OpOperand &operand) { return shardOf(operand.get()); },
        [&](Value value) { return shardOf(value); });
    for (Operation *op : flow.operations())
      localizeOperation(op, localizer);
    Block &body = step.getBody().front();
    step.setType(FunctionType::get(step.getContext(), body.getArgumentTypes(),
                                   body.getTerminator()->getOperandTypes()));
    if (rank.use_empty())
      rank.getDefiningOp()->erase();
  }

private:
  std::optional<Sharding> shardOf(Value value) const {
    Placement at = placement.of(value);
    return at.isSharded() ? std::optional(at.sharding) : std::nullopt;
  }

  bool localizeType(Value value) {
    std::optional<Sharding> sharding = shardOf(value);
    if (sharding)
      value.setType(getLocalType(cast<RankedTensorType>(value.getType()), *sharding));
    return sharding.has_value();
  }

  void localizeOperation(Operation *op, Localizer &localizer) {
    // The source of a move is local by now. A move is lowered at the first operation that reads it.
    for (OpOperand *operand : flow.operands(op))
      if (auto reshard = operand->get().getDefiningOp<ReshardOp>())
        lower(reshard, localizer);
    if (auto reshard = dyn_cast<ReshardOp>(op))
      return lower(reshard, localizer);
    if (auto reduce = dyn_cast<AllReduceOp>(op);
        reduce && ranks.meets(reduce) && shardOf(op->getResult(0)))
      return lower(reduce, localizer);
    bool sharded = false;
    for (Value result : op->getResults())
      sharded |= localizeType(result);
    if (flow.isControl(op)) {
      for (Region &region : op->getRegions())
        if (!region.empty())
          llvm::for_each(region.getArguments(), [&](Value value) { localizeType(value); });
      return;
    }
    sharded |= llvm::any_of(
        flow.operands(op), [&](OpOperand *operand) { return shardOf(operand->get()).has_value(); });
    if (!sharded)
      return;
    if (getWrittenRule(op))
      op->removeDiscardableAttr(shardingRuleAttrName); // it holds for the global shapes
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
    if (from.isSharded() && to.isSharded())
      mlir::remark::passed(op.getLoc(),
                           mlir::remark::RemarkOpts::name("AllToAllInserted").category(remark.pass))
          << "it is sharded otherwise here, so ranks exchange blocks"
          << mlir::remark::metric("bytes",
                                  getPrice(flow, op.getResult(), Move::AllToAll, ranks.size).sent);
    else if (from.isSharded())
      mlir::remark::passed(
          op.getLoc(), mlir::remark::RemarkOpts::name("AllGatherInserted").category(remark.pass))
          << remark.reason << mlir::remark::metric("bytes", getWireBytes(op.getResult()));
    replace(op, localizer.reshard(b, op.getLoc(), op.getValue(), from, to), to);
  }

  /// Lowers an all-reduce whose result is required as shards alone to a reduce-scatter.
  void lower(AllReduceOp op, Localizer &localizer) {
    Placement to = placement.of(op->getResult(0));
    OpBuilder b(op);
    replace(op,
            localizer.reshard(b, op.getLoc(), op->getOperand(0), Placement::partial(op.getKind()),
                              to, op.getPurpose(), op.getNames()),
            to);
  }

  /// Drops the placement of an erased value: a later value may get the same address.
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

  const StepFlow &flow;
  func::FuncOp step;
  const ReplicaGroup &ranks;
  StepPlacement &placement;
  const GatherRemark &remark;
};

} // namespace

void localizeStep(const StepFlow &flow, StepPlacement &placement, const GatherRemark &remark) {
  StepLocalizer(flow, placement, remark).run();
}

StringAttr getLayoutAttr(MLIRContext *ctx, const Sharding &rows) {
  // One row per rank fits both layouts; cyclic is the order of the sampler.
  if (rows.b == 1)
    return StringAttr::get(ctx, "cyclic");
  if (rows.a == 1)
    return StringAttr::get(ctx, "block");
  return StringAttr::get(ctx, "block_cyclic(" + llvm::Twine(rows.b) + ")");
}

} // namespace ds
