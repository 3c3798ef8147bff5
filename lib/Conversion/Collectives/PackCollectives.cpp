//===- PackCollectives.cpp - One flat tensor per collective -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value with n blocks along a dimension is [a, n, b]: its flat form is the n blocks, each [a, b],
// one after another, which is a transpose if a > 1. Several values become the rows of [n, elements
// of all of them]. Without blocks n is 1. A start packs, its wait unpacks.
//
//===----------------------------------------------------------------------===//
#include "PackCollectives.h"

#include "Utils/Groups.h"
#include "ds/Conversion/Collectives/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace ds {
#define GEN_PASS_DEF_PACKCOLLECTIVESPASS
#include "ds/Conversion/Collectives/Passes.h.inc"
} // namespace ds

using namespace mlir;
using namespace ds;

namespace {

/// One side of a collective: the values it reads, or those it writes.
struct Side {
  SmallVector<RankedTensorType> types;
  int64_t dim;    // dimension of the blocks
  int64_t blocks; // 1: no blocks

  int64_t elements() const {
    int64_t sum = 0;
    for (RankedTensorType type : types)
      sum += type.getNumElements();
    return sum;
  }
  Type flatType() const {
    return RankedTensorType::get({elements()}, types.front().getElementType());
  }
  /// True for one value whose blocks already follow one another.
  bool isFlat() const { return types.size() == 1 && types.front().getRank() == 1; }
};

class Packer {
public:
  Packer(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  Value pack(ValueRange values, const Side &side) {
    SmallVector<Value> flat;
    for (Value value : values)
      flat.push_back(flatten(value, side));
    if (flat.size() == 1)
      return flat.front();
    Type element = side.types.front().getElementType();
    int64_t row = side.elements() / side.blocks, offset = 0;
    Value rows = tensor::EmptyOp::create(builder, loc, rowShape(side.blocks, row), element);
    for (Value value : flat) {
      int64_t size = elementsOf(value) / side.blocks;
      value = reshape(value, rowShape(side.blocks, size));
      rows = tensor::InsertSliceOp::create(builder, loc, value, rows, at(side, offset),
                                           sizes(side, size), ones(side));
      offset += size;
    }
    return reshape(rows, {side.elements()});
  }

  SmallVector<Value> unpack(Value flat, const Side &side) {
    if (side.types.size() == 1)
      return {restore(flat, side.types.front(), side)};
    int64_t row = side.elements() / side.blocks, offset = 0;
    Value rows = reshape(flat, rowShape(side.blocks, row));
    SmallVector<Value> values;
    for (RankedTensorType type : side.types) {
      int64_t size = type.getNumElements() / side.blocks;
      Value slice = tensor::ExtractSliceOp::create(builder, loc, rows, at(side, offset),
                                                   sizes(side, size), ones(side));
      values.push_back(restore(reshape(slice, {side.blocks * size}), type, side));
      offset += size;
    }
    return values;
  }

private:
  static int64_t elementsOf(Value value) {
    return cast<RankedTensorType>(value.getType()).getNumElements();
  }
  // With one block the dimension of blocks is left out, so that the values of a bucket are slices
  // one after another.
  static SmallVector<int64_t> rowShape(int64_t blocks, int64_t size) {
    return blocks == 1 ? SmallVector<int64_t>{size} : SmallVector<int64_t>{blocks, size};
  }
  SmallVector<OpFoldResult> numbers(const Side &side, int64_t first, int64_t last) {
    SmallVector<OpFoldResult> list;
    if (side.blocks > 1)
      list.push_back(builder.getIndexAttr(first));
    list.push_back(builder.getIndexAttr(last));
    return list;
  }
  SmallVector<OpFoldResult> at(const Side &side, int64_t offset) {
    return numbers(side, 0, offset);
  }
  SmallVector<OpFoldResult> sizes(const Side &side, int64_t size) {
    return numbers(side, side.blocks, size);
  }
  SmallVector<OpFoldResult> ones(const Side &side) { return numbers(side, 1, 1); }

  /// Reshapes a value without reordering elements; one of the two shapes has rank 1.
  Value reshape(Value value, ArrayRef<int64_t> shape) {
    auto type = cast<RankedTensorType>(value.getType());
    if (type.getShape() == shape)
      return value;
    auto wanted = RankedTensorType::get(shape, type.getElementType());
    SmallVector<ReassociationIndices> all;
    if (type.getRank() != 0 && !shape.empty())
      all.push_back(
          llvm::to_vector(llvm::seq<int64_t>(0, std::max(type.getRank(), wanted.getRank()))));
    if (type.getRank() > wanted.getRank())
      return tensor::CollapseShapeOp::create(builder, loc, wanted, value, all);
    return tensor::ExpandShapeOp::create(builder, loc, wanted, value, all);
  }

  /// Swaps the first two dimensions: `shape` is [a, n, b], the sizes before, along and after the
  /// blocks, or [n, a, b].
  Value swap(Value flat, ArrayRef<int64_t> shape) {
    Value value = reshape(flat, shape);
    Value into =
        tensor::EmptyOp::create(builder, loc, ArrayRef<int64_t>{shape[1], shape[0], shape[2]},
                                cast<RankedTensorType>(flat.getType()).getElementType());
    Value swapped =
        linalg::TransposeOp::create(builder, loc, value, into, ArrayRef<int64_t>{1, 0, 2})
            ->getResult(0);
    return reshape(swapped, {elementsOf(flat)});
  }
  static int64_t sizeBefore(RankedTensorType type, const Side &side) {
    return side.blocks == 1 ? 1 : ShapedType::getNumElements(type.getShape().take_front(side.dim));
  }
  Value flatten(Value value, const Side &side) {
    auto type = cast<RankedTensorType>(value.getType());
    Value flat = reshape(value, {type.getNumElements()});
    int64_t before = sizeBefore(type, side);
    if (before <= 1)
      return flat;
    return swap(flat, {before, side.blocks, type.getNumElements() / before / side.blocks});
  }
  Value restore(Value flat, RankedTensorType type, const Side &side) {
    int64_t before = sizeBefore(type, side);
    if (before > 1)
      flat = swap(flat, {side.blocks, before, type.getNumElements() / before / side.blocks});
    return reshape(flat, type.getShape());
  }

  OpBuilder &builder;
  Location loc;
};

} // namespace

static Side sideOf(TypeRange types, std::optional<int64_t> dim, int64_t blocks) {
  Side side{{}, dim.value_or(0), dim ? blocks : 1};
  for (Type type : types)
    side.types.push_back(cast<RankedTensorType>(type));
  return side;
}

/// Returns the attributes of `op` on flat values: every dimension is 0, and one list has all names.
static NamedAttrList flatAttributes(CollectiveOpInterface op) {
  Builder builder(op->getContext());
  NamedAttrList attributes(op->getAttrDictionary());
  for (StringRef dim : {"dim", "split", "concat"})
    if (attributes.get(dim))
      attributes.set(dim, builder.getI64IntegerAttr(0));
  SmallVector<Attribute> names;
  for (Attribute list : op.getNames())
    llvm::append_range(names, cast<ArrayAttr>(list));
  if (!names.empty())
    attributes.set("names", builder.getArrayAttr(builder.getArrayAttr(names)));
  return attributes;
}

static LogicalResult pack(CollectiveOpInterface op) {
  OpBuilder builder(op);
  FailureOr<int64_t> blocks = countBlocks(op);
  if (failed(blocks))
    return failure();
  OperandRange reads = op.getRead().getAsOperandRange();
  Side read = sideOf(reads.getTypes(), op.getSplitDim(), *blocks);
  Side written = sideOf(op.getWritten().getAsOperandRange().getTypes(), op.getConcatDim(), *blocks);
  if (read.isFlat() && written.isFlat())
    return success();
  OperationState state(op->getLoc(), op->getName());
  Packer packer(builder, op->getLoc());
  state.addOperands(packer.pack(reads, read));
  if (op->getNumOperands() > reads.size()) {
    auto type = cast<RankedTensorType>(written.flatType());
    Value into =
        tensor::EmptyOp::create(builder, op->getLoc(), type.getShape(), type.getElementType());
    state.addOperands(into);
  }
  state.addTypes(written.flatType());
  state.addAttributes(flatAttributes(op));
  if (!op.isStart()) {
    Operation *packed = builder.create(state);
    op->replaceAllUsesWith(packer.unpack(packed->getResult(0), written));
    op->erase();
    return success();
  }
  state.addTypes(PendingType::get(op->getContext()));
  Operation *packed = builder.create(state);
  // The handle has one use (C11 of the start), its wait.
  auto wait = cast<WaitOp>(*op->getResults().back().user_begin());
  builder.setInsertionPoint(wait);
  ValueRange kept = cast<CollectiveOpInterface>(packed).getLeaving();
  auto done =
      WaitOp::create(builder, wait.getLoc(), packed->getResult(1), packed->getResult(0), kept);
  Packer unpacker(builder, wait.getLoc());
  wait->replaceAllUsesWith(unpacker.unpack(done->getResult(0), written));
  wait->erase();
  op->erase();
  return success();
}

LogicalResult ds::packCollectives(Operation *root) {
  SmallVector<CollectiveOpInterface> collectives;
  root->walk([&](CollectiveOpInterface op) {
    // A wait is packed with its start, a barrier moves no data, and collectives on buffers stay.
    if (!isa<WaitOp>(op) && op->getNumResults() > 0)
      collectives.push_back(op);
  });
  for (CollectiveOpInterface op : collectives)
    if (failed(pack(op)))
      return failure();
  return success();
}

namespace {
struct PackCollectives final : ds::impl::PackCollectivesPassBase<PackCollectives> {
  void runOnOperation() override {
    if (failed(packCollectives(getOperation())))
      signalPassFailure();
  }
};
} // namespace
