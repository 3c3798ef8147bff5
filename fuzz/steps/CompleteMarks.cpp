//===- CompleteMarks.cpp - What an unmarked step means --------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Forwards from samples and backwards from updates, in a way of its own: it shares no code with the
// detection that it checks.
//
//===----------------------------------------------------------------------===//
#include "CompleteMarks.h"

#include "LocalDecisions.h"
#include "ReplicatedPart.h"
#include "ds/Analysis/Cut/ReductionPlan.h"
#include "ds/Analysis/Marks.h"
#include "ds/Rewrite/LocalReference.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace ds::fuzz {

static Value createSum(OpBuilder &b, Location loc, Value x, Value y, bool subtract) {
  if (isa<FloatType>(x.getType()))
    return subtract ? arith::SubFOp::create(b, loc, x, y).getResult()
                    : arith::AddFOp::create(b, loc, x, y).getResult();
  return subtract ? arith::SubIOp::create(b, loc, x, y).getResult()
                  : arith::AddIOp::create(b, loc, x, y).getResult();
}

/// value - part + once(part).
static Value maskReplicatedPart(OpBuilder &b, Value value, Value part) {
  Location loc = value.getLoc();
  Value once = ReplicatedToPartialOp::create(b, loc, part.getType(), ReductionKind::Sum, part);
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return createSum(b, loc, createSum(b, loc, value, part, true), once, false);
  Value empty = tensor::EmptyOp::create(b, loc, type.getShape(), type.getElementType());
  SmallVector<AffineMap> maps(4, b.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> loops(type.getRank(), utils::IteratorType::parallel);
  auto body = [](OpBuilder &in, Location at, ValueRange args) {
    Value rest = createSum(in, at, args[0], args[1], true);
    linalg::YieldOp::create(in, at, createSum(in, at, rest, args[2], false));
  };
  return linalg::GenericOp::create(b, loc, type, ValueRange{value, part, once}, empty, maps, loops,
                                   body)
      .getResult(0);
}

/// Sums only: the mean of n equal addends is the addend.
static void maskReplicatedPartsBehindSums(func::FuncOp step, const Config &config) {
  StepFlow flow(step);
  llvm::DenseSet<Value> perRank = findPerRank(flow, config);
  StepPlacement samples = followSamples(flow);
  ReplicatedPart parts(flow, perRank, samples);
  SmallVector<Operation *> marks;
  for (Operation &op : llvm::make_early_inc_range(step.getBody().front().without_terminator())) {
    OpBuilder b(op.getContext());
    b.setInsertionPointAfter(&op);
    auto combine = dyn_cast<CombineOp>(op);
    bool sums = isa<GradientOp>(op) || (combine && combine.getKind() == ReductionKind::Sum);
    if (!isMark(&op))
      parts.emit(b, op);
    else if (sums && perRank.contains(op.getOperand(0)) && parts.find(op.getOperand(0)))
      marks.push_back(&op);
  }
  for (Operation *mark : marks) {
    OpBuilder b(mark);
    Value value = mark->getOperand(0);
    mark->setOperand(0, maskReplicatedPart(b, value, parts.find(value)));
  }
}

void completeMarks(ModuleOp marked) {
  func::FuncOp step = getStep(marked, {});
  FailureOr<Config> config = getConfig(marked);
  if (!step || failed(config) || config->batch() != BatchSemantics::Local || !hasMarks(step))
    return;
  {
    StepFlow flow(step);
    combineDecisions(flow, findPerRank(flow, *config), followSamples(flow),
                     config->gradientsMean());
  }
  if (!config->gradientsMean())
    maskReplicatedPartsBehindSums(step, *config);
}

} // namespace ds::fuzz
