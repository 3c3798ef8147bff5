//===- CollapseLoops.cpp - Join neighbouring loops of a kernel --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A row of 7 or 14 elements leaves vectors half empty; a single loop of 49 or 196 does not. Kernels
// that read their index keep their loops: the index of a joined loop would need a division.
//
//===----------------------------------------------------------------------===//
#include "CollapseLoops.h"
#include "Utils/Buffers.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

/// True if the two dimensions of `operand` that the loops index are contiguous in memory, or if the
/// loops index none.
static bool isOneDimension(linalg::GenericOp op, OpOperand &operand, ArrayRef<int64_t> loops) {
  auto type = dyn_cast<MemRefType>(operand.get().getType());
  if (!type)
    return true;
  AffineMap map = op.getMatchingIndexingMap(&operand);
  if (!ds::hasStaticLayout(type) || !map.isProjectedPermutation())
    return false;
  SmallVector<ReassociationIndices> groups;
  for (auto [dim, index] : llvm::enumerate(map.getResults())) {
    bool joins = dim > 0 && index == getAffineDimExpr(loops[1], op.getContext()) &&
                 map.getResult(dim - 1) == getAffineDimExpr(loops[0], op.getContext());
    if (joins)
      groups.back().push_back(dim);
    else
      groups.push_back({static_cast<int64_t>(dim)});
  }
  return memref::CollapseShapeOp::isGuaranteedCollapsible(type, groups);
}

/// Keeps a buffer that is read and written one operand: LLVM vectorises only if it sees that both
/// are the same.
static void shareViews(linalg::GenericOp op, RewriterBase &rewriter) {
  SmallVector<memref::CollapseShapeOp> views;
  for (OpOperand &operand : op->getOpOperands()) {
    auto view = operand.get().getDefiningOp<memref::CollapseShapeOp>();
    if (!view)
      continue;
    auto *first = llvm::find_if(views, [&](memref::CollapseShapeOp other) {
      return other.getSrc() == view.getSrc() && other.getType() == view.getType();
    });
    if (first == views.end()) {
      views.push_back(view);
    } else if (*first != view) {
      rewriter.modifyOpInPlace(op, [&] { operand.set(*first); });
      if (view->use_empty())
        rewriter.eraseOp(view);
    }
  }
}

linalg::GenericOp ds::collapseLoops(linalg::GenericOp op, RewriterBase &rewriter) {
  if (op.hasIndexSemantics())
    return op;
  auto kinds = op.getIteratorTypesArray();
  SmallVector<ReassociationIndices> groups;
  for (int64_t loop = 0; loop < op.getNumLoops(); ++loop) {
    ReassociationIndices pair{loop - 1, loop};
    bool joins = loop > 0 && kinds[loop - 1] == kinds[loop] &&
                 linalg::areDimSequencesPreserved(op.getIndexingMapsArray(), {pair}) &&
                 llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
                   return isOneDimension(op, operand, pair);
                 });
    if (joins)
      groups.back().push_back(loop);
    else
      groups.push_back({loop});
  }
  if (groups.size() == op.getNumLoops())
    return op;
  rewriter.setInsertionPoint(op);
  FailureOr<linalg::CollapseResult> collapsed =
      linalg::collapseOpIterationDims(op, groups, rewriter);
  if (failed(collapsed))
    return op;
  rewriter.eraseOp(op);
  auto kernel = cast<linalg::GenericOp>(collapsed->collapsedOp);
  shareViews(kernel, rewriter);
  return kernel;
}
