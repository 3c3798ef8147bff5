//===- TightenWindows.cpp - Slice operands to what windows read -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Upstream's folding of unit dimensions drops a loop of one iteration from an index such as `row *
// 2 + k`. The remaining index `k` then implies that k runs over the whole operand; if a strided
// window does not reach its end, the loop would run too far. So such operands are first sliced to
// the elements that are read. One walk.
//
//===----------------------------------------------------------------------===//
#include "ds/Conversion/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace ds {
#define GEN_PASS_DEF_TIGHTENWINDOWSPASS
#include "ds/Conversion/Passes.h.inc"
} // namespace ds

using namespace mlir;

namespace {

/// Returns how many elements an index expression reaches, if one of its loops has a single
/// iteration; none for a single loop, which has the size of the operand.
std::optional<int64_t> reachOf(AffineExpr index, ArrayRef<int64_t> rounds) {
  bool hasUnitLoop = false;
  SmallVector<AffineExpr> last;
  MLIRContext *context = index.getContext();
  for (auto [loop, count] : llvm::enumerate(rounds)) {
    hasUnitLoop |= count == 1 && index.isFunctionOfDim(loop);
    last.push_back(getAffineConstantExpr(count - 1, context));
  }
  auto end = dyn_cast<AffineConstantExpr>(index.replaceDims(last));
  if (isa<AffineDimExpr>(index) || !hasUnitLoop || !end)
    return std::nullopt;
  return end.getValue() + 1;
}

void tighten(linalg::GenericOp op) {
  SmallVector<int64_t> rounds = op.getStaticLoopRanges();
  for (OpOperand *operand : op.getDpsInputOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand->get().getType());
    if (!type)
      continue;
    SmallVector<int64_t> shape(type.getShape());
    for (auto [dim, index] : llvm::enumerate(op.getMatchingIndexingMap(operand).getResults()))
      if (auto reach = reachOf(index, rounds); reach && *reach > 0)
        shape[dim] = std::min(shape[dim], *reach);
    if (ArrayRef(shape) == type.getShape())
      continue;
    OpBuilder b(op);
    SmallVector<OpFoldResult> offsets(shape.size(), b.getIndexAttr(0)), sizes,
        strides(shape.size(), b.getIndexAttr(1));
    for (int64_t size : shape)
      sizes.push_back(b.getIndexAttr(size));
    operand->set(
        tensor::ExtractSliceOp::create(b, op.getLoc(), operand->get(), offsets, sizes, strides));
  }
}

struct TightenWindows final : ds::impl::TightenWindowsPassBase<TightenWindows> {
  void runOnOperation() override { getOperation().walk(tighten); }
};

} // namespace
