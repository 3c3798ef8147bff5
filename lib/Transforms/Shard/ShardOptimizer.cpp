//===- ShardOptimizer.cpp - Shard parameters and their update -------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between steps a rank holds one block of each sharded parameter and state. This file chooses them
// and reports the result; ShardedUpdate.cpp places the update.
//
//===----------------------------------------------------------------------===//
#include "ds/Transforms/Passes.h"

#include "Prepare/CheckShardings.h"
#include "ShardedBatch.h"
#include "ShardedUpdate.h"
#include "StepLocalizer.h"
#include "Utils/Elementwise.h"
#include "Utils/RankDependence.h"
#include "Utils/StepPlan.h"

#include "ds/Dialect/IR/Roles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"

namespace ds {
#define GEN_PASS_DEF_SHARDOPTIMIZERPASS
#include "ds/Transforms/Passes.h.inc"
} // namespace ds

using namespace mlir;

namespace ds {
namespace {

//===----------------------------------------------------------------------===//
// Which arguments are sharded
//===----------------------------------------------------------------------===//

/// True if a step in hybrid_parallel shards the argument along other axes than the batch axis.
bool isShardedByHand(func::FuncOp step, ShardingAttr sharding) {
  FailureOr<Config> config = getConfig(step->getParentOfType<ModuleOp>());
  std::string batchAxis = getBatchAxis(step);
  return succeeded(config) && config->parallelMode() == ParallelMode::HybridParallel &&
         llvm::none_of(sharding.getDims(), [&](ArrayAttr axes) {
           return llvm::any_of(axes.getAsRange<StringAttr>(),
                               [&](StringAttr axis) { return axis.getValue() == batchAxis; });
         });
}

LogicalResult readMark(func::FuncOp step, BlockArgument argument, int64_t n,
                       ShardedArguments &sharded) {
  std::string batchAxis = getBatchAxis(step);
  unsigned number = argument.getArgNumber();
  auto attr = step.getArgAttrOfType<ShardingAttr>(number, role::sharding);
  if (!attr || step.getArgAttr(number, role::layout) || step.getArgAttr(number, role::batch))
    return success(); // sharded already
  if (failed(checkAxes(step, number)))
    return failure();
  StringRef name = paramOrState(step, number);
  if (step.getArgAttr(number, role::layerwiseParallel) && !isShardedByHand(step, attr))
    return step.emitError("'") << name
                               << "' is ds.layerwise_parallel, so each rank has one of its own, "
                                  "and 'ds.sharding' would have them hold shards of one";
  for (auto [dim, axes] : llvm::enumerate(attr.getDims()))
    for (auto axis : axes.getAsRange<StringAttr>()) {
      int64_t size = cast<RankedTensorType>(argument.getType()).getDimSize(dim);
      if (axis.getValue() != batchAxis) // ds-shard-axes has sharded it
        continue;
      if (size % n != 0)
        return step.emitError("'ds.sharding' shards dimension ")
               << dim << " of '" << name << "', whose " << size << " elements " << n
               << " ranks cannot divide";
      sharded[argument] = shardArgument(step, argument, dim, n, /*marked=*/true);
    }
  return success();
}

void addLargeOnes(func::FuncOp step, const Config &config, int64_t n, ShardedArguments &sharded) {
  for (const auto &[argument, how] : findLargeArguments(step, config, n))
    sharded.try_emplace(argument, how);
}

/// Returns the values that differ between ranks, such as all that depend on samples.
llvm::DenseSet<Value> findVarying(const StepFlow &flow, const ReplicaGroup &ranks) {
  func::FuncOp step = flow.step();
  RankDependence dependence(step, ranks.axes ? cast<StringAttr>(ranks.axes[0]) : StringAttr());
  llvm::DenseSet<Value> varying;
  auto add = [&](Value value) {
    if (dependence.differs(value))
      varying.insert(value);
  };
  llvm::for_each(step.getArguments(), add);
  for (Operation *op : flow.operations()) {
    llvm::for_each(op->getResults(), add);
    if (flow.isControl(op))
      for (Region &region : op->getRegions())
        llvm::for_each(region.getArguments(), add);
  }
  return varying;
}

//===----------------------------------------------------------------------===//
// When parameters are gathered
//===----------------------------------------------------------------------===//

/// Returns the operation that computes the first metric. That is the loss or computed from it, so
/// the operations after it are the backward pass.
Operation *findLoss(func::FuncOp step) {
  Operation *loss = nullptr;
  for (const StepResult &result : getStepResults(step)) {
    Operation *op = result.metric.empty() ? nullptr : result.operand->get().getDefiningOp();
    if (auto combined = dyn_cast_or_null<AllReduceOp>(op))
      op = combined->getOperand(0).getDefiningOp();
    if (op && op->getBlock() == &step.getBody().front() && (!loss || op->isBeforeInBlock(loss)))
      loss = op;
  }
  return loss;
}

/// level3: the forward and the backward pass each gather a parameter right before its first use, so
/// that neither the gathered parameter nor a transpose of it is kept between the passes.
class ReshardAfterForward {
public:
  explicit ReshardAfterForward(func::FuncOp step)
      : body(step.getBody().front()), loss(findLoss(step)) {}

  void place(const ShardedArguments &sharded) {
    SmallVector<Operation *> gathers;
    for (const auto &entry : sharded)
      for (Operation *user : entry.first.getUsers()) {
        Operation *gather = isa<tensor::ExpandShapeOp>(user) ? *user->user_begin() : user;
        auto collective = dyn_cast<CollectiveOpInterface>(gather);
        if (collective && collective.getConcatDim() && gather->getBlock() == &body)
          gathers.push_back(gather);
      }
    llvm::for_each(gathers, [&](Operation *gather) { split(gather); });
  }

private:
  bool isBehindLoss(Operation *op) const {
    return loss && loss->isBeforeInBlock(body.findAncestorOpInBlock(*op));
  }

  void split(Operation *op) {
    for (Operation *user : llvm::make_early_inc_range(op->getUsers()))
      if (user->getBlock() == &body &&
          (isPermutation(user) || isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(user)))
        split(user);
    if (llvm::any_of(op->getUsers(), [&](Operation *user) { return isBehindLoss(user); }) &&
        !llvm::all_of(op->getUsers(), [&](Operation *user) { return isBehindLoss(user); })) {
      Operation *again = OpBuilder(op).clone(*op);
      op->getResult(0).replaceUsesWithIf(
          again->getResult(0), [&](OpOperand &use) { return isBehindLoss(use.getOwner()); });
      moveToFirstUser(again);
    }
    moveToFirstUser(op);
  }

  void moveToFirstUser(Operation *op) {
    Operation *first = nullptr;
    for (Operation *user : op->getUsers())
      if (Operation *at = body.findAncestorOpInBlock(*user); !first || at->isBeforeInBlock(first))
        first = at;
    if (first)
      op->moveBefore(first);
  }

  Block &body;
  Operation *loss;
};

//===----------------------------------------------------------------------===//
// Report
//===----------------------------------------------------------------------===//

void report(const StepFlow &flow, int64_t n, const StepPlacement &placement,
            const ShardedArguments &sharded) {
  func::FuncOp step = flow.step();
  int64_t whole = 0, held = 0, scattered = 0;
  for (BlockArgument argument : step.getArguments()) {
    if (paramOrState(step, argument.getArgNumber()).empty())
      continue;
    int64_t bytes = getStoredBytes(argument);
    whole += bytes;
    held += sharded.contains(argument) ? bytes / n : bytes;
  }
  for (Operation *op : flow.operations())
    if (isa<AllReduceOp>(op) && placement.of(op->getResult(0)).isSharded())
      scattered += getWireBytes(op->getResult(0));
  remark::passed(step.getLoc(),
                 remark::RemarkOpts::name("OptimizerSharded").category("ds-shard-optimizer"))
      << "ranks hold shards of what goes from step to step"
      << remark::metric("arguments", sharded.size()) << remark::metric("bytes", held)
      << remark::metric("bytesWhole", whole) << remark::metric("bytesReduceScattered", scattered);
}

void writeAttributes(func::FuncOp step, const ShardedArguments &sharded) {
  for (const auto &[argument, how] : sharded) {
    markSharded(step, argument, how.sharding.dim);
    step.setArgAttr(argument.getArgNumber(), role::layout,
                    getLayoutAttr(step.getContext(), how.sharding));
  }
}

struct ShardOptimizer final : impl::ShardOptimizerPassBase<ShardOptimizer> {
  using ShardOptimizerPassBase::ShardOptimizerPassBase;

  void runOnOperation() override {
    FailureOr<Config> config = getConfig(getOperation());
    if (failed(config))
      return signalPassFailure();
    if (runsAlone(*config))
      return;
    func::FuncOp step = getStep(getOperation(), entry);
    if (!step)
      return signalPassFailure();
    bool isAsked = config->enableParallelOptimizer() ||
                   llvm::any_of(step.getArguments(), [&](BlockArgument argument) {
                     return step.getArgAttr(argument.getArgNumber(), role::sharding) != nullptr;
                   });
    if (isAsked && failed(shard(step, *config)))
      signalPassFailure();
  }

private:
  static LogicalResult shard(func::FuncOp step, const Config &config) {
    std::optional<ReplicaGroup> ranks = getBatchRanks(step.getContext(), config);
    if (!ranks)
      return step.emitError("a parallel optimizer needs the number of ranks; set device_num");
    ShardedArguments sharded;
    for (BlockArgument argument : step.getArguments())
      if (failed(readMark(step, argument, ranks->size, sharded)))
        return failure();
    if (config.enableParallelOptimizer())
      addLargeOnes(step, config, ranks->size, sharded);
    if (sharded.empty())
      return success();
    cloneConstantsPerUse(step);
    StepFlow flow(step);
    llvm::DenseSet<Value> varying = findVarying(flow, *ranks);
    ShardedUpdate update(flow, *ranks, varying);
    update.place(sharded);
    report(flow, ranks->size, update.placement(), sharded);
    update.writeMoves();
    localizeStep(flow, update.placement(),
                 {"ds-shard-optimizer", "every rank reads the whole parameter here"});
    if (config.optimizerLevel() == OptimizerLevel::Level3)
      ReshardAfterForward(step).place(sharded);
    writeAttributes(step, sharded);
    return success();
  }
};

} // namespace
} // namespace ds
