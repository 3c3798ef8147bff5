//===- FuseAllReduce.cpp - put all-reduces into buckets ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// BucketAssignment chooses the operands of each collective, BucketRewrite places it after the
// operand that is ready last. Metrics come after the last collective.
//
//===----------------------------------------------------------------------===//

#include "BucketRewrite.h"
#include "ds/Analysis/StepFlow.h"
#include "ds/Dialect/IR/PlanAttrs.h"
#include "ds/Transforms/Passes.h"

namespace ds {
#define GEN_PASS_DEF_FUSEALLREDUCEPASS
#include "ds/Transforms/Passes.h.inc"
} // namespace ds

using namespace mlir;
using namespace ds;

/// Moves the reduction of metrics after the last collective, so that no other one waits for it. A
/// collective that needs a metric sinks after it again, with everything in between that it needs.
static void moveBehindCollectives(AllReduceOp metrics) {
  Operation *last = metrics;
  for (Operation *op = metrics->getNextNode(); op && movesFreely(op); op = op->getNextNode())
    if (isCollective(op))
      last = op;
  if (last == metrics)
    return;
  metrics->moveAfter(last);
  sinkBehind(*metrics->getBlock(), metrics.getOperation());
}

namespace {

struct FuseAllReduce final : ds::impl::FuseAllReducePassBase<FuseAllReduce> {
  using FuseAllReducePassBase::FuseAllReducePassBase;

  void runOnOperation() final {
    FailureOr<Config> config = getConfig(getOperation());
    if (failed(config))
      return signalPassFailure();
    getOperation()->removeAttr(bucketPlanAttrName); // of an earlier plan
    for (auto step : getOperation().getOps<FunctionOpInterface>())
      if (failed(fuseIn(step, *config)))
        return signalPassFailure();
  }

private:
  static LogicalResult fuseIn(FunctionOpInterface step, const Config &config) {
    std::vector<Member> members = collectMembers(
        step, llvm::to_vector_of<CollectiveOpInterface>(collectUnits<AllReduceOp>(step)));
    if (members.empty())
      return success();
    FailureOr<std::vector<Bucket>> buckets = assignBuckets(step, config, members);
    if (failed(buckets))
      return failure();
    for (Operation *op : rewriteBuckets(members, *buckets, "ds-fuse-all-reduce"))
      if (auto bucket = cast<AllReduceOp>(op); bucket.getPurpose() == Purpose::Metric)
        moveBehindCollectives(bucket);
    return success();
  }
};

} // namespace
