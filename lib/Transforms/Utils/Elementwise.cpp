//===- Elementwise.cpp - one scalar operation over a tensor -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A linalg.generic with its own destination, so that it fuses with the operations before and after
// it.
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

Value ds::mapElements(OpBuilder &builder, Location loc, Value tensor, Type element,
                      ScalarBody body) {
  auto type = cast<RankedTensorType>(tensor.getType());
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(), element);
  AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> iterators(type.getRank(), utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      builder, loc, empty.getType(), tensor, empty, ArrayRef<AffineMap>{identity, identity},
      iterators, [&](OpBuilder &nested, Location nestedLoc, ValueRange elements) {
        linalg::YieldOp::create(nested, nestedLoc, body(nested, nestedLoc, elements.front()));
      });
  return generic.getResult(0);
}

bool ds::isPermutation(Operation *op) {
  auto copy = dyn_cast<linalg::LinalgOp>(op);
  if (!copy || copy.getNumDpsInputs() != 1 || copy.getNumDpsInits() != 1 ||
      copy.getNumReductionLoops() != 0)
    return false;
  Block &body = *copy.getBlock();
  return llvm::hasSingleElement(body) &&
         body.getTerminator()->getOperand(0) == body.getArgument(0) &&
         llvm::all_of(copy.getIndexingMapsArray(),
                      [](AffineMap map) { return map.isPermutation(); });
}
