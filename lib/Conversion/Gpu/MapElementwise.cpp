//===- MapElementwise.cpp - Kernels without reductions ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread computes 1, 2 or 4 neighbouring points. Contiguous operands are read and written as one
// vector, others element by element. All reads come before all writes.
//
//===----------------------------------------------------------------------===//
#include "KernelBuilder.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ds::gpu;

static constexpr int64_t manyPoints = 4 * kThreads; // enough for wide threads

void KernelBuilder::scalar() {
  begin("", {"", "scalar"});
  Values at(loops.sizes.size(), index(0));
  storeAccumulators(at, point(at, initialAccumulators(at)));
  end();
}

int64_t ds::gpu::flatWidth(const KernelLoops &loops, int64_t together) {
  int64_t width = 1;
  for (int64_t wider : {2, 4})
    if (loops.points() >= manyPoints && loops.sizes[*loops.fastest()] % wider == 0 &&
        together % wider == 0)
      width = wider;
  return width;
}

void KernelBuilder::flat() {
  int64_t points = loops.points(), width = flatWidth(loops, points);
  int64_t threads = points / width, blocks = blocksFor(threads, kThreads);
  begin("", {"", "flat" + std::to_string(width), blocks, kThreads, 1, width});
  Value number = globalThread();
  if (threads == blocks * kThreads)
    flatPoints(number, width);
  else
    ifTrue(isLess(number, index(threads)), [&] { flatPoints(number, width); });
  end();
}

void KernelBuilder::flatPoints(Value number, int64_t width) {
  std::optional<unsigned> fastest = loops.fastest();
  auto isRead = [&](OpOperand &operand) {
    return !op.getMatchingBlockArgument(&operand).use_empty() &&
           isWide(loops, operand, *fastest, width);
  };
  auto wideType = [&](OpOperand &operand) {
    return VectorType::get({width}, cast<MemRefType>(operand.get().getType()).getElementType());
  };
  auto alignment = [&](VectorType type) {
    return llvm::MaybeAlign(width * type.getElementTypeBitWidth() / 8);
  };
  Values at = resultAt(times(number, width));
  for (OpOperand &operand : op->getOpOperands())
    if (isRead(operand))
      wide[&operand] = vector::LoadOp::create(
          b, loc, wideType(operand), outer.lookupOrDefault(operand.get()), indicesOf(operand, at),
          /*nontemporal=*/false, alignment(wideType(operand)));
  SmallVector<Values> places, results; // per lane
  for (lane = 0; lane < width; ++lane) {
    places.push_back(at);
    if (lane)
      places.back()[*fastest] = plus(at[*fastest], index(lane));
    results.push_back(body(places.back(), {}));
  }
  wide.clear();
  for (unsigned result : loops.pointwise) {
    OpOperand &operand = *op.getDpsInitOperand(result);
    if (!isWide(loops, operand, *fastest, width)) {
      for (auto [place, values] : llvm::zip(places, results))
        store(values[result], result, place);
      continue;
    }
    Values lanes;
    for (const Values &values : results)
      lanes.push_back(values[result]);
    VectorType type = wideType(operand);
    vector::StoreOp::create(b, loc, vector::FromElementsOp::create(b, loc, type, lanes),
                            outer.lookupOrDefault(operand.get()), indicesOf(operand, at),
                            /*nontemporal=*/false, alignment(type));
  }
}
