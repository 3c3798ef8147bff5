//===- ConvertDsToShard.cpp - Collectives in upstream's shard dialect -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mesh of ds.config becomes a grid, which numbers ranks as ds does: the last axis is the
// fastest. An operation of shard has one operand, so each operand of a collective becomes an
// operation.
//
//===----------------------------------------------------------------------===//
#include "Utils/Groups.h"
#include "ds/Conversion/Collectives/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Shard/IR/ShardDialect.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/IR/SymbolTable.h"

namespace ds {
#define GEN_PASS_DEF_CONVERTDSTOSHARDPASS
#include "ds/Conversion/Collectives/Passes.h.inc"
} // namespace ds

using namespace mlir;

static shard::ReductionKind kindOf(ds::ReductionKind kind) {
  switch (kind) {
  case ds::ReductionKind::Sum:
    return shard::ReductionKind::Sum;
  case ds::ReductionKind::Mean:
    return shard::ReductionKind::Average;
  case ds::ReductionKind::Max:
    return shard::ReductionKind::Max;
  case ds::ReductionKind::Min:
    return shard::ReductionKind::Min;
  case ds::ReductionKind::Prod:
    return shard::ReductionKind::Product;
  case ds::ReductionKind::And:
    return shard::ReductionKind::BitwiseAnd;
  case ds::ReductionKind::Or:
    return shard::ReductionKind::BitwiseOr;
  }
  llvm_unreachable("all kinds are handled");
}

/// Returns by how many members a cyclic rotation moves each value; none if the permutation is no
/// rotation.
static std::optional<int64_t> rotationOf(ArrayRef<int64_t> sources) {
  int64_t members = sources.size();
  for (auto [member, source] : llvm::enumerate(sources))
    if (source < 0 || (source - sources[0] - int64_t(member)) % members != 0)
      return std::nullopt;
  return (members - sources[0]) % members;
}

namespace {

class Converter {
public:
  Converter(ModuleOp module, ArrayRef<ds::MeshAxis> mesh) : mesh(mesh) {
    SmallVector<int64_t> shape;
    for (const ds::MeshAxis &axis : mesh)
      shape.push_back(axis.size);
    OpBuilder builder(module.getContext());
    auto op = shard::GridOp::create(builder, module.getLoc(), "mesh", shape);
    // Renames the grid if another symbol has its name.
    grid = FlatSymbolRefAttr::get(SymbolTable(module).insert(op, module.getBody()->begin()));
  }

  LogicalResult convert(Operation *op) {
    OpBuilder builder(op);
    Location loc = op->getLoc();
    if (isa<ds::RankOp>(op)) {
      replace(op, shard::ProcessLinearIndexOp::create(builder, loc, grid.getValue()).getResult());
      return success();
    }
    if (isa<ds::NumRanksOp>(op)) {
      int64_t ranks = 1;
      for (const ds::MeshAxis &axis : mesh)
        ranks *= axis.size;
      replace(op, arith::ConstantIndexOp::create(builder, loc, ranks).getResult());
      return success();
    }
    if (isa<ds::BarrierOp>(op) || cast<ds::CollectiveOpInterface>(op).isInFlight())
      return op->emitOpError("has no counterpart in the shard dialect, whose collectives neither "
                             "start nor wait; expected --convert-ds-to-calls");
    if (failed(ds::requireTensors(op)))
      return failure();
    FailureOr<DenseI16ArrayAttr> axes = axesOf(op);
    if (failed(axes))
      return failure();
    auto collective = cast<ds::CollectiveOpInterface>(op);
    SmallVector<Value> results;
    for (auto [value, result] :
         llvm::zip_equal(collective.getRead().getAsOperandRange(), op->getResults())) {
      Value made = create(builder, op, value, result.getType(), *axes);
      if (!made)
        return failure();
      results.push_back(made);
    }
    replace(op, results);
    return success();
  }

private:
  static void replace(Operation *op, ValueRange values) {
    op->replaceAllUsesWith(values);
    op->erase();
  }

  /// Returns the axes of a collective's group, in the order of the mesh.
  FailureOr<DenseI16ArrayAttr> axesOf(Operation *op) {
    Attribute group = op->getAttr("group");
    auto names = dyn_cast_if_present<ArrayAttr>(group);
    if (group && !names)
      return op->emitOpError("meets in the group ")
             << group
             << ", but ranks of the shard dialect meet along axes; expected all ranks, names of "
                "axes, or --convert-ds-to-calls";
    SmallVector<int16_t> axes;
    for (auto [i, axis] : llvm::enumerate(mesh))
      if (!names || llvm::is_contained(names, StringAttr::get(op->getContext(), axis.name)))
        axes.push_back(i);
    if (names && axes.size() != names.size())
      return op->emitOpError() << "meets along " << names << ", which the mesh does not have";
    return DenseI16ArrayAttr::get(op->getContext(), axes);
  }

  /// Creates the operation for one operand; null after an error.
  Value create(OpBuilder &builder, Operation *op, Value value, Type result,
               DenseI16ArrayAttr axes) {
    Location loc = op->getLoc();
    auto index = [&](int64_t dim) { return builder.getIndexAttr(dim); };
    if (auto reduce = dyn_cast<ds::AllReduceOp>(op))
      return shard::AllReduceOp::create(builder, loc, result, grid, axes, value, kind(reduce));
    if (auto scatter = dyn_cast<ds::ReduceScatterOp>(op))
      return shard::ReduceScatterOp::create(builder, loc, result, grid, axes, value, kind(scatter),
                                            index(scatter.getDim()));
    if (auto gather = dyn_cast<ds::AllGatherOp>(op))
      return shard::AllGatherOp::create(builder, loc, result, grid, axes, value,
                                        index(gather.getDim()));
    if (auto exchange = dyn_cast<ds::AllToAllOp>(op))
      return shard::AllToAllOp::create(builder, loc, result, grid, axes, value,
                                       index(exchange.getSplit()), index(exchange.getConcat()));
    if (auto broadcast = dyn_cast<ds::BroadcastOp>(op))
      return shard::BroadcastOp::create(builder, loc, result, grid, axes, value,
                                        rootOf(broadcast, axes), ValueRange());
    auto permute = cast<ds::CollectivePermuteOp>(op);
    std::optional<int64_t> rotation = rotationOf(permute.getSources());
    if (!rotation || axes.size() != 1) {
      op->emitOpError("is no rotation along one axis, which is what the shard dialect has; "
                      "expected --convert-ds-to-calls");
      return {};
    }
    return shard::ShiftOp::create(builder, loc, result, grid, axes, value,
                                  index(axes.asArrayRef().front()),
                                  builder.getI64IntegerAttr(*rotation), builder.getUnitAttr());
  }

  template <typename Reduction> static shard::ReductionKindAttr kind(Reduction op) {
    return shard::ReductionKindAttr::get(op.getContext(), kindOf(op.getKind()));
  }

  /// Returns the coordinates of a root along the axes.
  DenseI64ArrayAttr rootOf(ds::BroadcastOp op, DenseI16ArrayAttr axes) {
    int64_t number = op.getRoot();
    SmallVector<int64_t> coordinates;
    for (int16_t axis : llvm::reverse(axes.asArrayRef())) {
      coordinates.push_back(number % mesh[axis].size);
      number /= mesh[axis].size;
    }
    std::reverse(coordinates.begin(), coordinates.end());
    return DenseI64ArrayAttr::get(op.getContext(), coordinates);
  }

  ArrayRef<ds::MeshAxis> mesh;
  FlatSymbolRefAttr grid;
};

struct ConvertDsToShard final : ds::impl::ConvertDsToShardPassBase<ConvertDsToShard> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(ds::expandRanksAlongAxes(module)))
      return signalPassFailure();
    SmallVector<Operation *> ops = ds::findRankOps(module);
    if (ops.empty())
      return;
    std::vector<ds::MeshAxis> mesh = ds::getMesh(module);
    if (mesh.empty()) {
      std::optional<int64_t> ranks = ds::getGroupSize(module, Attribute());
      if (!ranks) {
        module.emitError("a grid needs the number of ranks; expected 'device_num' or 'mesh' in "
                         "'ds.config'");
        return signalPassFailure();
      }
      mesh.push_back({"dp", *ranks});
    }
    Converter converter(module, mesh);
    for (Operation *op : ops)
      if (failed(converter.convert(op)))
        return signalPassFailure();
  }
};

} // namespace
