//===- PrepareHybrid.cpp - A step that is sharded by hand -----------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Such a step has the form that ds-shard-axes produces: an ordinary step on the shapes of one rank,
// with collectives over axes other than the first. The pass only checks that ranks agree where they
// must.
//
//===----------------------------------------------------------------------===//

#include "CheckShardings.h"
#include "Utils/RankDependence.h"

#include "ds/Analysis/StepRoles.h"
#include "ds/Dialect/IR/Roles.h"
#include "ds/Transforms/Passes.h"

namespace ds {
#define GEN_PASS_DEF_PREPAREHYBRIDPASS
#include "ds/Transforms/Passes.h.inc"
} // namespace ds

using namespace mlir;

namespace ds {
namespace {

/// Checks that the group of `op` names axes of the mesh other than the one that shards the batch.
LogicalResult checkGroup(Operation *op, ArrayRef<MeshAxis> mesh, StringRef batchAxis) {
  Attribute group = op->getAttr("group");
  auto axes = dyn_cast_if_present<ArrayAttr>(group);
  if (!axes) {
    InFlightDiagnostic diag = op->emitError("expected axes of the mesh in 'group', got ");
    return group ? diag << group : diag << "all ranks";
  }
  for (auto axis : axes.getAsRange<StringAttr>()) {
    if (axis.getValue() == batchAxis)
      return op->emitError("'")
             << batchAxis
             << "' shards the batch, and what ranks along it compute apart is combined by the "
                "compiler; use ds.combine where they are to meet";
    if (llvm::none_of(mesh, [&](const MeshAxis &known) { return known.name == axis.getValue(); }))
      return op->emitError("expected axes of the mesh in 'group', got ") << axes;
  }
  return success();
}

LogicalResult checkOperations(func::FuncOp step) {
  std::vector<MeshAxis> mesh = getMesh(step);
  std::string batchAxis = getBatchAxis(step);
  auto check = [&](Operation *op) {
    if (isa<ShardingConstraintOp>(op)) {
      op->emitError("a mark shards nothing in hybrid_parallel, where the step itself is sharded; "
                    "use ds.all_gather, ds.all_to_all, ds.collective_permute or a slice, or "
                    "semi_auto_parallel");
      return WalkResult::interrupt();
    }
    bool isOfRanks = isa<RankOp>(op) || isCollective(op);
    return isOfRanks ? WalkResult(checkGroup(op, mesh, batchAxis)) : WalkResult::advance();
  };
  return failure(step.walk(check).wasInterrupted());
}

/// Gives collectives that reduce no gradient the purpose of activations: later layers wait for
/// them, so they must not wait for a bucket.
void setPurposes(func::FuncOp step) {
  step.walk([](Operation *op) {
    auto combined = dyn_cast<CollectiveOpInterface>(op);
    if (combined && combined.getKind() && combined.getPurpose() == Purpose::Gradient &&
        combined.getNames().empty())
      op->setAttr("purpose", PurposeAttr::get(op->getContext(), Purpose::Activation));
  });
}

bool isShardedOver(func::FuncOp step, BlockArgument argument, StringAttr axis) {
  auto sharding = step.getArgAttrOfType<ShardingAttr>(argument.getArgNumber(), role::sharding);
  return sharding && llvm::any_of(sharding.getDims(),
                                  [&](ArrayAttr axes) { return llvm::is_contained(axes, axis); });
}

LogicalResult checkResults(func::FuncOp step, const Config &config, StringAttr axis) {
  RankDependence dependence(step, axis);
  for (const StepResult &result : getStepResults(step)) {
    Value value = result.operand->get();
    BlockArgument updated = result.parameter ? result.parameter : result.state;
    bool mayDiffer = updated && (isShardedOver(step, updated, axis) ||
                                 isOfEachRank(step, updated.getArgNumber()) ||
                                 (result.state && config.localState() == LocalState::PerRank));
    if (!mayDiffer && dependence.differs(value))
      return emitError(value.getLoc(), "result #")
             << result.index << " differs from rank to rank along '" << axis.getValue()
             << "', over which no 'ds.sharding' shards it; combine what it is made of by a "
                "collective over "
             << ArrayAttr::get(step.getContext(), axis) << ", or mark the argument that it updates";
  }
  return success();
}

struct PrepareHybrid final : impl::PrepareHybridPassBase<PrepareHybrid> {
  using PrepareHybridPassBase::PrepareHybridPassBase;

  void runOnOperation() override {
    FailureOr<Config> config = getConfig(getOperation());
    if (failed(config))
      return signalPassFailure();
    if (config->parallelMode() != ParallelMode::HybridParallel)
      return;
    func::FuncOp step = getStep(getOperation(), entry);
    if (!step || failed(checkOperations(step)))
      return signalPassFailure();
    setPurposes(step);
    for (unsigned i = 0; i < step.getNumArguments(); ++i)
      if (failed(checkAxes(step, i)))
        return signalPassFailure();
    std::vector<MeshAxis> mesh = config->mesh();
    for (size_t i = 1; i < mesh.size(); ++i)
      if (mesh[i].size > 1 &&
          failed(checkResults(step, *config, StringAttr::get(&getContext(), mesh[i].name))))
        return signalPassFailure();
  }
};

} // namespace
} // namespace ds
