//===- OwnValues.cpp - Rank-local values of an unmarked step --------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rank-local values are those that carry samples or meet samples (batch statistics), those drawn
// from a rank's own key, and those used for metrics alone. Found by sweeps over the step, repeated
// while control flow carries more.
//
//===----------------------------------------------------------------------===//
#include "Detector.h"

#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;

namespace ds {

LogicalResult Detector::findSamples() {
  if (getBatchArguments(step).empty())
    return step.emitError("the step has no batch argument; mark the arguments that hold samples "
                          "with ds.batch");
  samples = followSamples(flow);
  // States do not count: running statistics are averaged.
  bool updatesParameters = llvm::any_of(getStepResults(step), [&](const StepResult &result) {
    return result.parameter && dependent.contains(result.operand->get());
  });
  if (getSampleSize(getBatchArguments(step)) == 1 && updatesParameters)
    return step.emitError("a rank has one sample, so a layer's output looks like the gradient of "
                          "its bias; mark every gradient: %g = ds.gradient %dw of \"w\" (in JAX: "
                          "dstep.jax.gradients)");
  if (!samples.conflicts.empty())
    return samples.conflicts.front().op->emitError("cannot follow the samples of a rank here: ")
           << samples.conflicts.front().reason;
  return success();
}

void Detector::findDependent() {
  for (const BatchArgument &argument : getBatchArguments(step))
    dependent.insert(argument.argument);
  if (config.decorrelateSeeds())
    findRandom();
  dependent.insert(random.begin(), random.end());
  flow.addDependents(dependent);
}

/// Finds keys, and values drawn from them. Beside a parameter or state the usual rules decide:
/// noise added to a parameter is reduced, a mask that meets samples is not.
void Detector::findRandom() {
  llvm::DenseSet<Value> drawn, other;
  for (BlockArgument argument : step.getArguments()) {
    unsigned number = argument.getArgNumber();
    if (step.getArgAttr(number, "ds.seed"))
      drawn.insert(argument);
    else if (step.getArgAttr(number, "ds.param") || step.getArgAttr(number, "ds.state") ||
             step.getArgAttr(number, "ds.batch"))
      other.insert(argument);
  }
  flow.addDependents(drawn);
  flow.addDependents(other);
  for (Value value : drawn)
    if (!other.contains(value))
      random.insert(value);
}

/// Returns the new values of parameters and states; in a loop, those of each iteration.
llvm::DenseSet<Value> Detector::findUpdates() const {
  llvm::DenseSet<Value> updates;
  SmallVector<Value> work;
  auto add = [&](Value value) {
    if (dependent.contains(value) && updates.insert(value).second)
      work.push_back(value);
  };
  for (const StepResult &result : getStepResults(step))
    if (!result.updates.empty())
      add(result.operand->get());
  while (!work.empty()) {
    Value value = work.pop_back_val();
    for (OpOperand *source : flow.sources(value)) {
      add(source->get());
      llvm::for_each(flow.targets(*source), add);
    }
  }
  return updates;
}

/// True if the operation sums over the rank's samples. All its operands except the accumulator then
/// meet each sample, in a value per sample that fusion may have hidden in the body.
bool Detector::sumsSamples(Operation *op) const {
  return !flow.isControl(op) && op->getNumResults() > 0 &&
         llvm::none_of(op->getResults(), [&](Value result) { return holdsSamples(result); }) &&
         llvm::any_of(flow.reads(op),
                      [&](OpOperand *operand) { return holdsSamples(operand->get()); });
}

static bool isAccumulator(OpOperand &operand) {
  auto op = dyn_cast<DestinationStyleOpInterface>(operand.getOwner());
  return op && op.isDpsInit(&operand);
}

/// Finds values that reach a per-sample value, not through the new value of a parameter or state.
void Detector::findOwn() {
  own = random;
  llvm::DenseSet<Value> updates = findUpdates();
  auto reaches = [&](Value value) { return holdsSamples(value) || own.contains(value); };
  llvm::DenseSet<Operation *> holders; // operations with control flow around such a value
  for (bool changed = true; changed;) {
    changed = false;
    auto add = [&](OpOperand *operand) {
      Value value = operand->get();
      if (dependent.contains(value) && !holdsSamples(value) && !updates.contains(value))
        changed |= own.insert(value).second;
    };
    for (Operation *op : llvm::reverse(flow.operations())) {
      for (OpOperand &operand : op->getOpOperands())
        if (llvm::any_of(flow.targets(operand), reaches))
          add(&operand);
      Operation *control = flow.isControl(op) && !flow.holdsOperations(op) ? op->getParentOp() : op;
      if (sumsSamples(op))
        for (OpOperand *operand : flow.reads(op))
          if (!isAccumulator(*operand))
            add(operand);
      if (!llvm::any_of(op->getResults(), reaches) && !holders.contains(control))
        continue;
      // Ranks that update a parameter or state in a loop continue together.
      auto updatesThere = [&](Value value) { return updates.contains(value); };
      if (!flow.isControl(op) || llvm::none_of(control->getResults(), updatesThere))
        llvm::for_each(flow.reads(op), add);
      if (flow.holdsOperations(op->getParentOp()))
        changed |= holders.insert(op->getParentOp()).second;
    }
  }
}

/// Values from which no parameter is computed or decided are used for metrics and states alone, and
/// are rank-local: the new value of a running statistic is averaged, not its inputs. Where they
/// read a gradient, they read it reduced.
void Detector::addReportsToOwn() {
  llvm::DenseSet<Value> common;
  for (const StepResult &result : getStepResults(step))
    if (result.parameter)
      common.insert(result.operand->get());
  flow.addOrigins(common);
  for (Value value : dependent)
    if (!common.contains(value))
      own.insert(value);
}

} // namespace ds
