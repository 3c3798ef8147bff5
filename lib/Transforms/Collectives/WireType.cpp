//===- WireType.cpp - Reductions in another type than their operands ------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WireType.h"

#include "Utils/Elementwise.h"
#include "ds/Analysis/StepFlow.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace ds {

SmallVector<CollectiveOpInterface> collectReductions(Operation *root) {
  auto found = collectUnits<CollectiveOpInterface>(root);
  llvm::erase_if(found, [](CollectiveOpInterface op) { return !op.getKind() || op.isInFlight(); });
  return found;
}

FloatType getWireType(CollectiveOpInterface reduction) {
  return dyn_cast<FloatType>(getElementTypeOrSelf(reduction->getOperand(0).getType()));
}

/// Converts between f16 and bf16 by way of f32, which represents both exactly.
static Value convertFloat(OpBuilder &b, Location loc, Value element, FloatType to) {
  auto from = cast<FloatType>(element.getType());
  if (from.getWidth() == to.getWidth() && from != to)
    element = arith::ExtFOp::create(b, loc, b.getF32Type(), element);
  if (cast<FloatType>(element.getType()).getWidth() < to.getWidth())
    return arith::ExtFOp::create(b, loc, to, element);
  return arith::TruncFOp::create(b, loc, to, element);
}

static Value convertElements(OpBuilder &b, Location loc, Value tensor, FloatType to) {
  return mapElements(b, loc, tensor, to, [&](OpBuilder &nested, Location at, Value element) {
    return convertFloat(nested, at, element, to);
  });
}

void sendAs(CollectiveOpInterface op, FloatType wire) {
  OpBuilder b(op);
  FloatType own = getWireType(op);
  SmallVector<Value> sent, outs;
  for (OpOperand &input : op.getRead())
    sent.push_back(convertElements(b, op.getLoc(), input.get(), wire));
  if (op.hasParts()) // destinations of the wire type
    for (OpOperand &out : op.getWritten())
      outs.push_back(tensor::EmptyOp::create(
          b, op.getLoc(), cast<RankedTensorType>(out.get().getType()).getShape(), wire));
  Operation *reduced = createLike(b, op.getLoc(), op, sent, outs);
  for (auto [old, result] : llvm::zip_equal(op->getResults(), reduced->getResults()))
    old.replaceAllUsesWith(convertElements(b, op.getLoc(), result, own));
  op.erase();
}

} // namespace ds
