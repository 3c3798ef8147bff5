//===- RandomShardings.cpp - A step divided at random -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nobody would write such plans. They bring every rule together with every placement of its
// operands, and every move between placements, also within loops and branches.
//
//===----------------------------------------------------------------------===//
#include "RandomShardings.h"

#include "ds/Analysis/ReductionPlan.h"
#include "ds/Dialect/IR/Roles.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace ds::fuzz {
namespace {

/// Each axis in one dimension at most; null if none divides any.
ShardingAttr pickSharding(RankedTensorType type, ArrayRef<MeshAxis> mesh,
                          std::optional<int64_t> samples, Random &random) {
  MLIRContext *ctx = type.getContext();
  SmallVector<SmallVector<Attribute>> axes(type.getRank());
  SmallVector<int64_t> parts(type.getRank(), 1);
  bool any = false;
  for (const MeshAxis &axis : mesh.drop_front()) {
    if (type.getRank() == 0 || random.chance(30))
      continue;
    int64_t dim = random.below(type.getRank()), size = type.getDimSize(dim);
    if (dim == samples || size == 0 || size % (parts[dim] * axis.size) != 0)
      continue;
    parts[dim] *= axis.size;
    axes[dim].push_back(StringAttr::get(ctx, axis.name));
    any = true;
  }
  SmallVector<ArrayAttr> dims;
  for (SmallVector<Attribute> &ofDim : axes) {
    if (ofDim.size() > 1 && random.chance(50))
      std::swap(ofDim[0], ofDim[1]); // another axis is the major one
    dims.push_back(ArrayAttr::get(ctx, ofDim));
  }
  return any ? ShardingAttr::get(ctx, dims) : ShardingAttr();
}

} // namespace

void shardAtRandom(ModuleOp program, ArrayRef<MeshAxis> mesh, Random &random, bool rarely) {
  func::FuncOp step = getStep(program, "");
  for (BlockArgument argument : step.getArguments()) {
    unsigned number = argument.getArgNumber();
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    auto samples = step.getArgAttrOfType<IntegerAttr>(number, role::batch);
    bool isStored =
        !paramOrState(step, number).empty() && !step.getArgAttr(number, role::layerwiseParallel);
    if (!type || !(samples || isStored) || !random.chance(rarely ? 10 : samples ? 30 : 70))
      continue;
    if (auto sharding = pickSharding(
            type, mesh, samples ? std::optional(samples.getInt()) : std::nullopt, random))
      step.setArgAttr(number, role::sharding, sharding);
  }
  if (rarely)
    return;
  SmallVector<Value> values;
  walkUnits(step, [&](Operation *op) {
    for (Value result : op->getResults())
      if (auto type = dyn_cast<RankedTensorType>(result.getType());
          type && type.hasStaticShape() && type.getElementType().isIntOrFloat() &&
          !result.use_empty())
        values.push_back(result);
    return WalkResult::advance();
  });
  int percent = random.pick({0, 5, 15, 40});
  for (Value value : values) {
    if (!random.chance(percent))
      continue;
    auto sharding =
        pickSharding(cast<RankedTensorType>(value.getType()), mesh, std::nullopt, random);
    if (!sharding)
      continue;
    OpBuilder b(program.getContext());
    b.setInsertionPointAfterValue(value);
    auto mark = ShardOp::create(b, value.getLoc(), value, sharding);
    value.replaceAllUsesExcept(mark, mark);
  }
}

void eraseShardings(ModuleOp program) {
  for (ShardOp mark : collectUnits<ShardOp>(program)) {
    mark.getResult().replaceAllUsesWith(mark.getValue());
    mark.erase();
  }
  func::FuncOp step = getStep(program, "");
  for (unsigned i = 0; i < step.getNumArguments(); ++i)
    step.removeArgAttr(i, role::sharding);
}

} // namespace ds::fuzz
