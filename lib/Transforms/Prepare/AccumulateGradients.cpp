//===- AccumulateGradients.cpp - Several microbatches for one update ------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The step is cut at its gradients. The operations that compute them run in a loop over k
// microbatches, one after another; the update runs once, with the mean of the k gradients. The pass
// rewrites the step of one device, so the passes that shard a step see a loop like any other, and
// one device and n ranks accumulate in the same way.
//
//===----------------------------------------------------------------------===//
#include "ds/Transforms/Passes.h"

#include "Accumulators.h"
#include "Utils/StepPlan.h"

#include "ds/Detection/Detection.h"
#include "ds/Dialect/IR/Roles.h"
#include "ds/Rewrite/SeedHash.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"

#include <functional>

namespace ds {
#define GEN_PASS_DEF_ACCUMULATEGRADIENTSPASS
#include "ds/Transforms/Passes.h.inc"
} // namespace ds

using namespace mlir;

namespace ds {
namespace {

/// Marks a step that already accumulates; holds the number of its microbatches.
constexpr StringLiteral accumulated = "ds.accumulated";

/// The distance between the seeds of two microbatches, in ranks: so large that no rank with a lower
/// number has the seed of a microbatch.
constexpr int64_t seedsBetweenMicrobatches = 1 << 16;

class Accumulation {
public:
  Accumulation(func::FuncOp step, int64_t microbatches)
      : step(step), microbatches(microbatches), flow(step) {}

  LogicalResult run() {
    if (failed(checkMarks()) || failed(checkArguments()))
      return failure();
    findLoop();
    if (failed(checkUpdate()) || failed(addGradients()) || failed(addResults()))
      return failure();
    rewrite();
    return success();
  }

private:
  bool isInLoop(Value value) const { return inLoop.contains(value); }
  bool isInLoop(Operation *op) const {
    if (op->getNumResults() > 0)
      return llvm::any_of(op->getResults(), [&](Value value) { return isInLoop(value); });
    return !op->hasTrait<OpTrait::IsTerminator>() &&
           llvm::any_of(op->getOperands(), [&](Value value) { return isInLoop(value); });
  }
  OpBuilder atStart() { return OpBuilder::atBlockBegin(&step.getBody().front()); }
  auto topLevel() { return step.getBody().front().without_terminator(); }

  LogicalResult checkMarks() {
    for (GradientOp mark : collectUnits<GradientOp>(step)) {
      if (mark->getParentOp() != step)
        return mark.emitError("grad_accumulation_step cannot accumulate a gradient that is marked "
                              "inside of control flow; mark it where the step has it");
      if (!mark.getValue().getDefiningOp<GradientOp>())
        marks.push_back(mark);
    }
    return success();
  }

  LogicalResult checkArguments() {
    SmallVector<BatchArgument> batch = getBatchArguments(step);
    int64_t samples = getSampleSize(batch);
    for (const BatchArgument &argument : batch) {
      unsigned number = argument.argument.getArgNumber();
      if (step.getArgAttr(number, role::state))
        return step.emitError("grad_accumulation_step cannot accumulate a step with a state that "
                              "holds entries per sample: '")
               << paramOrState(step, number) << "'";
      if (argument.apart)
        return step.emitError("grad_accumulation_step cannot split argument '")
               << getLabel(step, argument) << "', whose entries of a sample lie apart (ds.apart)";
      if (argument.size() % samples == 0)
        split.push_back(argument);
    }
    return success();
  }

  static bool isMarkOp(Operation *op) { return isa<GradientOp>(op); }

  /// Collects the values that each microbatch computes anew, up to the gradients: those that depend
  /// on its samples or keys, or on a state that the microbatch before has updated.
  void findLoop() {
    for (const BatchArgument &argument : split)
      inLoop.insert(argument.argument);
    for (BlockArgument argument : step.getArguments())
      if (step.getArgAttr(argument.getArgNumber(), role::seed))
        seeds.push_back(argument);
    for (GradientOp mark : marks)
      behindMarks.insert(mark.getResult());
    flow.addDependents(behindMarks);
    llvm::DenseSet<Value> origins; // of gradients and of values of the loop
    for (bool changed = true; changed;) {
      changed = false;
      flow.addDependents(inLoop, isMarkOp);
      for (GradientOp mark : marks)
        origins.insert(mark.getValue());
      origins.insert(inLoop.begin(), inLoop.end());
      flow.addOrigins(origins);
      for (const StepResult &result : getStepResults(step)) {
        Value value = result.operand->get();
        if (!result.state || behindMarks.contains(value) || states.contains(result.index))
          continue;
        if (!isInLoop(value) && !origins.contains(result.state))
          continue;
        states.insert({result.index, result.state});
        inLoop.insert(result.state);
        changed = true;
      }
      for (BlockArgument seed : seeds)
        if (origins.contains(seed))
          changed |= inLoop.insert(seed).second;
    }
    flow.addDependents(inLoop, isMarkOp);
  }

  /// Checks that the update reads no values of the loop but the gradients.
  LogicalResult checkUpdate() {
    for (Operation &op : topLevel())
      if (!isMarkOp(&op) && isInLoop(&op) &&
          llvm::any_of(op.getResults(), [&](Value value) { return behindMarks.contains(value); }))
        return op.emitError("grad_accumulation_step: this reads gradients, which all microbatches "
                            "make, and also a value that each of them computes anew");
    for (const StepResult &result : getStepResults(step))
      if (result.parameter && isInLoop(result.operand->get()))
        return result.operand->getOwner()->emitError("grad_accumulation_step: parameter '")
               << result.updates << "' is updated without a gradient (ds.gradient)";
    return success();
  }

  LogicalResult addGradients() {
    for (GradientOp mark : marks)
      if (isInLoop(mark.getValue()))
        carried.push_back(
            carrySum(atStart(), mark.getValue(), /*divideBy=*/microbatches,
                     [mark](Value mean) mutable { mark.getValueMutable().assign(mean); }));
    return success();
  }

  LogicalResult addResults() {
    for (const StepResult &result : getStepResults(step)) {
      Value value = result.operand->get();
      OpOperand *operand = result.operand;
      auto use = [operand](Value made) { operand->set(made); };
      if (auto state = states.find(result.index); state != states.end())
        carried.push_back(carryState(state->second, value, use));
      else if (!isInLoop(value))
        continue;
      else if (result.perSample)
        carried.push_back(carryRows(
            atStart(), value, microbatches,
            step.getResultAttrOfType<IntegerAttr>(result.index, role::batch).getInt(), use));
      else if (failed(addMetric(result, use)))
        return failure();
    }
    return success();
  }

  LogicalResult addMetric(const StepResult &result, std::function<void(Value)> use) {
    auto error = [&] {
      return result.operand->getOwner()->emitError("grad_accumulation_step: result #")
             << result.index;
    };
    if (result.metric.empty())
      return error()
             << " is that of one microbatch; mark it with ds.metric, which sets how several "
                "become one";
    auto attribute = step.getResultAttrOfType<StringAttr>(result.index, role::reduce);
    StringRef reduce = attribute ? attribute.getValue() : "mean";
    Value value = result.operand->get();
    bool isFloat = isa<FloatType>(getElementTypeOrSelf(value.getType()));
    if (reduce == "sum" || (reduce == "mean" && isFloat)) {
      carried.push_back(
          carrySum(atStart(), value, /*divideBy=*/reduce == "mean" ? microbatches : 1, use));
      return success();
    }
    if ((reduce != "max" && reduce != "min") || !isFloat)
      return error() << " is a metric that microbatches cannot make one of: ds.reduce = \""
                     << reduce << "\" of " << value.getType();
    carried.push_back(carryExtreme(atStart(), value, reduce == "max", use));
    return success();
  }

  void fillBody(OpBuilder &in, ArrayRef<Operation *> body, ArrayRef<Value> expanded,
                ValueRange before, Value round, SmallVectorImpl<Value> &ends) {
    IRMapping mapping;
    for (auto [argument, pairs] : llvm::zip_equal(split, expanded))
      mapping.map(argument.argument, sliceMicrobatch(in, pairs, argument.dim, round));
    for (BlockArgument seed : seeds)
      if (isInLoop(seed)) {
        Value apart = arith::MulIOp::create(
            in, step.getLoc(), round,
            arith::ConstantIndexOp::create(in, step.getLoc(), seedsBetweenMicrobatches));
        mapping.map(seed, createSeedOfRank(in, step.getLoc(), seed, apart));
      }
    for (auto [each, value] : llvm::zip_equal(carried, before))
      if (isInLoop(each.init))
        mapping.map(each.init, value);
    for (Operation *op : body)
      in.clone(*op, mapping);
    for (auto [each, value] : llvm::zip_equal(carried, before))
      ends.push_back(each.next(in, value, mapping, round));
  }

  void rewrite() {
    Block &block = step.getBody().front();
    // Operations outside of the loop that do not depend on gradients come first.
    SmallVector<Operation *> body;
    Operation *firstLate = nullptr;
    for (Operation &op : llvm::make_early_inc_range(topLevel())) {
      if (isInLoop(&op) && !isMarkOp(&op))
        body.push_back(&op);
      bool isLate =
          isMarkOp(&op) || isInLoop(&op) ||
          llvm::any_of(op.getResults(), [&](Value value) { return behindMarks.contains(value); });
      if (isLate && !firstLate)
        firstLate = &op;
      else if (!isLate && firstLate)
        op.moveBefore(firstLate);
    }
    Location loc = step.getLoc();
    OpBuilder b(firstLate ? firstLate : block.getTerminator());
    SmallVector<Value> expanded;
    for (const BatchArgument &argument : split)
      expanded.push_back(
          splitMicrobatches(b, step.getLoc(), argument.argument, argument.dim, microbatches));
    auto index = [&](int64_t value) {
      return arith::ConstantIndexOp::create(b, loc, value).getResult();
    };
    SmallVector<Value> inits;
    for (const Carried &each : carried)
      inits.push_back(each.init);
    auto fill = [&](OpBuilder &in, Location at, Value round, ValueRange before) {
      SmallVector<Value> ends;
      fillBody(in, body, expanded, before, round, ends);
      scf::YieldOp::create(in, at, ends);
    };
    auto loop = scf::ForOp::create(b, loc, index(0), index(microbatches), index(1), inits, fill);
    for (auto [each, result] : llvm::zip_equal(carried, loop.getResults()))
      each.finish(b, result);
    for (Operation *op : llvm::reverse(body))
      op->erase();
    step.setFunctionType(
        b.getFunctionType(block.getArgumentTypes(), block.getTerminator()->getOperandTypes()));
    step->setAttr(accumulated, b.getI64IntegerAttr(microbatches));
  }

  func::FuncOp step;
  int64_t microbatches;
  StepFlow flow;
  SmallVector<GradientOp> marks;    // one per value
  SmallVector<BatchArgument> split; // arguments whose rows are split over microbatches
  SmallVector<BlockArgument> seeds;
  llvm::MapVector<unsigned, BlockArgument>
      states; // by result: carried from microbatch to microbatch
  llvm::DenseSet<Value> inLoop, behindMarks;
  SmallVector<Carried> carried;
};

struct AccumulateGradients final : impl::AccumulateGradientsPassBase<AccumulateGradients> {
  using AccumulateGradientsPassBase::AccumulateGradientsPassBase;

  void runOnOperation() override {
    FailureOr<Config> config = getConfig(getOperation());
    if (failed(config))
      return signalPassFailure();
    int64_t microbatches = config->accumulationSteps();
    if (microbatches == 1)
      return;
    FailureOr<func::FuncOp> step = getCheckedStep(getOperation(), entry);
    if (failed(step))
      return signalPassFailure();
    if ((*step)->hasAttr(accumulated))
      return;
    // With a mean, replicated addends need no mask: only a sum over ranks would count them n times.
    if (config->batch() == BatchSemantics::Global)
      llvm::cantFail(config->set("gradients_mean", true));
    if (failed(markLocalStep(*step, *config)) || failed(Accumulation(*step, microbatches).run()))
      signalPassFailure();
  }
};

} // namespace
} // namespace ds
