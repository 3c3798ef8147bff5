//===- FloatSources.cpp - Integers that floats decide ---------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A walk against the flow of data, over integers only: the sources of a float do not matter.
//
//===----------------------------------------------------------------------===//
#include "FloatSources.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace ds {
namespace {

bool isFloat(Value value) { return isa<FloatType>(getElementTypeOrSelf(value)); }

class BackwardWalk {
public:
  explicit BackwardWalk(bool ofNumbers) : ofNumbers(ofNumbers) {}

  bool reachesFloat(Value from) {
    pending.insert(from);
    while (!pending.empty()) {
      Value value = pending.pop_back_val();
      if (!seen.insert(value).second)
        continue;
      if (auto argument = dyn_cast<BlockArgument>(value))
        enterOwner(argument);
      else if (enterMaker(cast<OpResult>(value)))
        return true;
    }
    return false;
  }

private:
  void follow(ValueRange values) {
    for (Value value : values)
      if (!isFloat(value))
        pending.insert(value);
  }

  void enterOwner(BlockArgument argument) {
    Operation *owner = argument.getOwner()->getParentOp();
    unsigned number = argument.getArgNumber();
    if (auto loops = dyn_cast<linalg::LinalgOp>(owner))
      return follow(owner->getOperand(number));
    if (auto loop = dyn_cast<scf::ForOp>(owner)) {
      if (number == 0) // the loop's index, within its bounds
        return follow({loop.getLowerBound(), loop.getUpperBound(), loop.getStep()});
      return follow({loop.getInitArgs()[number - 1], loop.getYieldedValues()[number - 1]});
    }
    if (auto loop = dyn_cast<scf::WhileOp>(owner)) {
      if (argument.getOwner() == loop.getBeforeBody())
        return follow({loop.getInits()[number], loop.getYieldOp().getOperand(number)});
      return follow(loop.getConditionOp().getArgs()[number]);
    }
  }

  /// True if this operation makes an integer from a float.
  bool enterMaker(OpResult result) {
    Operation *op = result.getOwner();
    unsigned number = result.getResultNumber();
    if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      if (!ofNumbers)
        follow(loop.getConditionOp().getCondition());
      follow(loop.getConditionOp().getArgs()[number]);
      return false;
    }
    if (auto select = dyn_cast<arith::SelectOp>(op); select && ofNumbers) {
      follow({select.getTrueValue(), select.getFalseValue()});
      return false;
    }
    if (op->getNumRegions() == 0) {
      if (ofNumbers && isa<arith::MinSIOp, arith::MaxSIOp, arith::MinUIOp, arith::MaxUIOp>(op))
        return false;
      bool makes = ofNumbers ? isa<arith::FPToSIOp, arith::FPToUIOp, arith::BitcastOp>(op) : true;
      if (makes && llvm::any_of(op->getOperands(), isFloat))
        return true;
      if (!isa<arith::CmpFOp>(op))
        follow(op->getOperands());
      return false;
    }
    for (Region &region : op->getRegions())
      for (Block &block : region) {
        Operation *end = block.getTerminator();
        if (number < end->getNumOperands())
          follow(end->getOperand(number));
      }
    if (!isa<linalg::LinalgOp>(op) && !ofNumbers)
      follow(op->getOperands()); // conditions and bounds
    if (auto loop = dyn_cast<scf::ForOp>(op))
      follow(loop.getInitArgs()[number]);
    return false;
  }

  bool ofNumbers;
  SetVector<Value> pending;
  DenseSet<Value> seen;
};

} // namespace

bool isDecidedByFloats(Value value) {
  return BackwardWalk(/*ofNumbers=*/false).reachesFloat(value);
}

bool isNumberOfFloat(Value index) { return BackwardWalk(/*ofNumbers=*/true).reachesFloat(index); }

} // namespace ds
