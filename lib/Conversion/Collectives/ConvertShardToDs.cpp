//===- ConvertShardToDs.cpp - Shardings of upstream's shard dialect -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Axis i of a grid is axis i of the mesh of ds.config, whose names appear in shardings of ds. The
// sharding of a parameter becomes its attribute, that of another value a constraint.
//
//===----------------------------------------------------------------------===//
#include "AnnotatedShardings.h"

#include "ds/Conversion/Collectives/Passes.h"
#include "ds/Dialect/IR/Ds.h"
#include "ds/Dialect/IR/Roles.h"

#include "mlir/Dialect/Shard/IR/ShardDialect.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/IR/SymbolTable.h"

namespace ds {
#define GEN_PASS_DEF_CONVERTSHARDTODSPASS
#include "ds/Conversion/Collectives/Passes.h.inc"
} // namespace ds

using namespace mlir;

/// Checks that the grid has the shape of the mesh in the configuration.
static LogicalResult checkGrid(shard::GridOp grid, ArrayRef<ds::MeshAxis> mesh) {
  if (mesh.empty())
    return grid.emitError("the axes of a grid have no names; expected a 'mesh' of its shape in "
                          "'ds.config', as in mesh=[dp=2, tp=2]");
  SmallVector<int64_t> sizes;
  for (const ds::MeshAxis &axis : mesh)
    sizes.push_back(axis.size);
  if (grid.getShape() == ArrayRef<int64_t>(sizes))
    return success();
  InFlightDiagnostic diag = grid.emitError("the grid is ");
  llvm::interleave(grid.getShape(), diag, [&](int64_t size) { diag << size; }, "x");
  diag << ", expected the shape of 'mesh' in 'ds.config', ";
  llvm::interleave(sizes, diag, [&](int64_t size) { diag << size; }, "x");
  return diag;
}

/// Returns the names of the axes for each dimension of a tensor.
static FailureOr<ds::ShardingAttr> shardingOf(shard::ShardOp op, ArrayRef<ds::MeshAxis> mesh) {
  auto sharding = op.getSharding().getDefiningOp<shard::ShardingOp>();
  if (!sharding)
    return op.emitOpError("has a sharding that is computed; expected one of 'shard.sharding'");
  if (!sharding.getStaticHaloSizes().empty() || !sharding.getDynamicHaloSizes().empty())
    return sharding.emitOpError("has halos, which ds does not have; expected equal blocks");
  if (!sharding.getStaticShardedDimsOffsets().empty() ||
      !sharding.getDynamicShardedDimsOffsets().empty())
    return sharding.emitOpError("has shards of given sizes; expected equal blocks");
  Builder builder(op.getContext());
  int64_t rank = op.getSrc().getType().getRank();
  SmallVector<ArrayAttr> dims;
  for (DenseI16ArrayAttr axes : sharding.getSplitAxes().getAxes()) {
    SmallVector<StringRef> names;
    for (int16_t axis : axes.asArrayRef())
      names.push_back(mesh[axis].name);
    dims.push_back(builder.getStrArrayAttr(names));
  }
  if (static_cast<int64_t>(dims.size()) > rank)
    return op.emitOpError("shards ") << dims.size() << " dimensions of a " << op.getType();
  dims.resize(rank, builder.getArrayAttr({}));
  return ds::ShardingAttr::get(op.getContext(), dims);
}

LogicalResult ds::setSharding(FunctionOpInterface function, unsigned argument,
                              ShardingAttr sharding, Operation *at) {
  Attribute known = function.getArgAttr(argument, role::sharding);
  if (known && known != sharding)
    return at->emitOpError("shards argument ")
           << argument + 1 << " as " << sharding << ", which has " << known;
  function.setArgAttr(argument, role::sharding, sharding);
  return success();
}

static LogicalResult convert(shard::ShardOp op, ds::ShardingAttr sharding) {
  auto argument = dyn_cast<BlockArgument>(op.getSrc());
  auto function =
      argument ? dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp()) : nullptr;
  // A sharding for some users does not describe how the parameter is stored.
  if (function && !op.getAnnotateForUsers() &&
      function.getArgAttr(argument.getArgNumber(), ds::role::param)) {
    if (failed(ds::setSharding(function, argument.getArgNumber(), sharding, op)))
      return failure();
    op.replaceAllUsesWith(op.getSrc());
  } else {
    OpBuilder builder(op);
    op.replaceAllUsesWith(
        ds::ShardingConstraintOp::create(builder, op.getLoc(), op.getType(), op.getSrc(), sharding)
            .getResult());
  }
  op.erase();
  return success();
}

namespace {
struct ConvertShardToDs final : ds::impl::ConvertShardToDsPassBase<ConvertShardToDs> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    std::vector<ds::MeshAxis> mesh = ds::getMesh(module);
    SmallVector<shard::ShardOp> annotations;
    SmallVector<Operation *> rest; // erased once they have no uses
    WalkResult walked = module.walk([&](Operation *op) {
      if (auto annotation = dyn_cast<shard::ShardOp>(op))
        annotations.push_back(annotation);
      else if (isa<shard::ShardingOp>(op))
        rest.push_back(op);
      else if (auto grid = dyn_cast<shard::GridOp>(op)) {
        rest.push_back(op);
        if (failed(checkGrid(grid, mesh)))
          return WalkResult::interrupt();
      } else if (isa_and_present<shard::ShardDialect>(op->getDialect())) {
        op->emitOpError("is no annotation; expected 'shard.sharding' and 'shard.shard', as a step "
                        "for one device has them");
        return WalkResult::interrupt();
      }
      return WalkResult::advance();
    });
    if (walked.wasInterrupted())
      return signalPassFailure();
    for (shard::ShardOp op : annotations) {
      FailureOr<ds::ShardingAttr> sharding = shardingOf(op, mesh);
      if (failed(sharding) || failed(convert(op, *sharding)))
        return signalPassFailure();
    }
    // Shardings first, since they name the grids.
    llvm::sort(rest, [](Operation *a, Operation *b) {
      return isa<shard::ShardingOp>(a) && !isa<shard::ShardingOp>(b);
    });
    for (Operation *op : rest)
      op->erase();
    if (failed(ds::convertSdy(module, mesh)))
      signalPassFailure();
  }
};
} // namespace
