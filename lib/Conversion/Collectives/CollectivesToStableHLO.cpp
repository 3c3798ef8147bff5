//===- CollectivesToStableHLO.cpp - Collectives of StableHLO ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations are created by name, so that ds does not depend on StableHLO: if the dialect is not
// registered, they print in the generic form. Ranks are replicas, and groups are written out as
// lists of them.
//
//===----------------------------------------------------------------------===//
#include "Utils/Groups.h"
#include "ds/Conversion/Collectives/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <map>

namespace ds {
#define GEN_PASS_DEF_COLLECTIVESTOSTABLEHLOPASS
#include "ds/Conversion/Collectives/Passes.h.inc"
} // namespace ds

using namespace mlir;

/// Returns the name of the operation that reduces; empty for a mean.
static StringRef nameOf(ds::ReductionKind kind) {
  switch (kind) {
  case ds::ReductionKind::Sum:
    return "stablehlo.add";
  case ds::ReductionKind::Max:
    return "stablehlo.maximum";
  case ds::ReductionKind::Min:
    return "stablehlo.minimum";
  case ds::ReductionKind::Prod:
    return "stablehlo.multiply";
  case ds::ReductionKind::And:
    return "stablehlo.and";
  case ds::ReductionKind::Or:
    return "stablehlo.or";
  case ds::ReductionKind::Mean:
    return "";
  }
  llvm_unreachable("all kinds are handled");
}

/// Returns lists of ranks of one length as a matrix, the form of StableHLO.
static DenseIntElementsAttr matrixOf(MLIRContext *context, ArrayRef<SmallVector<int64_t>> rows) {
  SmallVector<int64_t> numbers;
  for (ArrayRef<int64_t> row : rows)
    llvm::append_range(numbers, row);
  int64_t columns = rows.empty() ? 0 : rows.front().size();
  auto type = RankedTensorType::get({static_cast<int64_t>(rows.size()), columns},
                                    IntegerType::get(context, 64));
  return DenseIntElementsAttr::get(type, numbers);
}

/// Returns the replica groups of a collective; emits an error and fails if the number of ranks is
/// not known.
static FailureOr<SmallVector<SmallVector<int64_t>>> groupsOf(Operation *op) {
  Attribute group = op->getAttr("group");
  auto axes = dyn_cast_if_present<ArrayAttr>(group);
  std::optional<SmallVector<ds::AxisDigit>> digits = SmallVector<ds::AxisDigit>();
  if (axes)
    digits = ds::getAxisDigits(op, axes);
  if (!digits)
    return op->emitOpError() << "meets along " << axes << ", which the mesh does not have";
  std::optional<int64_t> ranks = ds::getGroupSize(op, Attribute());
  if (!ranks)
    return op->emitOpError("needs the number of ranks to list them; expected 'device_num' in "
                           "'ds.config'");
  if (auto listed = dyn_cast_if_present<DenseI64ArrayAttr>(group)) {
    // StableHLO would need the other replicas to be in a group, too.
    if (listed.size() != *ranks)
      return op->emitOpError("meets in the group ")
             << group << ", but all replicas meet in StableHLO; expected all " << *ranks
             << " ranks, names of axes, or --convert-ds-to-calls";
    return SmallVector<SmallVector<int64_t>>{SmallVector<int64_t>(listed.asArrayRef())};
  }
  // Keyed by the member with coordinate 0 along the axes; without axes all ranks are one group.
  std::map<int64_t, SmallVector<int64_t>> members;
  for (int64_t rank = 0; rank < *ranks; ++rank) {
    int64_t first = axes ? rank : 0;
    for (const ds::AxisDigit &digit : *digits)
      first -= rank / digit.stride % digit.size * digit.stride;
    members[first].push_back(rank);
  }
  SmallVector<SmallVector<int64_t>> groups;
  for (auto &[first, group] : members)
    groups.push_back(group);
  return groups;
}

namespace {

class Converter {
public:
  explicit Converter(Operation *op) : op(op), builder(op), loc(op->getLoc()) {}

  LogicalResult convert() {
    if (isa<ds::RankOp>(op)) {
      auto scalar = [&](Type type) { return RankedTensorType::get({}, type); };
      Operation *id = make("stablehlo.replica_id", {},
                           scalar(builder.getIntegerType(32, /*isSigned=*/false)), {});
      Operation *wide =
          make("stablehlo.convert", id->getResult(0), scalar(builder.getI64Type()), {});
      Value number = tensor::ExtractOp::create(builder, loc, wide->getResult(0), ValueRange());
      replace(arith::IndexCastOp::create(builder, loc, builder.getIndexType(), number).getResult());
      return success();
    }
    if (isa<ds::NumRanksOp>(op)) {
      std::optional<int64_t> ranks = ds::getGroupSize(op, Attribute());
      if (!ranks)
        return op->emitOpError("is no constant; expected 'device_num' in 'ds.config'");
      replace(arith::ConstantIndexOp::create(builder, loc, *ranks).getResult());
      return success();
    }
    auto collective = cast<ds::CollectiveOpInterface>(op);
    if (isa<ds::BarrierOp>(op) || collective.isInFlight())
      return op->emitOpError("has no counterpart in StableHLO, whose collectives neither start nor "
                             "wait; expected --convert-ds-to-calls");
    if (failed(ds::requireTensors(op)))
      return failure();
    if (std::optional<ds::ReductionKind> kind = collective.getKind(); kind && nameOf(*kind).empty())
      return op->emitOpError("reduces to a mean, which StableHLO does not have; expected a sum, as "
                             "ds-apply-mean makes it");
    FailureOr<SmallVector<SmallVector<int64_t>>> groups = groupsOf(op);
    if (failed(groups))
      return failure();
    ValueRange read = collective.getRead().getAsOperandRange();
    // The other operations of StableHLO take one value, so each operand becomes one operation.
    if (isa<ds::AllReduceOp, ds::AllGatherOp, ds::AllToAllOp>(op)) {
      replace(create(read, op->getResultTypes(), *groups)->getResults());
      return success();
    }
    SmallVector<Value> results;
    for (auto [value, type] : llvm::zip_equal(read, op->getResultTypes()))
      results.push_back(create(value, type, *groups)->getResult(0));
    replace(results);
    return success();
  }

private:
  Operation *create(ValueRange values, TypeRange results, ArrayRef<SmallVector<int64_t>> groups) {
    MLIRContext *context = op->getContext();
    auto number = [&](int64_t value) { return builder.getI64IntegerAttr(value); };
    NamedAttrList attributes;
    if (auto permute = dyn_cast<ds::CollectivePermuteOp>(op)) {
      SmallVector<SmallVector<int64_t>> pairs;
      for (ArrayRef<int64_t> group : groups)
        for (auto [member, source] : llvm::enumerate(permute.getSources()))
          if (source >= 0)
            pairs.push_back({group[source], group[member]});
      attributes.append("source_target_pairs", matrixOf(context, pairs));
      return make("stablehlo.collective_permute", values, results, attributes);
    }
    attributes.append("replica_groups", matrixOf(context, groups));
    if (auto broadcast = dyn_cast<ds::BroadcastOp>(op)) {
      attributes.set("replica_groups", matrixOf(context, fromRoot(broadcast, groups)));
      return make("stablehlo.collective_broadcast", values, results, attributes);
    }
    if (auto gather = dyn_cast<ds::AllGatherOp>(op)) {
      attributes.append("all_gather_dim", number(gather.getDim()));
      return make("stablehlo.all_gather", values, results, attributes);
    }
    if (auto exchange = dyn_cast<ds::AllToAllOp>(op)) {
      attributes.append("split_dimension", number(exchange.getSplit()));
      attributes.append("concat_dimension", number(exchange.getConcat()));
      attributes.append("split_count", number(groups.front().size()));
      return make("stablehlo.all_to_all", values, results, attributes);
    }
    auto scatter = dyn_cast<ds::ReduceScatterOp>(op);
    if (scatter)
      attributes.append("scatter_dimension", number(scatter.getDim()));
    Operation *made = make(scatter ? "stablehlo.reduce_scatter" : "stablehlo.all_reduce", values,
                           results, attributes, /*numRegions=*/1);
    addReduction(made->getRegion(0));
    return made;
  }

  /// Returns the groups with their root first.
  static SmallVector<SmallVector<int64_t>> fromRoot(ds::BroadcastOp op,
                                                    ArrayRef<SmallVector<int64_t>> groups) {
    SmallVector<SmallVector<int64_t>> ordered(groups);
    bool isMember = isa_and_present<ArrayAttr>(op.getGroupAttr());
    for (SmallVector<int64_t> &group : ordered) {
      auto *root = isMember ? group.begin() + op.getRoot() : llvm::find(group, op.getRoot());
      std::rotate(group.begin(), root, std::next(root));
    }
    return ordered;
  }

  /// Adds a block of two scalars that returns their reduction.
  void addReduction(Region &region) {
    OpBuilder::InsertionGuard guard(builder);
    auto scalar =
        RankedTensorType::get({}, cast<ShapedType>(op->getOperand(0).getType()).getElementType());
    Block *block = builder.createBlock(&region, {}, {scalar, scalar}, {loc, loc});
    StringRef name = nameOf(*cast<ds::CollectiveOpInterface>(op).getKind());
    Operation *reduced = make(name, block->getArguments(), scalar, {});
    make("stablehlo.return", reduced->getResults(), {}, {});
  }

  Operation *make(StringRef name, ValueRange operands, TypeRange results, NamedAttrList attributes,
                  unsigned numRegions = 0) {
    OperationState state(loc, name, operands, results, attributes.getAttrs());
    for (unsigned i = 0; i < numRegions; ++i)
      state.addRegion();
    return builder.create(state);
  }

  void replace(ValueRange values) {
    op->replaceAllUsesWith(values);
    op->erase();
  }

  Operation *op;
  OpBuilder builder;
  Location loc;
};

struct CollectivesToStableHLO final
    : ds::impl::CollectivesToStableHLOPassBase<CollectivesToStableHLO> {
  // Here and not in the pass, since the context must not change while passes run in threads.
  LogicalResult initialize(MLIRContext *context) override {
    if (!context->getLoadedDialect("stablehlo"))
      context->allowUnregisteredDialects();
    return success();
  }

  void runOnOperation() override {
    if (failed(ds::expandRanksAlongAxes(getOperation())))
      return signalPassFailure();
    for (Operation *op : ds::findRankOps(getOperation()))
      if (failed(Converter(op).convert()))
        return signalPassFailure();
  }
};

} // namespace
