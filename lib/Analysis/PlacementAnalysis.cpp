//===- PlacementAnalysis.cpp - Placements of a whole step -----------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linear in the number of operands: one rule per operation forward, repeated while the join of a
// value that control flow carries changes. The lattice has two levels, so there are few
// repetitions.
//
//===----------------------------------------------------------------------===//
#include "ds/Analysis/PlacementAnalysis.h"

#include "ReduceFactors.h"
#include "ds/Analysis/Reshard.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
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

bool hasPlacementRule(Operation *op) {
  return isa<PlacementOpInterface>(op) || op->hasTrait<OpTrait::ConstantLike>() ||
         getShardingRule(op);
}

/// True for numbers, which can be reduced over ranks and gathered.
static bool holdsNumbers(Value value) {
  return getElementTypeOrSelf(value).isIntOrFloat() &&
         (isa<RankedTensorType>(value.getType()) || value.getType().isIntOrFloat());
}

/// True if an operation without a rule computes on replicated operands exactly what one device
/// would: it is registered and pure, and all its values that are not replicated are numbers.
static bool runsOnWholeOperands(Operation *op, const PlacementRule &rule) {
  return op->isRegistered() && op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
         llvm::all_of(op->getResults(), holdsNumbers) &&
         llvm::all_of(rule.reads(), [&](OpOperand *operand) {
           return rule.operand(*operand).isReplicated() || holdsNumbers(operand->get());
         });
}

void placeWithoutRule(Operation *op, PlacementRule &rule) {
  bool whole = runsOnWholeOperands(op, rule);
  for (OpOperand *operand : rule.reads()) {
    Placement placement = rule.operand(*operand);
    if (placement.isPartial() && whole) {
      rule.wantWhole(*operand);
    } else if (!placement.isReplicated()) {
      std::string known;
      llvm::raw_string_ostream(known) << placement;
      return rule.conflict("no placement rule for '" + op->getName().getStringRef() +
                           "' with an operand that is " + known +
                           "; implement ds::PlacementOpInterface for it");
    }
  }
}

void placeOperation(Operation *op, PlacementRule &rule) {
  if (getWrittenRule(op) && isa<PlacementOpInterface, ScalarRuleOpInterface>(op))
    rule.conflict("'" + op->getName().getStringRef() +
                  "' is sharded by its interface in C++; remove its 'ds.sharding_rule'");
  if (auto interface = dyn_cast<PlacementOpInterface>(op))
    interface.place(rule);
  else if (op->hasTrait<OpTrait::ConstantLike>())
    placeConstant(op, rule);
  else
    placeByRule(op, rule);
}

//===----------------------------------------------------------------------===//
// Sweeps
//===----------------------------------------------------------------------===//

void StepPlacement::record(const PlacementRule &rule) {
  Operation *op = rule.getOperation();
  if (rule.reason)
    conflicts.push_back({op, *rule.reason});
  for (auto [result, placement] : llvm::zip(op->getResults(), rule.results))
    placements[result] = placement;
  for (unsigned index : rule.partialSources)
    partialSources.insert(op->getResult(index));
  for (auto [operand, placement] : rule.required)
    required[operand] = placement;
  for (auto [operand, index] : rule.kept)
    kept.push_back({operand, op->getResult(index)});
}

void StepPlacement::forgetOperations() {
  required.clear();
  kept.clear();
  partialSources.clear();
  conflicts.clear();
  unsharded.clear();
}

std::optional<Placement> joinPlacements(Placement x, Placement y) {
  if (x.isVarying() || y.isVarying())
    return Placement::varying();
  // Maxima, products and the like are reduced where they are made.
  for (Placement *side : {&x, &y})
    if (side->isPartial() && side->reduction != ReductionKind::Sum)
      *side = Placement::replicated();
  if (x.isSharded() && y.isSharded() && x.sharding != y.sharding)
    return std::nullopt;
  if (x.isSharded() || y.isSharded())
    return x.isSharded() ? x : y;
  if (x.isPartial() || y.isPartial())
    return Placement::partial(ReductionKind::Sum);
  Placement joined;
  joined.zero = x.zero && y.zero;
  joined.undefined = x.undefined && y.undefined;
  return joined;
}

bool joinTarget(OpOperand &source, Value target, Placement at, StepPlacement &state) {
  auto [it, isNew] = state.placements.insert({target, at});
  std::optional<Placement> joined = joinPlacements(it->second, at);
  if (!joined && !state.ranks.dividesBatch)
    joined = it->second; // the first one decides, and the other is moved
  if (!joined) {
    state.conflicts.push_back(
        {source.getOwner(), "control flow joins values that hold different rows of the batch"});
    return false;
  }
  bool changed = isNew || it->second != *joined;
  it->second = *joined;
  return changed;
}

void recordSource(OpOperand &source, Value target, Placement at, StepPlacement &state) {
  Placement becomes = state.of(target);
  if (becomes.isSharded() && (at.isReplicated() || (at.isSharded() && at != becomes)))
    state.required[&source] = becomes;
  else if (at.isPartial() && at == becomes)
    state.kept.push_back({&source, target});
  else if (at.isPartial())
    state.required[&source] = Placement::replicated();
}

/// Every rank must take the same branch, so control flow reads replicated values.
static void placeControl(const StepFlow &flow, Operation *op, StepPlacement &state) {
  for (OpOperand *operand : flow.reads(op)) {
    Placement placement = state.of(operand->get());
    if (placement.isPartial())
      state.required[operand] = Placement::replicated();
    else if (placement.isSharded())
      state.conflicts.push_back(
          {op, "a condition or bound of control flow differs from sample to sample"});
  }
}

/// A result leaves the step replicated, or in the shards that the boundary gives. Samples stay
/// where they are, except in a result that the next step reads: it leaves as the next step takes
/// it.
static void placeResult(OpOperand &result, const StepBoundary &boundary, StepPlacement &state) {
  Placement at = state.of(result.get()), as = Placement::replicated();
  auto shards = boundary.results.find(result.getOperandNumber());
  if (shards != boundary.results.end())
    as = Placement::sharded(shards->second);
  bool staysSharded = at.isSharded() && state.ranks.dividesBatch &&
                      !boundary.carried.contains(result.getOperandNumber());
  if (at.isPartial())
    state.required[&result] = Placement::replicated();
  else if (at.isReplicated() ? as.isSharded() : at.isSharded() && !staysSharded && at != as)
    state.required[&result] = as;
}

/// True for operations that ds itself shards; collectives of other ranks are not.
static bool isOfTheseRanks(Operation *op, const ReplicaGroup &ranks) {
  return isa_and_nonnull<DsDialect>(op->getDialect()) && (!isCollective(op) || ranks.meets(op));
}

/// Gathers all samples for an operation that cannot be sharded. Operations with side effects are
/// excluded, and so are those of ds, where such operands are a mistake.
static bool placeWhole(const PlacementRule &sharded, StepPlacement &state) {
  Operation *op = sharded.getOperation();
  if (isOfTheseRanks(op, sharded.ranks()) ||
      !(hasPlacementRule(op) || runsOnWholeOperands(op, sharded)))
    return false;
  auto view = [&](OpOperand &operand) { return state.of(operand.get()); };
  PlacementRule whole(op, sharded.reads(), sharded.ranks(), view);
  for (OpOperand *operand : sharded.reads()) {
    if (!view(*operand).isSharded())
      continue;
    if (!getElementTypeOrSelf(operand->get()).isIntOrFloat())
      return false;
    whole.wantWhole(*operand);
  }
  placeOperation(op, whole);
  if (whole.reason)
    return false;
  state.record(whole);
  return true;
}

/// Returns operations that join rows of the batch with replicated rows to a value that every use
/// wants replicated, such as a queue of keys: gathering their operands instead moves less.
static SmallVector<Operation *> findGatheredBefore(const StepFlow &flow,
                                                   const StepPlacement &state) {
  SmallVector<Operation *> found;
  for (Operation *op : flow.operations()) {
    if (!isa<tensor::ConcatOp, tensor::InsertSliceOp, tensor::PadOp>(op))
      continue;
    Value result = op->getResult(0);
    auto isWhole = [&](OpOperand &use) { return state.wantsWhole(use); };
    if (!state.of(result).isSharded() || result.use_empty() ||
        !llvm::all_of(result.getUses(), isWhole))
      continue;
    llvm::SmallDenseSet<Value> read;
    int64_t bytes = 0;
    for (OpOperand *operand : flow.operands(op))
      if (state.of(operand->get()).isSharded() && read.insert(operand->get()).second)
        bytes += getStoredBytes(operand->get());
    if (bytes < getStoredBytes(result))
      found.push_back(op);
  }
  return found;
}

static StepPlacement sweep(const StepFlow &flow, const ReplicaGroup &ranks,
                           const StepBoundary &boundary, const LoopCarriedJoins &decided) {
  StepPlacement state;
  state.ranks = ranks;
  state.placements.reserve(flow.operations().size());
  for (auto *known : {&boundary.arguments, &decided.sharded})
    for (auto [value, sharding] : *known)
      state.placements[value] = Placement::sharded(sharding);
  auto view = [&](OpOperand &operand) { return state.of(operand.get()); };
  for (bool changed = true; changed;) {
    changed = false;
    state.forgetOperations();
    for (Operation *op : flow.operations()) {
      if (flow.isControl(op)) {
        placeControl(flow, op, state);
        for (OpOperand &operand : op->getOpOperands())
          for (Value target : flow.targets(operand)) {
            Placement at = view(operand);
            if (at.isPartial() && decided.reduced.contains(target))
              at = Placement::replicated();
            changed |= joinTarget(operand, target, at, state);
          }
      } else if (op->hasTrait<OpTrait::IsTerminator>()) {
        for (OpOperand &result : op->getOpOperands())
          placeResult(result, boundary, state);
      } else {
        PlacementRule rule(op, flow.operands(op), ranks, view);
        placeOperation(op, rule);
        auto unsharded = decided.whole.find(op);
        std::optional<std::string> reason = rule.reason;
        if (!reason && unsharded != decided.whole.end())
          reason = unsharded->second;
        if (!(reason || decided.gathered.contains(op)) || !placeWhole(rule, state))
          state.record(rule);
        else if (reason)
          state.unsharded.push_back({op, *reason});
      }
    }
  }
  for (auto [operand, target] : flow.edges())
    recordSource(*operand, target, view(*operand), state);
  reduceFactors(flow, state);
  return state;
}

/// Returns values of control flow that are partial although no partial value reaches them any more.
static SmallVector<Value> findPartialWithoutSource(const StepFlow &flow,
                                                   const StepPlacement &state) {
  SmallVector<Value> without;
  for (auto [operand, target] : flow.edges())
    if (state.of(target).isPartial())
      without.push_back(target);
  if (without.empty())
    return without;
  llvm::DenseMap<Value, SmallVector<Value, 2>> keptIn;
  for (auto [operand, result] : state.kept)
    keptIn[operand->get()].push_back(result);
  llvm::SetVector<Value> reached = state.partialSources;
  for (size_t i = 0; i < reached.size(); ++i)
    for (Value result : keptIn.lookup(reached[i]))
      reached.insert(result);
  llvm::erase_if(without, [&](Value target) { return reached.contains(target); });
  return without;
}

StepPlacement placeStep(const StepFlow &flow, const ReplicaGroup &ranks,
                        const StepBoundary &boundary) {
  LoopCarriedJoins decided = boundary.decided;
  while (true) {
    StepPlacement state = sweep(flow, ranks, boundary, decided);
    bool changed = false;
    if (!boundary.carried.empty())
      for (Operation *op : findGatheredBefore(flow, state))
        changed |= decided.gathered.insert(op).second;
    if (changed)
      continue;
    if (flow.edges().empty())
      return state;
    size_t before = decided.whole.size() + decided.reduced.size();
    for (const PlacementConflict &conflict : state.unsharded)
      decided.whole.insert({conflict.op, conflict.reason});
    for (Value value : findPartialWithoutSource(flow, state))
      decided.reduced.insert(value);
    if (decided.whole.size() + decided.reduced.size() != before)
      continue;
    for (auto [source, target] : flow.edges())
      if (Placement at = state.of(target); at.isSharded())
        decided.sharded.insert({target, at.sharding});
    state.decided = std::move(decided);
    return state;
  }
}

int64_t getGatheredBytes(const StepFlow &flow, const StepPlacement &placement, Operation *of) {
  llvm::DenseMap<Value, int64_t> values; // one gather for one operand serves all
  for (auto [operand, to] : placement.required)
    if (Value value = operand->get();
        placement.of(value).isSharded() && (!of || flow.unitOf(operand->getOwner()) == of)) {
      Move move = getMove(placement.of(value), to, placement.ranks.size);
      int64_t &bytes = values[value];
      bytes = std::max(bytes, getPrice(flow, value, move, placement.ranks.size).bytes);
    }
  int64_t bytes = 0;
  for (auto [value, needed] : values)
    bytes += needed;
  return bytes;
}

LogicalResult checkSharded(const StepPlacement &placement) {
  if (placement.conflicts.empty())
    return success();
  const PlacementConflict &conflict = placement.conflicts.front();
  const ReplicaGroup &ranks = placement.ranks;
  if (ranks.dividesBatch)
    return conflict.op->emitError("cannot shard the batch over ")
           << ranks.size << " ranks here: " << conflict.reason;
  return conflict.op->emitError("cannot partition the step over the ")
         << ranks.size << " ranks of axis " << ranks.axes[0] << " here: " << conflict.reason;
}

} // namespace ds
