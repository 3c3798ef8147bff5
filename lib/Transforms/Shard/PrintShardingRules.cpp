//===- PrintShardingRules.cpp - The pass ds-print-sharding-rules ----------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The printed attribute has another name than the one by which a user gives a rule, so that no pass
// mistakes a printed rule for a given one.
//
//===----------------------------------------------------------------------===//
#include "ds/Analysis/ShardingRule.h"
#include "ds/Analysis/StepFlow.h"
#include "ds/Transforms/Passes.h"

namespace ds {
#define GEN_PASS_DEF_PRINTSHARDINGRULESPASS
#include "ds/Transforms/Passes.h.inc"
} // namespace ds

using namespace mlir;

namespace ds {
namespace {

struct PrintShardingRules final : impl::PrintShardingRulesPassBase<PrintShardingRules> {
  using PrintShardingRulesPassBase::PrintShardingRulesPassBase;

  void runOnOperation() override {
    walkOutsideBodies(getOperation(), [](Operation *op) {
      if (ShardingRuleAttr rule = describeShardingRule(op))
        op->setDiscardableAttr("ds.rule", rule);
      return WalkResult::advance();
    });
  }
};

} // namespace
} // namespace ds
