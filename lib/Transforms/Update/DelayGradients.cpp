//===- DelayGradients.cpp - Updates with the gradients of earlier steps ---===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A rank keeps its part of a gradient for S steps, in a ring of S entries; then the gradient
// annotation reads it. So the operands of a step's exchange are ready when the step starts, and the
// exchange can overlap with the forward and the backward pass.
//
//===----------------------------------------------------------------------===//
#include "UpdateModes.h"

#include "PendingStates.h"
#include "Utils/Elementwise.h"

#include "ds/Analysis/StepFlow.h"
#include "ds/Dialect/IR/Ds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace ds {
namespace {

class Delays {
public:
  Delays(func::FuncOp step, int64_t steps) : step(step), steps(steps) {}

  LogicalResult run() {
    if (failed(findGradients()) || failed(checkStatesOfGradients(StepFlow(step), marks, "delayed")))
      return failure();
    OpBuilder b = OpBuilder::atBlockBegin(&step.getBody().front());
    Value slot;
    if (steps > 1) {
      Value rest = arith::RemUIOp::create(b, step.getLoc(), countSteps(step, b).before,
                                          integerConstant(b, step.getLoc(), steps));
      slot = arith::IndexCastOp::create(b, step.getLoc(), b.getIndexType(), rest);
    }
    for (GradientOp mark : marks) {
      delay(b, mark, slot);
      hoist(mark.getResult(), mark.getValue().getDefiningOp());
    }
    return success();
  }

private:
  LogicalResult findGradients() {
    for (CombineOp other : collectUnits<CombineOp>(step))
      return other.emitError("update=delayed: ranks combine another value than gradients here, "
                             "which would meet gradients of an earlier step");
    auto collected = collectGradients(step, "update=delayed cannot keep");
    if (failed(collected))
      return failure();
    marks = std::move(*collected);
    return success();
  }

  /// Moves `value`, with its annotation and the operations that only reorder it, right after
  /// `before`, so that its reduction is placed where it can start.
  void hoist(Value value, Operation *before) {
    Operation *op = value.getDefiningOp();
    op->moveAfter(before);
    for (Value operand : op->getOperands())
      if (Operation *made = operand.getDefiningOp(); made && op->isBeforeInBlock(made))
        made->moveBefore(op);
    for (Operation *user : llvm::make_early_inc_range(value.getUsers())) {
      bool isReady = llvm::all_of(user->getOperands(), [&](Value operand) {
        Operation *made = operand.getDefiningOp();
        return operand == value || (made && made->getNumOperands() == 0);
      });
      if (user->getBlock() == op->getBlock() && isReady &&
          (isa<GradientOp>(user) || isPermutation(user)))
        hoist(user->getResult(0), op);
    }
  }

  void delay(OpBuilder &b, GradientOp mark, Value slot) {
    Value gradient = mark.getValue();
    Location loc = mark.getLoc();
    RankedTensorType type = entryType(gradient.getType());
    auto ringType = type;
    if (slot) { // [1, steps, ..]
      SmallVector<int64_t> shape(type.getShape());
      shape[0] = steps;
      ringType = entryType(type.clone(shape));
    }
    BlockArgument kept = addState(step, mark.getParam() + ".delayed", ringType, /*perRank=*/true);
    OpBuilder last(step.getBody().front().getTerminator());
    Value now = makeEntry(last, gradient);
    if (!slot) {
      mark.getValueMutable().assign(readEntry(b, kept));
      setNewValue(step, kept, now);
      return;
    }
    SmallVector<OpFoldResult> offsets(ringType.getRank(), b.getIndexAttr(0)), sizes,
        strides(ringType.getRank(), b.getIndexAttr(1));
    offsets[1] = slot;
    for (auto [dim, size] : llvm::enumerate(ringType.getShape()))
      sizes.push_back(b.getIndexAttr(dim == 1 ? 1 : size));
    Value old = tensor::ExtractSliceOp::create(b, loc, type, kept, offsets, sizes, strides);
    mark.getValueMutable().assign(readEntry(b, old));
    setNewValue(step, kept,
                tensor::InsertSliceOp::create(last, loc, now, kept, offsets, sizes, strides));
  }

  func::FuncOp step;
  int64_t steps;
  SmallVector<GradientOp> marks;
};

} // namespace

LogicalResult delayGradients(func::FuncOp step, const UpdateMode &mode) {
  return Delays(step, mode.steps).run();
}

} // namespace ds
