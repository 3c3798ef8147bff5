//===- Ds.cpp - Placement of ds operations --------------------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An all-reduce completes a partial value, a reshard moves any; marks are identities here (what
// they mean in `local` is in PlanLocal.cpp); a value counted once is partial.
//
//===----------------------------------------------------------------------===//
#include "ds/Analysis/Placement.h"
#include "ds/Analysis/Rules.h"

using namespace mlir;

namespace ds {
namespace {

/// What stands on a value and is read for it, element by element.
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
    if (rule.operand(value).isSharded() && rule.numRanks() > 1)
      return rule.conflict("a gradient mark stands on a value of single samples");
    if (rule.operand(value).isPartial() && cast<GradientOp>(op).getPinned())
      return rule.wantWhole(value);
    placeByRule(op, rule);
  }
};

/// `global`: all ranks compute one function, so there is nothing to combine.
struct CombineModel : public Mark<CombineModel, CombineOp> {};

struct OnceModel : public PlacementOpInterface::ExternalModel<OnceModel, OnceOp> {
  void place(Operation *op, PlacementRule &rule) const {
    if (!rule.operand(op->getOpOperand(0)).isReplicated())
      return rule.conflict("only a replicated value can be counted once");
    rule.makePartial(0, cast<OnceOp>(op).getKind());
  }
};

struct AllReduceModel : public PlacementOpInterface::ExternalModel<AllReduceModel, AllReduceOp> {
  void place(Operation *op, PlacementRule &rule) const {
    for (auto [i, operand] : llvm::enumerate(op->getOpOperands())) {
      Placement placement = rule.operand(operand);
      if (!placement.isPartial())
        return rule.conflict("the operand of an all-reduce is not partial");
      rule.setResult(i, Placement::replicated());
    }
  }
};

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
  void place(Operation *, PlacementRule &rule) const {
    rule.conflict("the number of the rank is used before the batch is divided");
  }
};

} // namespace

void registerDsPlacementModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *ctx, DsDialect *) {
    GradientOp::attachInterface<GradientModel>(*ctx);
    CombineOp::attachInterface<CombineModel>(*ctx);
    OnceOp::attachInterface<OnceModel>(*ctx);
    AllReduceOp::attachInterface<AllReduceModel>(*ctx);
    ReshardOp::attachInterface<ReshardModel>(*ctx);
    RankOp::attachInterface<RankModel>(*ctx);
  });
}

void registerPlacementModels(DialectRegistry &registry) {
  registerLinalgPlacementModels(registry);
  registerTensorPlacementModels(registry);
  registerDsPlacementModels(registry);
  registerScalarRules(registry);
}

} // namespace ds
