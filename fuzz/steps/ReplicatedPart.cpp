//===- ReplicatedPart.cpp - What every rank adds alike --------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One more copy of what differs from rank to rank, as a rank without samples would compute it:
// values that hold samples and everything that is not linear are zero there. Cost: linear in the
// step; what comes out as zero is not computed.
//
//===----------------------------------------------------------------------===//
#include "ReplicatedPart.h"

#include "ds/Rewrite/LocalReference.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace ds::fuzz {

using Differs = llvm::function_ref<bool(Value)>;

static Value createZero(OpBuilder &b, Location loc, Type type) {
  auto shaped = dyn_cast<RankedTensorType>(type);
  TypedAttr zero = b.getZeroAttr(shaped ? shaped.getElementType() : type);
  if (shaped)
    zero = DenseElementsAttr::get(shaped, Attribute(zero));
  return arith::ConstantOp::create(b, loc, zero);
}

/// Whether the result is a sum over the operands that differ, each multiplied by what all ranks
/// have: then the part of the result is the same operation of the parts.
static bool isLinear(Operation *op, Differs differs) {
  auto at = [&](unsigned i) { return differs(op->getOperand(i)); };
  if (isa<arith::AddFOp, arith::AddIOp, arith::SubFOp, arith::SubIOp, arith::NegFOp, arith::ExtFOp,
          arith::TruncFOp, arith::SIToFPOp, arith::UIToFPOp, arith::ExtSIOp, arith::ExtUIOp,
          arith::TruncIOp, arith::IndexCastOp>(op))
    return true;
  if (isa<arith::MulFOp, arith::MulIOp, math::FmaOp>(op))
    return !at(0) || !at(1);
  if (isa<arith::DivFOp>(op))
    return !at(1);
  if (isa<arith::SelectOp>(op))
    return !at(0);
  if (!isa<tensor::TensorDialect>(op->getDialect()) ||
      (op->getNumRegions() > 0 && !isa<tensor::PadOp>(op)))
    return false;
  return llvm::none_of(op->getOperands(), [&](Value operand) {
    return getElementTypeOrSelf(operand).isIndex() && differs(operand);
  });
}

/// Whether a body yields `out` plus something: what is reduced into it is summed.
static bool isSumWith(Value value, BlockArgument out) {
  if (value == out)
    return true;
  Operation *op = value.getDefiningOp();
  auto at = [&](unsigned i) { return isSumWith(op->getOperand(i), out); };
  if (isa_and_nonnull<arith::AddFOp, arith::AddIOp>(op))
    return at(0) || at(1);
  if (isa_and_nonnull<arith::SelectOp>(op))
    return at(1) && at(2);
  return isa_and_nonnull<arith::SubFOp, arith::SubIOp, arith::ExtFOp, arith::TruncFOp>(op) && at(0);
}

namespace {
/// Rewrites a body, copied from the step, to compute parts: what is not linear becomes zero.
class BodyParts {
public:
  explicit BodyParts(llvm::DenseSet<Value> differing) : differing(std::move(differing)) {}

  void rewrite(Block &block) {
    for (Operation &op : llvm::make_early_inc_range(block.without_terminator()))
      rewrite(&op);
  }

private:
  bool differs(Value value) const { return differing.contains(value); }

  void rewrite(Operation *op) {
    bool before = isa<ReplicatedToPartialOp, RankOp>(op) ||
                  llvm::any_of(op->getOperands(), [&](Value value) { return differs(value); });
    bool inside = false;
    if (auto ifOp = dyn_cast<scf::IfOp>(op)) {
      for (Region &region : op->getRegions())
        if (!region.empty()) {
          rewrite(region.front());
          for (Value yielded : region.front().getTerminator()->getOperands())
            inside |= differs(yielded);
        }
    } else if (op->getNumRegions() > 0) {
      op->walk([&](Operation *nested) {
        inside |= llvm::any_of(nested->getOperands(), [&](Value value) { return differs(value); });
      });
    }
    if (!before && !inside)
      return;
    bool keeps = isa<scf::IfOp>(op) ? !before : isLinear(op, [&](Value v) { return differs(v); });
    OpBuilder b(op);
    for (Value result : op->getResults()) {
      // A product of two values that differ has no part, but what is added to it may have one.
      Value part = keeps                  ? result
                   : isa<math::FmaOp>(op) ? op->getOperand(2)
                                          : createZero(b, op->getLoc(), result.getType());
      if (part != result)
        result.replaceAllUsesWith(part);
      differing.insert(part);
    }
    if (!keeps)
      op->erase();
  }

  llvm::DenseSet<Value> differing;
};
} // namespace

Value ReplicatedPart::find(Value value) const {
  if (Value part = parts.lookupOrNull(value))
    return part;
  return differs(value) ? Value() : value;
}

Value ReplicatedPart::get(OpBuilder &b, Value value) const {
  Value part = find(value);
  return part ? part : createZero(b, value.getLoc(), value.getType());
}

Operation *ReplicatedPart::cloneWithParts(OpBuilder &b, Operation &op, IRMapping &operands) const {
  op.walk([&](Operation *nested) {
    for (Value operand : nested->getOperands())
      if (!op.isAncestor(operand.getParentBlock()->getParentOp()) && !operands.contains(operand))
        operands.map(operand, get(b, operand));
  });
  IRMapping mapping = operands;
  return b.clone(op, mapping);
}

void ReplicatedPart::emitCopy(OpBuilder &b, Operation &op) {
  IRMapping operands;
  parts.map(op.getResults(), cloneWithParts(b, op, operands)->getResults());
}

void ReplicatedPart::emit(OpBuilder &b, Operation &op) {
  if (llvm::none_of(op.getResults(), [&](Value result) { return differs(result); })) {
    if (copying)
      emitCopy(b, op);
    return;
  }
  if (flow.holdsOperations(&op))
    return emitControl(b, op);
  if (llvm::any_of(op.getResults(), [&](Value result) { return holdsSamples(result); }))
    return;
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  bool readsSamples = llvm::any_of(
      flow.reads(&op), [&](OpOperand *operand) { return holdsSamples(operand->get()); });
  if (readsSamples) {
    if (linalgOp)
      emitSum(linalgOp);
    return;
  }
  if (linalgOp)
    emitLinalg(b, linalgOp);
  else if (llvm::any_of(flow.reads(&op), [&](OpOperand *operand) { return find(operand->get()); }))
    emitLinear(b, op);
}

/// A sum over samples leaves what it starts from.
void ReplicatedPart::emitSum(linalg::LinalgOp op) {
  Operation *yield = op.getBlock()->getTerminator();
  for (OpResult result : op->getResults()) {
    unsigned i = result.getResultNumber();
    OpOperand *init = op.getDpsInitOperand(i);
    if (!isSumWith(yield->getOperand(i), op.getMatchingBlockArgument(init)))
      continue;
    if (Value part = find(init->get()))
      parts.map(result, part);
  }
}

void ReplicatedPart::emitLinalg(OpBuilder &b, linalg::LinalgOp op) {
  IRMapping operands;
  Operation *copy = cloneWithParts(b, *op, operands);
  IRRewriter rewriter(b);
  rewriter.setInsertionPoint(copy);
  auto generic = dyn_cast<linalg::GenericOp>(copy);
  if (!generic) {
    FailureOr<linalg::GenericOp> made =
        linalg::generalizeNamedOp(rewriter, cast<linalg::LinalgOp>(copy));
    if (failed(made))
      return;
    generic = *made;
  }
  llvm::DenseSet<Value> differing;
  for (OpOperand &operand : op->getOpOperands()) {
    bool accumulates = op.isDpsInit(&operand) && op.getNumReductionLoops() > 0 &&
                       differs(op.getTiedOpResult(&operand));
    if (differs(operand.get()) || accumulates)
      differing.insert(generic.getBody()->getArgument(operand.getOperandNumber()));
  }
  for (OpOperand *operand : flow.reads(op))
    if (operand->getOwner() != op.getOperation() && differs(operand->get()))
      differing.insert(operands.lookup(operand->get()));
  BodyParts(std::move(differing)).rewrite(*generic.getBody());
  parts.map(op->getResults(), generic->getResults());
}

void ReplicatedPart::emitLinear(OpBuilder &b, Operation &op) {
  auto isDifferent = [&](Value value) { return differs(value); };
  if (isLinear(&op, isDifferent))
    emitCopy(b, op);
  else if (isa<math::FmaOp>(op))
    if (Value addend = find(op.getOperand(2)))
      parts.map(op.getResult(0), addend);
}

/// The copy of a loop or branch carries parts. A condition that differs leaves none.
void ReplicatedPart::emitControl(OpBuilder &b, Operation &op) {
  for (Value result : op.getResults())
    for (OpOperand *decision : flow.decisions(result))
      if (differs(decision->get()))
        return;
  auto partsOf = [&](OpBuilder &at, Operation &from) {
    SmallVector<Value> operands;
    for (Value operand : from.getOperands())
      operands.push_back(get(at, operand));
    return operands;
  };
  bool outer = std::exchange(copying, true);
  Operation *copy = rebuildControl(
      b, op, partsOf(b, op), op.getResultTypes(), [&](Region &region, Block &block, OpBuilder &in) {
        for (BlockArgument argument : region.getArguments())
          parts.map(argument, block.addArgument(argument.getType(), argument.getLoc()));
        for (Operation &nested : region.front().without_terminator())
          emit(in, nested);
        return partsOf(in, *region.front().getTerminator());
      });
  copying = outer;
  parts.map(op.getResults(), copy->getResults());
}

} // namespace ds::fuzz
