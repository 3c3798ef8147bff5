//===- Linalg.cpp - Placement of every linalg operation -------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One model for every named operation and `generic`. A sharded operand divides one loop: the one
// that its map uses alone for the sharded dimension. If that loop is parallel the results are
// sharded, if it is a reduction they are born partial. Without a sharded operand the body decides
// which partial operands stay partial.
//
//===----------------------------------------------------------------------===//
#include "ds/Analysis/BodyLinearity.h"
#include "ds/Analysis/Placement.h"
#include "ds/Analysis/Rules.h"

#include "LinalgLoops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using linalg::LinalgOp;

namespace ds {
namespace {

int64_t bytesOf(Value value) {
  auto type = dyn_cast<ShapedType>(value.getType());
  return type && type.hasStaticShape()
             ? type.getNumElements() * std::max<int64_t>(1, type.getElementTypeBitWidth() / 8)
             : 1;
}

bool contains(Block &block, llvm::function_ref<bool(Operation *)> match) {
  return block
      .walk([&](Operation *op) {
        return match(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

//===----------------------------------------------------------------------===//
// With a sharded operand
//===----------------------------------------------------------------------===//

std::optional<Sharding> shardOf(OpOperand &operand, const PlacementRule &rule) {
  Placement placement = rule.operand(operand);
  return placement.isSharded() ? std::optional(placement.sharding) : std::nullopt;
}

/// Whether an operand runs over the samples in two of its dimensions at once.
bool isDiagonal(LinalgOp op, OpOperand &operand, unsigned loop) {
  return operand.getOwner() == op.getOperation() &&
         findLoop(op.getMatchingIndexingMap(&operand), loop) == LoopUse::Compound;
}

bool readsOtherSamples(LinalgOp op, const LoopOrReason &loop, PlacementRule &rule) {
  auto *divided = std::get_if<std::optional<ShardedLoop>>(&loop);
  if (!divided)
    return true;
  return *divided && llvm::any_of(rule.reads(), [&](OpOperand *operand) {
    return isDiagonal(op, *operand, (*divided)->loop) && !isIgnoredInit(op, *operand) &&
           shardOf(*operand, rule);
  });
}

/// Gathers what reads rows of other samples: all pairs of samples meet in two loops, of which the
/// one with the largest operands is divided (a parallel one, so that the result is divided as
/// well); a gather reads rows that data chooses; a diagonal runs over the samples in two
/// dimensions, which no division of one loop expresses.
void gatherOtherSamples(LinalgOp op, PlacementRule &rule) {
  SmallVector<std::pair<OpOperand *, std::optional<unsigned>>> sharded;
  llvm::SmallMapVector<unsigned, int64_t, 2> bytesOfLoop;
  bool hasDiagonal = false;
  for (OpOperand *operand : rule.reads()) {
    auto sharding = shardOf(*operand, rule);
    if (!sharding || isIgnoredInit(op, *operand))
      continue;
    bool own = operand->getOwner() == op.getOperation();
    auto loop = findLoopOf(op, *operand, sharding->dim);
    if (own && !loop)
      return; // indexed by an expression
    hasDiagonal |= loop && isDiagonal(op, *operand, *loop);
    if (loop)
      bytesOfLoop[*loop] += bytesOf(operand->get());
    sharded.push_back({operand, loop});
  }
  auto iterators = op.getIteratorTypesArray();
  std::optional<unsigned> kept;
  for (auto [loop, bytes] : bytesOfLoop) {
    auto rank = [&](unsigned i) {
      return std::pair(iterators[i] == utils::IteratorType::parallel, bytesOfLoop[i]);
    };
    if (!kept || rank(loop) > rank(*kept))
      kept = loop;
  }
  for (auto [operand, loop] : sharded)
    if ((hasDiagonal || !loop || loop != kept) &&
        getElementTypeOrSelf(operand->get()).isIntOrFloat())
      rule.gather(*operand);
}

/// Everything that reads data takes its part of loop `loop`; partial operands have no meaning
/// beside a shard.
void placeOperandsOnLoop(LinalgOp op, ShardedLoop loop, PlacementRule &rule) {
  for (OpOperand *operand : rule.reads()) {
    Placement placement = rule.operand(*operand);
    bool own = operand->getOwner() == op.getOperation();
    if (placement.isPartial() && (!own || readsData(op, *operand)))
      rule.need(*operand);
    if (!own || !placement.isReplicated())
      continue;
    switch (findLoop(op.getMatchingIndexingMap(operand), loop.loop)) {
    case LoopUse::Absent:
      break;
    case LoopUse::Compound:
      if (readsData(op, *operand))
        rule.conflict("a replicated operand is indexed by an expression of the divided loop");
      break;
    case LoopUse::Pure:
      rule.slice(*operand,
                 loop.factors.on(*positionOf(op.getMatchingIndexingMap(operand), loop.loop)));
      break;
    }
  }
}

void placeReduction(LinalgOp op, unsigned index, PlacementRule &rule) {
  OpOperand *init = op.getDpsInitOperand(index);
  auto combiner = findCombiner(*op.getBlock(), op.getMatchingBlockArgument(init), index);
  if (!combiner)
    return rule.conflict("the divided loop is a reduction whose combiner is not one of sum, prod, "
                         "max, min, and, or");
  Placement placement = rule.operand(*init);
  if (placement.isPartial() && placement.reduction == *combiner) {
    // The accumulator of earlier partial values goes on; no rank sees the whole.
    rule.uses.erase(init);
    rule.keep(*init, index);
  }
  rule.birth(index, *combiner);
}

void placeSharded(LinalgOp op, ShardedLoop loop, PlacementRule &rule) {
  placeOperandsOnLoop(op, loop, rule);
  bool parallel = op.getIteratorTypesArray()[loop.loop] == utils::IteratorType::parallel;
  for (unsigned i = 0; i < op->getNumResults(); ++i) {
    if (!parallel) {
      placeReduction(op, i, rule);
      continue;
    }
    auto position = positionOf(op.getMatchingIndexingMap(op.getDpsInitOperand(i)), loop.loop);
    if (!position)
      return rule.conflict("a result is not indexed by the divided loop");
    rule.setResult(i, Placement::sharded(loop.factors.on(*position)));
  }
}

//===----------------------------------------------------------------------===//
// Without one: linearity of the body
//===----------------------------------------------------------------------===//

/// The kinds of the results if the operands in `partial` stay partial.
SmallVector<Linearity> resultKinds(LinalgOp op, PlacementRule &rule,
                                   const llvm::SmallPtrSetImpl<OpOperand *> &partial) {
  LinalgBodyKinds kinds(op, rule.reads(), [&](OpOperand &operand) {
    Placement placement = rule.operand(operand);
    if (placement.isPartial())
      return partial.contains(&operand) ? Linearity::Linear : Linearity::Replicated;
    return placement.zero ? Linearity::Zero : Linearity::Replicated;
  });
  return kinds.results();
}

void placeUndivided(LinalgOp op, PlacementRule &rule) {
  SmallVector<OpOperand *> candidates;
  for (OpOperand *operand : rule.reads()) {
    if (!rule.operand(*operand).isPartial())
      continue;
    if (operand->getOwner() == op.getOperation() && !readsData(op, *operand))
      continue;
    if (rule.operand(*operand).reduction == ReductionKind::Sum)
      candidates.push_back(operand);
    else
      rule.need(*operand);
  }
  bool counted = contains(*op.getBlock(), [](Operation *nested) { return isa<OnceOp>(nested); });
  // The largest operand stays partial first: of a product of two partial values the smaller one is
  // reduced.
  llvm::stable_sort(
      candidates, [](OpOperand *x, OpOperand *y) { return bytesOf(x->get()) > bytesOf(y->get()); });
  llvm::SmallPtrSet<OpOperand *, 4> partial;
  for (OpOperand *operand : candidates) {
    // One value read twice is one decision: x * x is not linear in either.
    SmallVector<OpOperand *> same;
    for (OpOperand *other : candidates)
      if (other->get() == operand->get() && !partial.contains(other))
        same.push_back(other);
    if (same.empty() || rule.uses.count(operand))
      continue;
    partial.insert(same.begin(), same.end());
    if (llvm::is_contained(resultKinds(op, rule, partial), Linearity::NonLinear)) {
      for (OpOperand *other : same) {
        partial.erase(other);
        rule.need(*other);
      }
    }
  }
  for (auto [i, kind] : llvm::enumerate(resultKinds(op, rule, partial))) {
    Placement placement;
    if (kind == Linearity::Linear)
      placement = Placement::partial(ReductionKind::Sum);
    placement.zero = kind == Linearity::Zero;
    rule.setResult(i, placement);
    if (kind != Linearity::Linear)
      continue;
    for (OpOperand *operand : partial)
      rule.keep(*operand, i);
    if (partial.empty() && counted)
      rule.birth(i, ReductionKind::Sum);
  }
}

//===----------------------------------------------------------------------===//
// The model
//===----------------------------------------------------------------------===//

template <typename OpTy>
struct LinalgModel : public PlacementOpInterface::ExternalModel<LinalgModel<OpTy>, OpTy> {
  void place(Operation *operation, PlacementRule &rule) const {
    auto op = cast<LinalgOp>(operation);
    auto shardingOf = [&](OpOperand &operand) { return shardOf(operand, rule); };
    auto loop = findShardedLoop(op, rule.reads(), shardingOf);
    if (readsOtherSamples(op, loop, rule)) {
      gatherOtherSamples(op, rule);
      loop = findShardedLoop(op, rule.reads(), shardingOf);
    }
    if (auto *why = std::get_if<std::string>(&loop))
      return rule.conflict(*why);
    if (auto divided = std::get<std::optional<ShardedLoop>>(loop))
      return placeSharded(op, *divided, rule);
    placeUndivided(op, rule);
  }

  bool demand(Operation *operation, unsigned result, Sharding sharding,
              llvm::DenseMap<OpOperand *, Sharding> &wants) const {
    auto op = cast<LinalgOp>(operation);
    if (op->getNumResults() != 1)
      return false;
    AffineMap out = op.getMatchingIndexingMap(op.getDpsInitOperand(result));
    auto dim = dyn_cast<AffineDimExpr>(out.getResult(sharding.dim));
    if (!dim || op.getIteratorTypesArray()[dim.getPosition()] != utils::IteratorType::parallel ||
        findLoop(out, dim.getPosition()) != LoopUse::Pure)
      return false;
    for (OpOperand &operand : op->getOpOperands()) {
      AffineMap map = op.getMatchingIndexingMap(&operand);
      LoopUse use = findLoop(map, dim.getPosition());
      if (use == LoopUse::Compound)
        return false;
      if (use == LoopUse::Pure)
        wants[&operand] = sharding.on(*positionOf(map, dim.getPosition()));
    }
    return true;
  }

  void countReplicatedOnce(Operation *operation, PlacementRule::View placementOf,
                           PlacementRule::Combined combinedBy) const {
    countLinalgAddendsOnce(cast<LinalgOp>(operation), placementOf, combinedBy);
  }

  void localize(Operation *operation, Localizer &localizer) const {
    localizeLinalg(cast<LinalgOp>(operation), localizer);
  }
};

template <typename... Ops> void attach(MLIRContext *ctx) {
  (Ops::template attachInterface<LinalgModel<Ops>>(*ctx), ...);
}

} // namespace

void registerLinalgPlacementModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *ctx, linalg::LinalgDialect *) {
    attach<
#define GET_OP_LIST
#include "mlir/Dialect/Linalg/IR/LinalgStructuredOps.cpp.inc"
        >(ctx);
  });
}

} // namespace ds
