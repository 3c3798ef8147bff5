//===- Ds.cpp - Placement of ds operations --------------------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An all-reduce completes a partial value, a reshard moves any; annotations are identities here
// (PlanLocal.cpp gives their meaning in `local`); a replicated value counted once is partial.
//
//===----------------------------------------------------------------------===//
#include "ds/Analysis/Placement.h"
#include "ds/Analysis/Rules/Rules.h"

using namespace mlir;

namespace ds {
namespace {

/// An annotation of a value, which passes it on element by element.
template <typename Model, typename Op>
struct Mark : public PlacementOpInterface::ExternalModel<Model, Op> {
  std::optional<ShardingRule> getShardingRule(Operation *op) const {
    ShardingRule rule = ruleOfElements(op);
    rule.terms.push_back(ScalarRule::linear(ScalarTerm::same(op->getOpOperand(0))));
    return rule;
  }
};

struct GradientModel : public Mark<GradientModel, GradientOp> {
  void place(Operation *op, PlacementRule &rule) const {
    OpOperand &value = op->getOpOperand(0);
    // A rank's only sample is the sum over its samples, too.
    if (rule.operand(value).isSharded() && rule.numRanks() > 1 && rule.ranks().dividesBatch)
      return rule.conflict("a gradient mark stands on a value of single samples; mark their sum");
    if (rule.operand(value).isPartial() && cast<GradientOp>(op).getPinned())
      return rule.wantWhole(value);
    placeByRule(op, rule);
  }
};

/// `global`: all ranks compute one function, so there is nothing to reduce.
struct CombineModel : public Mark<CombineModel, CombineOp> {
  void place(Operation *op, PlacementRule &rule) const {
    OpOperand &value = op->getOpOperand(0);
    ReductionKind kind = cast<CombineOp>(op).getKind();
    // Ranks along other axes do reduce here, and the maximum of sums is not the sum of maxima.
    if (!rule.ranks().dividesBatch && rule.operand(value).isPartial() &&
        kind != ReductionKind::Sum && kind != ReductionKind::Mean)
      return rule.wantWhole(value);
    placeByRule(op, rule);
  }
};

struct OnceModel : public PlacementOpInterface::ExternalModel<OnceModel, ReplicatedToPartialOp> {
  void place(Operation *op, PlacementRule &rule) const {
    OpOperand &value = op->getOpOperand(0);
    if (rule.operand(value).isSharded())
      rule.wantWhole(value); // an addend of a sum that is partial for other reasons
    else if (!rule.operand(value).isReplicated())
      return rule.conflict("only a replicated value can be counted once");
    rule.makePartial(0, cast<ReplicatedToPartialOp>(op).getKind());
  }
};

/// Collectives of ranks along other axes. For the current axis they are functions of numbers that
/// move whole blocks: in a dimension with one block per rank, a position is the block's number and
/// the position inside it.
std::optional<ShardingRule> ruleOfCollective(CollectiveOpInterface op) {
  std::optional<int64_t> split = op.getSplitDim(), concat = op.getConcatDim();
  if (op.getRead().size() != 1)
    return std::nullopt;
  if (!split && !concat)
    return ruleOfElements(op);
  std::optional<int64_t> blocks = getNumShares(op);
  if (!blocks && !(blocks = getGroupSize(op, op.getRanks())))
    return std::nullopt;
  auto shape = cast<ShapedType>(op.getRead()[0].get().getType()).getShape();
  unsigned rank = shape.size();
  ShardingRule rule;
  rule.loops.assign(rank + 1, utils::IteratorType::parallel);
  rule.sizes.assign(shape.begin(), shape.end());
  if (split)
    rule.sizes[*split] /= *blocks;
  rule.sizes.push_back(*blocks);
  rule.overRanks = rank;
  auto mapWithBlocksIn = [&](std::optional<int64_t> dim) {
    SmallVector<AffineExpr> positions;
    for (unsigned i = 0; i < rank; ++i)
      positions.push_back(getAffineDimExpr(i, op.getContext()));
    if (dim)
      positions[*dim] =
          getAffineDimExpr(rank, op.getContext()) * rule.sizes[*dim] + positions[*dim];
    return AffineMap::get(rank + 1, 0, positions, op.getContext());
  };
  AffineMap written = mapWithBlocksIn(concat);
  rule.operands = {mapWithBlocksIn(split), written};
  rule.results = {written};
  return rule;
}

template <typename Op>
struct CollectiveModel : public PlacementOpInterface::ExternalModel<CollectiveModel<Op>, Op> {
  std::optional<ShardingRule> getShardingRule(Operation *operation) const {
    auto op = cast<CollectiveOpInterface>(operation);
    std::optional<ShardingRule> rule = ruleOfCollective(op);
    if (rule && op.getKind().value_or(ReductionKind::Sum) == ReductionKind::Sum)
      rule->terms.push_back(ScalarRule::linear(ScalarTerm::same(operation->getOpOperand(0))));
    return rule;
  }

  void place(Operation *operation, PlacementRule &rule) const {
    auto op = cast<CollectiveOpInterface>(operation);
    if (op.isInFlight())
      return placeWithoutRule(op, rule);
    if (!rule.ranks().mayMeet(op))
      return placeByRule(op, rule);
    if (op.getSplitDim() || op.getConcatDim() || op.getSources())
      return rule.conflict("'" + op->getName().getStringRef() +
                           "' stands in the step before it is partitioned");
    if (!op.getKind()) // a replicated value stays replicated
      return placeWithoutRule(op, rule);
    for (auto [i, operand] : llvm::enumerate(op->getOpOperands())) {
      if (!rule.operand(operand).isPartial())
        return rule.conflict("the operand of an all-reduce is not partial");
      rule.setResult(i, Placement::replicated());
    }
  }
};

template <typename Op> void attachTo(MLIRContext *ctx) {
  if constexpr (Op::template hasTrait<CollectiveOpInterface::Trait>())
    Op::template attachInterface<CollectiveModel<Op>>(*ctx);
}

template <typename... Ops> void attachToCollectives(MLIRContext *ctx) { (attachTo<Ops>(ctx), ...); }

struct ReshardModel : public PlacementOpInterface::ExternalModel<ReshardModel, ReshardOp> {
  void place(Operation *operation, PlacementRule &rule) const {
    auto op = cast<ReshardOp>(operation);
    Placement at = rule.operand(op.getValueMutable()), from = Placement::of(op.getFrom());
    if (at.kind != from.kind || (!at.isReplicated() && at != from)) {
      std::string text;
      llvm::raw_string_ostream(text) << "a value is moved that is " << at << ", not " << from;
      return rule.conflict(text);
    }
    rule.setResult(0, Placement::of(op.getTo()));
  }
};

struct RankModel : public PlacementOpInterface::ExternalModel<RankModel, RankOp> {
  void place(Operation *op, PlacementRule &rule) const {
    if (rule.ranks().meets(op))
      rule.conflict("the number of the rank is used before the batch is sharded");
  }
};

/// The annotation decides for its own axes, and for others unless it leaves a dimension open to
/// them.
struct ShardModel : public Mark<ShardModel, ShardingConstraintOp> {
  /// Axes that are sharded later are the major ones of a dimension, if the annotation names them.
  static bool leavesOpen(ShardingAttr mark, const OpOperand &value, const Placement &at,
                         const ReplicaGroup &ranks) {
    SmallVector<Sharding> open = getOpenShardings(mark, value.get(), ranks);
    return at.isSharded() ? llvm::is_contained(open, at.sharding) : !mark.getOpen().empty();
  }
  void place(Operation *op, PlacementRule &rule) const {
    OpOperand &value = op->getOpOperand(0);
    Placement at = rule.operand(value);
    if (rule.ranks().dividesBatch) // samples are where they are
      return placeByRule(op, rule);
    ShardingAttr mark = cast<ShardingConstraintOp>(op).getSharding();
    std::optional<Sharding> required = getSharding(mark, value.get(), rule.ranks());
    if (!required && leavesOpen(mark, value, at, rule.ranks()))
      return placeByRule(op, rule);
    Placement to = required ? Placement::sharded(*required) : Placement::replicated();
    if (at.isPartial()) // once it is reduced, a shard of it is a slice
      rule.wantWhole(value);
    else if (at != to)
      rule.want(value, to);
    rule.setResult(0, to);
  }
};

} // namespace

void registerDsPlacementModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *ctx, DsDialect *) {
    GradientOp::attachInterface<GradientModel>(*ctx);
    CombineOp::attachInterface<CombineModel>(*ctx);
    ReplicatedToPartialOp::attachInterface<OnceModel>(*ctx);
    ReshardOp::attachInterface<ReshardModel>(*ctx);
    RankOp::attachInterface<RankModel>(*ctx);
    ShardingConstraintOp::attachInterface<ShardModel>(*ctx);
    attachToCollectives<
#define GET_OP_LIST
#include "ds/Dialect/IR/DsOps.cpp.inc"
        >(ctx);
  });
}

void registerPlacementModels(DialectRegistry &registry) {
  registerLinalgPlacementModels(registry);
  registerTensorPlacementModels(registry);
  registerDsPlacementModels(registry);
  registerScalarRules(registry);
}

} // namespace ds
