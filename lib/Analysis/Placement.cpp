//===- Placement.cpp - Where the data of a value lives --------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lattice values and the operands that an operation reads, nested captures included.
//
//===----------------------------------------------------------------------===//
#include "ds/Analysis/Placement.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace ds {

bool Placement::operator==(const Placement &o) const {
  if (kind != o.kind)
    return false;
  switch (kind) {
  case Replicated:
    return zero == o.zero && undefined == o.undefined;
  case Sharded:
    return sharding == o.sharding;
  case Partial:
    return reduction == o.reduction;
  case Varying:
    return true;
  }
  llvm_unreachable("all kinds are covered");
}

Placement Placement::of(PlacementAttr attr) {
  if (std::optional<ReductionKind> reduction = attr.getReduction())
    return partial(*reduction);
  ArrayRef<int64_t> sharding = attr.getSharding();
  return sharding.empty() ? replicated() : sharded({sharding[0], sharding[1], sharding[2]});
}

PlacementAttr Placement::toAttr(MLIRContext *ctx) const {
  assert(!isVarying() && "nothing is moved from or to what each rank has of its own");
  SmallVector<int64_t, 3> factors;
  if (isSharded())
    factors = {sharding.dim, sharding.a, sharding.b};
  return PlacementAttr::get(ctx, factors, isPartial() ? std::optional(reduction) : std::nullopt);
}

llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Placement &placement) {
  switch (placement.kind) {
  case Placement::Replicated:
    return os << (placement.undefined ? "undefined" : placement.zero ? "zero" : "replicated");
  case Placement::Sharded:
    return os << "sharded(" << placement.sharding.dim << ", " << placement.sharding.a << ", "
              << placement.sharding.b << ")";
  case Placement::Partial:
    return os << "partial(" << stringifyReductionKind(placement.reduction) << ")";
  case Placement::Varying:
    return os << "varying";
  }
  llvm_unreachable("all kinds are covered");
}

SmallVector<OpOperand *> getReadOperands(Operation *op) {
  SmallVector<OpOperand *> operands;
  for (OpOperand &operand : op->getOpOperands())
    operands.push_back(&operand);
  for (Region &region : op->getRegions())
    region.walk([&](Operation *nested) {
      for (OpOperand &operand : nested->getOpOperands()) {
        Block *block = operand.get().getParentBlock(); // most often that of `nested`
        if (block != nested->getBlock() && !op->isAncestor(block->getParentOp()))
          operands.push_back(&operand);
      }
    });
  return operands;
}

#include "ds/Analysis/PlacementInterface.cpp.inc"

std::optional<Sharding> getSharding(ShardingAttr sharding, Value value, const ReplicaGroup &ranks) {
  StringRef own = cast<StringAttr>(ranks.axes[0]).getValue();
  std::vector<MeshAxis> mesh = getMesh(value.getParentRegion()->getParentOp());
  auto positionOf = [&](StringRef name) {
    return llvm::find_if(mesh, [&](const MeshAxis &axis) { return axis.name == name; });
  };
  for (auto [dim, axes] : llvm::enumerate(sharding.getDims())) {
    int64_t major = 1;
    for (auto axis : axes.getAsRange<StringAttr>()) {
      if (axis.getValue() == own) {
        int64_t size = cast<ShapedType>(value.getType()).getDimSize(dim);
        return Sharding{static_cast<int64_t>(dim), major, size / (major * ranks.size)};
      }
      if (auto other = positionOf(axis.getValue()); other < positionOf(own))
        major *= other->size;
    }
  }
  return std::nullopt;
}

SmallVector<Sharding> getOpenShardings(ShardingAttr sharding, Value value,
                                       const ReplicaGroup &ranks) {
  SmallVector<Sharding> found;
  for (int64_t dim : sharding.getOpen()) {
    SmallVector<ArrayAttr> dims(sharding.getDims());
    SmallVector<Attribute> axes(dims[dim].getValue());
    axes.push_back(ranks.axes[0]);
    dims[dim] = ArrayAttr::get(sharding.getContext(), axes);
    Sharding with = *getSharding(ShardingAttr::get(sharding.getContext(), dims), value, ranks);
    int64_t size = cast<ShapedType>(value.getType()).getDimSize(dim);
    if (size > 0 && size % (with.a * ranks.size) == 0)
      found.push_back(with);
  }
  return found;
}

static int64_t getBytes(Value value, int64_t leastBitsOfFloats) {
  Type type = value.getType();
  int64_t elements = 1;
  if (auto shaped = dyn_cast<ShapedType>(type)) {
    elements = shaped.getNumElements();
    type = shaped.getElementType();
  }
  int64_t bits = type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 64;
  if (isa<FloatType>(type))
    bits = std::max<int64_t>(bits, leastBitsOfFloats);
  return elements * static_cast<int64_t>(llvm::divideCeil(bits, 8));
}

int64_t getWireBytes(Value value) { return getBytes(value, /*leastBitsOfFloats=*/32); }
int64_t getStoredBytes(Value value) { return getBytes(value, /*leastBitsOfFloats=*/8); }

} // namespace ds
