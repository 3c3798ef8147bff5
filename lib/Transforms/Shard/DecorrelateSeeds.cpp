//===- DecorrelateSeeds.cpp - Give every rank its own random keys ---------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replaces each seed argument by the rank's own key. The reduction plan has already assumed this:
// it treats every value computed from a seed as rank-local.
//
//===----------------------------------------------------------------------===//
#include "ds/Transforms/Passes.h"

#include "Utils/StepPlan.h"

#include "ds/Dialect/IR/Roles.h"
#include "ds/Rewrite/SeedHash.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"

namespace ds {
#define GEN_PASS_DEF_DECORRELATESEEDSPASS
#include "ds/Transforms/Passes.h.inc"
} // namespace ds

using namespace mlir;

namespace ds {
namespace {

struct DecorrelateSeeds final : impl::DecorrelateSeedsPassBase<DecorrelateSeeds> {
  using DecorrelateSeedsPassBase::DecorrelateSeedsPassBase;

  void runOnOperation() override {
    FailureOr<Config> config = getConfig(getOperation());
    if (failed(config))
      return signalPassFailure();
    if (runsAlone(*config) || !config->decorrelateSeeds())
      return;
    func::FuncOp step = getStep(getOperation(), entry);
    if (!step)
      return signalPassFailure();
    OpBuilder b = OpBuilder::atBlockBegin(&step.getBody().front());
    Value rank;
    for (BlockArgument seed : step.getArguments()) {
      if (!step.getArgAttr(seed.getArgNumber(), role::seed) || seed.use_empty())
        continue;
      if (!rank)
        rank = RankOp::create(b, step.getLoc(),
                              getBatchRanks(b.getContext(), *config).value_or(1).axes);
      SmallVector<OpOperand *> uses;
      for (OpOperand &use : seed.getUses())
        uses.push_back(&use);
      Value own = createSeedOfRank(b, step.getLoc(), seed, rank);
      for (OpOperand *use : uses)
        use->set(own);
      remark::passed(step.getLoc(),
                     remark::RemarkOpts::name("SeedOfRank").category("ds-decorrelate-seeds"))
          << ("argument " + Twine(seed.getArgNumber()) + " is hashed with the rank").str();
    }
  }
};

} // namespace
} // namespace ds
