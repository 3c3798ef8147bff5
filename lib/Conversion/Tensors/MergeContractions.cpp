//===- MergeContractions.cpp - Merge a sum of products into one -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// a0 * b0 + a1 * b1 + .. = [a0 a1 ..] * [b0 b1 ..], concatenated along the reduction loop. A tree
// of additions is flattened to its leaves; the products among them that differ only in their
// operands become one, if copying the operands moves less memory than writing every product and
// reading it again. Linear in the number of operations.
//
//===----------------------------------------------------------------------===//
#include "ds/Conversion/Passes.h"
#include "ds/Conversion/Utils/Contraction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"

#include "llvm/ADT/MapVector.h"

namespace ds {
#define GEN_PASS_DEF_MERGECONTRACTIONSPASS
#include "ds/Conversion/Passes.h.inc"
} // namespace ds

using namespace mlir;

namespace {

using Product = linalg::GenericOp;

/// True if the operation adds two tensors element by element.
bool isSum(Operation *op) {
  auto generic = dyn_cast_or_null<linalg::GenericOp>(op);
  if (!generic || generic.getNumDpsInputs() != 2 || generic.getNumDpsInits() != 1 ||
      generic.getNumReductionLoops() != 0 ||
      !llvm::all_of(generic.getIndexingMapsArray(), [](AffineMap map) { return map.isIdentity(); }))
    return false;
  Block &body = *generic.getBody();
  auto add = dyn_cast<arith::AddFOp>(body.front());
  return add && body.getOperations().size() == 2 &&
         body.getTerminator()->getOperand(0) == add.getResult() &&
         llvm::all_of(add.getOperands(),
                      [&](Value value) {
                        return value == body.getArgument(0) || value == body.getArgument(1);
                      }) &&
         add.getLhs() != add.getRhs();
}

/// True if the operation is a sum that only another sum reads.
bool isInnerSum(Operation *op) {
  return isSum(op) && op->hasOneUse() && isSum(*op->user_begin()) &&
         op->getBlock() == op->user_begin()->getBlock();
}

/// Returns the leaves of the tree of additions at `root`, in order, and collects its inner nodes,
/// users first.
SmallVector<Value> leavesOf(Operation *root, SmallVectorImpl<Operation *> &inner) {
  SmallVector<Value> leaves, open{root->getOperand(1), root->getOperand(0)};
  while (!open.empty()) {
    Value value = open.pop_back_val();
    Operation *op = value.getDefiningOp();
    if (!op || !isInnerSum(op)) {
      leaves.push_back(value);
      continue;
    }
    inner.push_back(op);
    open.append({op->getOperand(1), op->getOperand(0)});
  }
  return leaves;
}

/// Returns the dimension of operand 0 or 1 that the reduction loop indexes, if the leaf is a
/// product that can be merged: it has maps without arithmetic and one reduction loop, and all other
/// dimensions of its operands are in the result.
std::optional<unsigned> depthPosition(Product op, unsigned operand) {
  SmallVector<unsigned> loops;
  op.getReductionDims(loops);
  return op.getIndexingMapsArray()[operand].getResultPosition(
      getAffineDimExpr(loops[0], op.getContext()));
}

Product asMergeable(Value leaf) {
  auto op = leaf.getDefiningOp<linalg::GenericOp>();
  if (!op || !leaf.hasOneUse() || !ds::isContraction(op) || op.getNumReductionLoops() != 1 ||
      !op.hasPureTensorSemantics() || !cast<ShapedType>(leaf.getType()).hasStaticShape() ||
      !llvm::all_of(op.getIndexingMapsArray(),
                    [](AffineMap map) { return map.isProjectedPermutation(); }))
    return nullptr;
  Operation *init = op.getDpsInits()[0].getDefiningOp();
  if (!init || !ds::isZeroFill(init) || !depthPosition(op, 0) || !depthPosition(op, 1))
    return nullptr;
  return op;
}

bool pays(ArrayRef<Product> products) {
  int64_t copied = 0, saved = 0;
  for (Product product : products) {
    for (Value operand : product.getInputs())
      copied += cast<ShapedType>(operand.getType()).getNumElements();
    saved += cast<ShapedType>(product->getResult(0).getType()).getNumElements();
  }
  return products.size() > 1 && copied <= saved;
}

/// Concatenates operand `operand` of all products along the reduction loop.
Value concatenate(OpBuilder &builder, ArrayRef<Product> products, unsigned operand) {
  Product first = products.front();
  unsigned dim = *depthPosition(first, operand);
  auto type = cast<RankedTensorType>(first.getInputs()[operand].getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = 0;
  for (Product product : products)
    shape[dim] += cast<ShapedType>(product.getInputs()[operand].getType()).getDimSize(dim);
  Location loc = first.getLoc();
  Value whole = tensor::EmptyOp::create(builder, loc, shape, type.getElementType());
  SmallVector<OpFoldResult> offsets(shape.size(), builder.getIndexAttr(0)),
      strides(shape.size(), builder.getIndexAttr(1));
  int64_t offset = 0;
  for (Product product : products) {
    Value part = product.getInputs()[operand];
    SmallVector<int64_t> size(cast<ShapedType>(part.getType()).getShape());
    offsets[dim] = builder.getIndexAttr(offset);
    whole =
        tensor::InsertSliceOp::create(builder, product.getLoc(), part, whole, offsets,
                                      getAsIndexOpFoldResult(builder.getContext(), size), strides);
    offset += size[dim];
  }
  return whole;
}

/// Replaces `root` by the sum of one product and the other leaves.
void merge(RewriterBase &rewriter, linalg::GenericOp root, ArrayRef<Product> products,
           ArrayRef<Value> others) {
  rewriter.setInsertionPoint(root);
  Product first = products.front();
  IRMapping operands;
  auto merged = cast<Product>(rewriter.clone(*first));
  rewriter.setInsertionPoint(merged);
  for (unsigned operand : {0u, 1u})
    merged.setOperand(operand, concatenate(rewriter, products, operand));
  rewriter.setInsertionPoint(root);
  Value sum = merged->getResult(0);
  for (Value other : others) {
    Operation *add = rewriter.clone(*root);
    add->setOperand(0, other);
    add->setOperand(1, sum);
    sum = add->getResult(0);
  }
  rewriter.replaceOp(root, sum);
}

struct MergeContractions final : ds::impl::MergeContractionsPassBase<MergeContractions> {
  void runOnOperation() override {
    SmallVector<linalg::GenericOp> roots;
    getOperation().walk([&](linalg::GenericOp op) {
      if (isSum(op) && !isInnerSum(op))
        roots.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::GenericOp root : roots)
      visit(rewriter, root);
  }

  /// Merges one group of products; products with other maps stay as they are.
  static void visit(RewriterBase &rewriter, linalg::GenericOp root) {
    SmallVector<Operation *> dead;
    SmallVector<Value> leaves = leavesOf(root, dead);
    llvm::MapVector<Attribute, SmallVector<Product>> groups;
    for (Value leaf : leaves)
      if (Product product = asMergeable(leaf))
        groups[product.getIndexingMaps()].push_back(product);
    for (auto &[maps, products] : groups) {
      if (!pays(products))
        continue;
      SmallVector<Value> others(llvm::make_filter_range(
          leaves, [&](Value leaf) { return !llvm::is_contained(products, leaf.getDefiningOp()); }));
      remark::passed(
          root.getLoc(),
          remark::RemarkOpts::name("ContractionsMerged").category("ds-merge-contractions"))
          << "a sum of contractions is one" << remark::metric("products", products.size());
      merge(rewriter, root, products, others);
      // Erased now, since kernels are fused by their number of uses.
      dead.append(products.begin(), products.end());
      for (Operation *op : dead)
        rewriter.eraseOp(op);
      return;
    }
  }
};

} // namespace
