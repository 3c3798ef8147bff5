//===- ReturnGradients.cpp - A step that shows its gradients --------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plan says which values are gradients; a pinned mark keeps the reduction there, so the mark's
// result is whole, on one device and on n ranks alike. A result is tied to the nearest gradient of
// its own size behind it, in operations.
//
//===----------------------------------------------------------------------===//
#include "ds/Transforms/ReturnGradients.h"

#include "StepPlan.h"

#include "ds/Detection/Detection.h"
#include "ds/Dialect/IR/Roles.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace ds {

/// Marks a gradient and returns the mark.
static GradientOp pin(const Reduction &reduction) {
  Value value = reduction.value;
  OpBuilder b(value.getContext());
  b.setInsertionPointAfterValue(value);
  auto mark = GradientOp::create(b, value.getLoc(), value.getType(), value,
                                 b.getStringAttr(reduction.names.front()), b.getUnitAttr());
  value.replaceAllUsesExcept(mark.getResult(), mark);
  return mark;
}

static int64_t elementsOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? type.getNumElements() : 1;
}

/// The mark that leads to `value` in the fewest operations.
static std::optional<unsigned> nearestMark(const StepFlow &flow, Value value,
                                           const llvm::DenseMap<Value, unsigned> &marks) {
  llvm::DenseSet<Value> seen = {value};
  SmallVector<Value> level = {value};
  int64_t elements = elementsOf(value);
  while (!level.empty()) {
    SmallVector<Value> next;
    for (Value at : level) {
      if (auto found = marks.find(at); found != marks.end())
        return found->second;
      for (OpOperand *input : flow.inputs(at))
        if (elementsOf(input->get()) == elements && seen.insert(input->get()).second)
          next.push_back(input->get());
    }
    level = std::move(next);
  }
  return std::nullopt;
}

FailureOr<ReturnedGradients> returnGradients(ModuleOp module, StringRef entry) {
  FailureOr<func::FuncOp> checked = getCheckedStep(module, entry);
  FailureOr<Config> config = getConfig(module);
  if (failed(checked) || failed(config) ||
      (config->batch() == BatchSemantics::Local && failed(markLocalStep(*checked, *config))))
    return failure();
  FailureOr<PlannedStep> planned = planStep(module, entry);
  if (failed(planned))
    return failure();
  func::FuncOp step = planned->step;
  Operation *end = step.getBody().front().getTerminator();
  ReturnedGradients returned;
  returned.ownResults = step.getNumResults();
  SmallVector<Value> values;
  for (const Reduction &reduction : planned->plan.reductions) {
    Value value = reduction.value;
    auto type = dyn_cast<RankedTensorType>(value.getType());
    bool inside = value.getParentBlock() != end->getBlock();
    if (reduction.zone == Zone::Metric || reduction.names.empty() || inside || !type ||
        !isa<FloatType>(type.getElementType()))
      continue;
    values.push_back(pin(reduction).getResult());
    returned.parameters.push_back(llvm::join(reduction.names, ", "));
  }

  Builder b(step.getContext());
  llvm::DenseMap<Value, unsigned> marks;
  for (auto [i, value] : llvm::enumerate(values)) {
    unsigned result = step.getNumResults();
    marks[value] = result;
    auto name =
        b.getNamedAttr(role::name, b.getStringAttr("gradient of " + returned.parameters[i]));
    (void)step.insertResult(result, value.getType(), b.getDictionaryAttr(name));
    end->insertOperands(result, value);
  }
  StepFlow flow(step);
  for (OpOperand &operand : end->getOpOperands()) {
    unsigned result = operand.getOperandNumber();
    returned.readiness.push_back(result);
    bool updates = step.getResultAttr(result, role::updates) != nullptr;
    returned.gradientOf.push_back(updates || result >= returned.ownResults
                                      ? nearestMark(flow, operand.get(), marks)
                                      : std::nullopt);
  }
  llvm::stable_sort(returned.readiness, [&](unsigned x, unsigned y) {
    return flow.position(end->getOperand(x)) < flow.position(end->getOperand(y));
  });
  return returned;
}

} // namespace ds
