//===- ShardSubAxes.cpp - The owner of a moved shard ----------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The algebra of sub-axes by which axes shard a value (docs/Rationale/Shard.md), read backwards: it
// derives the owner of a shard from the combined moves of several axes.
//
//===----------------------------------------------------------------------===//
#include "ShardSubAxes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace ds {

ShardSubAxes::ShardSubAxes(Value shard) : value(shard) {
  shape = llvm::to_vector(cast<RankedTensorType>(shard.getType()).getShape());
  for (auto [dim, size] : llvm::enumerate(shape)) {
    dims.emplace_back();
    if (size != 1)
      dims.back().push_back({{}, static_cast<int64_t>(dim), 1, size});
  }
}

bool ShardSubAxes::isShard() const {
  if (dims.size() != shape.size())
    return false;
  for (auto [dim, subAxes] : llvm::enumerate(dims)) {
    int64_t stride = shape[dim]; // of the rest of the dimension
    for (const ShardSubAxis &subAxis : subAxes) {
      if (subAxis.axis || subAxis.dim != static_cast<int64_t>(dim) ||
          subAxis.stride * subAxis.size != stride)
        return false;
      stride = subAxis.stride;
    }
    if (stride != 1)
      return false;
  }
  return true;
}

/// Returns the axis of a group; null if it has several, or names none.
static StringAttr axisOf(Attribute group) {
  auto axes = dyn_cast_if_present<ArrayAttr>(group);
  return axes && axes.size() == 1 ? cast<StringAttr>(axes[0]) : StringAttr();
}

int64_t ShardSubAxes::sizeOf(StringAttr axis) const {
  ArrayAttr group = ArrayAttr::get(axis.getContext(), axis);
  Value at = value; // its accessors are not const
  return getGroupSize(at.getParentRegion()->getParentOp(), group).value_or(0);
}

/// Turns the owner's coordinate that equals this rank's coordinate along `axis` into a sub-axis,
/// and returns the owner's axis. Null if there is none, or if there are several.
StringAttr ShardSubAxes::takeOwner(StringAttr axis) {
  owners.insert({axis, axis});
  StringAttr found;
  for (auto [of, has] : owners)
    if (has == axis) {
      if (found)
        return {};
      found = of;
    }
  if (found)
    owners[found] = StringAttr();
  return found;
}

/// Removes the first or last sub-axis, which must be a coordinate of the owner: the owner becomes
/// the rank whose coordinate there equals this rank's coordinate along `axis`.
bool ShardSubAxes::select(SubAxes &subAxes, bool first, int64_t size, StringAttr axis) {
  if (subAxes.empty() || size != sizeOf(axis))
    return false;
  ShardSubAxis subAxis = first ? subAxes.front() : subAxes.back();
  if (!subAxis.axis || subAxis.size != size)
    return false;
  owners.insert({axis, axis});
  owners[subAxis.axis] = axis;
  subAxes.erase(first ? subAxes.begin() : std::prev(subAxes.end()));
  return true;
}

/// all_to_all: receive this rank's block from every peer. all_gather: receive each peer's whole
/// operand.
bool ShardSubAxes::gather(CollectiveOpInterface op) {
  std::optional<int64_t> split = op.getSplitDim(), concat = op.getConcatDim();
  StringAttr axis = axisOf(op.getRanks());
  if (!concat || op.getKind() || op->getNumResults() != 1 || !axis)
    return false;
  StringAttr owner = takeOwner(axis);
  if (!owner || (split && !select(dims[*split], /*first=*/true, sizeOf(axis), axis)))
    return false;
  dims[*concat].insert(dims[*concat].begin(), {owner, 0, 1, sizeOf(axis)});
  return true;
}

/// Matches the rank's index along an axis, times a stride in positions. Returns both.
static std::pair<StringAttr, int64_t> asCoordinate(Value offset) {
  int64_t step = 1;
  if (auto product = offset.getDefiningOp<arith::MulIOp>()) {
    APInt factor;
    bool isRight = matchPattern(product.getRhs(), m_ConstantInt(&factor));
    if (!isRight && !matchPattern(product.getLhs(), m_ConstantInt(&factor)))
      return {};
    offset = isRight ? product.getLhs() : product.getRhs();
    step = factor.getSExtValue();
  }
  auto rank = offset.getDefiningOp<RankOp>();
  return {rank ? axisOf(rank.getGroupAttr()) : StringAttr(), step};
}

/// Follows a slice that takes the rank's block, contiguous or cyclic, of one dimension and all of
/// the others.
bool ShardSubAxes::slice(Operation *operation) {
  auto op = cast<tensor::ExtractSliceOp>(operation);
  ArrayRef<int64_t> sizes = op.getStaticSizes(), whole = op.getSourceType().getShape();
  if (op.getSourceType().getRank() != op.getType().getRank())
    return false;
  bool found = false;
  for (auto [i, offset] : llvm::enumerate(op.getMixedOffsets())) {
    if (getConstantIntValue(offset) == 0 && sizes[i] == whole[i] && op.getStaticStrides()[i] == 1)
      continue;
    auto at = dyn_cast<Value>(offset);
    if (found || !at || ShapedType::isDynamic(sizes[i]) || sizes[i] == 0 ||
        whole[i] % sizes[i] != 0)
      return false;
    found = true;
    auto [axis, step] = asCoordinate(at);
    int64_t ranks = whole[i] / sizes[i], stride = op.getStaticStrides()[i];
    bool isBlock = step == sizes[i] && (stride == 1 || sizes[i] == 1);
    bool isCyclic = step == 1 && stride == ranks;
    if (!axis || (!isBlock && !isCyclic) || !select(dims[i], isBlock, ranks, axis))
      return false;
  }
  return found;
}

/// Distributes sub-axes over dimensions of these sizes. None if that would split the owner's
/// coordinate, or if the sizes do not divide.
static std::optional<SmallVector<SmallVector<ShardSubAxis, 4>>> cut(ArrayRef<ShardSubAxis> subAxes,
                                                                    ArrayRef<int64_t> sizes) {
  SmallVector<SmallVector<ShardSubAxis, 4>> dims;
  SmallVector<ShardSubAxis> rest(llvm::reverse(subAxes)); // the next one last
  for (int64_t size : sizes) {
    dims.emplace_back();
    while (size > 1) {
      if (rest.empty())
        return std::nullopt;
      ShardSubAxis subAxis = rest.pop_back_val();
      int64_t minor = 1;
      if (size % subAxis.size != 0) {
        if (subAxis.axis || subAxis.size % size != 0)
          return std::nullopt;
        minor = subAxis.size / size;
        rest.push_back({{}, subAxis.dim, subAxis.stride, minor});
      }
      dims.back().push_back(
          {subAxis.axis, subAxis.dim, subAxis.stride * minor, subAxis.size / minor});
      size /= subAxis.size / minor;
    }
  }
  return rest.empty() ? std::optional(std::move(dims)) : std::nullopt;
}

bool ShardSubAxes::reshape(ArrayRef<ReassociationIndices> groups, ArrayRef<int64_t> to,
                           bool expands) {
  if (ShapedType::isDynamicShape(to))
    return false;
  SmallVector<SubAxes> made;
  for (auto [i, group] : llvm::enumerate(groups)) {
    SubAxes subAxes;
    SmallVector<int64_t> sizes;
    if (expands) {
      subAxes = dims[i];
      for (int64_t dim : group)
        sizes.push_back(to[dim]);
    } else {
      for (int64_t dim : group)
        llvm::append_range(subAxes, dims[dim]);
      sizes.push_back(to[i]);
    }
    auto parts = cut(subAxes, sizes);
    if (!parts)
      return false;
    llvm::append_range(made, *parts);
  }
  dims = std::move(made);
  return true;
}

bool ShardSubAxes::follow(Operation *op) {
  bool moved =
      op->getOperand(0) == value &&
      TypeSwitch<Operation *, bool>(op)
          .Case([&](tensor::ExpandShapeOp reshaped) {
            return reshape(reshaped.getReassociationIndices(), reshaped.getResultType().getShape(),
                           /*expands=*/true);
          })
          .Case([&](tensor::CollapseShapeOp reshaped) {
            return reshape(reshaped.getReassociationIndices(), reshaped.getResultType().getShape(),
                           /*expands=*/false);
          })
          .Case([&](linalg::TransposeOp transposed) {
            SmallVector<SubAxes> made;
            for (int64_t dim : transposed.getPermutation())
              made.push_back(dims[dim]);
            dims = std::move(made);
            return true;
          })
          .Case([&](CollectiveOpInterface collective) { return gather(collective); })
          .Case([&](tensor::ExtractSliceOp sliced) { return slice(sliced); })
          .Default([](Operation *) { return false; });
  if (moved)
    value = op->getResult(0);
  return moved;
}

} // namespace ds
