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

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
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
  // Branches first: what they yield decides the results.
  for (Region &region : op->getRegions())
    for (Block &block : region)
      walk(block);
  Linearity kind = classify(op);
  for (auto [i, result] : llvm::enumerate(op->getResults())) {
    if (auto ifOp = dyn_cast<scf::IfOp>(op)) {
      kind = of(ifOp.thenYield().getOperand(i));
      if (ifOp.elseBlock())
        kind = addLinearity(kind, of(ifOp.elseYield().getOperand(i)));
      if (differsPerRank(of(ifOp.getCondition())))
        kind = Linearity::NonLinear;
    }
    kinds[result] = kind;
  }
}

Linearity BodyLinearity::classify(Operation *op) const {
  auto operand = [&](unsigned i) { return of(op->getOperand(i)); };
  if (op->hasTrait<OpTrait::ConstantLike>())
    return matchPattern(op, m_AnyZeroFloat()) || matchPattern(op, m_Zero()) ? Linearity::Zero
                                                                            : Linearity::Replicated;
  if (isa<OnceOp>(op))
    return Linearity::Linear;
  if (isa<RankOp>(op))
    return Linearity::NonLinear;
  if (isa<arith::AddFOp, arith::AddIOp, arith::SubFOp, arith::SubIOp>(op))
    return addLinearity(operand(0), operand(1));
  if (isa<arith::MulFOp, arith::MulIOp>(op))
    return multiply(operand(0), operand(1));
  if (isa<math::FmaOp>(op))
    return addLinearity(multiply(operand(0), operand(1)), operand(2));
  if (isa<arith::DivFOp>(op))
    return differsPerRank(operand(1)) ? Linearity::NonLinear : operand(0);
  if (isa<arith::NegFOp, arith::ExtFOp, arith::TruncFOp, arith::SIToFPOp, arith::ExtSIOp,
          arith::TruncIOp, arith::IndexCastOp, GradientOp>(op))
    return operand(0);
  if (isa<arith::SelectOp>(op))
    return differsPerRank(operand(0)) ? Linearity::NonLinear : addLinearity(operand(1), operand(2));
  if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
    for (Value index : extract.getIndices())
      if (differsPerRank(of(index)))
        return Linearity::NonLinear;
    return of(extract.getTensor());
  }
  for (Value value : op->getOperands())
    if (differsPerRank(of(value)))
      return Linearity::NonLinear;
  return Linearity::Replicated;
}

//===----------------------------------------------------------------------===//
// Combiners
//===----------------------------------------------------------------------===//

namespace {
/// How a value of the body relates to the accumulator.
struct Accumulation {
  enum State { Free, Out, Broken } state = Free;
  std::optional<ReductionKind> family; // state Out: what was applied so far
};
} // namespace

static std::optional<ReductionKind> combinerFamily(Operation *op) {
  bool boolean = op->getNumResults() == 1 && op->getResult(0).getType().isInteger(1);
  if (isa<arith::AddFOp, arith::SubFOp>(op) || (isa<arith::AddIOp, arith::SubIOp>(op) && !boolean))
    return ReductionKind::Sum;
  if (isa<arith::MulFOp>(op) || (isa<arith::MulIOp>(op) && !boolean))
    return ReductionKind::Prod;
  if (isa<arith::MaximumFOp, arith::MaxNumFOp>(op) || (isa<arith::MaxSIOp>(op) && !boolean))
    return ReductionKind::Max;
  if (isa<arith::MinimumFOp, arith::MinNumFOp>(op) || (isa<arith::MinSIOp>(op) && !boolean))
    return ReductionKind::Min;
  if (isa<arith::AndIOp>(op) || (isa<arith::MulIOp>(op) && boolean))
    return ReductionKind::And;
  if (isa<arith::OrIOp>(op))
    return ReductionKind::Or;
  return std::nullopt;
}

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

static void accumulate(Block &block, llvm::SmallDenseMap<Value, Accumulation, 8> &states) {
  for (Operation &op : block) {
    for (Region &region : op.getRegions())
      for (Block &nested : region)
        accumulate(nested, states);
    SmallVector<Accumulation> in;
    bool anyOut = false;
    for (Value operand : op.getOperands()) {
      in.push_back(states.lookup(operand));
      anyOut |= in.back().state != Accumulation::Free;
    }
    if (auto ifOp = dyn_cast<scf::IfOp>(op)) {
      for (unsigned i = 0; i < op.getNumResults(); ++i)
        states[op.getResult(i)] = anyOut ? broken()
                                         : join(states.lookup(ifOp.thenYield().getOperand(i)),
                                                states.lookup(ifOp.elseYield().getOperand(i)));
      continue;
    }
    if (!anyOut || op.getNumResults() != 1)
      continue;
    Accumulation &result = states[op.getResult(0)];
    auto family = combinerFamily(&op);
    bool subtraction = isa<arith::SubFOp, arith::SubIOp>(op);
    if (isa<arith::ExtFOp, arith::TruncFOp>(op))
      result = in[0];
    else if (isa<arith::SelectOp>(op))
      result = in[0].state == Accumulation::Free ? join(in[1], in[2]) : broken();
    else if (family && in[0].state == Accumulation::Out && in[1].state == Accumulation::Free)
      result = in[0].family.value_or(*family) == *family ? Accumulation{Accumulation::Out, family}
                                                         : broken();
    else if (family && !subtraction && in[1].state == Accumulation::Out &&
             in[0].state == Accumulation::Free)
      result = in[1].family.value_or(*family) == *family ? Accumulation{Accumulation::Out, family}
                                                         : broken();
    else
      result = broken();
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
