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
#include "ds/Analysis/Rules/Localizer.h"

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

static Value emptyOf(OpBuilder &b, Location loc, ArrayRef<int64_t> shape, Value like) {
  return tensor::EmptyOp::create(b, loc, shape, getElementTypeOrSelf(like));
}

static Value transpose(OpBuilder &b, Location loc, Value value, ArrayRef<int64_t> shape,
                       ArrayRef<int64_t> order) {
  return linalg::TransposeOp::create(b, loc, value, emptyOf(b, loc, shape, value), order)
      ->getResult(0);
}

namespace {
/// A tensor, viewed so that the ranks that have its parts, or will have them, are a dimension.
struct RankDim {
  SmallVector<int64_t> shape;               // with that dimension
  SmallVector<ReassociationIndices> groups; // of the dimensions of the tensor
  int64_t ranks = 0;                        // the number of that dimension

  RankDim() = default;
  /// Reads the dimension of `s` as [a, n, b].
  RankDim(ArrayRef<int64_t> sizes, const Sharding &s, int64_t n) {
    for (auto [dim, size] : llvm::enumerate(sizes))
      if (int64_t(dim) == s.dim)
        add({s.a, s.b}, 1, n);
      else
        add(size, std::nullopt, n);
  }

  /// Adds a dimension of the tensor: its digits, and the digit before which the ranks are inserted.
  void add(ArrayRef<int64_t> digits, std::optional<size_t> at, int64_t n) {
    ReassociationIndices &group = groups.emplace_back();
    auto push = [&](int64_t size) {
      group.push_back(shape.size());
      shape.push_back(size);
    };
    for (auto [i, size] : llvm::enumerate(digits)) {
      if (at == i) {
        ranks = shape.size();
        push(n);
      }
      if (size != 1)
        push(size);
    }
    if (llvm::all_of(digits, [](int64_t size) { return size == 1; }))
      push(1);
  }

  /// Returns the permutation that brings the ranks to the front.
  SmallVector<int64_t> toStack() const {
    SmallVector<int64_t> order = {ranks};
    for (int64_t i = 0; i < static_cast<int64_t>(shape.size()); ++i)
      if (i != ranks)
        order.push_back(i);
    return order;
  }
  SmallVector<int64_t> stacked() const { return applyPermutation(shape, toStack()); }

  /// Returns the part of one rank, as a stack of one.
  RankDim ofOne() const {
    RankDim one;
    one.shape = stacked();
    one.shape[0] = 1;
    for (const ReassociationIndices &group : groups) {
      ReassociationIndices &own = one.groups.emplace_back();
      for (int64_t i : group)
        if (i != ranks)
          own.push_back(i < ranks ? i + 1 : i);
    }
    one.groups[0].insert(one.groups[0].begin(), 0);
    return one;
  }

  Value expand(OpBuilder &b, Location loc, Value value) const {
    auto type = cast<RankedTensorType>(value.getType());
    if (groups.size() == shape.size())
      return value;
    return tensor::ExpandShapeOp::create(b, loc, type.clone(shape), value, groups);
  }
  Value collapse(OpBuilder &b, Location loc, Value value) const {
    auto type = cast<RankedTensorType>(value.getType());
    if (groups.size() == shape.size())
      return value;
    auto merged = llvm::map_to_vector(groups, [&](const ReassociationIndices &group) {
      int64_t size = 1;
      for (int64_t i : group)
        size *= type.getDimSize(i);
      return size;
    });
    return tensor::CollapseShapeOp::create(b, loc, type.clone(merged), value, groups);
  }

  Value stack(OpBuilder &b, Location loc, Value value) const {
    value = expand(b, loc, value);
    return ranks == 0 ? value : transpose(b, loc, value, stacked(), toStack());
  }
  Value unstack(OpBuilder &b, Location loc, Value value) const {
    if (ranks != 0)
      value = transpose(b, loc, value, shape, invertPermutationVector(toStack()));
    return collapse(b, loc, value);
  }
};
} // namespace

Value Localizer::slice(OpBuilder &b, Location loc, Value value, const Sharding &s) const {
  auto type = cast<RankedTensorType>(value.getType());
  RankedTensorType local = getLocalType(type, s);
  // Values without data are created again in the small shape.
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
  RankDim split(type.getShape(), s, n);
  SmallVector<int64_t> one(split.shape);
  one[split.ranks] = 1;
  Value mine = extract(split.expand(b, loc, value), type.clone(one), split.ranks, rankValue, 1, 1);
  return split.collapse(b, loc, mine);
}

Value Localizer::gather(OpBuilder &b, Location loc, Value value, const Sharding &s, Purpose purpose,
                        ArrayAttr names) const {
  SmallVector<int64_t> shape(cast<RankedTensorType>(value.getType()).getShape());
  auto gatherInto = [&](Value input, ArrayRef<int64_t> all) -> Value {
    Value out = emptyOf(b, loc, all, value);
    return AllGatherOp::create(b, loc, TypeRange(out.getType()), ValueRange(input), ValueRange(out),
                               /*dim=*/0, group.axes, /*fusion=*/nullptr, purpose, names)
        .getResults()[0];
  };
  if (s.dim == 0 && s.a == 1) {
    shape[0] *= n;
    return gatherInto(value, shape);
  }
  RankDim whole(shape, s, n);
  Value one = whole.ofOne().expand(b, loc, value);
  return whole.unstack(b, loc, gatherInto(one, whole.stacked()));
}

Value Localizer::exchange(OpBuilder &b, Location loc, Value value, const Sharding &from,
                          const Sharding &to, Purpose purpose, ArrayAttr names) const {
  // One shard, split so that the ranks that will receive the parts are a dimension; and the other,
  // split so that the ranks that send the parts are one. The remaining dimensions are the same in
  // both.
  RankDim sent, received;
  auto add = [&](ArrayRef<int64_t> digits, std::optional<size_t> sentAt,
                 std::optional<size_t> receivedAt) {
    sent.add(digits, sentAt, n);
    received.add(digits, receivedAt, n);
  };
  for (auto [dim, size] : llvm::enumerate(cast<RankedTensorType>(value.getType()).getShape())) {
    bool leaves = int64_t(dim) == from.dim, enters = int64_t(dim) == to.dim;
    // One dimension [major, n, middle, n, minor]: one of the two digits n numbers the old owners,
    // the other the new ones.
    bool entersBehind = from.b > to.b;
    const Sharding &major = entersBehind ? from : to, &minor = entersBehind ? to : from;
    if (leaves && enters)
      add({major.a, major.b / (n * minor.b), minor.b}, entersBehind ? 2 : 1, entersBehind ? 1 : 2);
    else if (leaves)
      add({from.a, from.b}, std::nullopt, 1);
    else if (enters)
      add({to.a, to.b}, 1, std::nullopt);
    else
      add(size, std::nullopt, std::nullopt);
  }
  value = sent.stack(b, loc, value);
  Value out = emptyOf(b, loc, sent.stacked(), value);
  value = AllToAllOp::create(b, loc, TypeRange(out.getType()), ValueRange(value), ValueRange(out),
                             /*split=*/0, /*concat=*/0, group.axes, purpose, names)
              .getResults()[0];
  return received.unstack(b, loc, value);
}

Value Localizer::scatter(OpBuilder &b, Location loc, Value value, ReductionKind kind,
                         const Sharding &s, Purpose purpose, ArrayAttr names) const {
  auto type = cast<RankedTensorType>(value.getType());
  auto reduceInto = [&](Value input, ArrayRef<int64_t> shape) -> Value {
    Value out = emptyOf(b, loc, shape, value);
    return ReduceScatterOp::create(b, loc, TypeRange(out.getType()), ValueRange(input),
                                   ValueRange(out), kind, /*dim=*/0, group.axes,
                                   /*fusion=*/nullptr, purpose, names)
        .getResults()[0];
  };
  if (s.dim == 0 && s.a == 1)
    return reduceInto(value, getLocalType(type, s).getShape());
  RankDim whole(type.getShape(), s, n), one = whole.ofOne();
  return one.collapse(b, loc, reduceInto(whole.stack(b, loc, value), one.shape));
}

Value Localizer::reshard(OpBuilder &b, Location loc, Value value, const Placement &from,
                         const Placement &to, Purpose purpose, ArrayAttr names) const {
  names = names ? names : b.getArrayAttr({});
  switch (getMove(from, to, n)) {
  case Move::None:
    return value;
  case Move::Slice:
    return slice(b, loc, value, to.sharding);
  case Move::AllGather:
    return gather(b, loc, value, from.sharding, purpose, names);
  case Move::AllToAll:
    return exchange(b, loc, value, from.sharding, to.sharding, purpose, names);
  case Move::GatherAndSlice:
    return slice(b, loc, gather(b, loc, value, from.sharding, purpose, names), to.sharding);
  case Move::AllReduce:
    return AllReduceOp::create(b, loc, from.reduction, value, purpose, names, {}, group.axes)
        .getResults()[0];
  case Move::ReduceScatter:
    return scatter(b, loc, value, from.reduction, to.sharding, purpose, names);
  }
  llvm_unreachable("all moves are covered");
}

} // namespace ds
