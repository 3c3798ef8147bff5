//===- StartProducts.cpp - Products that start from an addend ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sum of a product and an addend that is in memory anyway is replaced by the product, with the
// addend as its init: a row for all rows, another product, a value carried by a loop. An addend
// that fusion would compute inside the sum stays there, since it would need a separate kernel.
//
//===----------------------------------------------------------------------===//
#include "ds/Conversion/Passes.h"
#include "ds/Conversion/Utils/Contraction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"

namespace ds {
#define GEN_PASS_DEF_STARTPRODUCTSPASS
#include "ds/Conversion/Passes.h.inc"
} // namespace ds

using namespace mlir;

namespace {

/// True for an elementwise operation whose result has the shape of its loops.
bool isElementwise(linalg::GenericOp op) {
  return op.getNumDpsInits() == 1 && op.getNumReductionLoops() == 0 &&
         op.hasPureTensorSemantics() &&
         op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity() &&
         op.getRegionOutputArgs()[0].use_empty();
}

/// An element that an elementwise operation reads: a tensor, and a map to its element.
struct Element {
  Value tensor;
  AffineMap map;
};

/// Returns the element that a value of the body is, after looking through broadcasts of smaller
/// tensors.
Element elementOf(linalg::GenericOp op, Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != op.getBody() ||
      argument.getArgNumber() >= op.getNumDpsInputs())
    return {};
  Element element = {op.getDpsInputs()[argument.getArgNumber()],
                     op.getIndexingMapsArray()[argument.getArgNumber()]};
  while (auto copy = element.tensor.getDefiningOp<linalg::GenericOp>()) {
    if (copy.getNumDpsInputs() != 1 || !isElementwise(copy) ||
        !llvm::hasSingleElement(*copy.getBody()) ||
        copy.getBody()->getTerminator()->getOperand(0) != copy.getBody()->getArgument(0) ||
        !isa<RankedTensorType>(copy.getInputs()[0].getType()))
      break;
    element.map = copy.getIndexingMapsArray()[0].compose(element.map);
    element.tensor = copy.getInputs()[0];
  }
  return element;
}

bool isZero(linalg::GenericOp op, Value value) {
  if (matchPattern(value, m_AnyZeroFloat()))
    return true;
  Value tensor = elementOf(op, value).tensor;
  if (!tensor)
    return false;
  Operation *made = tensor.getDefiningOp();
  return matchPattern(tensor, m_AnyZeroFloat()) || (made && ds::isZeroFill(made));
}

/// Returns the product that defines `value`, if it is one of f32 that starts from zero and has one
/// reader.
linalg::GenericOp freshProduct(Value value) {
  auto op = value.getDefiningOp<linalg::GenericOp>();
  if (!op || !value.hasOneUse() || !ds::isMatrixProduct(op) ||
      !getElementTypeOrSelf(value.getType()).isF32())
    return {};
  // Maps with windows belong to a convolution, which must start from zero.
  if (!llvm::all_of(op.getIndexingMapsArray(),
                    [](AffineMap map) { return map.isProjectedPermutation(); }))
    return {};
  Operation *fill = op.getDpsInits()[0].getDefiningOp();
  return fill && ds::isZeroFill(fill) ? op : linalg::GenericOp();
}

/// True if the map selects the innermost dimensions of the result and the library can add such a
/// row to each row of the product: these are exactly the dimensions that come from one factor
/// alone.
bool isRowOf(linalg::GenericOp product, AffineMap map) {
  const unsigned rank = map.getNumDims(), taken = map.getNumResults();
  if (taken == 0 || taken >= rank)
    return false;
  for (auto [i, expr] : llvm::enumerate(map.getResults()))
    if (expr != getAffineDimExpr(rank - taken + i, map.getContext()))
      return false;
  SmallVector<AffineMap> maps = product.getIndexingMapsArray();
  SmallVector<int64_t> sizes = product.getStaticLoopRanges();
  // The number of dimensions from each factor alone, in the rest [0] and in the row [1].
  unsigned ofLhs[2] = {}, ofRhs[2] = {}, ofBoth[2] = {};
  for (auto [i, expr] : llvm::enumerate(maps[2].getResults())) {
    const unsigned loop = cast<AffineDimExpr>(expr).getPosition();
    if (sizes[loop] == 1)
      continue;
    const bool inRow = i >= rank - taken, left = maps[0].isFunctionOfDim(loop),
               right = maps[1].isFunctionOfDim(loop);
    ++(left && right ? ofBoth : left ? ofLhs : ofRhs)[inRow];
  }
  return ofBoth[1] == 0 && ((ofRhs[1] && !ofRhs[0] && !ofLhs[1] && ofLhs[0]) ||
                            (ofLhs[1] && !ofLhs[0] && !ofRhs[1] && ofRhs[0]));
}

/// True for a value that is in memory anyway and may be overwritten.
bool isOverwritable(Value value) {
  if (!value.hasOneUse())
    return false;
  if (auto argument = dyn_cast<BlockArgument>(value))
    return isa<scf::ForOp>(argument.getOwner()->getParentOp());
  auto op = value.getDefiningOp<linalg::GenericOp>();
  return op && ds::isMatrixProduct(op);
}

/// Replaces a sum by its product, which starts from the other addend.
bool startProduct(linalg::GenericOp sum) {
  auto add = dyn_cast<arith::AddFOp>(sum.getBody()->front());
  if (!add || !isElementwise(sum) || sum.getBody()->getOperations().size() != 2 ||
      sum.getBody()->getTerminator()->getOperand(0) != add.getResult())
    return false;
  for (auto [first, second] :
       {std::pair(add.getLhs(), add.getRhs()), std::pair(add.getRhs(), add.getLhs())}) {
    Element factor = elementOf(sum, first), other = elementOf(sum, second);
    if (!factor.tensor || !other.tensor || !factor.map.isIdentity())
      continue;
    linalg::GenericOp product = freshProduct(factor.tensor);
    if (!product || product->getBlock() != sum->getBlock() ||
        *factor.tensor.user_begin() != sum.getOperation())
      continue;
    OpBuilder builder(sum);
    Location loc = product.getLoc();
    auto type = cast<RankedTensorType>(factor.tensor.getType());
    Value init;
    if (other.map.isIdentity() && isOverwritable(other.tensor) &&
        *other.tensor.user_begin() == sum.getOperation()) {
      init = other.tensor;
    } else if (other.map.isProjectedPermutation() && isRowOf(product, other.map)) {
      Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(), type.getElementType());
      SmallVector<utils::IteratorType> loops(type.getRank(), utils::IteratorType::parallel);
      init =
          linalg::GenericOp::create(
              builder, loc, TypeRange(type), ValueRange(other.tensor), ValueRange(empty),
              ArrayRef<AffineMap>{other.map, builder.getMultiDimIdentityMap(type.getRank())}, loops,
              [](OpBuilder &b, Location l, ValueRange args) {
                linalg::YieldOp::create(b, l, args[0]);
              })
              .getResult(0);
    } else {
      continue;
    }
    auto started = cast<linalg::GenericOp>(builder.clone(*product));
    started.getDpsInitsMutable()[0].set(init); // a factor may be the same zeros
    sum->replaceAllUsesWith(started);
    sum.erase();
    product.erase();
    return true;
  }
  return false;
}

/// True if the operation computes max(z, 0).
bool isMaximumWithZero(linalg::GenericOp op, Value z) {
  if (!isElementwise(op))
    return false;
  auto [of, zero] = ds::operandsOfMaximum(op);
  if (!of)
    return false;
  if (!isZero(op, zero))
    std::swap(of, zero);
  Element element = elementOf(op, of);
  return isZero(op, zero) && element.tensor == z && element.map.isIdentity();
}

/// Replaces z > 0 by max(z, 0) > 0, which is equivalent, so that z need not be stored.
void compareMaximum(linalg::GenericOp maximum, Value z, DominanceInfo &dominance) {
  for (OpOperand &use : llvm::make_early_inc_range(z.getUses())) {
    auto reader = dyn_cast<linalg::GenericOp>(use.getOwner());
    if (!reader || reader == maximum || !isElementwise(reader) ||
        use.getOperandNumber() >= reader.getNumDpsInputs() ||
        !dominance.properlyDominates(maximum, reader))
      continue;
    BlockArgument argument = reader.getBody()->getArgument(use.getOperandNumber());
    bool onlyCompares = llvm::all_of(argument.getUsers(), [&](Operation *user) {
      auto compare = dyn_cast<arith::CmpFOp>(user);
      return compare && compare.getLhs() == argument &&
             compare.getPredicate() == arith::CmpFPredicate::OGT &&
             isZero(reader, compare.getRhs());
    });
    if (onlyCompares)
      use.set(maximum.getResult(0));
  }
}

struct StartProducts final : ds::impl::StartProductsPassBase<StartProducts> {
  void runOnOperation() override {
    SmallVector<linalg::GenericOp> sums;
    getOperation().walk([&](linalg::GenericOp op) {
      if (isElementwise(op) && isa<arith::AddFOp>(op.getBody()->front()))
        sums.push_back(op);
    });
    for (linalg::GenericOp sum : sums)
      startProduct(sum); // does not erase other sums
    DominanceInfo dominance(getOperation());
    getOperation().walk([&](linalg::GenericOp op) {
      if (!isElementwise(op))
        return;
      for (Value z : op.getDpsInputs())
        if (auto product = z.getDefiningOp<linalg::GenericOp>();
            product && ds::isMatrixProduct(product) && isMaximumWithZero(op, z))
          compareMaximum(op, z, dominance);
    });
  }
};

} // namespace
