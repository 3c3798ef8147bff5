//===- LocalDecisions.cpp - What ranks decide together --------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Control flow that makes a new parameter or state is entered by all ranks alike, so what decides
// it is combined as gradients are: where it is made of samples, before anything else is computed
// from it. The way from there to the condition is copied, since metrics and statistics read the
// rank's own values. Shares nothing with the planner, which it checks.
//
//===----------------------------------------------------------------------===//
#include "LocalDecisions.h"

#include "ds/Analysis/Marks.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;

namespace ds::fuzz {
namespace {

class Decisions {
public:
  Decisions(const StepFlow &flow, const llvm::DenseSet<Value> &perRank,
            const StepPlacement &samples, bool mean)
      : flow(flow), perRank(perRank), samples(samples), mean(mean) {}

  void run() {
    findOwn();
    llvm::DenseSet<Value> updating = findUpdating();
    for (Operation *op : flow.operations()) {
      if (!flow.holdsOperations(op) ||
          llvm::none_of(op->getResults(), [&](Value result) { return updating.contains(result); }))
        continue;
      for (OpOperand *decision : flow.decisions(op->getResult(0)))
        decision->set(agreedOn(decision->get()));
    }
  }

private:
  bool differs(Value value) const { return perRank.contains(value); }
  bool holdsSamples(Value value) const { return samples.of(value).isSharded(); }

  /// What new parameters and states follow from behind the marks.
  llvm::DenseSet<Value> findUpdating() const {
    llvm::DenseSet<Value> found = findUpdates();
    flow.addOrigins(found, [](Value value) {
      Operation *op = value.getDefiningOp();
      return op && isMark(op);
    });
    return found;
  }

  /// New parameters and states.
  llvm::DenseSet<Value> findUpdates() const {
    llvm::DenseSet<Value> updates;
    for (const StepResult &result : getStepResults(flow.step()))
      if (!result.updates.empty())
        updates.insert(result.operand->get());
    return updates;
  }

  /// What samples meet: a batch statistic that normalises them is the rank's own.
  void findOwn() {
    llvm::DenseSet<Value> updates = findUpdates();
    auto isOwn = [&](Value value) {
      return differs(value) && !holdsSamples(value) && !updates.contains(value);
    };
    for (Operation *op : flow.operations()) {
      auto destination = dyn_cast<DestinationStyleOpInterface>(op);
      bool meets = !flow.isControl(op) && llvm::any_of(flow.reads(op), [&](OpOperand *operand) {
        return holdsSamples(operand->get());
      });
      for (OpOperand *operand : flow.reads(op))
        if (meets && isOwn(operand->get()) &&
            !(destination && operand->getOwner() == op && destination.isDpsInit(operand)))
          own.insert(operand->get());
    }
    flow.addOrigins(own, [&](Value value) { return !isOwn(value); });
    for (Value value : llvm::to_vector(own))
      if (!isOwn(value))
        own.erase(value);
  }

  /// Whether the value is made of samples, or of something else that is the rank's own.
  bool startsHere(Value value) const {
    Operation *op = value.getDefiningOp();
    return !op || flow.isControl(op) || holdsSamples(value) || own.contains(value) ||
           llvm::any_of(flow.reads(op), [&](OpOperand *operand) {
             return holdsSamples(operand->get()) || own.contains(operand->get());
           });
  }

  Value agreedOn(Value value) {
    if (!differs(value))
      return value;
    if (Value known = agreed.lookup(value))
      return known;
    OpBuilder b(value.getContext());
    b.setInsertionPointAfterValue(value);
    bool isFloat = isa<FloatType>(getElementTypeOrSelf(value.getType()));
    if (startsHere(value))
      return agreed[value] = CombineOp::create(
                 b, value.getLoc(), value.getType(),
                 mean && isFloat ? ReductionKind::Mean : ReductionKind::Sum, value);
    Operation *op = value.getDefiningOp();
    IRMapping mapping;
    for (OpOperand *operand : flow.reads(op))
      mapping.map(operand->get(), agreedOn(operand->get()));
    Operation *copy = b.clone(*op, mapping);
    for (auto [original, result] : llvm::zip_equal(op->getResults(), copy->getResults()))
      agreed[original] = result;
    return agreed[value];
  }

  const StepFlow &flow;
  const llvm::DenseSet<Value> &perRank;
  const StepPlacement &samples;
  bool mean;
  llvm::DenseSet<Value> own;
  llvm::DenseMap<Value, Value> agreed;
};

} // namespace

void combineDecisions(const StepFlow &flow, const llvm::DenseSet<Value> &perRank,
                      const StepPlacement &samples, bool mean) {
  Decisions(flow, perRank, samples, mean).run();
}

} // namespace ds::fuzz
