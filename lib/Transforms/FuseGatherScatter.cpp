//===- FuseGatherScatter.cpp - all-gathers, reduce-scatters in buckets *- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As all-reduces are fused, by the entries of `comm_fusion` for these two. They stand on the way of
// activations as a rule, where nothing is fused unless it is asked for: the first of a bucket waits
// for its last.
//
//===----------------------------------------------------------------------===//

#include "BucketRewrite.h"
#include "ds/Transforms/Passes.h"

namespace ds {
#define GEN_PASS_DEF_FUSEGATHERSCATTERPASS
#include "ds/Transforms/Passes.h.inc"
} // namespace ds

using namespace mlir;
using namespace ds;

/// Operands, and beside each its destination.
template <typename Op> struct Shares {
  explicit Shares(const BucketOperands &operands)
      : first(cast<Op>(operands.front().second.front().operation)) {
    for (const auto &entry : operands) {
      const Member &member = entry.second.front();
      inputs.push_back(member.input());
      outs.push_back(cast<Op>(member.operation).getOuts()[member.operand]);
    }
  }

  Op first;
  SmallVector<Value> inputs, outs;
};

static IntegerAttr idAttr(OpBuilder &builder, std::optional<int64_t> id) {
  return id ? builder.getI64IntegerAttr(*id) : nullptr;
}

static Operation *makeAllGather(OpBuilder &builder, Location loc, const BucketOperands &operands,
                                ArrayAttr names, std::optional<int64_t> id) {
  Shares<AllGatherOp> of(operands);
  return AllGatherOp::create(builder, loc, TypeRange(ValueRange(of.outs)), of.inputs, of.outs,
                             of.first.getDim(), of.first.getGroupAttr(), idAttr(builder, id),
                             of.first.getZone(), names);
}

static Operation *makeReduceScatter(OpBuilder &builder, Location loc,
                                    const BucketOperands &operands, ArrayAttr names,
                                    std::optional<int64_t> id) {
  Shares<ReduceScatterOp> of(operands);
  return ReduceScatterOp::create(builder, loc, TypeRange(ValueRange(of.outs)), of.inputs, of.outs,
                                 of.first.getKind(), of.first.getDim(), of.first.getGroupAttr(),
                                 idAttr(builder, id), of.first.getZone(), names);
}

namespace {

struct FuseGatherScatter final : ds::impl::FuseGatherScatterPassBase<FuseGatherScatter> {
  using FuseGatherScatterPassBase::FuseGatherScatterPassBase;

  void runOnOperation() final {
    FailureOr<Config> config = getConfig(getOperation());
    if (failed(config))
      return signalPassFailure();
    for (auto step : getOperation().getOps<FunctionOpInterface>()) {
      fuseIn<AllGatherOp>(step, *config, config->allGatherPolicy(), makeAllGather);
      fuseIn<ReduceScatterOp>(step, *config, config->reduceScatterPolicy(), makeReduceScatter);
    }
  }

private:
  template <typename Op>
  static void fuseIn(FunctionOpInterface step, const Config &config, const FusionPolicy &policy,
                     MakeCollective make) {
    std::vector<Member> members = collectMembers<Op>(step);
    if (!members.empty())
      rewriteBuckets(members, assignBuckets(step, config, policy, members),
                     "ds-fuse-gather-scatter", make);
  }
};

} // namespace
