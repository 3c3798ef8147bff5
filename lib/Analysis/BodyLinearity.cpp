//===- BodyLinearity.cpp - Is a body linear in its partial operands -------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One pass over the body, constant work per operation. A sum is linear if either side is; a product
// only if one side is the same on every rank; everything not listed is non-linear as soon as an
// operand differs per rank.
//
//===----------------------------------------------------------------------===//
#include "ds/Analysis/BodyLinearity.h"

#include "ds/Analysis/ShardingRule.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace ds {

llvm::SmallSetVector<Value, 4> readsOf(Operation *statement) {
  llvm::SmallSetVector<Value, 4> reads;
  statement->walk([&](Operation *nested) {
    for (Value operand : nested->getOperands())
      if (!statement->isAncestor(operand.getParentBlock()->getParentOp()))
        reads.insert(operand);
  });
  return reads;
}

bool differsPerRank(Linearity kind) {
  return kind == Linearity::Linear || kind == Linearity::NonLinear;
}

Linearity addLinearity(Linearity x, Linearity y) {
  if (x == Linearity::NonLinear || y == Linearity::NonLinear)
    return Linearity::NonLinear;
  if (x == Linearity::Linear || y == Linearity::Linear)
    return Linearity::Linear;
  if (x == Linearity::Zero && y == Linearity::Zero)
    return Linearity::Zero;
  return Linearity::Replicated;
}

static Linearity multiply(Linearity x, Linearity y) {
  if (x == Linearity::Zero || y == Linearity::Zero)
    return Linearity::Zero;
  if (differsPerRank(x) && differsPerRank(y))
    return Linearity::NonLinear;
  if (differsPerRank(x) || differsPerRank(y))
    return differsPerRank(x) ? x : y;
  return Linearity::Replicated;
}

Linearity BodyLinearity::of(Value value) const {
  if (auto it = kinds.find(value); it != kinds.end())
    return it->second;
  return outer(value);
}

void BodyLinearity::walk(Block &block) {
  for (Operation &op : block)
    walk(&op);
}

void BodyLinearity::walk(Operation *op) {
  // Branches first: the values that they yield decide the results.
  for (Region &region : op->getRegions())
    for (Block &block : region)
      walk(block);
  for (OpResult result : op->getResults())
    kinds[result] = classify(result);
}

Linearity BodyLinearity::classify(OpResult result) const {
  Operation *op = result.getOwner();
  if (op->hasTrait<OpTrait::ConstantLike>())
    return matchPattern(op, m_AnyZeroFloat()) || matchPattern(op, m_Zero()) ? Linearity::Zero
                                                                            : Linearity::Replicated;
  if (isa<ReplicatedToPartialOp>(op))
    return Linearity::Linear;
  if (isa<RankOp>(op))
    return Linearity::NonLinear;
  auto differs = [&](Value value) { return differsPerRank(of(value)); };
  ScalarRule rule = getTerms(result);
  if (rule.terms.empty())
    return llvm::any_of(readsOf(op), differs) ? Linearity::NonLinear : Linearity::Replicated;
  if (llvm::any_of(rule.coefficients, [&](OpOperand *use) { return differs(use->get()); }))
    return Linearity::NonLinear;
  auto kindOf = [&](const ScalarTerm &term) {
    Linearity kind = of(term.factors.front()->get());
    for (OpOperand *factor : llvm::drop_begin(term.factors))
      kind = multiply(kind, of(factor->get()));
    return kind;
  };
  Linearity kind = kindOf(rule.terms.front());
  for (const ScalarTerm &term : llvm::drop_begin(rule.terms))
    kind = addLinearity(kind, kindOf(term));
  return kind;
}

//===----------------------------------------------------------------------===//
// Combiners
//===----------------------------------------------------------------------===//

namespace {
/// How a value of the body relates to the accumulator.
struct Accumulation {
  enum State { Free, Out, Broken } state = Free;
  std::optional<ReductionKind> family; // with Out: the operation applied so far
};
} // namespace

static Accumulation broken() { return {Accumulation::Broken, std::nullopt}; }

/// Joins the two sides of a choice: both must accumulate, in one family.
static Accumulation join(Accumulation x, Accumulation y) {
  if (x.state == Accumulation::Free && y.state == Accumulation::Free)
    return {};
  if (x.state != Accumulation::Out || y.state != Accumulation::Out)
    return broken();
  if (x.family && y.family && *x.family != *y.family)
    return broken();
  return {Accumulation::Out, x.family ? x.family : y.family};
}

/// Adds `family` to the operations applied so far; broken if it differs from theirs.
static Accumulation apply(Accumulation x, ReductionKind family) {
  return x.family.value_or(family) == family ? Accumulation{Accumulation::Out, family} : broken();
}

/// A float conversion preserves sums and order; an integer conversion may drop digits.
static bool keepsAccumulator(const ScalarTerm &term, OpResult result) {
  Type from = term.factors.front()->get().getType(), to = result.getType();
  return term.isSame && (from == to || (isa<FloatType>(from) && isa<FloatType>(to)));
}

/// State of the result of an operation that reads the accumulator.
static Accumulation follow(OpResult result, llvm::function_ref<Accumulation(OpOperand &)> of) {
  auto isOut = [&](OpOperand *use) { return of(*use).state != Accumulation::Free; };
  ScalarRule rule = getScalarRule(result);
  SmallVector<OpOperand *> out;
  if (!rule.terms.empty() && llvm::any_of(rule.coefficients, isOut))
    return broken();
  if (rule.combiner == ReductionKind::Sum) {
    for (const ScalarTerm &term : rule.terms)
      if (llvm::any_of(term.factors, isOut)) {
        if (!term.isSame)
          return broken();
        out.push_back(term.factors.front());
      }
  } else if (rule.combiner) {
    for (OpOperand &operand : result.getOwner()->getOpOperands())
      if (isOut(&operand))
        out.push_back(&operand);
  } else if (rule.isChoice || rule.terms.size() == 1) {
    std::optional<Accumulation> joined;
    for (const ScalarTerm &term : rule.terms) {
      if (!keepsAccumulator(term, result))
        return broken();
      Accumulation one = of(*term.factors.front());
      joined = joined ? join(*joined, one) : one;
    }
    return joined.value_or(broken());
  }
  if (out.size() != 1 || of(*out.front()).state != Accumulation::Out)
    return broken();
  return apply(of(*out.front()), *rule.combiner);
}

static void accumulate(Block &block, llvm::SmallDenseMap<Value, Accumulation, 8> &states) {
  for (Operation &op : block) {
    for (Region &region : op.getRegions())
      for (Block &nested : region)
        accumulate(nested, states);
    auto of = [&](OpOperand &use) { return states.lookup(use.get()); };
    // Values that regions capture or yield are reads as well.
    bool anyOut = llvm::any_of(
        readsOf(&op), [&](Value read) { return states.lookup(read).state != Accumulation::Free; });
    for (OpResult result : anyOut ? op.getResults() : op.getResults().take_front(0))
      states[result] = follow(result, of);
  }
}

std::optional<ReductionKind> findCombiner(Block &block, BlockArgument out, unsigned index) {
  llvm::SmallDenseMap<Value, Accumulation, 8> states;
  states[out] = {Accumulation::Out, std::nullopt};
  accumulate(block, states);
  Operation *yield = block.getTerminator();
  for (auto [i, value] : llvm::enumerate(yield->getOperands()))
    if (i != index && states.lookup(value).state != Accumulation::Free)
      return std::nullopt;
  Accumulation result = states.lookup(yield->getOperand(index));
  return result.state == Accumulation::Out ? result.family : std::nullopt;
}

} // namespace ds
