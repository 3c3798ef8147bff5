//===- WidenAccumulators.cpp - Accumulate in wider types --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For a reduction whose only output is bf16 or f16, separate kernels widen inputs and init, the
// body is rebuilt on f32 and the result is rounded once. So a contraction becomes one of f32, which
// the library runs, also if a program widens the factors itself. A GPU's library reads factors of
// 16 bits, and a convolution whose sums are rounded to the type of its factors is written in that
// type alone. Bodies with other operations than float arithmetic keep their types. Long sums of f32
// are widened to f64 in the same way, and there fusion moves the conversions into the loop.
//
//===----------------------------------------------------------------------===//
#include "ds/Conversion/Passes.h"
#include "ds/Conversion/Utils/Contraction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

namespace ds {
#define GEN_PASS_DEF_WIDENACCUMULATORSPASS
#include "ds/Conversion/Passes.h.inc"
} // namespace ds

using namespace mlir;

namespace {

bool isNarrow(Type type) { return type.isBF16() || type.isF16(); }

/// Creates a kernel that converts every element of `value` to `element`.
Value convert(OpBuilder &builder, Location loc, Value value, Type element) {
  auto type = cast<RankedTensorType>(value.getType());
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(), element);
  AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> loops(type.getRank(), utils::IteratorType::parallel);
  bool widens = element.getIntOrFloatBitWidth() > type.getElementTypeBitWidth();
  auto op = linalg::GenericOp::create(
      builder, loc, TypeRange(empty.getType()), ValueRange(value), ValueRange(empty),
      ArrayRef<AffineMap>{identity, identity}, loops,
      [&](OpBuilder &b, Location l, ValueRange args) {
        Value result = widens ? Value(arith::ExtFOp::create(b, l, element, args[0]))
                              : Value(arith::TruncFOp::create(b, l, element, args[0]));
        linalg::YieldOp::create(b, l, result);
      });
  return op.getResult(0);
}

/// A chain of n additions has an error of about sqrt(n) ulps. Kernels keep as many partial sums as
/// a vector has elements, so the error of shorter chains is hardly larger than that of their terms.
constexpr int64_t longSum = 4096;

bool isLongSum(linalg::GenericOp op) {
  auto add = dyn_cast<arith::AddFOp>(op.getBody()->front());
  if (!add || add->getNextNode() != op.getBody()->getTerminator() ||
      !llvm::is_contained(add->getOperands(), op.getRegionOutputArgs()[0]))
    return false;
  int64_t terms = 1;
  for (auto [size, kind] : llvm::zip_equal(op.getStaticLoopRanges(), op.getIteratorTypesArray()))
    if (kind == utils::IteratorType::reduction && !ShapedType::isDynamic(size))
      terms = std::min(terms * size, longSum);
  return terms == longSum;
}

/// Returns the type in which a reduction should accumulate; null if it keeps its own.
Type wideTypeOf(linalg::GenericOp op) {
  if (op.getNumReductionLoops() == 0 || op.getNumDpsInits() != 1 || !op.hasPureTensorSemantics())
    return {};
  Type own = cast<RankedTensorType>(op.getResult(0).getType()).getElementType();
  if (own.isF32() && isLongSum(op))
    return Float64Type::get(op.getContext());
  if (!isNarrow(own))
    return {};
  bool adds = false;
  for (Operation &inner : op.getBody()->without_terminator()) {
    adds |= isa<arith::AddFOp>(inner);
    bool arithmetic =
        isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp, arith::NegFOp>(inner);
    if (!arithmetic ||
        llvm::any_of(inner.getOperandTypes(), [&](Type type) { return type != own; }))
      return {};
  }
  return adds ? Float32Type::get(op.getContext()) : Type();
}

/// True for a matrix product without windows, so for no convolution.
bool isPlainProduct(linalg::GenericOp op) {
  return ds::isMatrixProduct(op) && llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) {
           return map.isProjectedPermutation();
         });
}

bool startsFromZero(linalg::GenericOp op) {
  Operation *init = op.getDpsInits()[0].getDefiningOp();
  return init && ds::isZeroFill(init);
}

void widen(linalg::GenericOp op, Type wide, bool narrowFactors) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Type narrow = cast<RankedTensorType>(op.getResult(0).getType()).getElementType();
  // The body converts its inputs, except in contractions, whose body must keep the form that the
  // library knows.
  bool convertsInBody = !ds::isContraction(op) || (narrowFactors && isPlainProduct(op));
  SmallVector<Value> inputs(op.getDpsInputs());
  for (Value &input : inputs)
    if (!isa<RankedTensorType>(input.getType()))
      input = arith::ExtFOp::create(builder, loc, wide, input);
    else if (!convertsInBody)
      input = convert(builder, loc, input, wide);
  Value init = convert(builder, loc, op.getDpsInits()[0], wide);
  auto widened = linalg::GenericOp::create(
      builder, loc, TypeRange(init.getType()), inputs, ValueRange(init), op.getIndexingMapsArray(),
      op.getIteratorTypesArray(), [&](OpBuilder &b, Location l, ValueRange args) {
        IRMapping mapping;
        for (auto [from, to] : llvm::zip_equal(op.getBody()->getArguments(), args))
          mapping.map(from, to.getType() == wide
                                ? to
                                : Value(arith::ExtFOp::create(b, l, wide, to).getResult()));
        for (Operation &inner : *op.getBody()) {
          for (Value operand : inner.getOperands())
            if (!mapping.contains(operand))
              mapping.map(operand, arith::ExtFOp::create(b, l, wide, operand).getResult());
          Operation *clone = b.clone(inner, mapping);
          for (auto [from, to] : llvm::zip(inner.getResults(), clone->getResults())) {
            to.setType(wide);
            mapping.map(from, to);
          }
        }
      });
  op.getResult(0).replaceAllUsesWith(convert(builder, loc, widened.getResult(0), narrow));
  op.erase();
}

/// True for a contraction that sums in f32 and widens a factor.
bool widensFactor(linalg::GenericOp op) {
  return ds::isContraction(op) && op.hasPureTensorSemantics() &&
         llvm::any_of(op.getBody()->getOps<arith::ExtFOp>(), [](arith::ExtFOp widening) {
           return isNarrow(widening.getIn().getType()) && widening.getType().isF32();
         });
}

/// True if both factors have the same type of 16 bits.
bool hasNarrowFactors(linalg::GenericOp op) {
  auto typeOf = [&](unsigned i) { return getElementTypeOrSelf(op.getInputs()[i].getType()); };
  return typeOf(0) == typeOf(1) && isNarrow(typeOf(0));
}

/// Returns the kernel that rounds all sums of a contraction to the type of its factors, if it is
/// their only reader and they start from zero.
linalg::GenericOp findRounding(linalg::GenericOp op) {
  Value sums = op.getResult(0);
  auto kernel = sums.hasOneUse() ? dyn_cast<linalg::GenericOp>(*sums.user_begin()) : nullptr;
  if (!startsFromZero(op) || !kernel || kernel.getNumDpsInputs() != 1 ||
      kernel.getInputs()[0] != sums || kernel.getNumDpsInits() != 1 ||
      !kernel.isAllParallelLoops() ||
      llvm::any_of(kernel.getIndexingMapsArray(), [](AffineMap map) { return !map.isIdentity(); }))
    return {};
  auto rounded = kernel.getBody()->getTerminator()->getOperand(0).getDefiningOp<arith::TruncFOp>();
  const bool isPlain = rounded && rounded.getIn() == kernel.getBody()->getArgument(0);
  return isPlain && rounded.getType() == getElementTypeOrSelf(op.getInputs()[0].getType())
             ? kernel
             : linalg::GenericOp();
}

/// Replaces a contraction in f32 and the kernel that rounds it by a contraction in the type of its
/// factors.
void narrow(linalg::GenericOp op, linalg::GenericOp rounding) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(rounding.getResult(0).getType());
  const int64_t rank = type.getRank();
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(), type.getElementType());
  Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type.getElementType()));
  auto fill = linalg::GenericOp::create(
      builder, loc, TypeRange(type), ValueRange(), ValueRange(empty),
      ArrayRef<AffineMap>{builder.getMultiDimIdentityMap(rank)},
      SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel),
      [&](OpBuilder &b, Location l, ValueRange) { linalg::YieldOp::create(b, l, zero); });
  auto narrowed = linalg::GenericOp::create(
      builder, loc, TypeRange(type), op.getInputs(), fill.getResults(), op.getIndexingMapsArray(),
      op.getIteratorTypesArray(), [](OpBuilder &b, Location l, ValueRange args) {
        Value product = arith::MulFOp::create(b, l, args[0], args[1]);
        linalg::YieldOp::create(b, l, ValueRange(arith::AddFOp::create(b, l, args[2], product)));
      });
  rounding.getResult(0).replaceAllUsesWith(narrowed.getResult(0));
  rounding.erase();
  op.erase();
}

/// Moves the widening of a contraction's factors to separate kernels.
void widenFactors(linalg::GenericOp op) {
  OpBuilder builder(op);
  for (OpOperand *input : op.getDpsInputOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(input);
    if (!isNarrow(argument.getType()))
      continue;
    input->set(convert(builder, op.getLoc(), input->get(), builder.getF32Type()));
    argument.setType(builder.getF32Type());
    for (Operation *user : llvm::make_early_inc_range(argument.getUsers())) {
      user->replaceAllUsesWith(ValueRange{argument});
      user->erase();
    }
  }
}

struct WidenAccumulators final : ds::impl::WidenAccumulatorsPassBase<WidenAccumulators> {
  using WidenAccumulatorsPassBase::WidenAccumulatorsPassBase;
  void runOnOperation() override {
    SmallVector<std::pair<linalg::GenericOp, Type>> ops;
    getOperation().walk([&](linalg::GenericOp op) {
      if (Type wide = wideTypeOf(op))
        ops.push_back({op, wide});
    });
    for (auto [op, wide] : ops)
      if (!narrowFactors || isPlainProduct(op) || !ds::isNarrowContraction(op) ||
          !startsFromZero(op))
        widen(op, wide, narrowFactors);
    SmallVector<linalg::GenericOp> widened;
    getOperation().walk([&](linalg::GenericOp op) {
      if (widensFactor(op))
        widened.push_back(op);
    });
    for (linalg::GenericOp op : widened) {
      const bool isNarrow = narrowFactors && hasNarrowFactors(op);
      if (isNarrow && isPlainProduct(op))
        continue;
      if (linalg::GenericOp rounding = isNarrow ? findRounding(op) : linalg::GenericOp())
        narrow(op, rounding);
      else
        widenFactors(op);
    }
  }
};

} // namespace
