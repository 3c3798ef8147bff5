//===- WireType.cpp - Reductions in another type than their operands ------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WireType.h"

#include "Elementwise.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace ds {

FloatType getWireType(Operation *reduction) {
  return dyn_cast<FloatType>(getElementTypeOrSelf(reduction->getOperand(0).getType()));
}

/// f16 and bf16 meet in f32, which holds both.
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

static Operation *createLike(OpBuilder &builder, AllReduceOp op, ValueRange inputs) {
  return AllReduceOp::create(builder, op.getLoc(), inputs.getTypes(), inputs, op.getProperties(),
                             llvm::to_vector(op->getDiscardableAttrs()));
}

/// A reduce-scatter writes into tensors of its own type.
static Operation *createLike(OpBuilder &builder, ReduceScatterOp op, ValueRange inputs) {
  SmallVector<Value> outs;
  for (Value out : op.getOuts())
    outs.push_back(tensor::EmptyOp::create(builder, op.getLoc(),
                                           cast<RankedTensorType>(out.getType()).getShape(),
                                           getElementTypeOrSelf(inputs.front())));
  return ReduceScatterOp::create(builder, op.getLoc(), ValueRange(outs).getTypes(), inputs, outs,
                                 op.getKind(), op.getDim(), op.getGroupAttr(), op.getFusionAttr(),
                                 op.getZone(), op.getNames());
}

template <typename Op> static void convert(Op op, FloatType wire) {
  OpBuilder b(op);
  FloatType own = getWireType(op);
  SmallVector<Value> sent;
  for (Value input : op.getInputs())
    sent.push_back(convertElements(b, op.getLoc(), input, wire));
  Operation *reduced = createLike(b, op, sent);
  for (auto [old, result] : llvm::zip_equal(op.getResults(), reduced->getResults()))
    old.replaceAllUsesWith(convertElements(b, op.getLoc(), result, own));
  op.erase();
}

void sendAs(AllReduceOp op, FloatType wire) { convert(op, wire); }
void sendAs(ReduceScatterOp op, FloatType wire) { convert(op, wire); }

} // namespace ds
