//===- ReduceFactors.cpp - Which factor of a product is reduced ------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A product is linear in each of two partial factors, but not in both: one of them is reduced. The
// rule of an operation does not see other uses. If one factor is needed replicated elsewhere, such
// as an activation whose norm is taken, it can be read replicated here at no cost, and the other
// factor, a gradient, stays partial until it is added to others. That is never worse: the first
// factor is reduced where it was, and the other one may still be.
//
// One walk over the operations that keep some partial operands and reduce others.
//
//===----------------------------------------------------------------------===//
#include "ReduceFactors.h"

using namespace mlir;

namespace ds {
namespace {

class ReduceFactors {
public:
  ReduceFactors(const StepFlow &flow, StepPlacement &state) : flow(flow), state(state) {}

  void run() {
    findChoosing();
    if (choosing.empty())
      return;
    findWholeAnyway();
    for (Operation *op : flow.operations())
      if (choosing.contains(op) && keepsOneThatIsWhole(op))
        placeAgain(op);
    if (!placedAgain.empty())
      replaceKept();
  }

private:
  bool isReduced(OpOperand *operand) const {
    return state.of(operand->get()).isPartial() && state.wantsWhole(*operand);
  }

  /// Collects operations that keep some operands partial and reduce others.
  void findChoosing() {
    for (auto [operand, result] : state.kept) {
      Operation *op = flow.unitOf(operand->getOwner());
      if (!flow.isControl(op) &&
          llvm::any_of(flow.operands(op), [&](OpOperand *other) { return isReduced(other); }))
        choosing.insert(op);
    }
    for (const PlacementConflict &conflict : state.unsharded)
      choosing.erase(conflict.op);
  }

  /// Collects values that an operation without such a choice needs replicated.
  void findWholeAnyway() {
    for (auto [operand, placement] : state.required)
      if (isReduced(operand) && !choosing.contains(flow.unitOf(operand->getOwner())))
        whole.insert(operand->get());
  }

  bool keepsOneThatIsWhole(Operation *op) const {
    return llvm::any_of(flow.operands(op), [&](OpOperand *operand) {
      return whole.contains(operand->get()) && !isReduced(operand);
    });
  }

  /// Places the operation again with the operands that are replicated already, and keeps the new
  /// placement if the results do not change.
  void placeAgain(Operation *op) {
    auto view = [&](OpOperand &operand) {
      return whole.contains(operand.get()) ? Placement::replicated() : state.of(operand.get());
    };
    PlacementRule rule(op, flow.operands(op), state.ranks, view);
    placeOperation(op, rule);
    bool same = !rule.reason && rule.partialSources.empty();
    for (auto [result, placement] : llvm::zip(op->getResults(), rule.results))
      same &= placement == state.of(result);
    if (!same)
      return;
    for (OpOperand *operand : flow.operands(op))
      if (state.of(operand->get()).isPartial()) {
        state.required.erase(operand);
        if (whole.contains(operand->get()) || rule.required.count(operand))
          state.required[operand] = Placement::replicated();
      }
    placedAgain[op] = std::move(rule.kept);
  }

  /// Replaces what the operations kept before.
  void replaceKept() {
    SmallVector<std::pair<OpOperand *, Value>> kept;
    for (auto [operand, result] : state.kept) {
      auto again = placedAgain.find(flow.unitOf(operand->getOwner()));
      if (again == placedAgain.end()) {
        kept.push_back({operand, result});
        continue;
      }
      for (auto [other, index] : again->second)
        kept.push_back({other, again->first->getResult(index)});
      again->second.clear();
    }
    state.kept = std::move(kept);
  }

  const StepFlow &flow;
  StepPlacement &state;
  llvm::DenseSet<Operation *> choosing;
  llvm::DenseSet<Value> whole;
  llvm::DenseMap<Operation *, SmallVector<std::pair<OpOperand *, unsigned>>> placedAgain;
};

} // namespace

void reduceFactors(const StepFlow &flow, StepPlacement &state) { ReduceFactors(flow, state).run(); }

} // namespace ds
