//===- DetectGradients.cpp - Name the gradient of every parameter ---------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the decision into the IR, where it can be read, tested and overridden. `global`: plans the
// reductions and puts `ds.gradient` on those that are the gradient of a parameter. `local`:
// annotates a step that has no annotations, and checks that with those it has all ranks keep equal
// parameters.
//
//===----------------------------------------------------------------------===//
#include "ds/Transforms/Passes.h"

#include "Utils/Elementwise.h"
#include "Utils/StepPlan.h"

#include "ds/Detection/Detection.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/StringSet.h"

namespace ds {
#define GEN_PASS_DEF_DETECTGRADIENTSPASS
#include "ds/Transforms/Passes.h.inc"
} // namespace ds

using namespace mlir;

namespace ds {
namespace {

/// Returns the parameters that a front end has annotated; they keep their annotations.
llvm::StringSet<> findMarkedParameters(func::FuncOp step) {
  llvm::StringSet<> marked;
  for (GradientOp mark : collectUnits<GradientOp>(step))
    marked.insert(mark.getParam());
  return marked;
}

bool areAllMarked(func::FuncOp step, const llvm::StringSet<> &marked) {
  return llvm::all_of(getStepResults(step), [&](const StepResult &result) {
    return !result.parameter || marked.contains(result.updates);
  });
}

void mark(const Reduction &reduction, StringRef parameter) {
  OpBuilder b(reduction.value.getContext());
  b.setInsertionPointAfterValue(reduction.value);
  GradientOp gradient = markGradient(b, reduction.value, parameter);
  Value value = reduction.value;
  value.replaceAllUsesExcept(gradient.getResult(), gradient);
}

/// Emits a remark for each parameter whose update does not depend on the batch: it gets no
/// collective, which may surprise the user.
void remarkUnreached(func::FuncOp step, const ReductionPlan &plan,
                     const llvm::StringSet<> &marked) {
  llvm::StringSet<> reached;
  for (const Reduction &reduction : plan.reductions)
    reached.insert(reduction.names.begin(), reduction.names.end());
  for (const StepResult &result : getStepResults(step)) {
    if (!result.parameter || marked.contains(result.updates) || reached.contains(result.updates))
      continue;
    remark::analysis(step.getLoc(),
                     remark::RemarkOpts::name("NoGradient").category("ds-detect-gradients"))
        << "the update of" << result.updates << "does not depend on the batch";
  }
}

/// `global`: the plan needs no annotations; they only name its reductions.
void nameReductions(PlannedStep &planned, const llvm::StringSet<> &marked) {
  for (const Reduction &reduction : planned.plan.reductions) {
    if (reduction.purpose == Purpose::Metric)
      continue;
    for (StringRef name : llvm::reverse(reduction.names))
      if (!marked.contains(name))
        mark(reduction, name);
  }
}

/// Multiplies the gradients by `times`, as if each of that many ranks added the gradients of its
/// own loss (`loss_repeated_mean`).
void multiplyGradients(func::FuncOp step, int64_t times) {
  for (GradientOp mark : collectUnits<GradientOp>(step)) {
    OpBuilder b(step.getContext());
    b.setInsertionPointAfter(mark);
    auto type = cast<FloatType>(getElementTypeOrSelf(mark.getType()));
    Value factor = arith::ConstantOp::create(b, mark.getLoc(),
                                             b.getFloatAttr(type, static_cast<double>(times)));
    Value product = mapElements(b, mark.getLoc(), mark, type,
                                [&](OpBuilder &nested, Location loc, Value element) -> Value {
                                  return arith::MulFOp::create(nested, loc, element, factor);
                                });
    mark.getResult().replaceUsesWithIf(product, [&](OpOperand &use) {
      return use.getOwner() != product.getDefiningOp() && !isa<GradientOp>(use.getOwner());
    });
  }
}

struct DetectGradients final : impl::DetectGradientsPassBase<DetectGradients> {
  using DetectGradientsPassBase::DetectGradientsPassBase;

  void runOnOperation() override {
    FailureOr<Config> config = getConfig(getOperation());
    if (failed(config))
      return signalPassFailure();
    int64_t repetitions =
        config->parallelMode() == ParallelMode::StandAlone ? 1 : config->lossRepetitions();
    if (runsAlone(*config) && repetitions == 1)
      return;
    FailureOr<func::FuncOp> step = getCheckedStep(getOperation(), entry);
    if (failed(step))
      return signalPassFailure();
    bool isLocal = config->batch() == BatchSemantics::Local;
    if (isLocal && failed(markLocalStep(*step, *config)))
      return signalPassFailure();
    llvm::StringSet<> marked = findMarkedParameters(*step);
    // In `local` the annotations are the plan, so it is computed only if one is missing.
    if (!isLocal || !areAllMarked(*step, marked)) {
      FailureOr<PlannedStep> planned = planStep(getOperation(), entry);
      if (failed(planned))
        return signalPassFailure();
      remarkUnreached(planned->step, planned->plan, marked);
      if (!isLocal)
        nameReductions(*planned, marked);
    }
    if (isLocal && repetitions > 1)
      multiplyGradients(*step, repetitions);
  }
};

} // namespace
} // namespace ds
