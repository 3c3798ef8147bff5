//===- UpdateChain.cpp - The arguments that a result updates ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks back from a result through operations that keep every element at its position. Additions,
// selections and reshapes pass a value on whole, all others scaled; contractions, reductions and
// transposes end the walk, which so leaves out the gradient. Each (value, containment) is visited
// once.
//
//===----------------------------------------------------------------------===//

#include "UpdateChain.h"
#include "ds/Analysis/ScalarRule.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace ds;

namespace {

class ChainWalk {
public:
  explicit ChainWalk(Value result) : type(result.getType()) { push(result, Containment::Whole); }

  llvm::MapVector<BlockArgument, Containment> run() {
    while (!work.empty()) {
      auto [value, containment] = work.pop_back_val();
      visit(value, containment);
    }
    return std::move(found);
  }

private:
  void push(Value value, Containment containment) {
    if (seen.insert({value, containment == Containment::Whole}).second)
      work.push_back({value, containment});
  }

  void visit(Value value, Containment containment) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      visitArgument(argument, containment);
      return;
    }
    Operation *op = value.getDefiningOp();
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
      return visitLinalg(linalgOp, cast<OpResult>(value).getResultNumber(), containment);
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return push(loop.getInitArgs()[cast<OpResult>(value).getResultNumber()], containment);
    if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
      return push(insert.getDest(), containment);
    visitValue(cast<OpResult>(value), containment,
               [&](Value operand, Containment c) { push(operand, c); });
  }

  void visitArgument(BlockArgument argument, Containment containment) {
    if (!isa<func::FuncOp>(argument.getOwner()->getParentOp()))
      return;
    auto [entry, inserted] = found.insert({argument, containment});
    if (!inserted && containment == Containment::Whole)
      entry->second = containment;
  }

  /// Passes on the operands of an operation: addends and the alternatives of a select keep
  /// `containment`, scaled, negated and all other elementwise operands become scaled, and moves of
  /// data pass on their source. The condition of a select is no part of the result.
  static void visitValue(OpResult value, Containment containment,
                         llvm::function_ref<void(Value, Containment)> pass) {
    Operation *op = value.getOwner();
    if (isa<tensor::CastOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::ReshapeOp,
            tensor::FromElementsOp>(op))
      return pass(op->getOperand(0), containment);
    ScalarRule rule = getScalarRule(value);
    for (const ScalarTerm &term : rule.terms)
      for (OpOperand *factor : term.factors)
        pass(factor->get(), term.isSame ? containment : Containment::Scaled);
    if (!llvm::all_of(rule.terms, [](const ScalarTerm &term) { return term.isSame; }))
      for (OpOperand *coefficient : rule.coefficients)
        pass(coefficient->get(), Containment::Scaled);
    if (rule.terms.empty() && op->hasTrait<OpTrait::Elementwise>())
      for (Value operand : op->getOperands())
        pass(operand, Containment::Scaled);
  }

  /// Follows the operands that are read at the element that is written: those with the map of the
  /// result, and the destination.
  void visitLinalg(linalg::LinalgOp op, unsigned result, Containment containment) {
    AffineMap written = op.getMatchingIndexingMap(op.getDpsInitOperand(result));
    auto passElement = [&](BlockArgument element, Containment c) {
      OpOperand *operand = op.getMatchingOpOperand(element);
      if (op.getMatchingIndexingMap(operand) == written &&
          getElementTypeOrSelf(operand->get().getType()) == getElementTypeOrSelf(type))
        push(operand->get(), c);
    };
    walkBody(op.getBlock(), op.getBlock()->getTerminator()->getOperand(result), containment,
             passElement);
  }

  static void walkBody(Block *body, Value yielded, Containment containment,
                       llvm::function_ref<void(BlockArgument, Containment)> passElement) {
    llvm::DenseSet<std::pair<Value, unsigned>> visited;
    SmallVector<std::pair<Value, Containment>> scalars{{yielded, containment}};
    while (!scalars.empty()) {
      auto [value, c] = scalars.pop_back_val();
      if (!visited.insert({value, c == Containment::Whole}).second)
        continue;
      if (auto element = dyn_cast<BlockArgument>(value)) {
        if (element.getOwner() == body)
          passElement(element, c);
      } else if (body->findAncestorOpInBlock(*value.getDefiningOp())) {
        visitValue(cast<OpResult>(value), c, [&](Value operand, Containment passed) {
          scalars.push_back({operand, passed});
        });
      }
    }
  }

  Type type;
  llvm::DenseSet<std::pair<Value, unsigned>> seen;
  SmallVector<std::pair<Value, Containment>> work;
  llvm::MapVector<BlockArgument, Containment> found;
};

} // namespace

llvm::MapVector<BlockArgument, Containment> ds::argumentsInUpdate(Value result) {
  return ChainWalk(result).run();
}
