//===- FuseGatherScatter.cpp - all-gathers, reduce-scatters in buckets *- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fuses like FuseAllReduce.cpp, by the entries of `comm_fusion` for these two. Usually they are on
// the path of activations, where fusion is off by default: the first operand of a bucket waits for
// the last one.
//
//===----------------------------------------------------------------------===//

#include "BucketRewrite.h"
#include "ds/Analysis/StepFlow.h"
#include "ds/Transforms/Passes.h"

namespace ds {
#define GEN_PASS_DEF_FUSEGATHERSCATTERPASS
#include "ds/Transforms/Passes.h.inc"
} // namespace ds

using namespace mlir;
using namespace ds;

namespace {

struct FuseGatherScatter final : ds::impl::FuseGatherScatterPassBase<FuseGatherScatter> {
  using FuseGatherScatterPassBase::FuseGatherScatterPassBase;

  void runOnOperation() final {
    FailureOr<Config> config = getConfig(getOperation());
    if (failed(config))
      return signalPassFailure();
    for (auto step : getOperation().getOps<FunctionOpInterface>())
      fuseIn(step, *config);
  }

private:
  static void fuseIn(FunctionOpInterface step, const Config &config) {
    llvm::MapVector<OperationName, SmallVector<CollectiveOpInterface>> byName;
    for (CollectiveOpInterface op : collectUnits<CollectiveOpInterface>(step))
      if (op.mayFuse() && !isa<AllReduceOp>(op)) // all-reduces belong to ds-fuse-all-reduce
        byName[op->getName()].push_back(op);
    for (const auto &[name, collectives] : byName) {
      FusionPolicy policy = config.fusionPolicy(name.stripDialect());
      std::vector<Member> members = collectMembers(step, collectives);
      rewriteBuckets(members, assignBuckets(step, config, policy, members),
                     "ds-fuse-gather-scatter");
    }
  }
};

} // namespace
