//===- Localizer.cpp - Rewriting a step to the shapes of one rank ---------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Local position l of a dimension read as [a, n, b] is global position (l / b) * n * b + rank * b +
// l % b.
//
//===----------------------------------------------------------------------===//
#include "ds/Analysis/Localizer.h"

#include "ds/Analysis/Reshard.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace ds {

RankedTensorType getLocalType(RankedTensorType type, const Sharding &sharding) {
  SmallVector<int64_t> shape(type.getShape());
  shape[sharding.dim] = sharding.localSize();
  return RankedTensorType::get(shape, type.getElementType(), type.getEncoding());
}

static Value constantIndex(OpBuilder &b, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

Value Localizer::toGlobal(OpBuilder &b, Location loc, Value index, const Sharding &s) const {
  auto times = [&](Value x, int64_t factor) -> Value {
    return factor == 1 ? x : arith::MulIOp::create(b, loc, x, constantIndex(b, loc, factor));
  };
  Value offset = times(rankValue, s.b);
  if (s.a == 1)
    return arith::AddIOp::create(b, loc, offset, index);
  if (s.b == 1)
    return arith::AddIOp::create(b, loc, times(index, n), offset);
  Value minor = constantIndex(b, loc, s.b);
  Value block = times(arith::DivUIOp::create(b, loc, index, minor), n * s.b);
  Value within = arith::RemUIOp::create(b, loc, index, minor);
  return arith::AddIOp::create(b, loc, arith::AddIOp::create(b, loc, block, offset), within);
}

std::pair<Value, Value> Localizer::toLocal(OpBuilder &b, Location loc, Value index,
                                           const Sharding &s) const {
  Value minor = constantIndex(b, loc, s.b);
  Value block = arith::DivUIOp::create(b, loc, index, minor); // one of all ranks
  Value within = arith::RemUIOp::create(b, loc, index, minor);
  Value ranks = constantIndex(b, loc, n);
  Value owner = arith::RemUIOp::create(b, loc, block, ranks);
  Value mine = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, owner, rankValue);
  Value row =
      s.a == 1 ? constantIndex(b, loc, 0) : Value(arith::DivUIOp::create(b, loc, block, ranks));
  Value local = arith::AddIOp::create(b, loc, arith::MulIOp::create(b, loc, row, minor), within);
  return {mine, arith::SelectOp::create(b, loc, mine, local, constantIndex(b, loc, 0))};
}

/// How a tensor whose dimension `dim` is `parts` dimensions, behind one of size 1 if `isOne`, is
/// merged.
static SmallVector<ReassociationIndices> groupDims(int64_t rank, int64_t dim, int64_t parts,
                                                   bool isOne = false) {
  SmallVector<ReassociationIndices> groups(rank);
  int64_t next = 0;
  if (isOne)
    groups.front().push_back(next++);
  for (int64_t i = 0; i < rank; ++i)
    for (int64_t k = 0; k < (i == dim ? parts : 1); ++k)
      groups[i].push_back(next++);
  return groups;
}

Value Localizer::slice(OpBuilder &b, Location loc, Value value, const Sharding &s) const {
  auto type = cast<RankedTensorType>(value.getType());
  RankedTensorType local = getLocalType(type, s);
  // Values without data are made anew in the small shape.
  if (value.getDefiningOp<tensor::EmptyOp>())
    return tensor::EmptyOp::create(b, loc, local.getShape(), local.getElementType());
  if (auto fill = value.getDefiningOp<linalg::FillOp>()) {
    Value empty = tensor::EmptyOp::create(b, loc, local.getShape(), local.getElementType());
    return linalg::FillOp::create(b, loc, fill.getInputs(), empty).getResult(0);
  }
  DenseElementsAttr constant;
  if (matchPattern(value, m_Constant(&constant)) && constant.isSplat())
    return arith::ConstantOp::create(b, loc, constant.resizeSplat(local));

  auto extract = [&](Value source, RankedTensorType result, int64_t dim, OpFoldResult offset,
                     int64_t size, int64_t stride) -> Value {
    auto sourceType = cast<RankedTensorType>(source.getType());
    SmallVector<OpFoldResult> offsets(sourceType.getRank(), b.getIndexAttr(0)), sizes,
        strides(sourceType.getRank(), b.getIndexAttr(1));
    for (int64_t extent : sourceType.getShape())
      sizes.push_back(b.getIndexAttr(extent));
    offsets[dim] = offset;
    sizes[dim] = b.getIndexAttr(size);
    strides[dim] = b.getIndexAttr(stride);
    return tensor::ExtractSliceOp::create(b, loc, result, source, offsets, sizes, strides);
  };
  if (s.a == 1) {
    Value offset = arith::MulIOp::create(b, loc, rankValue, constantIndex(b, loc, s.b));
    return extract(value, local, s.dim, offset, s.b, 1);
  }
  if (s.b == 1)
    return extract(value, local, s.dim, rankValue, s.a, n);
  // In general: read the dimension as [a, n, b], take the rank's middle, and merge again.
  SmallVector<int64_t> split(type.getShape());
  split[s.dim] = s.a;
  split.insert(split.begin() + s.dim + 1, {n, s.b});
  auto groups = groupDims(type.getRank(), s.dim, 3);
  auto splitType = RankedTensorType::get(split, type.getElementType());
  Value expanded = tensor::ExpandShapeOp::create(b, loc, splitType, value, groups);
  SmallVector<int64_t> one(split);
  one[s.dim + 1] = 1;
  Value mine = extract(expanded, RankedTensorType::get(one, type.getElementType()), s.dim + 1,
                       rankValue, 1, 1);
  return tensor::CollapseShapeOp::create(b, loc, local, mine, groups);
}

namespace {
/// The shapes between a value and the shards of all ranks, one after another in a first dimension.
struct StackedShapes {
  StackedShapes(RankedTensorType whole, const Sharding &s, int64_t n) {
    sorted.assign(whole.getShape().begin(), whole.getShape().end());
    sorted[s.dim] = s.a;
    sorted.insert(sorted.begin() + s.dim + 1, {n, s.b});
    toStack = {s.dim + 1};
    for (int64_t i = 0; i < static_cast<int64_t>(sorted.size()); ++i)
      if (i != s.dim + 1)
        toStack.push_back(i);
    stacked = applyPermutation(sorted, toStack);
    one = stacked;
    one[0] = 1;
  }
  SmallVector<int64_t> sorted;  // [.., a, n, b, ..]
  SmallVector<int64_t> stacked; // [n, .., a, b, ..]
  SmallVector<int64_t> one;     // [1, .., a, b, ..]
  SmallVector<int64_t> toStack; // the permutation from sorted to stacked
};
} // namespace

static Value emptyOf(OpBuilder &b, Location loc, ArrayRef<int64_t> shape, Value like) {
  return tensor::EmptyOp::create(b, loc, shape, getElementTypeOrSelf(like));
}

static Value transpose(OpBuilder &b, Location loc, Value value, ArrayRef<int64_t> shape,
                       ArrayRef<int64_t> order) {
  return linalg::TransposeOp::create(b, loc, value, emptyOf(b, loc, shape, value), order)
      ->getResult(0);
}

Value Localizer::gather(OpBuilder &b, Location loc, Value value, const Sharding &s, Zone zone,
                        ArrayAttr names) const {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[s.dim] *= n;
  RankedTensorType whole = type.clone(shape);
  auto gatherInto = [&](Value input, ArrayRef<int64_t> all) -> Value {
    Value out = emptyOf(b, loc, all, value);
    return AllGatherOp::create(b, loc, TypeRange(out.getType()), ValueRange(input), ValueRange(out),
                               /*dim=*/0, group.axes, /*fusion=*/nullptr, zone, names)
        .getResults()[0];
  };
  if (s.dim == 0 && s.a == 1)
    return gatherInto(value, shape);
  StackedShapes shapes(whole, s, n);
  Value one = tensor::ExpandShapeOp::create(b, loc, type.clone(shapes.one), value,
                                            groupDims(type.getRank(), s.dim, 2, /*isOne=*/true));
  Value sorted = transpose(b, loc, gatherInto(one, shapes.stacked), shapes.sorted,
                           invertPermutationVector(shapes.toStack));
  return tensor::CollapseShapeOp::create(b, loc, whole, sorted,
                                         groupDims(type.getRank(), s.dim, 3));
}

namespace {
/// A shard, its dimensions split so that the ranks that shall have the parts are one of them; and
/// another shard, split so that the ranks from which the parts come are one. What is left is the
/// same in both.
class ExchangedShapes {
public:
  struct Side {
    SmallVector<int64_t> shape;
    SmallVector<ReassociationIndices> groups; // of the dimensions of the shard
    int64_t ranks = 0;                        // their dimension
    SmallVector<int64_t> toStack;             // the permutation that brings it to the front
  };
  Side sent, received;
  SmallVector<int64_t> stacked; // of both

  ExchangedShapes(ArrayRef<int64_t> shard, const Sharding &from, const Sharding &to, int64_t n)
      : n(n) {
    for (auto [dim, size] : llvm::enumerate(shard)) {
      bool leaves = static_cast<int64_t>(dim) == from.dim, enters = int64_t(dim) == to.dim;
      if (leaves && enters)
        addBoth(from, to);
      else if (leaves)
        add({from.a, from.b}, std::nullopt, 1);
      else if (enters)
        add({to.a, to.b}, 1, std::nullopt);
      else
        add({size}, std::nullopt, std::nullopt);
    }
    for (Side *side : {&sent, &received}) {
      side->toStack = {side->ranks};
      for (int64_t i = 0; i < static_cast<int64_t>(side->shape.size()); ++i)
        if (i != side->ranks)
          side->toStack.push_back(i);
    }
    stacked = applyPermutation(sent.shape, sent.toStack);
  }

private:
  /// One dimension [major, n, middle, n, minor]: one of the two digits is that of the old owners,
  /// the other that of the new ones.
  void addBoth(const Sharding &from, const Sharding &to) {
    bool entersBehind = from.b > to.b;
    const Sharding &major = entersBehind ? from : to, &minor = entersBehind ? to : from;
    add({major.a, major.b / (n * minor.b), minor.b}, entersBehind ? 2 : 1, entersBehind ? 1 : 2);
  }

  /// A dimension of both shards with these digits, and where the ranks stand among them.
  void add(ArrayRef<int64_t> digits, std::optional<size_t> sentAt,
           std::optional<size_t> receivedAt) {
    bool isOne = llvm::all_of(digits, [](int64_t size) { return size == 1; });
    addTo(sent, digits, sentAt, isOne);
    addTo(received, digits, receivedAt, isOne);
  }
  void addTo(Side &side, ArrayRef<int64_t> digits, std::optional<size_t> at, bool isOne) {
    ReassociationIndices group;
    auto push = [&](int64_t size) {
      group.push_back(side.shape.size());
      side.shape.push_back(size);
    };
    for (size_t i = 0; i < digits.size(); ++i) {
      if (at == i) {
        side.ranks = side.shape.size();
        push(n);
      }
      if (digits[i] != 1)
        push(digits[i]);
    }
    if (isOne)
      push(1);
    side.groups.push_back(group);
  }

  int64_t n;
};
} // namespace

Value Localizer::exchange(OpBuilder &b, Location loc, Value value, const Sharding &from,
                          const Sharding &to, Zone zone, ArrayAttr names) const {
  auto type = cast<RankedTensorType>(value.getType());
  ExchangedShapes shapes(type.getShape(), from, to, n);
  const ExchangedShapes::Side &sent = shapes.sent, &received = shapes.received;
  if (sent.shape != type.getShape())
    value = tensor::ExpandShapeOp::create(b, loc, type.clone(sent.shape), value, sent.groups);
  if (sent.ranks != 0)
    value = transpose(b, loc, value, shapes.stacked, sent.toStack);
  Value out = emptyOf(b, loc, shapes.stacked, value);
  value = AllToAllOp::create(b, loc, TypeRange(out.getType()), ValueRange(value), ValueRange(out),
                             /*split=*/0, /*concat=*/0, group.axes, zone, names)
              .getResults()[0];
  if (received.ranks != 0)
    value = transpose(b, loc, value, received.shape, invertPermutationVector(received.toStack));
  SmallVector<int64_t> local(type.getShape());
  local[from.dim] *= n;
  local[to.dim] /= n;
  if (received.shape != local)
    value = tensor::CollapseShapeOp::create(b, loc, type.clone(local), value, received.groups);
  return value;
}

Value Localizer::scatter(OpBuilder &b, Location loc, Value value, ReductionKind kind,
                         const Sharding &s, Zone zone, ArrayAttr names) const {
  auto type = cast<RankedTensorType>(value.getType());
  RankedTensorType local = getLocalType(type, s);
  auto reduceInto = [&](Value input, ArrayRef<int64_t> shape) -> Value {
    Value out = emptyOf(b, loc, shape, value);
    return ReduceScatterOp::create(b, loc, TypeRange(out.getType()), ValueRange(input),
                                   ValueRange(out), kind, /*dim=*/0, group.axes,
                                   /*fusion=*/nullptr, zone, names)
        .getResults()[0];
  };
  if (s.dim == 0 && s.a == 1)
    return reduceInto(value, local.getShape());
  StackedShapes shapes(type, s, n);
  Value sorted = tensor::ExpandShapeOp::create(b, loc, type.clone(shapes.sorted), value,
                                               groupDims(type.getRank(), s.dim, 3));
  Value one = reduceInto(transpose(b, loc, sorted, shapes.stacked, shapes.toStack), shapes.one);
  return tensor::CollapseShapeOp::create(b, loc, local, one,
                                         groupDims(type.getRank(), s.dim, 2, /*isOne=*/true));
}

Value Localizer::reshard(OpBuilder &b, Location loc, Value value, const Placement &from,
                         const Placement &to, Zone zone, ArrayAttr names) const {
  names = names ? names : b.getArrayAttr({});
  switch (getMove(from, to, n)) {
  case Move::None:
    return value;
  case Move::Slice:
    return slice(b, loc, value, to.sharding);
  case Move::AllGather:
    return gather(b, loc, value, from.sharding, zone, names);
  case Move::AllToAll:
    return exchange(b, loc, value, from.sharding, to.sharding, zone, names);
  case Move::GatherAndSlice:
    return slice(b, loc, gather(b, loc, value, from.sharding, zone, names), to.sharding);
  case Move::AllReduce:
    return AllReduceOp::create(b, loc, from.reduction, value, zone, names, {}, group.axes)
        .getResults()[0];
  case Move::ReduceScatter:
    return scatter(b, loc, value, from.reduction, to.sharding, zone, names);
  }
  llvm_unreachable("all moves are covered");
}

} // namespace ds
