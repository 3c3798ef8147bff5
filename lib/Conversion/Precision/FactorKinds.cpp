//===- FactorKinds.cpp - What kind of value a factor is ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FactorKinds.h"

#include "ds/Conversion/Utils/Contraction.h"
#include "ds/Dialect/IR/Roles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

/// True if a kernel yields an element of its only input.
static bool isCopy(linalg::GenericOp op) {
  return ds::yieldsItsInput(op) && isa<RankedTensorType>(op.getInputs()[0].getType()) &&
         op.getDpsInits()[0].getDefiningOp<tensor::EmptyOp>();
}

Value ds::movedBy(Operation *op) {
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::ExtractSliceOp>(op))
    return isa<RankedTensorType>(op->getResult(0).getType()) ? op->getOperand(0) : Value();
  if (auto kernel = dyn_cast<linalg::GenericOp>(op))
    return isCopy(kernel) ? kernel.getInputs()[0] : Value();
  if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    Value filling = pad.getConstantPaddingValue();
    return filling && matchPattern(filling, m_AnyZeroFloat()) ? pad.getSource() : Value();
  }
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
    Operation *around = insert.getDest().getDefiningOp();
    return around && isZeroFill(around) ? insert.getSource() : Value();
  }
  return {};
}

/// Returns the value before all operations that only move its elements.
static Value originOf(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    Value source = ds::movedBy(op);
    if (!source)
      break;
    value = source;
  }
  return value;
}

/// True if a kernel makes zeros and ones of booleans.
static bool isOfBooleans(Value value) {
  auto op = originOf(value).getDefiningOp<linalg::GenericOp>();
  if (!op || op.getNumDpsInits() != 1 || !op.isAllParallelLoops())
    return false;
  Operation *made = op.getBody()->getTerminator()->getOperand(0).getDefiningOp();
  while (isa_and_nonnull<arith::ExtUIOp, arith::UIToFPOp, arith::SIToFPOp, arith::ExtFOp,
                         arith::TruncFOp>(made)) {
    if (made->getOperand(0).getType().isInteger(1))
      return true;
    made = made->getOperand(0).getDefiningOp();
  }
  auto select = dyn_cast_or_null<arith::SelectOp>(made);
  auto isConstant = [](Value each) { return matchPattern(each, m_Constant()); };
  return select && isConstant(select.getTrueValue()) && isConstant(select.getFalseValue());
}

/// Calls `visit` on each operation that computes a value of the step, its operands and what its
/// regions read.
static void visitValues(func::FuncOp step,
                        llvm::function_ref<void(Operation *, ArrayRef<Value>)> visit) {
  step.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == step.getOperation())
      return WalkResult::advance();
    llvm::SetVector<Value> used(op->operand_begin(), op->operand_end());
    getUsedValuesDefinedAbove(op->getRegions(), used);
    visit(op, used.getArrayRef());
    return isa<linalg::LinalgOp>(op) ? WalkResult::skip() : WalkResult::advance();
  });
}

static void insertBlockArguments(Operation *op, DenseSet<Value> &into) {
  for (Region &region : op->getRegions())
    for (Block &block : region)
      into.insert(block.args_begin(), block.args_end());
}

/// Returns the new values of states with two and more dimensions, and in `parameters` those of
/// parameters.
static DenseSet<Value> findUpdates(func::FuncOp step, DenseSet<Value> &parameters) {
  llvm::StringMap<unsigned> arguments;
  for (unsigned i = 0; i < step.getNumArguments(); ++i)
    if (StringRef name = ds::paramOrState(step, i); !name.empty())
      arguments[name] = i;
  DenseSet<Value> updates;
  Operation *end = step.getBody().back().getTerminator();
  for (unsigned i = 0; i < step.getNumResults(); ++i) {
    auto name = step.getResultAttrOfType<StringAttr>(i, ds::role::updates);
    auto found = name ? arguments.find(name.getValue()) : arguments.end();
    if (found == arguments.end())
      continue;
    auto type = dyn_cast<RankedTensorType>(end->getOperand(i).getType());
    const bool isHidden = bool(step.getArgAttr(found->second, ds::role::batch));
    if (step.getArgAttr(found->second, ds::role::param))
      parameters.insert(originOf(end->getOperand(i)));
    else if (type && type.getRank() >= 2 && !isHidden)
      updates.insert(originOf(end->getOperand(i)));
  }
  return updates;
}

ds::FactorKinds::FactorKinds(func::FuncOp step) {
  varying.insert(step.getBody().args_begin(), step.getBody().args_end());
  DenseSet<Value> parameters;
  updates = findUpdates(step, parameters);
  // A state that the step returns unchanged is no new value.
  for (BlockArgument argument : step.getArguments())
    updates.erase(argument);
  visitValues(step, [&](Operation *op, ArrayRef<Value> used) {
    const bool isLinalg = isa<linalg::LinalgOp>(op);
    if (!isLinalg)
      insertBlockArguments(op, varying);
    if (llvm::any_of(used, [&](Value value) { return varying.contains(value); }))
      varying.insert(op->result_begin(), op->result_end());
    if (llvm::none_of(used, [&](Value value) { return updates.contains(value); }))
      return;
    if (!isLinalg)
      insertBlockArguments(op, updates);
    for (Value result : op->getResults())
      if (!parameters.contains(result)) // the next model may be trained with it in the same step
        updates.insert(result);
  });
}

bool ds::FactorKinds::staysWide(linalg::GenericOp product) const {
  return llvm::any_of(product.getDpsInputs(), [&](Value factor) {
    return !varying.contains(factor) || updates.contains(factor) || isOfBooleans(factor);
  });
}
