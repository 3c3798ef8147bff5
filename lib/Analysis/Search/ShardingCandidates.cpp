//===- ShardingCandidates.cpp - The ways to shard each operation -------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shards spread from arguments, and from blocks of every dimension, over all operations that can
// consume them, until there are no new ones; then each operation is tried with the shards that
// reached it.
//
//===----------------------------------------------------------------------===//
#include "ds/Analysis/Search/ShardingCandidates.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace ds {

/// More shards of one value are not followed: reshapes of reshapes make ever new ones.
static constexpr size_t mostShards = 12;

static bool fits(Value value, const Sharding &sharding, int64_t n) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() && sharding.dim < type.getRank() &&
         sharding.localSize() > 0 && type.getDimSize(sharding.dim) == sharding.localSize() * n;
}

static ArrayRef<int64_t> shapeOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? type.getShape() : ArrayRef<int64_t>();
}

bool dividesWork(Operation *op, ArrayRef<OpOperand *> reads, ArrayRef<Placement> operands,
                 ArrayRef<Placement> results) {
  if (llvm::all_of(results, [](const Placement &at) { return at.isReplicated(); }))
    return false; // only uninitialised memory is sharded
  auto isSharded = [](const Placement &at) { return at.isSharded(); };
  return llvm::any_of(results, isSharded) ||
         llvm::any_of(llvm::zip(reads, operands), [&](auto each) {
           auto [operand, at] = each;
           return at.isSharded() && operand->getOwner() == op;
         });
}

ShardingCandidates::ShardingCandidates(
    const StepFlow &flow, const ReplicaGroup &ranks,
    const llvm::DenseMap<Value, SmallVector<Sharding>> &arguments)
    : flow(flow), ranks(ranks), whole(placeStep(flow, ranks, StepBoundary())) {
  for (BlockArgument argument : func::FuncOp(flow.step()).getArguments())
    if (auto it = arguments.find(argument); it != arguments.end())
      for (const Sharding &sharding : it->second)
        addShard(argument, sharding);
  for (Operation *op : flow.operations())
    for (Value result : op->getResults())
      for (auto [dim, size] : llvm::enumerate(shapeOf(result)))
        if (size % ranks.size == 0)
          addShard(result, {static_cast<int64_t>(dim), 1, size / ranks.size});
  while (!pending.empty()) {
    auto [value, sharding] = pending.pop_back_val();
    spread(value, sharding);
  }
  // Values that loops carry may turn out to be partial later on.
  for (size_t known = ~size_t(0); known != partial.size();) {
    known = partial.size();
    for (Operation *op : flow.operations())
      if (!flow.isControl(op) && !op->hasTrait<OpTrait::IsTerminator>())
        findDivisions(op);
    for (auto [operand, target] : flow.edges())
      if (mayBePartial(operand->get()))
        partial.insert(target);
  }
}

ArrayRef<ShardingCandidate> ShardingCandidates::of(Operation *op) const {
  auto it = candidates.find(op);
  return it == candidates.end() ? ArrayRef<ShardingCandidate>() : ArrayRef(it->second);
}

SmallVector<Placement> ShardingCandidates::ofTarget(Value target) const {
  SmallVector<Placement> found{Placement::replicated()};
  if (auto it = shards.find(target); it != shards.end())
    for (const Sharding &sharding : it->second)
      found.push_back(Placement::sharded(sharding));
  if (mayBePartial(target))
    found.push_back(Placement::partial(ReductionKind::Sum));
  return found;
}

//===----------------------------------------------------------------------===//
// Shards that may reach a value
//===----------------------------------------------------------------------===//

void ShardingCandidates::addShard(Value value, const Sharding &sharding) {
  if (!fits(value, sharding, ranks.size))
    return;
  SmallVector<Sharding, 4> &known = shards[value];
  if (known.size() == mostShards || llvm::is_contained(known, sharding))
    return;
  known.push_back(sharding);
  pending.push_back({value, sharding});
}

void ShardingCandidates::spreadOver(Operation *op, const ShardingRule &rule, AffineMap map,
                                    const Sharding &sharding) {
  if (sharding.dim >= static_cast<int64_t>(map.getNumResults()))
    return;
  auto loop = rule.findLoop(map.getResult(sharding.dim), sharding, ranks.size);
  if (!loop)
    return;
  auto reach = [&](AffineMap other, Value value) {
    LoopUse use = rule.findUse(other, shapeOf(value), *loop, ranks.size);
    if (use.kind == LoopUse::Sharded)
      addShard(value, use.sharding);
  };
  for (OpOperand &operand : op->getOpOperands())
    reach(rule.operands[operand.getOperandNumber()], operand.get());
  for (auto [result, own] : llvm::zip(op->getResults(), rule.results))
    reach(own, result);
}

const std::optional<ShardingRule> &ShardingCandidates::ruleOf(Operation *op) {
  auto [it, isNew] = rules.try_emplace(op);
  if (isNew)
    it->second = getShardingRule(op);
  return it->second;
}

void ShardingCandidates::spread(Value value, const Sharding &sharding) {
  auto spreadIn = [&](Operation *op, auto mapOf) {
    if (flow.isControl(op) || op->hasTrait<OpTrait::IsTerminator>())
      return;
    if (const std::optional<ShardingRule> &rule = ruleOf(op))
      spreadOver(op, *rule, mapOf(*rule), sharding);
  };
  for (OpOperand &use : value.getUses()) {
    for (Value target : flow.targets(use))
      addShard(target, sharding);
    if (flow.unitOf(use.getOwner()) == use.getOwner())
      spreadIn(use.getOwner(),
               [&](const ShardingRule &rule) { return rule.operands[use.getOperandNumber()]; });
  }
  for (OpOperand *source : flow.sources(value))
    addShard(source->get(), sharding);
  if (auto result = dyn_cast<OpResult>(value))
    spreadIn(result.getOwner(),
             [&](const ShardingRule &rule) { return rule.results[result.getResultNumber()]; });
}

//===----------------------------------------------------------------------===//
// Results of an operation on them
//===----------------------------------------------------------------------===//

/// Runs the rule of an operation on operands in the given placements, and keeps the placements of
/// its results.
void ShardingCandidates::tryOperands(Operation *op, ArrayRef<Placement> operands) {
  ArrayRef<OpOperand *> reads = flow.operands(op);
  llvm::SmallDenseMap<OpOperand *, Placement, 8> view;
  for (auto [operand, placement] : llvm::zip(reads, operands))
    view[operand] = placement;
  PlacementRule rule(op, reads, ranks, [&](OpOperand &operand) { return view.lookup(&operand); });
  placeOperation(op, rule);
  if (rule.reason)
    return;
  ShardingCandidate candidate;
  for (OpOperand *operand : reads) {
    auto required = rule.required.find(operand);
    candidate.operands.push_back(required == rule.required.end() ? view.lookup(operand)
                                                                 : required->second);
  }
  candidate.results = rule.results;
  candidate.dividesWork = dividesWork(op, reads, candidate.operands, candidate.results);
  for (auto *side : {&candidate.operands, &candidate.results})
    for (Placement &placement : *side)
      placement.zero = placement.undefined = false; // both are kinds of replicated
  auto same = [&](const ShardingCandidate &other) {
    return other.operands == candidate.operands && other.results == candidate.results;
  };
  SmallVector<ShardingCandidate> &known = candidates[op];
  if (llvm::none_of(known, same))
    known.push_back(std::move(candidate));
}

void ShardingCandidates::tryLoop(Operation *op, const ShardingRule &rule, const ShardedLoop &loop) {
  ArrayRef<OpOperand *> reads = flow.operands(op);
  SmallVector<Placement> operands;
  bool anySharded = false;
  for (OpOperand *operand : reads) {
    operands.push_back(whole.of(operand->get()));
    if (operand->getOwner() != op)
      continue;
    LoopUse use = rule.findUse(rule.operands[operand->getOperandNumber()], shapeOf(operand->get()),
                               loop, ranks.size);
    if (use.kind != LoopUse::Sharded)
      continue;
    anySharded |= !operands.back().undefined; // memory shards nothing
    operands.back() = Placement::sharded(use.sharding);
  }
  if (anySharded) {
    tryOperands(op, operands);
    for (auto [i, operand] : llvm::enumerate(reads)) {
      SmallVector<Placement> varied = operands;
      if (operand->getOwner() != op) { // captured by a body: its rule knows the loop
        for (const Sharding &sharding : shards.lookup(operand->get())) {
          varied[i] = Placement::sharded(sharding);
          tryOperands(op, varied);
        }
      } else if (operands[i].isReplicated() && mayBePartial(operand->get())) {
        varied[i] = Placement::partial(ReductionKind::Sum); // sums that stay partial
        tryOperands(op, varied);
      }
    }
  }
  tryOnDemand(op, rule, loop);
}

/// If no operand shards an operation, a rank computes a part of it only where only that part is
/// required: a number, or positions, written to memory that may be sharded already.
void ShardingCandidates::tryOnDemand(Operation *op, const ShardingRule &rule,
                                     const ShardedLoop &loop) {
  if (op->getNumResults() != 1 || getElementTypeOrSelf(op->getResult(0)).isIndex())
    return;
  LoopUse made = rule.findUse(rule.results[0], shapeOf(op->getResult(0)), loop, ranks.size);
  llvm::DenseMap<OpOperand *, Sharding> wants;
  if (made.kind != LoopUse::Sharded || !demandByRule(op, made.sharding, wants))
    return;
  ShardingCandidate candidate;
  for (OpOperand *operand : flow.operands(op)) {
    auto it = wants.find(operand);
    candidate.operands.push_back(it == wants.end() ? Placement::replicated()
                                                   : Placement::sharded(it->second));
  }
  candidate.results.push_back(Placement::sharded(made.sharding));
  candidate.dividesWork = candidate.onDemand = true;
  SmallVector<ShardingCandidate> &known = candidates[op];
  if (llvm::none_of(known, [&](const ShardingCandidate &other) {
        return other.results == candidate.results;
      }))
    known.push_back(std::move(candidate));
}

/// A value that a body captures may be a table that is sharded while all else is replicated.
void ShardingCandidates::tryTables(Operation *op) {
  ArrayRef<OpOperand *> reads = flow.operands(op);
  for (auto [i, operand] : llvm::enumerate(reads))
    if (operand->getOwner() != op)
      for (const Sharding &sharding : shards.lookup(operand->get())) {
        SmallVector<Placement> operands =
            llvm::map_to_vector(reads, [&](OpOperand *read) { return whole.of(read->get()); });
        operands[i] = Placement::sharded(sharding);
        tryOperands(op, operands);
      }
}

/// Tries which partial sums may stay partial: single ones, pairs, all.
void ShardingCandidates::tryPartial(Operation *op) {
  ArrayRef<OpOperand *> reads = flow.operands(op);
  SmallVector<unsigned> candidates;
  SmallVector<Placement> operands;
  for (auto [i, operand] : llvm::enumerate(reads)) {
    operands.push_back(whole.of(operand->get()));
    if (mayBePartial(operand->get()))
      candidates.push_back(i);
  }
  if (candidates.size() == std::exchange(triedPartial[op], candidates.size()))
    return;
  auto tryWith = [&](ArrayRef<unsigned> chosen) {
    SmallVector<Placement> varied = operands;
    for (unsigned i : chosen)
      varied[i] = Placement::partial(ReductionKind::Sum);
    tryOperands(op, varied);
  };
  for (unsigned i : candidates)
    tryWith(i);
  if (candidates.size() <= 6)
    for (unsigned i : candidates)
      for (unsigned j : candidates)
        if (i < j)
          tryWith({i, j});
  if (candidates.size() > 2)
    tryWith(candidates);
}

/// True if two values leave the same choices to their readers. For values without elements only the
/// same value does: an index may be computed from them.
bool ShardingCandidates::mayComeAlike(Value left, Value right) const {
  return left == right ||
         (isa<RankedTensorType>(left.getType()) && left.getType() == right.getType() &&
          mayBePartial(left) == mayBePartial(right) && whole.of(left) == whole.of(right) &&
          shards.lookup(left) == shards.lookup(right));
}

/// Returns an earlier operation that is sharded in the same ways, since the layers of a model are
/// alike: the same loops over values that may be placed alike, and no annotation on its results.
Operation *ShardingCandidates::findAlike(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || llvm::any_of(op->getUsers(), llvm::IsaPred<ShardingConstraintOp>))
    return nullptr;
  llvm::hash_code hash = OperationEquivalence::computeHash(
      op, [](Value value) { return hash_value(value.getType()); },
      OperationEquivalence::ignoreHashValue, OperationEquivalence::IgnoreLocations);
  SmallVector<Operation *, 1> &known =
      alike[llvm::hash_combine(hash, linalgOp.getBlock()->getOperations().size())];
  for (Operation *other : known) {
    llvm::SmallDenseMap<Value, Value> inBody;
    auto isAlike = [&](Value left, Value right) {
      auto it = inBody.find(left);
      return success(it != inBody.end() ? it->second == right : mayComeAlike(left, right));
    };
    auto areAlike = [&](auto pair) {
      auto [left, right] = pair;
      return left.getType() == right.getType() && shards.lookup(left) == shards.lookup(right);
    };
    if (llvm::all_of(llvm::zip(op->getResults(), other->getResults()), areAlike) &&
        OperationEquivalence::isEquivalentTo(
            op, other, isAlike, [&](Value left, Value right) { inBody[left] = right; },
            OperationEquivalence::IgnoreLocations))
      return other;
  }
  known.push_back(op);
  return nullptr;
}

void ShardingCandidates::findDivisions(Operation *op) {
  SmallVector<ShardingCandidate> &known = candidates[op];
  if (Operation *other = known.empty() ? findAlike(op) : nullptr) {
    known = candidates.find(other)->second;
    triedPartial[op] = triedPartial.lookup(other);
  } else if (known.empty()) {
    tryOperands(op, llvm::map_to_vector(flow.operands(op), [&](OpOperand *operand) {
                  return whole.of(operand->get());
                }));
    const std::optional<ShardingRule> &rule = ruleOf(op);
    SmallVector<std::pair<unsigned, Sharding>> tried;
    auto tryShards = [&](Value value, AffineMap map) {
      for (const Sharding &sharding : shards.lookup(value)) {
        if (sharding.dim >= static_cast<int64_t>(map.getNumResults()))
          continue;
        auto loop = rule->findLoop(map.getResult(sharding.dim), sharding, ranks.size);
        if (!loop || llvm::is_contained(tried, std::pair(loop->loop, loop->factors.on(0))))
          continue;
        tried.push_back({loop->loop, loop->factors.on(0)});
        tryLoop(op, *rule, *loop);
      }
    };
    tryTables(op);
    if (rule) {
      for (OpOperand &operand : op->getOpOperands())
        tryShards(operand.get(), rule->operands[operand.getOperandNumber()]);
      for (auto [result, map] : llvm::zip(op->getResults(), rule->results))
        tryShards(result, map);
    }
  }
  tryPartial(op);
  for (const ShardingCandidate &candidate : candidates[op])
    for (auto [result, placement] : llvm::zip(op->getResults(), candidate.results))
      if (placement == Placement::partial(ReductionKind::Sum))
        partial.insert(result);
}

} // namespace ds
