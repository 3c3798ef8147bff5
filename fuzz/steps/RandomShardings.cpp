//===- RandomShardings.cpp - A step sharded at random -----------*- C++ -*-===//
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

#include "ds/Analysis/StepFlow.h"
#include "ds/Analysis/StepRoles.h"
#include "ds/Dialect/IR/Roles.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace ds::fuzz {
namespace {

class RandomShardings {
public:
  RandomShardings(func::FuncOp step, ArrayRef<MeshAxis> mesh, Random &random, Marking marking)
      : step(step), mesh(mesh), random(random), marking(marking),
        isLocal(getConfig(step->getParentOfType<ModuleOp>())->batch() == BatchSemantics::Local) {}

  void markArguments();
  void markValues();

private:
  ShardingAttr pick(RankedTensorType type, std::optional<int64_t> samples);
  int64_t pickDim(ArrayRef<int64_t> shape, ArrayRef<int64_t> parts, std::optional<int64_t> samples,
                  int64_t ranks);
  SmallVector<Value> collectValues();

  bool isDense() const { return marking == Marking::dense || marking == Marking::open; }

  func::FuncOp step;
  ArrayRef<MeshAxis> mesh;
  Random &random;
  Marking marking;
  bool isLocal;
};

/// The dimension that an axis divides beside the `parts` that others have made; -1 for none. What
/// divides `samples` is the first axis alone, unless samples are marked densely, too.
int64_t RandomShardings::pickDim(ArrayRef<int64_t> shape, ArrayRef<int64_t> parts,
                                 std::optional<int64_t> samples, int64_t ranks) {
  auto divides = [&](int64_t dim) {
    bool reserved = dim == samples && (isLocal || !isDense());
    return !reserved && shape[dim] != 0 && shape[dim] % (parts[dim] * ranks) == 0;
  };
  if (!isDense()) {
    int64_t dim = random.below(shape.size());
    return divides(dim) ? dim : -1;
  }
  SmallVector<int64_t> dims;
  for (int64_t dim = 0; dim < int64_t(shape.size()); ++dim)
    if (divides(dim))
      dims.push_back(dim);
  return dims.empty() ? -1 : dims[random.below(dims.size())];
}

/// Each axis in one dimension at most; null if none divides any, unless that is worth saying, too.
ShardingAttr RandomShardings::pick(RankedTensorType type, std::optional<int64_t> samples) {
  MLIRContext *ctx = type.getContext();
  SmallVector<SmallVector<Attribute>> axes(type.getRank());
  SmallVector<int64_t> parts(type.getRank(), 1);
  if (samples && isDense())
    parts[*samples] = mesh.front().size;
  bool any = isDense();
  for (const MeshAxis &axis : mesh.drop_front()) {
    if (type.getRank() == 0 || random.chance(30))
      continue;
    int64_t dim = pickDim(type.getShape(), parts, samples, axis.size);
    if (dim < 0)
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

void RandomShardings::markArguments() {
  for (BlockArgument argument : step.getArguments()) {
    unsigned number = argument.getArgNumber();
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    auto samples = step.getArgAttrOfType<IntegerAttr>(number, role::batch);
    bool isStored =
        !paramOrState(step, number).empty() && !step.getArgAttr(number, role::layerwiseParallel);
    int percent = marking == Marking::rare ? 10 : isStored ? 70 : isDense() ? 50 : 30;
    if (!type || !(samples || isStored) || !random.chance(percent))
      continue;
    if (auto sharding = pick(type, samples ? std::optional(samples.getInt()) : std::nullopt))
      step.setArgAttr(number, role::sharding, sharding);
  }
}

/// Results of all operations; of what loops carry densely, also at the start of a round.
SmallVector<Value> RandomShardings::collectValues() {
  SmallVector<Value> values;
  auto add = [&](Value value) {
    if (auto type = dyn_cast<RankedTensorType>(value.getType());
        type && type.hasStaticShape() && type.getElementType().isIntOrFloat() && !value.use_empty())
      values.push_back(value);
  };
  walkOutsideBodies(step, [&](Operation *op) {
    llvm::for_each(op->getResults(), add);
    if (isDense() && !isa<linalg::LinalgOp>(op) && isa<RegionBranchOpInterface>(op))
      for (Region &region : op->getRegions())
        llvm::for_each(region.getArguments(), add);
    return WalkResult::advance();
  });
  return values;
}

void RandomShardings::markValues() {
  SmallVector<Value> values = collectValues();
  int percent = isDense() ? random.pick({5, 20, 50, 100}) : random.pick({0, 5, 15, 40});
  for (Value value : values) {
    if (!random.chance(percent))
      continue;
    ShardingAttr sharding = pick(cast<RankedTensorType>(value.getType()), std::nullopt);
    if (!sharding)
      continue;
    if (marking == Marking::open) {
      SmallVector<int64_t> open;
      for (size_t dim = 0; dim < sharding.getDims().size(); ++dim)
        if (random.chance(40))
          open.push_back(dim);
      sharding = ShardingAttr::get(step.getContext(), sharding.getDims(), open);
    }
    OpBuilder b(step.getContext());
    b.setInsertionPointAfterValue(value);
    auto mark = ShardingConstraintOp::create(b, value.getLoc(), value, sharding);
    value.replaceAllUsesExcept(mark, mark);
  }
}

} // namespace

void shardAtRandom(ModuleOp program, ArrayRef<MeshAxis> mesh, Random &random, Marking marking) {
  RandomShardings shardings(getStep(program, ""), mesh, random, marking);
  shardings.markArguments();
  if (marking != Marking::rare)
    shardings.markValues();
}

void eraseShardings(ModuleOp program) {
  for (ShardingConstraintOp mark : collectUnits<ShardingConstraintOp>(program)) {
    mark.getResult().replaceAllUsesWith(mark.getValue());
    mark.erase();
  }
  func::FuncOp step = getStep(program, "");
  for (unsigned i = 0; i < step.getNumArguments(); ++i)
    step.removeArgAttr(i, role::sharding);
}

} // namespace ds::fuzz
