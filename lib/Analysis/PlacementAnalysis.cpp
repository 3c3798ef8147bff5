//===- PlacementAnalysis.cpp - Placements of a whole step -----------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linear in the number of operands: one rule per operation forward, one demand per operation
// backward.
//
//===----------------------------------------------------------------------===//
#include "ds/Analysis/PlacementAnalysis.h"

#include "ds/Analysis/BodyLinearity.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace ds {

//===----------------------------------------------------------------------===//
// Rules that need no interface
//===----------------------------------------------------------------------===//

static void placeConstant(Operation *op, PlacementRule &rule) {
  Placement placement;
  placement.zero = matchPattern(op, m_AnyZeroFloat()) || matchPattern(op, m_Zero());
  rule.setResult(0, placement);
}

/// Scalar and tensor operations that work element by element: all sharded alike, or linear as their
/// one-line body.
static void placeElementwise(Operation *op, PlacementRule &rule) {
  std::optional<Sharding> sharding;
  for (OpOperand &operand : op->getOpOperands()) {
    Placement placement = rule.operand(operand);
    if (!placement.isSharded())
      continue;
    if (sharding && *sharding != placement.sharding)
      return rule.conflict("operands hold different rows of the batch");
    sharding = placement.sharding;
  }
  if (sharding) {
    for (OpOperand &operand : op->getOpOperands()) {
      if (rule.operand(operand).isPartial())
        rule.need(operand);
      else if (rule.operand(operand).isReplicated() &&
               isa<RankedTensorType>(operand.get().getType()))
        rule.slice(operand, *sharding);
    }
    for (unsigned i = 0; i < op->getNumResults(); ++i)
      rule.setResult(i, Placement::sharded(*sharding));
    return;
  }

  auto kindWith = [&](const llvm::SmallPtrSetImpl<OpOperand *> &partial) {
    BodyLinearity body([&](Value value) {
      for (OpOperand &operand : op->getOpOperands())
        if (operand.get() == value) {
          Placement placement = rule.operand(operand);
          return partial.contains(&operand) ? Linearity::Linear
                 : placement.zero           ? Linearity::Zero
                                            : Linearity::Replicated;
        }
      return Linearity::Replicated;
    });
    body.walk(op);
    return body.of(op->getResult(0));
  };
  if (op->getNumResults() == 0)
    return;
  llvm::SmallPtrSet<OpOperand *, 4> partial;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!rule.operand(operand).isPartial() || partial.contains(&operand) ||
        rule.uses.count(&operand))
      continue;
    // One value read twice is one decision: x * x is not linear in either.
    SmallVector<OpOperand *> same;
    for (OpOperand &other : op->getOpOperands())
      if (other.get() == operand.get())
        same.push_back(&other);
    bool sum = rule.operand(operand).reduction == ReductionKind::Sum;
    if (sum)
      partial.insert(same.begin(), same.end());
    if (sum && op->getNumResults() == 1 && kindWith(partial) != Linearity::NonLinear)
      continue;
    for (OpOperand *other : same) {
      partial.erase(other);
      rule.need(*other);
    }
  }
  for (unsigned i = 0; i < op->getNumResults(); ++i) {
    Placement placement;
    Linearity kind = kindWith(partial);
    if (!partial.empty() && kind == Linearity::Linear) {
      placement = Placement::partial(ReductionKind::Sum);
      for (OpOperand *operand : partial)
        rule.keep(*operand, i);
    }
    placement.zero = kind == Linearity::Zero;
    rule.setResult(i, placement);
  }
}

void placeOperation(Operation *op, PlacementRule &rule) {
  if (auto interface = dyn_cast<PlacementOpInterface>(op))
    return interface.place(rule);
  if (op->hasTrait<OpTrait::ConstantLike>())
    return placeConstant(op, rule);
  if (op->hasTrait<OpTrait::Elementwise>())
    return placeElementwise(op, rule);
  for (OpOperand *operand : getReadOperands(op))
    if (!rule.operand(*operand).isReplicated()) {
      std::string known;
      llvm::raw_string_ostream(known) << rule.operand(*operand);
      return rule.conflict("no placement rule for '" + op->getName().getStringRef() +
                           "' with an operand that is " + known +
                           "; implement ds::PlacementOpInterface for it");
    }
}

//===----------------------------------------------------------------------===//
// Sweeps
//===----------------------------------------------------------------------===//

int64_t BatchArgument::size() const {
  return cast<RankedTensorType>(argument.getType()).getDimSize(dim);
}

SmallVector<BatchArgument> getBatchArguments(func::FuncOp step) {
  SmallVector<BatchArgument> batch;
  for (BlockArgument argument : step.getArguments())
    if (auto dim = step.getArgAttrOfType<IntegerAttr>(argument.getArgNumber(), "ds.batch"))
      batch.push_back({argument, dim.getInt()});
  return batch;
}

int64_t getSampleSize(ArrayRef<BatchArgument> batch) {
  int64_t smallest = 0;
  for (const BatchArgument &argument : batch)
    smallest = smallest == 0 ? argument.size() : std::min(smallest, argument.size());
  return smallest;
}

StepPlacement placeStep(func::FuncOp step, int64_t numRanks, int64_t block) {
  StepPlacement state;
  SmallVector<BatchArgument> batch = getBatchArguments(step);
  int64_t samples = getSampleSize(batch);
  for (const BatchArgument &argument : batch) {
    int64_t entries = argument.size() / samples;
    int64_t b = block * entries;
    state.placements[argument.argument] =
        Placement::sharded({argument.dim, argument.size() / (numRanks * b), b});
  }
  for (Operation &op : step.getBody().front()) {
    if (op.hasTrait<OpTrait::IsTerminator>()) {
      for (OpOperand &operand : op.getOpOperands())
        if (state.of(operand.get()).isPartial())
          state.uses[&operand].kind = OperandUse::Need;
      continue;
    }
    PlacementRule rule(&op, numRanks, [&](OpOperand &operand) { return state.of(operand.get()); });
    placeOperation(&op, rule);
    if (rule.reason)
      state.conflicts.push_back({&op, *rule.reason});
    for (auto [result, placement] : llvm::zip(op.getResults(), rule.results))
      state.placements[result] = placement;
    for (unsigned index : rule.births)
      state.births.insert(op.getResult(index));
    for (auto [operand, use] : rule.uses)
      state.uses[operand] = use;
    for (auto [operand, index] : rule.kept)
      state.kept.push_back({operand, op.getResult(index)});
  }
  return state;
}

/// The one shard in which all uses take the value.
static std::optional<Sharding> wantedShard(Value value, const StepPlacement &state) {
  std::optional<Sharding> wanted;
  for (OpOperand &use : value.getUses()) {
    OperandUse taken = state.useOf(use);
    if (taken.kind != OperandUse::Slice || (wanted && *wanted != taken.sharding))
      return std::nullopt;
    wanted = taken.sharding;
  }
  return wanted;
}

void demandShards(func::FuncOp step, StepPlacement &state) {
  for (Operation &op : llvm::reverse(step.getBody().front())) {
    auto interface = dyn_cast<PlacementOpInterface>(&op);
    bool elementwise = !interface && op.hasTrait<OpTrait::Elementwise>();
    if ((!interface && !elementwise) || op.getNumResults() != 1)
      continue;
    Value result = op.getResult(0);
    if (!state.of(result).isReplicated() || !isa<RankedTensorType>(result.getType()))
      continue;
    std::optional<Sharding> wanted = wantedShard(result, state);
    if (!wanted)
      continue;
    if (llvm::any_of(getReadOperands(&op), [&](OpOperand *operand) {
          return !state.of(operand->get()).isReplicated() ||
                 state.useOf(*operand).kind != OperandUse::AsIs;
        }))
      continue;
    llvm::DenseMap<OpOperand *, Sharding> wants;
    if (elementwise) {
      for (OpOperand &operand : op.getOpOperands())
        if (isa<RankedTensorType>(operand.get().getType()))
          wants[&operand] = *wanted;
    } else if (!interface.demand(0, *wanted, wants)) {
      continue;
    }
    state.placements[result] = Placement::sharded(*wanted);
    for (OpOperand &use : result.getUses())
      state.uses.erase(&use);
    for (auto [operand, sharding] : wants)
      state.uses[operand] = {OperandUse::Slice, sharding};
  }
}

DividedStep divideStep(func::FuncOp step, int64_t numRanks) {
  int64_t rows = getSampleSize(getBatchArguments(step)) / numRanks;
  SmallVector<int64_t> blocks = {1, rows};
  for (int64_t b = 2; b < rows; ++b)
    if (rows % b == 0)
      blocks.push_back(b);
  std::optional<DividedStep> first;
  for (int64_t block : blocks) {
    DividedStep tried{block, placeStep(step, numRanks, block)};
    if (tried.placement.conflicts.empty())
      return tried;
    if (!first)
      first = std::move(tried);
  }
  return std::move(*first);
}

LogicalResult checkDivided(const DividedStep &divided, int64_t numRanks) {
  if (divided.placement.conflicts.empty())
    return success();
  const PlacementConflict &conflict = divided.placement.conflicts.front();
  return conflict.op->emitError("cannot divide the batch over ")
         << numRanks << " ranks here: " << conflict.reason;
}

} // namespace ds
