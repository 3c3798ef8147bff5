//===- RelaxReductions.cpp - Allow any order in reductions ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The iterations of a reduction have no order, but LLVM vectorises a sum only if flags allow
// reordering. Only the operations between an accumulator and its new value get these flags, and the
// products that are added to it: the rest of a body is computed as written.
//
//===----------------------------------------------------------------------===//
#include "ds/Conversion/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace ds {
#define GEN_PASS_DEF_RELAXREDUCTIONSPASS
#include "ds/Conversion/Passes.h.inc"
} // namespace ds

using namespace mlir;
using arith::FastMathFlags;

namespace {

void allow(Operation *op, FastMathFlags flags) {
  auto fastMath = cast<arith::ArithFastMathInterface>(op);
  auto attr = cast<arith::FastMathFlagsAttr>(op->getAttr(fastMath.getFastMathAttrName()));
  op->setAttr(fastMath.getFastMathAttrName(),
              arith::FastMathFlagsAttr::get(op->getContext(), attr.getValue() | flags));
}

/// Collects the operations from `accumulator` to `value` if all are sums, or all products.
bool collectChain(Value value, BlockArgument accumulator, bool products,
                  SmallVectorImpl<Operation *> &chain) {
  if (value == accumulator)
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != accumulator.getOwner() || !op->hasOneUse())
    return false;
  bool continues = products ? isa<arith::MulFOp>(op) : isa<arith::AddFOp, arith::SubFOp>(op);
  if (!continues)
    return false;
  // Subtracting the accumulator changes its sign, which is no reduction.
  unsigned operands = isa<arith::SubFOp>(op) ? 1 : 2;
  for (Value operand : op->getOperands().take_front(operands))
    if (collectChain(operand, accumulator, products, chain)) {
      chain.push_back(op);
      return true;
    }
  return false;
}

struct RelaxReductions final : ds::impl::RelaxReductionsPassBase<RelaxReductions> {
  void runOnOperation() override {
    getOperation().walk([](linalg::GenericOp op) {
      if (op.getNumReductionLoops() == 0)
        return;
      Operation *yield = op.getBody()->getTerminator();
      for (auto [accumulator, value] : llvm::zip(op.getRegionOutputArgs(), yield->getOperands())) {
        SmallVector<Operation *> chain;
        if (!isa<FloatType>(value.getType()) || !accumulator.hasOneUse() ||
            !(collectChain(value, accumulator, /*products=*/false, chain) ||
              collectChain(value, accumulator, /*products=*/true, chain)))
          continue;
        for (Operation *link : chain) {
          allow(link, FastMathFlags::reassoc | FastMathFlags::contract);
          for (Value operand : link->getOperands())
            if (auto product = operand.getDefiningOp<arith::MulFOp>())
              allow(product, FastMathFlags::contract);
        }
      }
    });
  }
};

} // namespace
