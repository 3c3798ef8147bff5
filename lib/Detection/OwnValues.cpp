//===- OwnValues.cpp - What is a rank's own in an unmarked `local` step ---===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Own is what carries samples, what meets samples (batch statistics), what is drawn from a key of
// the rank's own, and what serves metrics alone. Sweeps over the step, again while control flow
// carries more.
//
//===----------------------------------------------------------------------===//
#include "Detector.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;

namespace ds {

LogicalResult Detector::findSamples() {
  if (getBatchArguments(step).empty())
    return step.emitError("the step has no batch argument; mark the arguments that hold samples "
                          "with ds.batch");
  samples = followSamples(flow);
  isSingletonBatch = getSampleSize(getBatchArguments(step)) == 1;
  // Behind an operation that cannot be divided, values are the rank's own. With a single sample
  // they look like gradients: a layer's output has as many elements as its bias.
  SmallVector<PlacementConflict> lost = samples.conflicts;
  if (isSingletonBatch)
    llvm::append_range(lost, samples.undivided);
  if (!lost.empty())
    return lost.front().op->emitError("cannot follow the samples of a rank here: ")
           << lost.front().reason;
  if (isSingletonBatch)
    endSingletonBatch();
  return success();
}

llvm::DenseSet<Value> findUpdatePaths(const StepFlow &flow) {
  llvm::DenseSet<Value> found;
  for (const StepResult &result : getStepResults(flow.step())) {
    SmallVector<Value> work;
    if (result.parameter)
      work.push_back(result.operand->get());
    llvm::DenseSet<Value> seen;
    while (!work.empty()) {
      Value value = work.pop_back_val();
      if (elementCountOf(value) != elementCountOf(result.operand->get()) ||
          !seen.insert(value).second)
        continue;
      found.insert(value);
      for (OpOperand *input : flow.inputs(value))
        work.push_back(input->get());
    }
  }
  return found;
}

/// What a new parameter or state is computed from, but not what chooses it: a loss that decides
/// about a step is of samples.
llvm::DenseSet<Value> Detector::findUseful() const {
  llvm::DenseSet<Value> useful;
  SmallVector<Value> work;
  for (const StepResult &result : getStepResults(step))
    if (!result.updates.empty() && useful.insert(result.operand->get()).second)
      work.push_back(result.operand->get());
  while (!work.empty())
    for (OpOperand *input : flow.inputs(work.pop_back_val())) {
      Value value = input->get();
      if (!isCondition(value) && useful.insert(value).second)
        work.push_back(value);
    }
  return useful;
}

/// The tensor that an argument of a linalg body holds an element of.
static Value tensorOf(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto op = argument ? dyn_cast<linalg::LinalgOp>(argument.getOwner()->getParentOp())
                     : linalg::LinalgOp();
  return op ? op.getMatchingOpOperand(argument)->get() : Value();
}

/// What a linalg operation yields for a result, behind reshapes.
static Value yieldedFor(Value tensor) {
  while (isa_and_present<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(tensor.getDefiningOp()))
    tensor = tensor.getDefiningOp()->getOperand(0);
  auto op = tensor.getDefiningOp<linalg::LinalgOp>();
  return op ? op.getBlock()->getTerminator()->getOperand(cast<OpResult>(tensor).getResultNumber())
            : Value();
}

/// Whether the result is a sum of squares of what leads to the new value of a parameter: gradients
/// are clipped by such sums, and none is one.
static bool sumsSquares(Value result, const llvm::DenseSet<Value> &paths) {
  auto isSquare = [&](Value value) {
    auto product = value.getDefiningOp<arith::MulFOp>();
    if (!product || product.getLhs() != product.getRhs())
      return false;
    llvm::SetVector<Value> made;
    made.insert(product.getLhs());
    for (unsigned next = 0; next < made.size(); ++next) {
      if (Value tensor = tensorOf(made[next]); tensor && paths.contains(tensor))
        return true;
      if (Operation *op = made[next].getDefiningOp(); op && op->getBlock() == product->getBlock())
        made.insert(op->operand_begin(), op->operand_end());
    }
    return false;
  };
  Value yielded = yieldedFor(result);
  auto sum = yielded ? yielded.getDefiningOp<arith::AddFOp>() : arith::AddFOp();
  return sum && llvm::any_of(sum->getOperands(), [&](Value addend) {
           Value tensor = tensorOf(addend);
           Value made = tensor ? yieldedFor(tensor) : addend;
           return made && isSquare(made);
         });
}

/// With one sample per rank the sum over samples is the sample: a step need not say where a
/// gradient is summed (that of a bias is reshaped, that of a position embedding has the shape of
/// the sample). A value of which no gradient is summed, but the new value of a parameter or state
/// is made, holds no sample any more.
void Detector::endSingletonBatch() {
  llvm::DenseSet<Value> paths = findUpdatePaths(flow), updated = findUseful(), summed;
  for (Operation *op : flow.operations())
    if (sumsSamples(op) && llvm::any_of(op->getResults(), [&](Value result) {
          return paths.contains(result) && !sumsSquares(result, paths);
        }))
      for (OpOperand *operand : flow.reads(op))
        summed.insert(operand->get());
  flow.addOrigins(summed);
  for (auto &[value, placement] : samples.placements)
    if (isa<OpResult>(value) && placement.isSharded() && updated.contains(value) &&
        !summed.contains(value))
      ended.insert(value);
  for (Value value : findDeciding(updated, summed))
    ended.insert(value);
  for (Value value : ended)
    samples.placements.erase(value);
}

/// What is compared to choose, as a whole, between tensors that no gradient is summed from: the
/// loss that a step is skipped by.
llvm::DenseSet<Value> Detector::findDeciding(const llvm::DenseSet<Value> &updated,
                                             const llvm::DenseSet<Value> &summed) const {
  llvm::DenseSet<Value> deciding, seen;
  SmallVector<Value> work;
  auto follow = [&](Value value) {
    if (elementCountOf(value) == 1 && holdsSamples(value) && seen.insert(value).second)
      work.push_back(value);
  };
  for (Value value : updated) {
    if (elementCountOf(value) == 1 || summed.contains(value))
      continue;
    for (OpOperand *operand : flow.decisions(value))
      follow(operand->get());
    for (OpOperand *operand : flow.inputs(value))
      if (onlyChooses(*operand))
        follow(operand->get());
  }
  while (!work.empty()) {
    Value value = work.pop_back_val();
    if (isa<OpResult>(value) && !summed.contains(value))
      deciding.insert(value);
    if (isCondition(value))
      for (OpOperand *operand : flow.inputs(value))
        follow(operand->get());
  }
  return deciding;
}

bool Detector::endsSample(Operation *op) const {
  return llvm::any_of(op->getResults(), [&](Value result) { return ended.contains(result); });
}

void Detector::findDependent() {
  for (const BatchArgument &argument : getBatchArguments(step))
    dependent.insert(argument.argument);
  if (config.decorrelateSeeds())
    findRandom();
  dependent.insert(random.begin(), random.end());
  flow.addDependents(dependent);
}

/// Keys, and what is drawn from them. Beside a parameter or state the usual rules decide: noise
/// added to a parameter is combined, a mask that meets samples is not.
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

/// New values of parameters and states, in a loop those of each round.
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

/// Whether the operation sums over the rank's samples. What else it reads than the sum so far meets
/// each of them, in a value per sample that fusion may have hidden in the body.
bool Detector::sumsSamples(Operation *op) const {
  return !flow.isControl(op) && op->getNumResults() > 0 && !endsSample(op) &&
         llvm::none_of(op->getResults(), [&](Value result) { return holdsSamples(result); }) &&
         llvm::any_of(flow.reads(op),
                      [&](OpOperand *operand) { return holdsSamples(operand->get()); });
}

static bool isAccumulator(OpOperand &operand) {
  auto op = dyn_cast<DestinationStyleOpInterface>(operand.getOwner());
  return op && op.isDpsInit(&operand);
}

/// Own: what reaches a per-sample value, not walking through the new value of a parameter or state.
void Detector::findOwn() {
  own = coefficients;
  own.insert(random.begin(), random.end());
  llvm::DenseSet<Value> updates = findUpdates();
  auto reaches = [&](Value value) {
    return holdsSamples(value) || (own.contains(value) && !coefficients.contains(value));
  };
  llvm::DenseSet<Operation *> holders; // operations with control flow that hold such a value
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
      // Ranks that update a parameter or state in a loop go on together.
      auto updatesThere = [&](Value value) { return updates.contains(value); };
      if (!flow.isControl(op) || llvm::none_of(control->getResults(), updatesThere))
        llvm::for_each(flow.reads(op), add);
      if (flow.holdsOperations(op->getParentOp()))
        changed |= holders.insert(op->getParentOp()).second;
    }
  }
}

/// What no parameter, and no state that follows from gradients, is computed from or decided by
/// serves metrics and running statistics alone, and those are the rank's own: the new value of a
/// statistic is averaged, not what it is made of.
void Detector::addReportsToOwn() {
  llvm::DenseSet<Value> parameters = findReachingParameter(flow), common;
  for (const StepResult &result : getStepResults(step)) {
    Value value = result.operand->get();
    if (result.parameter || (result.state && !isStatistic(value, parameters)))
      common.insert(value);
  }
  flow.addOrigins(common);
  for (Value value : dependent)
    if (!common.contains(value))
      own.insert(value);
}

} // namespace ds
