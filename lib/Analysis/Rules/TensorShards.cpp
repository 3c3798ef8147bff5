//===- TensorShards.cpp - Sharded dimensions through reshapes -------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The innermost stride of the rank factor is b. A merge multiplies the factors; a split finds the
// dimension that holds the whole range [b, n * b), if there is one.
//
//===----------------------------------------------------------------------===//
#include "TensorShards.h"

using namespace mlir;

namespace ds {

Sharding mergeDims(ArrayRef<ReassociationIndices> groups, ArrayRef<int64_t> split,
                   const Sharding &sharding) {
  for (auto [merged, group] : llvm::enumerate(groups)) {
    if (!llvm::is_contained(group, sharding.dim))
      continue;
    Sharding result = sharding.on(merged);
    for (int64_t dim : group) {
      if (dim < sharding.dim)
        result.a *= split[dim];
      if (dim > sharding.dim)
        result.b *= split[dim];
    }
    return result;
  }
  llvm_unreachable("every dimension is in a group");
}

/// One part: the factor of the rank is 1 and stands where b elements lie behind it, as a unit
/// dimension or at the end of a larger one, which cannot be told apart. Of several unit dimensions
/// it is the outermost: those that programs add stand behind the batch. Without any such place the
/// samples stay the major part of the dimension that holds them.
static std::optional<Sharding> splitOneSample(ArrayRef<int64_t> group, ArrayRef<int64_t> split,
                                              const Sharding &sharding) {
  std::optional<Sharding> unit, minor, major;
  int64_t inner = 1;
  for (int64_t dim : llvm::reverse(group)) {
    int64_t size = split[dim];
    if (size == 1 && inner == sharding.b) {
      unit = Sharding{dim, 1, 1};
    } else if (size > 1 && sharding.b % inner == 0 && size % (sharding.b / inner) == 0) {
      Sharding found{dim, size / (sharding.b / inner), sharding.b / inner};
      (found.a == 1 ? major : minor) = found;
    }
    inner *= size;
  }
  if (unit && minor)
    return std::nullopt;
  return unit ? unit : minor ? minor : major;
}

std::optional<Sharding> splitDims(ArrayRef<ReassociationIndices> groups, ArrayRef<int64_t> split,
                                  int64_t numRanks, const Sharding &sharding) {
  if (numRanks == 1)
    return splitOneSample(groups[sharding.dim], split, sharding);
  int64_t inner = 1;
  for (int64_t dim : llvm::reverse(groups[sharding.dim])) {
    int64_t size = split[dim];
    if (size > 1 && sharding.b % inner == 0) {
      int64_t b = sharding.b / inner;
      if (size % (numRanks * b) == 0)
        return Sharding{dim, size / (numRanks * b), b};
    }
    inner *= size;
  }
  return std::nullopt;
}

bool takesWholeDim(ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides,
                   ArrayRef<int64_t> shape, int64_t dim) {
  return offsets[dim] == 0 && sizes[dim] == shape[dim] && strides[dim] == 1;
}

std::optional<Sharding> sliceDims(ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes,
                                  ArrayRef<int64_t> strides, ArrayRef<int64_t> shape,
                                  int64_t numRanks, const Sharding &sharding) {
  int64_t dim = sharding.dim;
  if (takesWholeDim(offsets, sizes, strides, shape, dim))
    return sharding;
  int64_t block = numRanks * sharding.b;
  if (ShapedType::isDynamic(offsets[dim]) || ShapedType::isDynamic(sizes[dim]) ||
      strides[dim] != 1 || offsets[dim] % block || sizes[dim] % block || sizes[dim] == 0)
    return std::nullopt;
  return Sharding{dim, sizes[dim] / block, sharding.b};
}

std::optional<int64_t> keptDim(const llvm::SmallBitVector &dropped, int64_t dim) {
  if (dropped.test(dim))
    return std::nullopt;
  int64_t kept = dim;
  for (int64_t i = 0; i < dim; ++i)
    kept -= dropped.test(i);
  return kept;
}

int64_t sourceDim(const llvm::SmallBitVector &dropped, int64_t kept) {
  for (int64_t dim = 0; dim < (int64_t)dropped.size(); ++dim)
    if (keptDim(dropped, dim) == kept)
      return dim;
  llvm_unreachable("every kept dimension has a source");
}

llvm::SmallBitVector keepDim(const llvm::SmallBitVector &dropped, ArrayRef<int64_t> sizes,
                             int64_t dim) {
  auto shape = [&](const llvm::SmallBitVector &without) {
    SmallVector<int64_t> kept;
    for (auto [i, size] : llvm::enumerate(sizes))
      if (!without.test(i))
        kept.push_back(size);
    return kept;
  };
  for (unsigned other = 0; dropped.test(dim) && other < sizes.size(); ++other) {
    if (sizes[other] != 1 || dropped.test(other))
      continue;
    llvm::SmallBitVector instead = dropped;
    instead.reset(dim).set(other);
    if (shape(instead) == shape(dropped))
      return instead;
  }
  return dropped;
}

void countTensorsOnce(MutableArrayRef<OpOperand> operands, PlacementRule::View placementOf) {
  bool anyPartial =
      llvm::any_of(operands, [&](OpOperand &operand) { return placementOf(operand).isPartial(); });
  for (OpOperand &operand : operands) {
    Placement placement = placementOf(operand);
    if (!anyPartial || !placement.isReplicated() || placement.zero || placement.undefined)
      continue;
    OpBuilder b(operand.getOwner());
    operand.set(OnceOp::create(b, operand.getOwner()->getLoc(), operand.get().getType(),
                               ReductionKind::Sum, operand.get()));
  }
}

void placeJoined(OpOperand &source, OpOperand &dest, PlacementRule &rule) {
  Placement result;
  result.zero = rule.operand(source).zero && rule.operand(dest).zero;
  for (OpOperand *operand : {&source, &dest}) {
    Placement placement = rule.operand(*operand);
    if (!placement.isPartial())
      continue;
    if (placement.reduction != ReductionKind::Sum) {
      rule.need(*operand);
      continue;
    }
    rule.keep(*operand, 0);
    result = placement;
  }
  rule.setResult(0, result);
}

} // namespace ds
