//===- InsertAllReduce.cpp - Reduce partial values at the best cut --------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Materialises the plan: one all-reduce per value of the cut, right after it is ready. A value that
// one use needs reduced and another partial exists in both versions. Replicated addends of a
// partial value are counted once, unless the reduction is a mean, which restores them. Running
// statistics of `local` follow `local_state`.
//
//===----------------------------------------------------------------------===//
#include "ds/Rewrite/MaskReplicated.h"
#include "ds/Transforms/Passes.h"

#include "Utils/CreateAllReduce.h"
#include "Utils/Elementwise.h"
#include "Utils/StepPlan.h"

#include "ds/Analysis/Marks.h"
#include "ds/Dialect/IR/Roles.h"
#include "ds/Rewrite/EraseMarks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/StringSet.h"

namespace ds {
#define GEN_PASS_DEF_INSERTALLREDUCEPASS
#include "ds/Transforms/Passes.h.inc"
} // namespace ds

using namespace mlir;

namespace ds {
namespace {

bool isFloat(Value value) { return isa<FloatType>(getElementTypeOrSelf(value.getType())); }

/// Returns the value after the permutations that are its only use. The all-reduce moves the same
/// elements there, and the contraction before it can write them in the order in which the update
/// reads them.
Value slidePastPermutations(Value value) {
  for (Value at = value; at.hasOneUse();) {
    Operation *user = *at.user_begin();
    // A value does not slide into a loop.
    if (user->getBlock() != value.getParentBlock())
      break;
    if (isMark(user)) {
      at = user->getResult(0);
      continue;
    }
    if (!isPermutation(user) || user->getOperand(0) != at)
      break;
    value = at = user->getResult(0);
  }
  return value;
}

class Inserter {
public:
  explicit Inserter(PlannedStep &planned)
      : step(planned.step), flow(planned.flow), plan(planned.plan), config(planned.config),
        isLocal(config.batch() == BatchSemantics::Local) {
    for (unsigned i = 0; i < step.getNumArguments(); ++i)
      if (auto name = step.getArgAttrOfType<StringAttr>(i, "ds.param");
          name && isOfEachRank(step, i))
        layerwise.insert(name.getValue());
  }

  LogicalResult run() {
    findStatesOfSamples();
    // The mean of n equal addends is the addend, so nothing needs a mask.
    if (!isLocal || !config.gradientsMean())
      maskReplicated(flow, plan);
    for (const Reduction &reduction : plan.reductions) {
      if (!isLocal && failed(refuseLayerwise(reduction)))
        return failure();
      insert(reduction);
    }
    for (unsigned index : plan.statistics)
      if (failed(combineStatistic(index)))
        return failure();
    for (unsigned index : plan.varyingMetrics)
      if (config.syncMetrics() && failed(combineMetric(index)))
        return failure();
    if (isLocal)
      for (unsigned index : plan.commonMetrics)
        combineNoMore(index);
    eraseMarks(step); // the all-reduces replace them
    return success();
  }

private:
  /// Finds the states that hold single samples, for a warning: a mean over ranks is meant for
  /// statistics of many samples.
  void findStatesOfSamples() {
    if (plan.statistics.empty() || config.localState() != LocalState::Mean)
      return;
    StepPlacement followed = followSamples(flow);
    for (const StepResult &result : getStepResults(step))
      if (llvm::is_contained(plan.statistics, result.index) &&
          followed.of(result.operand->get()).isSharded())
        ofSamples.insert(result.index);
  }

  LogicalResult refuseLayerwise(const Reduction &reduction) {
    for (StringRef name : reduction.names)
      if (reduction.purpose != Purpose::Metric && layerwise.contains(name))
        return step.emitError("parameter '") << name
                                             << "' is ds.layerwise_parallel, but with batch = "
                                                "global all ranks compute one function "
                                                "and cannot differ in a parameter";
    return success();
  }

  void insert(const Reduction &reduction) {
    Value value = slidePastPermutations(reduction.value);
    if (value.use_empty())
      return;
    OpBuilder b(value.getContext());
    b.setInsertionPointAfterValue(value);
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : value.getUses())
      uses.push_back(&use);
    Value combined = createAllReduce(b, value, reduction.kind, reduction.purpose,
                                     plan.placement.ranks.axes, reduction.names);
    for (OpOperand *use : uses)
      if (!plan.partialUses.contains(use))
        use->set(combined);
    std::string names = llvm::join(reduction.names, ", ");
    remark::passed(value.getLoc(),
                   remark::RemarkOpts::name("AllReduceInserted").category("ds-insert-all-reduce"))
        << stringifyPurpose(reduction.purpose) << "all-reduce of" << (names.empty() ? "-" : names)
        << remark::metric("bytes", getWireBytes(value));
  }

  LogicalResult combineStatistic(unsigned index) {
    Operation *terminator = step.getBody().front().getTerminator();
    OpOperand &operand = terminator->getOpOperand(index);
    auto name = step.getResultAttrOfType<StringAttr>(index, "ds.updates");
    Value value = operand.get();
    if (config.localState() == LocalState::PerRank)
      return success();
    OpBuilder b(terminator);
    if (Operation *op = value.getDefiningOp())
      b.setInsertionPointAfter(op);
    if (config.localState() == LocalState::Rank0) {
      auto broadcast =
          BroadcastOp::create(b, value.getLoc(), ValueRange(value), int64_t(0), Purpose::State,
                              b.getArrayAttr(b.getArrayAttr(name)), plan.placement.ranks.axes);
      operand.set(broadcast.getResults()[0]);
      return success();
    }
    if (!isFloat(value))
      return terminator->emitError("state '")
             << name.getValue()
             << "' depends on the samples of a rank and is not a float, so ranks cannot agree on "
                "its mean; set local_state to rank0 or per_rank, or mark it with ds.batch if it "
                "holds one entry per sample";
    if (ofSamples.contains(index))
      terminator->emitWarning("state '")
          << name.getValue()
          << "' is made of single samples, and its mean over ranks mixes those of all; mark it "
             "with "
             "ds.batch if it holds one entry per sample, or set local_state to rank0 or per_rank";
    operand.set(createAllReduce(b, value, ReductionKind::Mean, Purpose::State,
                                plan.placement.ranks.axes, name.str()));
    return success();
  }

  /// Reduces a metric by its `ds.reduce`, so that the runner does not reduce it again.
  LogicalResult combineMetric(unsigned index) {
    Operation *terminator = step.getBody().front().getTerminator();
    OpOperand &operand = terminator->getOpOperand(index);
    auto name = step.getResultAttrOfType<StringAttr>(index, "ds.metric");
    auto reduce = step.getResultAttrOfType<StringAttr>(index, "ds.reduce");
    StringRef how = reduce ? reduce.getValue() : "mean";
    if (how == "none")
      return success();
    Value value = operand.get();
    ReductionKind kind = *symbolizeReductionKind(how);
    if (kind == ReductionKind::Mean && !isFloat(value))
      return terminator->emitError("metric '")
             << name.getValue()
             << "' is not a float, so it has no mean over ranks; set ds.reduce to sum, max, min or "
                "none";
    OpBuilder b(terminator);
    operand.set(
        createAllReduce(b, value, kind, Purpose::Metric, plan.placement.ranks.axes, name.str()));
    combineNoMore(index);
    return success();
  }

  /// Marks a metric as replicated: the runner has nothing to reduce.
  void combineNoMore(unsigned index) {
    step.setResultAttr(index, role::reduce, StringAttr::get(step.getContext(), "none"));
  }

  func::FuncOp step;
  const StepFlow &flow;
  ReductionPlan &plan;
  Config &config;
  bool isLocal;
  llvm::StringSet<> layerwise;             // parameters that are not reduced
  llvm::SmallDenseSet<unsigned> ofSamples; // results that are states of single samples
};

struct InsertAllReduce final : impl::InsertAllReducePassBase<InsertAllReduce> {
  using InsertAllReducePassBase::InsertAllReducePassBase;

  void runOnOperation() override {
    FailureOr<Config> config = getConfig(getOperation());
    if (failed(config))
      return signalPassFailure();
    if (runsAlone(*config)) {
      eraseMarks(getOperation());
      return;
    }
    if (config->updateMode().kind == UpdateMode::Kind::Asynchronous) {
      getOperation().emitError(
          "update=asynchronous has no program that all ranks run step by step; "
          "expected ds-run, which cuts the step at its gradients");
      return signalPassFailure();
    }
    FailureOr<PlannedStep> planned = planStep(getOperation(), entry);
    if (failed(planned) || failed(Inserter(*planned).run()))
      return signalPassFailure();
    remark::analysis(planned->step.getLoc(),
                     remark::RemarkOpts::name("ReductionPlan").category("ds-insert-all-reduce"))
        << "all-reduced values" << remark::metric("count", planned->plan.reductions.size())
        << remark::metric("bytes", planned->plan.bytes)
        << remark::metric("bytesAtDefinition", planned->plan.bytesAtDefinition)
        << remark::metric("bytesAtUse", planned->plan.bytesAtUse);
  }
};

} // namespace
} // namespace ds
