//===- EmptyTensors.cpp - Tensors without elements ------------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Such a tensor is a state that an optimizer does not need for a bias, or a slice that begins at
// the end. All of one type are equal, so each becomes a tensor.empty; the operations that computed
// it are then dead code. One walk.
//
//===----------------------------------------------------------------------===//
#include "EmptyTensors.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace ds {
namespace {

bool hasNoElements(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() && type.getNumElements() == 0;
}

void makeEmpty(Value value, OpBuilder &b) {
  if (!hasNoElements(value) || value.use_empty())
    return;
  auto type = cast<RankedTensorType>(value.getType());
  value.replaceAllUsesWith(
      tensor::EmptyOp::create(b, value.getLoc(), type.getShape(), type.getElementType()));
}

/// Returns the value of a result whose operation computes nothing; null if it does.
Value withoutRounds(OpResult result) {
  Operation *op = result.getOwner();
  if (auto kernel = dyn_cast<linalg::LinalgOp>(op);
      kernel && kernel.hasPureTensorSemantics() &&
      llvm::is_contained(kernel.getStaticLoopRanges(), 0))
    return kernel.getDpsInits()[result.getResultNumber()];
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op);
      insert && hasNoElements(insert.getSource()))
    return insert.getDest();
  return {};
}

} // namespace

void dropEmptyTensors(Operation *root) {
  root->walk([](Operation *op) {
    if (isa<tensor::EmptyOp>(op) || op->getParentOfType<linalg::LinalgOp>())
      return;
    OpBuilder b(op->getContext());
    b.setInsertionPointAfter(op);
    for (OpResult result : op->getResults())
      if (Value same = withoutRounds(result))
        result.replaceAllUsesWith(same);
      else
        makeEmpty(result, b);
    if (isa<FunctionOpInterface, linalg::LinalgOp>(op))
      return;
    for (Region &region : op->getRegions())
      for (Block &block : region) {
        b.setInsertionPointToStart(&block);
        for (BlockArgument argument : block.getArguments())
          makeEmpty(argument, b);
      }
  });
}

} // namespace ds
