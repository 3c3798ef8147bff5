//===- RefineTypes.cpp - Move casts from static types through a step ------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All canonicalizations of the loaded dialects run to a fixed point, beside patterns of ours: an
// elementwise operation takes the shape of a static operand, a branch that of what all its
// regions yield, a loop that of what it begins with, and an operation of tosa reads its operands
// before their casts and gets the result type that upstream infers.
//
//===----------------------------------------------------------------------===//
#include "RefineTypes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

bool ds::isDynamicTensor(Type type) {
  auto tensor = dyn_cast<TensorType>(type);
  return tensor && !tensor.hasStaticShape();
}

namespace {

using ds::isDynamicTensor;

/// Returns the static type that the value is a cast of, or its own.
Type sourceType(Value value) {
  auto cast = value.getDefiningOp<tensor::CastOp>();
  return cast ? cast.getSource().getType() : value.getType();
}

/// Returns the operands, and in the place of dynamic ones what they are cast of.
SmallVector<Value> beforeCasts(ValueRange operands) {
  return llvm::map_to_vector(operands, [](Value operand) -> Value {
    auto cast = operand.getDefiningOp<tensor::CastOp>();
    return cast && isDynamicTensor(cast.getType()) ? Value(cast.getSource()) : operand;
  });
}

/// Replaces an operation by one whose results have these types, cast back for its uses.
void replaceWithTypes(PatternRewriter &b, Operation *op, ValueRange operands,
                      ArrayRef<Type> types) {
  Operation *refined =
      b.create(OperationState(op->getLoc(), op->getName(), operands, types, op->getAttrs()));
  SmallVector<Value> results;
  for (auto [was, is] : llvm::zip_equal(op->getResults(), refined->getResults())) {
    Value result = is;
    if (was.getType() != is.getType())
      result = tensor::CastOp::create(b, op->getLoc(), was.getType(), is);
    results.push_back(result);
  }
  b.replaceOp(op, results);
}

/// Operands and results of one shape: that of the first operand with a static one.
struct RefineElementwise final : RewritePattern {
  explicit RefineElementwise(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &b) const override {
    const bool isOfOneShape = OpTrait::hasElementwiseMappableTraits(op) ||
                              op->hasTrait<OpTrait::SameOperandsAndResultType>();
    if (!isOfOneShape || op->getNumRegions() > 0 ||
        llvm::none_of(op->getResultTypes(), isDynamicTensor))
      return b.notifyMatchFailure(op, "has no dynamic result of its operands' shape");
    ShapedType shape;
    for (Value operand : op->getOperands())
      if (auto type = dyn_cast<RankedTensorType>(sourceType(operand)))
        if (!shape && type.hasStaticShape())
          shape = type;
    if (!shape)
      return b.notifyMatchFailure(op, "has no operand of a static shape");
    auto refine = [&](Type type) -> Type {
      auto tensor = dyn_cast<RankedTensorType>(type);
      return tensor ? Type(tensor.clone(shape.getShape())) : type;
    };
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      Type type = refine(operand.getType());
      operands.push_back(type == operand.getType()
                             ? operand
                             : tensor::CastOp::create(b, op->getLoc(), type, operand).getResult());
    }
    replaceWithTypes(b, op, operands, llvm::map_to_vector(op->getResultTypes(), refine));
    return success();
  }
};

/// Returns the type of the result that follows from the operands before their casts; null if it is
/// still dynamic, or another pattern knows the operation.
RankedTensorType typeOfResult(Operation *op) {
  auto of = [](Value value) { return dyn_cast<RankedTensorType>(sourceType(value)); };
  auto result = op->getNumResults() == 1 ? dyn_cast<RankedTensorType>(op->getResult(0).getType())
                                         : RankedTensorType();
  if (!result || !isDynamicTensor(result) || !llvm::all_of(op->getOperands(), [](Value operand) {
        return !isDynamicTensor(sourceType(operand));
      }))
    return {};
  return TypeSwitch<Operation *, RankedTensorType>(op)
      .Case([&](tensor::ConcatOp concat) {
        SmallVector<Type> inputs =
            llvm::map_to_vector(concat.getInputs(), [&](Value input) { return Type(of(input)); });
        return tensor::ConcatOp::inferResultType(concat.getDim(), inputs);
      })
      .Case([&](tensor::GatherOp gather) {
        RankedTensorType source = of(gather.getSource()), indices = of(gather.getIndices());
        const bool keepsRank = result.getRank() == indices.getRank() - 1 + source.getRank();
        return cast<RankedTensorType>(tensor::GatherOp::inferResultType(
            source, indices, gather.getGatherDims(), /*rankReduced=*/!keepsRank));
      })
      .Case([&](tensor::ScatterOp scatter) { return of(scatter.getDest()); })
      .Case([&](tensor::ReshapeOp reshape) {
        DenseIntElementsAttr sizes;
        return matchPattern(reshape.getShape(), m_Constant(&sizes))
                   ? result.clone(llvm::map_to_vector(
                         sizes, [](const APInt &size) { return size.getSExtValue(); }))
                   : RankedTensorType();
      })
      .Case([&](tensor::SplatOp splat) {
        SmallVector<int64_t> sizes(result.getShape());
        unsigned next = 0;
        for (int64_t &size : sizes)
          if (ShapedType::isDynamic(size))
            size = getConstantIntValue(splat.getDynamicSizes()[next++]).value_or(size);
        return result.clone(sizes);
      })
      .Default([](Operation *) { return RankedTensorType(); });
}

/// An operation of the dialect tensor whose result upstream leaves dynamic.
struct RefineResult final : RewritePattern {
  explicit RefineResult(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &b) const override {
    RankedTensorType type = typeOfResult(op);
    if (!type || !type.hasStaticShape())
      return b.notifyMatchFailure(op, "has no dynamic result that follows from its operands");
    SmallVector<Value> operands = beforeCasts(op->getOperands());
    if (isa<tensor::SplatOp>(op))
      operands.truncate(1);
    replaceWithTypes(b, op, operands, Type(type));
    return success();
  }
};

/// Changes the type of a result or of an argument of a block, and casts it back for its uses.
void refineValue(PatternRewriter &b, Value value, Type type) {
  OpBuilder::InsertionGuard guard(b);
  Type was = value.getType();
  b.setInsertionPointAfterValue(value);
  value.setType(type);
  auto cast = tensor::CastOp::create(b, value.getLoc(), was, value);
  b.replaceAllUsesExcept(value, cast, cast);
}

void refineOperand(PatternRewriter &b, OpOperand &operand, Type type) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(operand.getOwner());
  Value cast = tensor::CastOp::create(b, operand.getOwner()->getLoc(), type, operand.get());
  b.modifyOpInPlace(operand.getOwner(), [&] { operand.set(cast); });
}

/// True if the value is of a dynamic type that it is cast to from a static one.
bool isCastOfStatic(Value value) {
  return isDynamicTensor(value.getType()) && !isDynamicTensor(sourceType(value));
}

/// A branch whose regions all yield casts of one type.
template <typename Op> struct RefineBranch final : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op, PatternRewriter &b) const override {
    for (OpResult result : op->getResults()) {
      auto yielded = [&](Region &region) -> OpOperand & {
        return region.front().getTerminator()->getOpOperand(result.getResultNumber());
      };
      Type type = sourceType(yielded(op->getRegion(0)).get());
      if (!llvm::all_of(op->getRegions(), [&](Region &region) {
            return isCastOfStatic(yielded(region).get()) &&
                   sourceType(yielded(region).get()) == type;
          }))
        continue;
      for (Region &region : op->getRegions())
        refineOperand(b, yielded(region), type);
      b.modifyOpInPlace(op, [&] { refineValue(b, result, type); });
      return success();
    }
    return b.notifyMatchFailure(op, "has no result that all regions cast from one type");
  }
};

/// A loop keeps the shape that it begins with. If a round does not, the cast of what it yields
/// stays dynamic, and the step is refused.
struct RefineFor final : OpRewritePattern<scf::ForOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(scf::ForOp op, PatternRewriter &b) const override {
    for (auto [i, init] : llvm::enumerate(op.getInitArgsMutable())) {
      if (!isCastOfStatic(init.get()))
        continue;
      Type type = sourceType(init.get());
      refineOperand(b, init, type);
      refineOperand(b, op.getBody()->getTerminator()->getOpOperand(i), type);
      b.modifyOpInPlace(op, [&] {
        refineValue(b, op.getRegionIterArg(i), type);
        refineValue(b, op.getResult(i), type);
      });
      return success();
    }
    return b.notifyMatchFailure(op, "begins with no cast of a static type");
  }
};

/// The same of a loop in two parts, each of which hands its values to the other.
struct RefineWhile final : OpRewritePattern<scf::WhileOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(scf::WhileOp op, PatternRewriter &b) const override {
    for (auto [i, init] : llvm::enumerate(op.getInitsMutable())) {
      if (!isCastOfStatic(init.get()))
        continue;
      Type type = sourceType(init.get());
      refineOperand(b, init, type);
      refineOperand(b, op.getYieldOp()->getOpOperand(i), type);
      b.modifyOpInPlace(op, [&] { refineValue(b, op.getBeforeArguments()[i], type); });
      return success();
    }
    for (auto [i, handed] : llvm::enumerate(op.getConditionOp().getArgsMutable())) {
      if (!isCastOfStatic(handed.get()))
        continue;
      Type type = sourceType(handed.get());
      refineOperand(b, handed, type);
      b.modifyOpInPlace(op, [&] {
        refineValue(b, op.getAfterArguments()[i], type);
        refineValue(b, op.getResult(i), type);
      });
      return success();
    }
    return b.notifyMatchFailure(op, "hands on no cast of a static type");
  }
};

/// Infers the results of an operation of tosa from its operands before their casts.
struct RefineTosa final : RewritePattern {
  explicit RefineTosa(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &b) const override {
    auto shaped = dyn_cast<InferShapedTypeOpInterface>(op);
    if (!shaped || !isa_and_nonnull<tosa::TosaDialect>(op->getDialect()) ||
        op->getNumRegions() > 0 || llvm::none_of(op->getResultTypes(), isDynamicTensor))
      return b.notifyMatchFailure(op, "is no operation of tosa with a dynamic result");
    SmallVector<Value> operands = beforeCasts(op->getOperands());
    SmallVector<ShapedTypeComponents> found;
    if (failed(
            shaped.inferReturnTypeComponents(op->getContext(), op->getLoc(), ValueRange(operands),
                                             op->getDiscardableAttrDictionary(),
                                             op->getPropertiesStorage(), op->getRegions(), found)))
      return b.notifyMatchFailure(op, "has no types that can be inferred");
    SmallVector<Type> types(op->getResultTypes());
    bool isRefined = false;
    for (auto [type, is] : llvm::zip_equal(types, found)) {
      auto tensor = dyn_cast<TensorType>(type);
      if (!tensor || !is.hasRank() || !isDynamicTensor(type))
        continue;
      auto refined = RankedTensorType::get(is.getDims(), tensor.getElementType());
      isRefined |= refined.hasStaticShape();
      if (refined.hasStaticShape())
        type = refined;
    }
    if (!isRefined)
      return b.notifyMatchFailure(op, "has operands of dynamic shapes");
    replaceWithTypes(b, op, operands, types);
    return success();
  }
};

} // namespace

LogicalResult ds::refineTypes(func::FuncOp function) {
  MLIRContext *context = function.getContext();
  RewritePatternSet patterns(context);
  for (Dialect *dialect : context->getLoadedDialects())
    dialect->getCanonicalizationPatterns(patterns);
  for (RegisteredOperationName name : context->getRegisteredOperations())
    name.getCanonicalizationPatterns(patterns, context);
  patterns.add<RefineElementwise, RefineResult, RefineTosa, RefineBranch<scf::IfOp>,
               RefineBranch<scf::IndexSwitchOp>, RefineFor, RefineWhile>(context);
  // A pattern that does not come to an end leaves dynamic types, which are refused by name.
  (void)applyPatternsGreedily(function, std::move(patterns));
  return success();
}
