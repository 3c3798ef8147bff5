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

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
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
  SmallVector<ReassociationIndices> groups;
  for (int64_t i = 0, at = 0; i < type.getRank(); ++i) {
    ReassociationIndices group;
    for (int64_t k = 0; k < (i == s.dim ? 3 : 1); ++k)
      group.push_back(at++);
    groups.push_back(group);
  }
  auto splitType = RankedTensorType::get(split, type.getElementType());
  Value expanded = tensor::ExpandShapeOp::create(b, loc, splitType, value, groups);
  SmallVector<int64_t> one(split);
  one[s.dim + 1] = 1;
  Value mine = extract(expanded, RankedTensorType::get(one, type.getElementType()), s.dim + 1,
                       rankValue, 1, 1);
  return tensor::CollapseShapeOp::create(b, loc, local, mine, groups);
}

Value Localizer::gather(OpBuilder &b, Location loc, Value value, const Sharding &s) const {
  auto type = cast<RankedTensorType>(value.getType());
  Type element = type.getElementType();
  auto emptyOf = [&](ArrayRef<int64_t> shape) -> Value {
    return tensor::EmptyOp::create(b, loc, shape, element);
  };
  // The ranks' shards one after another in a dimension of their own: [n, .., a, b, ..].
  SmallVector<int64_t> stacked(type.getShape());
  stacked.insert(stacked.begin() + s.dim, {s.a, s.b});
  stacked.erase(stacked.begin() + s.dim + 2);
  stacked.insert(stacked.begin(), 1);
  SmallVector<ReassociationIndices> split = {{0, 1}};
  for (int64_t i = 0, at = 1; i < type.getRank(); ++i) {
    if (i > 0)
      split.push_back({at});
    if (i == s.dim)
      split.back().push_back(at + 1);
    at += i == s.dim ? 2 : 1;
  }
  Value mine =
      tensor::ExpandShapeOp::create(b, loc, RankedTensorType::get(stacked, element), value, split);
  stacked[0] = n;
  Value out = emptyOf(stacked);
  Value all = AllGatherOp::create(b, loc, TypeRange(out.getType()), ValueRange(mine),
                                  ValueRange(out), /*dim=*/0, /*group=*/nullptr,
                                  /*fusion=*/nullptr, Zone::Inline, b.getArrayAttr({}))
                  .getResults()[0];
  // Their rows in the order of the samples: [.., a, n, b, ..].
  SmallVector<int64_t> order, shape;
  for (int64_t i = 1; i < static_cast<int64_t>(stacked.size()); ++i) {
    order.push_back(i);
    if (i == s.dim + 1)
      order.push_back(0);
  }
  for (int64_t dim : order)
    shape.push_back(stacked[dim]);
  Value sorted = linalg::TransposeOp::create(b, loc, all, emptyOf(shape), order)->getResult(0);
  SmallVector<ReassociationIndices> merge;
  SmallVector<int64_t> whole(type.getShape());
  whole[s.dim] *= n;
  for (int64_t i = 0, at = 0; i < type.getRank(); ++i) {
    ReassociationIndices group;
    for (int64_t k = 0; k < (i == s.dim ? 3 : 1); ++k)
      group.push_back(at++);
    merge.push_back(group);
  }
  return tensor::CollapseShapeOp::create(b, loc, RankedTensorType::get(whole, element), sorted,
                                         merge);
}

} // namespace ds
