//===- ReduceStep.cpp - The smallest step that is still interesting --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Upstream's reduction erases operations, which leaves a step without its results. Here an
// operation is replaced by an operand of its type or by ones, and results are dropped one by one,
// so every candidate is a step again. Each edit is kept if the tester still finds it interesting;
// passes over the step are repeated until none is. Cost: two runs of the tester per operation and
// pass.
//
//===----------------------------------------------------------------------===//
#include "ReduceStep.h"

#include "ds/Analysis/PlacementAnalysis.h"
#include "ds/Analysis/StepRoles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Reducer/Tester.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace ds::fuzz {
namespace {

/// The operations of a step that can be replaced: those on tensors, not the scalars of bodies. What
/// has effects stays when nobody reads it, and replacing it again would change nothing forever.
SmallVector<Operation *> candidates(func::FuncOp step) {
  SmallVector<Operation *> found;
  step.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op->getNumResults() == 1 && isa<RankedTensorType>(op->getResult(0).getType()) &&
        !op->use_empty() && !op->hasTrait<OpTrait::ConstantLike>() &&
        !isa<tensor::EmptyOp, linalg::FillOp>(op))
      found.push_back(op);
    return isa<linalg::LinalgOp>(op) ? WalkResult::skip() : WalkResult::advance();
  });
  return found;
}

bool replaceByOperand(Operation *op, unsigned index) {
  Value result = op->getResult(0);
  unsigned seen = 0;
  for (Value operand : op->getOperands()) {
    if (operand.getType() != result.getType() || operand.getDefiningOp<tensor::EmptyOp>())
      continue;
    if (seen++ == index) {
      result.replaceAllUsesWith(operand);
      return true;
    }
  }
  return false;
}

bool replaceByOnes(Operation *op) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  OpBuilder b(op);
  Attribute one;
  if (isa<FloatType>(type.getElementType()))
    one = b.getFloatAttr(type.getElementType(), 1);
  else if (isa<IntegerType>(type.getElementType()))
    one = b.getIntegerAttr(type.getElementType(), 1);
  else
    return false;
  Value ones =
      arith::ConstantOp::create(b, op->getLoc(), DenseElementsAttr::get(type, ArrayRef(one)));
  op->getResult(0).replaceAllUsesWith(ones);
  return true;
}

bool dropResult(func::FuncOp step, unsigned index) {
  if (step.getNumResults() < 2 || index >= step.getNumResults())
    return false;
  step.front().getTerminator()->eraseOperand(index);
  return succeeded(step.eraseResult(index));
}

bool dropArgument(func::FuncOp step, unsigned index) {
  return index < step.getNumArguments() && step.getArgument(index).use_empty() &&
         succeeded(step.eraseArgument(index));
}

struct ReduceStep final : PassWrapper<ReduceStep, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ReduceStep)

  ReduceStep() = default;
  ReduceStep(const ReduceStep &other) : PassWrapper(other) {}

  StringRef getArgument() const final { return "reduce-step"; }
  StringRef getDescription() const final {
    return "Replace, one by one, what the tester does not need";
  }

  void runOnOperation() override {
    if (test.empty()) {
      getOperation().emitError("reduce-step needs a tester; say reduce-step{test=SCRIPT}");
      return signalPassFailure();
    }
    if (!isInteresting(getOperation())) {
      getOperation().emitError("the tester '") << test << "' does not find the input interesting";
      return signalPassFailure();
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (unsigned i = step(getOperation()).getNumResults(); i-- > 0;)
        changed |= attempt([&](func::FuncOp step) { return dropResult(step, i); });
      for (size_t i = candidates(step(getOperation())).size(); i-- > 0;)
        changed |= attemptAt(i);
      for (unsigned i = step(getOperation()).getNumArguments(); i-- > 0;)
        changed |= attempt([&](func::FuncOp step) { return dropArgument(step, i); });
    }
  }

private:
  static func::FuncOp step(ModuleOp module) { return getStep(module, ""); }

  bool attemptAt(size_t index) {
    auto edit = [&](auto change) {
      return attempt([&](func::FuncOp step) {
        SmallVector<Operation *> operations = candidates(step);
        return index < operations.size() && change(operations[index]);
      });
    };
    return edit([](Operation *op) { return replaceByOperand(op, 0); }) ||
           edit([](Operation *op) { return replaceByOperand(op, 1); }) || edit(replaceByOnes);
  }

  /// Keeps the edit if what comes out is valid and interesting.
  bool attempt(llvm::function_ref<bool(func::FuncOp)> edit) {
    OwningOpRef<ModuleOp> changed(getOperation().clone());
    if (!edit(step(*changed)))
      return false;
    IRRewriter rewriter(&getContext());
    (void)runRegionDCE(rewriter, changed->getOperation()->getRegions());
    bool valid;
    {
      ScopedDiagnosticHandler silent(&getContext(), [](Diagnostic &) { return success(); });
      valid = succeeded(verify(*changed));
    }
    if (!valid || !isInteresting(*changed))
      return false;
    getOperation().getBodyRegion().takeBody(changed->getBodyRegion());
    return true;
  }

  bool isInteresting(ModuleOp module) const {
    return Tester(test, arguments).isInteresting(module).first == Tester::Interestingness::True;
  }

  Option<std::string> test{*this, "test", llvm::cl::desc("Exits with 0 for what is dull")};
  ListOption<std::string> arguments{*this, "test-arg", llvm::cl::desc("Arguments of the tester")};
};

} // namespace

void registerReduceStepPass() { PassRegistration<ReduceStep>(); }

} // namespace ds::fuzz
