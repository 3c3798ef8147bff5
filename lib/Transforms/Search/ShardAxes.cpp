//===- ShardAxes.cpp - Shard a step over the axes of the mesh -------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shards over one axis after another, the last one first. To the next axis, the remaining step is
// an ordinary step on smaller shapes, in which collectives over other axes are functions like
// others (Rules/Ds.cpp). So every rule, the cut and the localisation know a single axis. The first
// axis shards the batch, and is left to later passes.
//
//===----------------------------------------------------------------------===//
#include "ds/Rewrite/MaskReplicated.h"
#include "ds/Transforms/Passes.h"

#include "Prepare/CheckShardings.h"
#include "Shard/PermuteShards.h"
#include "Shard/ShardedBatch.h"
#include "Shard/StepLocalizer.h"
#include "ShardAxes.h"
#include "Utils/CreateAllReduce.h"
#include "Utils/StepPlan.h"

#include "ds/Dialect/IR/Roles.h"
#include "ds/Rewrite/InsertReshards.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"

namespace ds {
#define GEN_PASS_DEF_SHARDAXESPASS
#include "ds/Transforms/Passes.h.inc"
} // namespace ds

using namespace mlir;

namespace ds {
namespace {

/// The warning for an operation that every rank of an axis computes as a whole. It is dropped if
/// the gather of its operand is replaced.
struct Unsharded {
  Location loc;
  Attribute group;
  std::string text;
};

/// Shards a step over one axis, as it is annotated.
class AxisSharder {
public:
  /// `done` are the axes that have sharded the step before. `search` adds shardings to the
  /// annotations of the step; it may be null.
  AxisSharder(func::FuncOp step, const MeshAxis &axis, ArrayRef<MeshAxis> done,
              ShardingSearch *search, SmallVectorImpl<Unsharded> &unsharded)
      : step(step), name(axis.name), done(done), search(search), unsharded(unsharded),
        ranks(axis.size, Builder(step.getContext()).getStrArrayAttr({axis.name})) {
    ranks.dividesBatch = false;
  }

  LogicalResult run() {
    cloneConstantsPerUse(step);
    if (search)
      search->assign(ranks);
    readMarks();
    if (!search)
      followWithStates();
    FailureOr<int64_t> bytes = insertAllReduces();
    if (failed(bytes) || failed(localize()))
      return failure();
    expandReplicatedToPartial(step); // the next axis sees an ordinary select
    remark::passed(step.getLoc(), remark::RemarkOpts::name("AxisSharded").category("ds-shard-axes"))
        << "sharded over" << name << remark::metric("ranks", ranks.size)
        << remark::metric("arguments", boundary.arguments.size())
        << remark::metric("bytesAllReduced", *bytes);
    return success();
  }

private:
  void readMarks() {
    for (BlockArgument argument : step.getArguments())
      if (auto attr = step.getArgAttrOfType<ShardingAttr>(argument.getArgNumber(), role::sharding))
        if (std::optional<Sharding> sharding = getSharding(attr, argument, ranks))
          boundary.arguments[argument] = *sharding;
    for (const StepResult &result : getStepResults(step)) {
      BlockArgument updated = result.parameter ? result.parameter : result.state;
      if (auto it = boundary.arguments.find(updated); updated && it != boundary.arguments.end())
        boundary.results[result.index] = it->second;
    }
  }

  /// Shards a state without an annotation as the parameter with which it is updated, so that its
  /// new value need not be gathered.
  void followWithStates() {
    for (bool changed = true; changed;) {
      changed = false;
      StepFlow flow(step);
      StepPlacement placement = placeStep(flow, ranks, boundary);
      for (const StepResult &result : getStepResults(step)) {
        Placement made = placement.of(result.operand->get());
        if (!result.state || !made.isSharded() || boundary.arguments.contains(result.state) ||
            saysSomething(result.state))
          continue;
        ShardingAttr like = findLike(result.state, made.sharding);
        if (!like)
          continue;
        step.setArgAttr(result.state.getArgNumber(), role::sharding, like);
        boundary.arguments[result.state] = made.sharding;
        boundary.results[result.index] = made.sharding;
        changed = true;
      }
    }
  }

  /// True if the argument has a sharding that does not leave every dimension open.
  bool saysSomething(BlockArgument argument) {
    auto mark = step.getArgAttrOfType<ShardingAttr>(argument.getArgNumber(), role::sharding);
    return mark && (mark.getOpen().size() < mark.getDims().size() ||
                    llvm::any_of(mark.getDims(), [](ArrayAttr axes) { return !axes.empty(); }));
  }

  /// Returns the annotation of a parameter of the same shape with this sharding. Parameters that an
  /// earlier axis has sharded do not count, since that axis has not sharded the state.
  ShardingAttr findLike(BlockArgument state, const Sharding &sharding) const {
    func::FuncOp function = step; // its accessors are not const
    for (BlockArgument argument : function.getArguments()) {
      auto known = boundary.arguments.find(argument);
      if (known == boundary.arguments.end() || known->second != sharding ||
          getShape(argument) != getShape(state) ||
          !function.getArgAttr(argument.getArgNumber(), role::param))
        continue;
      auto mark = function.getArgAttrOfType<ShardingAttr>(argument.getArgNumber(), role::sharding);
      if (llvm::none_of(mark.getDims(), [&](ArrayAttr axes) {
            return llvm::any_of(axes.getAsRange<StringAttr>(), [&](StringAttr axis) {
              return llvm::any_of(done, [&](auto &other) { return other.name == axis.getValue(); });
            });
          }))
        return mark;
    }
    return {};
  }

  static ArrayRef<int64_t> getShape(Value value) {
    return cast<ShapedType>(value.getType()).getShape();
  }

  /// Inserts the all-reduces of this axis; returns the bytes that they reduce in each step.
  FailureOr<int64_t> insertAllReduces() {
    StepFlow flow(step);
    FailureOr<ReductionPlan> plan =
        planSharded(flow, ranks, boundary, search ? CutAt::Uses : CutAt::FewestBytes);
    if (failed(plan))
      return failure();
    if (unfuseSums(*plan))
      return insertAllReduces();
    maskReplicated(flow, *plan);
    writeAllReduces(*plan, Purpose::Activation); // the next layer waits for the result
    planned = std::move(*plan);
    return planned.bytes;
  }

  LogicalResult localize() {
    StepFlow flow(step);
    boundary.decided = std::move(planned.placement.decided);
    StepPlacement placement = placeStep(flow, ranks, boundary);
    if (auto changed = findChanged(flow, planned, placement))
      return changed->op->emitError(changed->reason);
    if (failed(checkPlaced(flow, placement)))
      return failure();
    for (const PlacementConflict &conflict : placement.unsharded) {
      Unsharded &said =
          unsharded.emplace_back(Unsharded{conflict.op->getLoc(), Attribute(ranks.axes), {}});
      llvm::raw_string_ostream(said.text)
          << "every rank of axis '" << name << "' computes all of this: " << conflict.reason << "; "
          << getGatheredBytes(flow, placement, conflict.op)
          << " bytes are gathered for it in each step";
    }
    propagateBackward(flow, placement);
    if (search)
      search->check(flow, placement);
    insertReshards(flow, placement);
    localizeStep(flow, placement,
                 {"ds-shard-axes", "all of it is read here, so all ranks of the axis get it"});
    return success();
  }

  func::FuncOp step;
  StringRef name;
  ArrayRef<MeshAxis> done;
  ShardingSearch *search;
  SmallVectorImpl<Unsharded> &unsharded;
  ReplicaGroup ranks;
  StepBoundary boundary;
  ReductionPlan planned;
};

/// Expands the `ds.replicated_to_partial` of the first axis (`ds-detect-gradients` writes them in
/// `local`): to the other axes each is an ordinary select.
void expandReplicatedToPartialOfBatch(func::FuncOp step) {
  ArrayAttr axes = Builder(step.getContext()).getStrArrayAttr({getBatchAxis(step)});
  step.walk([&](ReplicatedToPartialOp once) {
    if (!once.getGroup())
      once.setGroupAttr(axes);
  });
  expandReplicatedToPartial(step);
}

/// Erases the sharding constraints and closes the open dimensions of arguments: every axis has
/// sharded what was left open to it.
void eraseShardMarks(func::FuncOp step) {
  for (unsigned i = 0; i < step.getNumArguments(); ++i)
    if (auto mark = step.getArgAttrOfType<ShardingAttr>(i, role::sharding);
        mark && !mark.getOpen().empty())
      step.setArgAttr(i, role::sharding, mark.closed());
  SmallVector<ShardingConstraintOp> marks;
  step.walk([&](ShardingConstraintOp mark) { marks.push_back(mark); });
  for (ShardingConstraintOp mark : marks) {
    mark.getResult().replaceAllUsesWith(mark.getValue());
    mark.erase();
  }
}

bool gathersAt(func::FuncOp step, Location loc, Attribute group) {
  return step
      .walk([&](CollectiveOpInterface op) {
        return op.isGather() && op.getLoc() == loc && op.getRanks() == group
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Emits the warnings whose gather is still in the step. A gather has the location of the operation
/// that needs it.
void warn(func::FuncOp step, ArrayRef<Unsharded> unsharded, ArrayRef<ReplacedGather> replaced) {
  for (const Unsharded &said : unsharded) {
    bool isReplaced = llvm::any_of(replaced, [&](const ReplacedGather &gather) {
      return gather.loc == said.loc && gather.group == said.group;
    });
    if (!isReplaced || gathersAt(step, said.loc, said.group))
      emitWarning(said.loc) << said.text;
  }
}

bool hasShardMarks(ModuleOp module) {
  return module.walk([](ShardingConstraintOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

struct ShardAxesPass final : impl::ShardAxesPassBase<ShardAxesPass> {
  using ShardAxesPassBase::ShardAxesPassBase;

  void runOnOperation() override {
    if (failed(run(getOperation())))
      signalPassFailure();
  }

private:
  LogicalResult run(ModuleOp module) {
    FailureOr<Config> config = getConfig(module);
    if (failed(config))
      return failure();
    std::vector<MeshAxis> mesh = config->mesh();
    bool searches =
        config->parallelMode() == ParallelMode::AutoParallel && config->deviceNum().value_or(1) > 1;
    if (!searches && mesh.size() < 2 && !hasShardMarks(module) && !config->fullBatch())
      return success();
    func::FuncOp step = getStep(module, entry);
    if (!step || failed(takeMarksOfResults(step)))
      return failure();
    if (config->parallelMode() == ParallelMode::HybridParallel) {
      expandReplicatedToPartialOfBatch(step); // the other axes are sharded by hand
      return success();
    }
    if (config->parallelMode() == ParallelMode::StandAlone)
      mesh.clear();
    else if (failed(checkShardings(step)))
      return failure();
    return searches ? shardBySearch(module, entry, *config) : shardAxes(step, mesh, nullptr);
  }
};

} // namespace

LogicalResult shardAxes(func::FuncOp step, ArrayRef<MeshAxis> mesh, ShardingSearch *search) {
  if (mesh.size() > 1)
    expandReplicatedToPartialOfBatch(step);
  SmallVector<Unsharded> unsharded;
  for (size_t i = mesh.size(); i-- > 1;)
    if (mesh[i].size > 1 &&
        failed(AxisSharder(step, mesh[i], mesh.drop_front(i + 1), search, unsharded).run())) {
      warn(step, unsharded, {});
      return failure();
    }
  eraseShardMarks(step);
  warn(step, unsharded, permuteShards(step));
  return success();
}

} // namespace ds
