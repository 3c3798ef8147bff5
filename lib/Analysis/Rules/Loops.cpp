//===- Loops.cpp - Placement of loop nests --------------------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sharded operand shards one loop: the one that alone indexes the sharded dimension in its map.
// If that loop is parallel, the results are sharded; if it is a reduction, they are partial.
//
//===----------------------------------------------------------------------===//
#include "Loops.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace ds {

static int64_t bytesOf(Value value) {
  auto type = dyn_cast<ShapedType>(value.getType());
  if (!type || !type.hasStaticShape())
    return 1;
  Type element = type.getElementType();
  unsigned bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
  return type.getNumElements() * std::max<int64_t>(1, bits / 8);
}

static std::optional<Sharding> shardOf(OpOperand &operand, const PlacementRule &placement) {
  Placement at = placement.operand(operand);
  return at.isSharded() ? std::optional(at.sharding) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// The sharded loop
//===----------------------------------------------------------------------===//

/// Returns the loop that the samples of an operand shard; none if their position is not the index
/// of one loop over all of them.
std::optional<ShardedLoop> Loops::findLoopOf(OpOperand &operand, const Sharding &sharding) const {
  if (isOwn(operand))
    return rule.findLoop(mapOf(operand).getResult(sharding.dim), sharding, n);
  std::optional<unsigned> loop = findLoopOfCapture(operand, sharding.dim);
  return loop ? std::optional(ShardedLoop{*loop, sharding}) : std::nullopt;
}

LoopUse Loops::findUse(AffineMap map, Value value, const ShardedLoop &loop) const {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return rule.findUse(map, type ? type.getShape() : ArrayRef<int64_t>(), loop, n);
}

std::string Loops::obstacleOr(StringRef reason) const {
  return (rule.obstacle.empty() ? reason : rule.obstacle).str();
}

std::optional<ShardedLoop> Loops::findLocalLoop(Reads reads, ShardingView shardingOf) const {
  for (OpOperand *operand : reads)
    if (auto sharding = shardingOf(*operand); sharding && !isIgnoredInit(*operand))
      if (auto loop = findLoopOf(*operand, *sharding))
        return loop;
  return std::nullopt;
}

LoopOrReason Loops::findShardedLoop(Reads reads, ShardingView shardingOf) const {
  std::optional<ShardedLoop> found;
  for (OpOperand *operand : reads) {
    std::optional<Sharding> sharding = shardingOf(*operand);
    if (!sharding || isIgnoredInit(*operand))
      continue;
    auto loop = findLoopOf(*operand, *sharding);
    if (!loop)
      return isOwn(*operand)
                 ? obstacleOr("the sharded dimension of an operand is indexed by an expression")
                 : "a captured value is not read at the position of its own sample";
    if (found && found->loop != loop->loop)
      return "two loops run over the batch";
    if (found && found->factors.on(0) != loop->factors.on(0))
      return "operands hold different rows of the batch";
    found = loop;
  }
  return found;
}

/// True if an operand runs over the samples in two of its dimensions at once.
bool Loops::isDiagonal(OpOperand &operand, const ShardedLoop &loop) const {
  return isOwn(operand) && findUse(mapOf(operand), operand.get(), loop).kind == LoopUse::Compound;
}

bool Loops::readsOtherSamples(const LoopOrReason &loop, PlacementRule &placement) const {
  auto *sharded = std::get_if<std::optional<ShardedLoop>>(&loop);
  if (!sharded)
    return true;
  return *sharded && llvm::any_of(placement.reads(), [&](OpOperand *operand) {
    return isDiagonal(*operand, **sharded) && !isIgnoredInit(*operand) &&
           shardOf(*operand, placement);
  });
}

/// True if sharding this loop makes a result as a constraint requires it. Constraints do not cover
/// samples.
bool Loops::makesWhatIsMarked(const ShardedLoop &loop, const ReplicaGroup &ranks) const {
  if (ranks.dividesBatch)
    return false;
  for (auto [map, result] : llvm::zip(rule.results, op->getResults())) {
    LoopUse use = findUse(map, result, loop);
    for (Operation *user : result.getUsers())
      if (auto mark = dyn_cast<ShardingConstraintOp>(user); mark && use.kind == LoopUse::Sharded)
        if (getSharding(mark.getSharding(), mark.getResult(), ranks) == use.sharding)
          return true;
  }
  return false;
}

/// Gathers operands that read rows of other samples. All pairs of samples meet in two loops, of
/// which one is sharded: a parallel one, so that the result is sharded as well; the one that a
/// constraint requires, if any; and the one with the largest operands. A gather reads rows that
/// data chooses. A diagonal runs over the samples in two dimensions, which sharding one loop cannot
/// express.
void Loops::gatherOtherSamples(PlacementRule &placement) const {
  SmallVector<std::pair<OpOperand *, std::optional<ShardedLoop>>> sharded;
  llvm::SmallMapVector<unsigned, int64_t, 2> bytesOfLoop;
  llvm::SmallDenseSet<unsigned> marked;
  bool hasDiagonal = false;
  for (OpOperand *operand : placement.reads()) {
    auto sharding = shardOf(*operand, placement);
    if (!sharding || isIgnoredInit(*operand))
      continue;
    auto loop = findLoopOf(*operand, *sharding);
    if (isOwn(*operand) && !loop)
      return; // indexed by an expression
    hasDiagonal |= loop && isDiagonal(*operand, *loop);
    if (loop)
      bytesOfLoop[loop->loop] += bytesOf(operand->get());
    if (loop && makesWhatIsMarked(*loop, placement.ranks()))
      marked.insert(loop->loop);
    sharded.push_back({operand, loop});
  }
  std::optional<unsigned> kept;
  for (auto [loop, bytes] : bytesOfLoop) {
    auto rank = [&](unsigned i) {
      return std::tuple(rule.loops[i] == utils::IteratorType::parallel, marked.contains(i),
                        bytesOfLoop[i]);
    };
    if (!kept || rank(loop) > rank(*kept))
      kept = loop;
  }
  for (auto [operand, loop] : sharded)
    if ((hasDiagonal || !loop || loop->loop != kept) &&
        getElementTypeOrSelf(operand->get()).isIntOrFloat())
      placement.wantWhole(*operand);
}

//===----------------------------------------------------------------------===//
// Placement
//===----------------------------------------------------------------------===//

/// Every operand that reads data takes its part of the loop; partial operands have no meaning
/// beside a shard.
void Loops::placeOperands(ShardedLoop loop, PlacementRule &placement) const {
  for (OpOperand *operand : placement.reads()) {
    Placement at = placement.operand(*operand);
    bool readsIt = !isOwn(*operand) || readsData(*operand);
    bool isReduced = at.isPartial() && readsIt; // all ranks have it then
    if (isReduced)
      placement.wantWhole(*operand);
    if (!isOwn(*operand) || !(at.isReplicated() || isReduced))
      continue;
    LoopUse use = findUse(mapOf(*operand), operand->get(), loop);
    if (use.kind == LoopUse::Sharded && !isReduced)
      placement.want(*operand, Placement::sharded(use.sharding));
    else if (use.kind == LoopUse::Compound && readsIt)
      placement.conflict(
          obstacleOr("a replicated operand is indexed by an expression of the sharded loop"));
  }
}

void Loops::placeReduction(unsigned result, PlacementRule &placement) const {
  std::optional<ReductionKind> combiner = combinerOf(result);
  if (!combiner)
    return placement.conflict("the sharded loop is a reduction whose combiner is not one of sum, "
                              "prod, max, min, and, or");
  OpOperand *init = initOf(result);
  if (init && placement.operand(*init) == Placement::partial(*combiner)) {
    // The accumulator of earlier partial values stays partial; no rank sees its sum.
    placement.required.erase(init);
    placement.keep(*init, result);
  }
  placement.makePartial(result, *combiner);
}

void Loops::placeSharded(ShardedLoop loop, PlacementRule &placement) const {
  placeOperands(loop, placement);
  for (unsigned i = 0; i < op->getNumResults(); ++i) {
    LoopUse use = findUse(rule.results[i], op->getResult(i), loop);
    if (use.kind == LoopUse::Sharded)
      placement.setResult(i, Placement::sharded(use.sharding));
    else if (rule.loops[loop.loop] != utils::IteratorType::parallel)
      placeReduction(i, placement);
    else
      return placement.conflict(obstacleOr("a result is not indexed by the sharded loop"));
  }
}

void Loops::place(PlacementRule &placement) const {
  auto shardingOf = [&](OpOperand &operand) { return shardOf(operand, placement); };
  LoopOrReason loop = findShardedLoop(placement.reads(), shardingOf);
  if (readsOtherSamples(loop, placement)) {
    if (placeByOwner(placement))
      return;
    gatherOtherSamples(placement);
    loop = findShardedLoop(placement.reads(), shardingOf);
  }
  if (auto *why = std::get_if<std::string>(&loop))
    return placement.conflict(*why);
  if (auto sharded = std::get<std::optional<ShardedLoop>>(loop))
    return placeSharded(*sharded, placement);
  placeLinear(placement);
}

bool Loops::demand(Sharding sharding, llvm::DenseMap<OpOperand *, Sharding> &wants) const {
  AffineMap out = rule.results.front();
  auto loop = rule.findLoop(out.getResult(sharding.dim), sharding, n);
  if (!loop || rule.loops[loop->loop] != utils::IteratorType::parallel ||
      findUse(out, op->getResult(0), *loop).kind != LoopUse::Sharded)
    return false;
  for (OpOperand &operand : op->getOpOperands()) {
    LoopUse use = findUse(mapOf(operand), operand.get(), *loop);
    if (use.kind == LoopUse::Compound)
      return false;
    if (use.kind == LoopUse::Sharded)
      wants[&operand] = use.sharding;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Partial operands
//===----------------------------------------------------------------------===//

SmallVector<Linearity>
Loops::kindsOf(Reads reads, llvm::function_ref<Linearity(OpOperand &)> operandKind) const {
  BodyLinearity body([&](Value value) {
    for (OpOperand *operand : reads)
      if (operand->get() == value)
        return operandKind(*operand);
    return Linearity::Replicated;
  });
  body.walk(op);
  auto kinds = llvm::map_to_vector(op->getResults(), [&](Value result) { return body.of(result); });
  // The maximum of sums over a loop is not the sum of maxima.
  if (rule.combiner != ReductionKind::Sum &&
      llvm::is_contained(rule.loops, utils::IteratorType::reduction))
    for (Linearity &kind : kinds)
      kind = kind == Linearity::Linear ? Linearity::NonLinear : kind;
  return kinds;
}

/// Without a sharded operand, decides which partial sums stay partial, and places the results
/// accordingly. The largest come first, so of two factors the smaller one is reduced.
void Loops::placeLinear(PlacementRule &placement) const {
  SmallVector<OpOperand *> candidates;
  for (OpOperand *operand : placement.reads()) {
    Placement at = placement.operand(*operand);
    if (isOwn(*operand) && !readsData(*operand))
      continue;
    if (at.isPartial() && at.reduction == ReductionKind::Sum)
      candidates.push_back(operand);
    else if (at.isPartial())
      placement.wantWhole(*operand);
  }
  llvm::stable_sort(
      candidates, [](OpOperand *x, OpOperand *y) { return bytesOf(x->get()) > bytesOf(y->get()); });
  llvm::SmallPtrSet<OpOperand *, 4> partial;
  auto kinds = [&] {
    return kindsOf(placement.reads(), [&](OpOperand &operand) {
      Placement at = placement.operand(operand);
      return partial.contains(&operand) ? Linearity::Linear
             : at.zero                  ? Linearity::Zero
                                        : Linearity::Replicated;
    });
  };
  for (OpOperand *operand : candidates) {
    if (partial.contains(operand) || placement.required.count(operand))
      continue;
    // Uses of the same value are one decision: x * x is not linear in either use.
    SmallVector<OpOperand *> same(llvm::make_filter_range(
        candidates, [&](OpOperand *other) { return other->get() == operand->get(); }));
    partial.insert(same.begin(), same.end());
    if (!llvm::is_contained(kinds(), Linearity::NonLinear))
      continue;
    for (OpOperand *other : same) {
      partial.erase(other);
      placement.wantWhole(*other);
    }
  }
  for (auto [i, kind] : llvm::enumerate(kinds())) {
    Placement at;
    at.zero = kind == Linearity::Zero;
    placement.setResult(i, at);
    if (kind != Linearity::Linear)
      continue;
    placement.setResult(i, Placement::partial(ReductionKind::Sum));
    for (OpOperand *operand : partial)
      placement.keep(*operand, i);
    if (partial.empty()) // a body that contains a ds.replicated_to_partial
      placement.makePartial(i, ReductionKind::Sum);
  }
}

//===----------------------------------------------------------------------===//
// Derived from a rule
//===----------------------------------------------------------------------===//

void placeByRule(Operation *op, PlacementRule &placement) {
  // A scalar or elementwise operation needs no positions if no operand is sharded.
  bool asksPositions = !op->hasTrait<OpTrait::Elementwise>() ||
                       llvm::any_of(placement.reads(), [&](OpOperand *operand) {
                         return placement.operand(*operand).isSharded();
                       });
  if (std::optional<ShardingRule> rule = asksPositions ? getShardingRule(op) : ShardingRule())
    return Loops(op, std::move(*rule), placement.numRanks()).place(placement);
  placeWithoutRule(op, placement);
}

bool demandByRule(Operation *op, Sharding sharding, llvm::DenseMap<OpOperand *, Sharding> &wants) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  int64_t n = type.getDimSize(sharding.dim) / sharding.localSize();
  std::optional<ShardingRule> rule = getShardingRule(op);
  return rule && Loops(op, std::move(*rule), n).demand(sharding, wants);
}

} // namespace ds
