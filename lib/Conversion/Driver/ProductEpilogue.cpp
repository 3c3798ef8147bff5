//===- ProductEpilogue.cpp - Kernels that a library absorbs -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// At this point each buffer holds a single value, so every access to it names it. Between the
// kernel and the product no operation may access the memory whose use moves.
//
//===----------------------------------------------------------------------===//
#include "ProductEpilogue.h"

#include "Utils/Buffers.h"
#include "ds/Conversion/Utils/Contraction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

/// True if the operation, its regions included, may read or write memory of that root.
static bool touches(Operation *op, Value root) {
  bool found = false;
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      found |= isa<BaseMemRefType>(operand.getType()) && ds::rootOf(operand) == root;
  });
  return found;
}

/// True if no operation between two of a block accesses any of the roots. Views do not.
static bool isUntouchedBetween(Operation *first, Operation *last, ArrayRef<Value> roots) {
  for (Operation *op = first->getNextNode(); op != last; op = op->getNextNode()) {
    if (!op)
      return false;
    if (ds::isView(op) || isa<memref::AllocOp>(op))
      continue;
    if (llvm::any_of(roots, [&](Value root) { return touches(op, root); }))
      return false;
  }
  return true;
}

static bool isDense(Value buffer) {
  return cast<MemRefType>(buffer.getType()).getLayout().isIdentity();
}

ds::RowFill ds::findRowFill(linalg::GenericOp product) {
  Value out = product.getDpsInits()[0];
  linalg::GenericOp fill;
  for (Operation *user : out.getUsers())
    if (auto generic = dyn_cast<linalg::GenericOp>(user);
        generic && generic != product && generic->getBlock() == product->getBlock() &&
        generic->isBeforeInBlock(product) && llvm::is_contained(generic.getDpsInits(), out))
      if (!fill || fill->isBeforeInBlock(generic))
        fill = generic;
  if (!fill || fill.getNumDpsInputs() != 1 || fill.getNumDpsInits() != 1 || !isDense(out) ||
      !llvm::hasSingleElement(*fill.getBody()) ||
      fill.getBody()->getTerminator()->getOperand(0) != fill.getBody()->getArgument(0))
    return {};
  auto type = dyn_cast<MemRefType>(fill.getInputs()[0].getType());
  SmallVector<AffineMap> maps = fill.getIndexingMapsArray();
  if (!type || !type.getElementType().isF32() || !isDense(fill.getInputs()[0]) ||
      !maps[1].isPermutation() || !maps[0].isProjectedPermutation())
    return {};
  RowFill found = {fill, fill.getInputs()[0], {}};
  if (!isUntouchedBetween(fill, product, {ds::rootOf(out), ds::rootOf(found.row)}))
    return {};
  // Maps loops of the product to elements of the row.
  AffineMap map = maps[0]
                      .compose(inversePermutation(maps[1]))
                      .compose(product.getMatchingIndexingMap(product.getDpsInitOperand(0)));
  found.strides.assign(product.getNumLoops(), 0);
  int64_t stride = 1;
  for (unsigned i = map.getNumResults(); i-- > 0; stride *= type.getDimSize(i)) {
    auto loop = dyn_cast<AffineDimExpr>(map.getResult(i));
    if (!loop)
      return {};
    found.strides[loop.getPosition()] = stride;
  }
  return found;
}

/// Returns the argument of a body that yields its maximum with zero.
static Value maximumOf(linalg::GenericOp op) {
  auto [of, zero] = ds::operandsOfMaximum(op);
  if (!of)
    return {};
  if (!matchPattern(zero, m_AnyZeroFloat()))
    std::swap(of, zero);
  return matchPattern(zero, m_AnyZeroFloat()) ? of : Value();
}

/// Returns the only reader of a product's result if it follows in the block.
static linalg::GenericOp onlyReader(linalg::GenericOp product) {
  Value out = product.getDpsInits()[0];
  linalg::GenericOp reader;
  for (Operation *user : out.getUsers()) {
    if (user->getBlock() == product->getBlock() && !product->isBeforeInBlock(user))
      continue; // the product itself and the fill of its result
    if (reader || user->getBlock() != product->getBlock() || !isa<linalg::GenericOp>(user))
      return {};
    reader = cast<linalg::GenericOp>(user);
  }
  return reader;
}

ds::LastStep ds::findLastStep(linalg::GenericOp product) {
  Value out = product.getDpsInits()[0];
  if (!out.getDefiningOp<memref::AllocOp>())
    return {};
  linalg::GenericOp kernel = onlyReader(product);
  if (!kernel || kernel.getNumDpsInputs() != 1 || kernel.getNumDpsInits() != 1 ||
      kernel.getNumReductionLoops() != 0 || kernel.getInputs()[0] != out)
    return {};
  Value result = kernel.getDpsInits()[0];
  auto type = cast<MemRefType>(result.getType());
  LastStep last = {kernel, maximumOf(kernel) == kernel.getBody()->getArgument(0),
                   type.getElementType()};
  auto rounded = kernel.getBody()->getTerminator()->getOperand(0).getDefiningOp<arith::TruncFOp>();
  if (!last.isMaximum && !(rounded && rounded.getIn() == kernel.getBody()->getArgument(0)))
    return {};
  SmallVector<AffineMap> maps = kernel.getIndexingMapsArray();
  if (maps[0] != maps[1] || !maps[0].isPermutation() || !isDense(out) || !isDense(result) ||
      type.getShape() != cast<MemRefType>(out.getType()).getShape())
    return {};
  // The result must be in existing memory, or in an allocation that can move.
  Operation *made = result.getDefiningOp();
  if (made && !(isa<memref::AllocOp>(made) && made->getBlock() == product->getBlock()))
    return {};
  if (touches(product, result) || !isUntouchedBetween(product, kernel, {result}))
    return {};
  return last;
}

void ds::makeAvailable(const LastStep &last, linalg::GenericOp product) {
  linalg::GenericOp kernel = last.kernel;
  if (Operation *made = kernel.getDpsInits()[0].getDefiningOp();
      made && product->isBeforeInBlock(made))
    made->moveBefore(product);
}
