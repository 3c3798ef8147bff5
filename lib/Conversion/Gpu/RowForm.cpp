//===- RowForm.cpp - Kernels that work row by row ---------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows are consecutive slices of equal length of each buffer. The stride of a loop over rows is the
// length of a slice times the rows that it steps over, and the other loops stay within a slice.
//
//===----------------------------------------------------------------------===//
#include "RowForm.h"

#include "DriverKernels.h"
#include "ScalarChain.h"
#include "Utils/Buffers.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace ds::gpu;

linalg::GenericOp ds::gpu::chainableOp(func::FuncOp kernel) {
  if (!kernel || !kernel->hasAttr(ds::kKernelFunction) || kernel.isExternal() || guardOf(kernel) ||
      isScalar(kernel))
    return {};
  auto generics = kernel.front().getOps<linalg::GenericOp>();
  if (!llvm::hasSingleElement(generics))
    return {};
  linalg::GenericOp op = *generics.begin();
  return op.getBody()->getOps<cf::AssertOp>().empty() ? op : linalg::GenericOp();
}

bool ds::gpu::canChain(Scheme scheme) {
  return llvm::is_contained({Scheme::flat, Scheme::serial, Scheme::warp, Scheme::block}, scheme);
}

/// Returns the bytes of a slice; none if rows are not confined to slices.
static std::optional<int64_t> rowBytesOf(const KernelLoops &loops, OpOperand &operand,
                                         int64_t rows) {
  linalg::GenericOp op = loops.op;
  auto type = cast<MemRefType>(operand.get().getType());
  AffineMap map = op.getMatchingIndexingMap(&operand);
  if (!ds::hasStaticLayout(type) || !map.isProjectedPermutation(/*allowZeroInResults=*/true))
    return std::nullopt;
  auto [strides, offset] = type.getStridesAndOffset();
  if (offset != 0 || llvm::any_of(strides, [](int64_t stride) { return stride < 0; }))
    return std::nullopt;
  int64_t slice = 0;                      // elements
  int64_t last = 0;                       // last element of a row, from its first
  int64_t inside = loops.points() / rows; // points of a row beyond the faster loops
  int64_t counted = 1;                    // rows that faster loops iterate over
  for (unsigned loop : llvm::reverse(loops.parallel)) {
    const int64_t size = loops.sizes[loop], stride = strideOf(loops, operand, loop);
    const int64_t within = std::min(inside, size);
    if (inside % within != 0 || size % within != 0)
      return std::nullopt; // a row ends in the middle of this loop
    inside /= within;
    last += (within - 1) * stride;
    if (within == size)
      continue;
    if (counted == 1)
      slice = within * stride;
    else if (within * stride != slice * counted)
      return std::nullopt;
    counted *= size / within;
  }
  for (unsigned loop : loops.reduction)
    last += (loops.sizes[loop] - 1) * strideOf(loops, operand, loop);
  if (counted != rows || last >= slice)
    return std::nullopt;
  return slice * ds::elementBytes(type.getElementType());
}

SmallVector<RowTouch> ds::gpu::touchesOf(func::FuncOp kernel, const KernelLoops &loops,
                                         int64_t rows) {
  SmallVector<RowTouch> touches;
  kernel.walk([&](Operation *op) {
    if (ds::isView(op))
      return;
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isa<BaseMemRefType>(operand.get().getType()))
        continue;
      auto argument = dyn_cast<BlockArgument>(ds::rootOf(operand.get()));
      if (!argument)
        continue; // a constant
      RowTouch touch = {argument.getArgNumber(), !isa<memref::LoadOp>(op), std::nullopt};
      linalg::GenericOp generic = loops.op;
      if (op == generic.getOperation()) {
        touch.writes = generic.isDpsInit(&operand);
        if (operand.get() == argument)
          touch.rowBytes = rowBytesOf(loops, operand, rows);
      }
      touches.push_back(touch);
    }
  });
  return touches;
}
