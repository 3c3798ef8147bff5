//===- Lower.cpp - From nn to linalg on tensors -----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One linalg.generic for each operation. Shapes are read from the types of the results, which are
// those of one rank when this runs behind ds-data-parallel.
//
//===----------------------------------------------------------------------===//
#include "nn/Nn.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using utils::IteratorType;

namespace nn {
namespace {

using Body = llvm::function_ref<SmallVector<Value>(ImplicitLocOpBuilder &, ValueRange)>;

Value constant(ImplicitLocOpBuilder &b, float value) {
  return arith::ConstantOp::create(b, b.getF32FloatAttr(value));
}

/// One element of each result by one round of the loops.
linalg::GenericOp makeLoops(ImplicitLocOpBuilder &b, ValueRange operands, ValueRange outs,
                            ArrayRef<AffineMap> maps, ArrayRef<IteratorType> loops, Body body) {
  return linalg::GenericOp::create(b, b.getLoc(), TypeRange(outs), operands, outs, maps, loops,
                                   [&](OpBuilder &inner, Location loc, ValueRange elements) {
                                     ImplicitLocOpBuilder at(loc, inner);
                                     linalg::YieldOp::create(at, body(at, elements));
                                   });
}

Value emptyLike(ImplicitLocOpBuilder &b, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  return tensor::EmptyOp::create(b, type.getShape(), type.getElementType());
}

void lower(GateOp op, IRRewriter &rewriter) {
  ImplicitLocOpBuilder b(op.getLoc(), rewriter);
  AffineMap map = b.getMultiDimIdentityMap(op.getType().getRank());
  SmallVector<IteratorType> loops(map.getNumDims(), IteratorType::parallel);
  auto generic = makeLoops(b, {op.getValue(), op.getBy()}, emptyLike(b, op), {map, map, map}, loops,
                           [](ImplicitLocOpBuilder &b, ValueRange in) -> SmallVector<Value> {
                             Value zero = constant(b, 0);
                             Value open =
                                 arith::CmpFOp::create(b, arith::CmpFPredicate::OGT, in[1], zero);
                             return {arith::SelectOp::create(b, open, in[0], zero)};
                           });
  rewriter.replaceOp(op, generic);
}

void lower(ContractOp op, IRRewriter &rewriter) {
  ImplicitLocOpBuilder b(op.getLoc(), rewriter);
  Value zeros = linalg::FillOp::create(b, constant(b, 0), emptyLike(b, op)).getResult(0);
  auto generic =
      makeLoops(b, {op.getLhs(), op.getRhs()}, zeros, op.getMaps(), op.getShardingRule()->loops,
                [](ImplicitLocOpBuilder &b, ValueRange in) -> SmallVector<Value> {
                  Value product = arith::MulFOp::create(b, in[0], in[1]);
                  return {arith::AddFOp::create(b, in[2], product)};
                });
  rewriter.replaceOp(op, generic);
}

/// Two loops, of which the result has those that `map` says.
void lowerRows(ImplicitLocOpBuilder &b, Operation *op, Value init, AffineMap map,
               IteratorType outer, IRRewriter &rewriter) {
  AffineMap all = b.getMultiDimIdentityMap(2);
  AffineMap row = AffineMap::getMultiDimMapWithTargets(2, {1}, b.getContext());
  SmallVector<AffineMap> maps = {all, row};
  maps.resize(op->getNumOperands());
  maps.push_back(map);
  rewriter.replaceOp(op,
                     makeLoops(b, op->getOperands(), init, maps, {outer, IteratorType::parallel},
                               [](ImplicitLocOpBuilder &b, ValueRange in) -> SmallVector<Value> {
                                 return {arith::AddFOp::create(b, in[0], in[1])};
                               }));
}

void lower(AddRowOp op, IRRewriter &rewriter) {
  ImplicitLocOpBuilder b(op.getLoc(), rewriter);
  lowerRows(b, op, emptyLike(b, op), b.getMultiDimIdentityMap(2), IteratorType::parallel, rewriter);
}

void lower(SumRowsOp op, IRRewriter &rewriter) {
  ImplicitLocOpBuilder b(op.getLoc(), rewriter);
  Value zeros = linalg::FillOp::create(b, constant(b, 0), emptyLike(b, op)).getResult(0);
  lowerRows(b, op, zeros, AffineMap::getMultiDimMapWithTargets(2, {1}, b.getContext()),
            IteratorType::reduction, rewriter);
}

void lower(AdamOp op, IRRewriter &rewriter) {
  ImplicitLocOpBuilder b(op.getLoc(), rewriter);
  AffineMap all = b.getMultiDimIdentityMap(op.getParameter().getType().getRank());
  AffineMap none = AffineMap::get(all.getNumDims(), 0, b.getContext());
  SmallVector<IteratorType> loops(all.getNumDims(), IteratorType::parallel);
  Value out = emptyLike(b, op.getParameter());
  auto body = [&](ImplicitLocOpBuilder &b, ValueRange in) -> SmallVector<Value> {
    Value parameter = in[0], gradient = in[3], count = in[4];
    auto mix = [&](Value x, APFloat weight, Value y) -> Value {
      float kept = weight.convertToFloat();
      return arith::AddFOp::create(b, arith::MulFOp::create(b, constant(b, kept), x),
                                   arith::MulFOp::create(b, constant(b, 1 - kept), y));
    };
    // A mean that starts from 0 is too small by 1 - beta^count.
    auto corrected = [&](Value mean, APFloat weight) -> Value {
      Value power = math::PowFOp::create(b, constant(b, weight.convertToFloat()), count);
      return arith::DivFOp::create(b, mean, arith::SubFOp::create(b, constant(b, 1), power));
    };
    Value mean = mix(in[1], op.getBeta1(), gradient);
    Value variance = mix(in[2], op.getBeta2(), arith::MulFOp::create(b, gradient, gradient));
    Value deviation =
        arith::AddFOp::create(b, math::SqrtOp::create(b, corrected(variance, op.getBeta2())),
                              constant(b, op.getEpsilon().convertToFloat()));
    Value step =
        arith::MulFOp::create(b, constant(b, op.getRate().convertToFloat()),
                              arith::DivFOp::create(b, corrected(mean, op.getBeta1()), deviation));
    return {arith::SubFOp::create(b, parameter, step), mean, variance};
  };
  auto generic = makeLoops(
      b, {op.getParameter(), op.getMean(), op.getVariance(), op.getGradient(), op.getCount()},
      {out, out, out}, {all, all, all, all, none, all, all, all}, loops, body);
  rewriter.replaceOp(op, generic);
}

struct LowerPass final : PassWrapper<LowerPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerPass)
  StringRef getArgument() const override { return "nn-lower"; }
  StringRef getDescription() const override { return "Lower nn to linalg on tensors"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, linalg::LinalgDialect, math::MathDialect,
                    tensor::TensorDialect>();
  }

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    getOperation().walk([&](Operation *op) {
      rewriter.setInsertionPoint(op);
      llvm::TypeSwitch<Operation *>(op).Case<GateOp, ContractOp, AdamOp, AddRowOp, SumRowsOp>(
          [&](auto each) { lower(each, rewriter); });
    });
  }
};

} // namespace

std::unique_ptr<Pass> createLowerPass() { return std::make_unique<LowerPass>(); }

} // namespace nn
