//===- RoundFactors.cpp - Products of 16-bit factors ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With `precision = bf16` each factor of a product or convolution of f32 is rounded right after
// the operation that computes it, where fusion makes both one kernel. A factor that was only moved
// (transposed, padded, sliced) is rounded before it is moved, so that all its readers share one
// rounding. FactorKinds.h has the products that stay as they are. Linear in the number of
// operations.
//
//===----------------------------------------------------------------------===//
#include "FactorKinds.h"
#include "ds/Conversion/Precision/Passes.h"
#include "ds/Conversion/Utils/Contraction.h"
#include "ds/Dialect/IR/Ds.h"
#include "ds/Dialect/IR/Precision.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"

namespace ds {
#define GEN_PASS_DEF_ROUNDFACTORSPASS
#include "ds/Conversion/Precision/Passes.h.inc"
} // namespace ds

using namespace mlir;

namespace {

Type elementOf(Value value) { return getElementTypeOrSelf(value.getType()); }

/// Returns the value of 16 bits that a kernel widens element by element; null for other values.
Value widenedFrom(Value value) {
  auto op = value.getDefiningOp<linalg::GenericOp>();
  if (!op || op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 || !op.isAllParallelLoops() ||
      !llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) { return map.isIdentity(); }))
    return {};
  auto wide = op.getBody()->getTerminator()->getOperand(0).getDefiningOp<arith::ExtFOp>();
  return wide && wide.getIn() == op.getBody()->getArgument(0) ? op.getInputs()[0] : Value();
}

class Rounder {
public:
  /// `keeps`: rounded values have 16 bits; else they are of f32 again.
  Rounder(BFloat16Type narrow, bool keeps, ArrayRef<OpOperand *> factors)
      : narrow(narrow), keeps(keeps) {
    this->factors.insert(factors.begin(), factors.end());
  }

  /// Returns the value with all elements rounded.
  Value round(Value value) {
    auto [known, isNew] = rounded.try_emplace(value);
    if (!isNew)
      return known->second;
    Value made = roundAnew(value);
    return rounded[value] = made;
  }

  int64_t kernels() const { return count; }

private:
  Value roundAnew(Value value) {
    if (Value origin = widenedFrom(value); origin && elementOf(origin) == narrow)
      return keeps ? origin : value;
    if (Operation *moving = value.getDefiningOp(); moving && ds::movedBy(moving) && mayPass(moving))
      return moveRounded(moving);
    if (auto gather = value.getDefiningOp<ds::AllGatherOp>();
        gather && llvm::all_of(gather.getResults(), [&](Value each) {
          return elementOf(each).isF32() && isOnlyFactor(each);
        }))
      return gatherRounded(gather, cast<OpResult>(value).getResultNumber());
    ++count;
    return createKernel(value, keeps ? Type(narrow) : elementOf(value));
  }

  /// Creates a kernel that rounds every element, or that widens rounded ones.
  Value createKernel(Value value, Type element) const {
    OpBuilder builder(value.getContext());
    builder.setInsertionPointAfterValue(value);
    Location loc = value.getLoc();
    auto type = cast<RankedTensorType>(value.getType());
    Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(), element);
    SmallVector<AffineMap> maps(2, builder.getMultiDimIdentityMap(type.getRank()));
    SmallVector<utils::IteratorType> loops(type.getRank(), utils::IteratorType::parallel);
    auto body = [&](OpBuilder &b, Location at, ValueRange args) {
      Value result = args[0];
      if (result.getType() != narrow)
        result = arith::TruncFOp::create(b, at, narrow, result);
      if (element != narrow)
        result = arith::ExtFOp::create(b, at, element, result);
      linalg::YieldOp::create(b, at, result);
    };
    return linalg::GenericOp::create(builder, loc, TypeRange(empty.getType()), ValueRange(value),
                                     ValueRange(empty), maps, loops, body)
        .getResult(0);
  }

  /// Rounds shards before they are gathered: half the bytes travel.
  Value gatherRounded(ds::AllGatherOp gather, unsigned wanted) {
    SmallVector<Value> inputs, outs;
    for (Value input : gather.getInputs())
      inputs.push_back(createKernel(input, narrow));
    OpBuilder builder(gather);
    for (Value result : gather.getResults())
      outs.push_back(tensor::EmptyOp::create(
          builder, gather.getLoc(), cast<RankedTensorType>(result.getType()).getShape(), narrow));
    SmallVector<Value> operands = llvm::to_vector(llvm::concat<Value>(inputs, outs));
    auto made = ds::AllGatherOp::create(builder, gather.getLoc(), ValueRange(outs).getTypes(),
                                        operands, gather->getAttrs());
    count += inputs.size();
    for (auto [old, result] : llvm::zip_equal(gather.getResults(), made.getResults()))
      rounded[old] = keeps ? Value(result) : createKernel(result, elementOf(old));
    return rounded[gather.getResult(wanted)];
  }

  /// True if the source may be rounded in the place of what moves it. A slice may be a small part
  /// of its source.
  bool mayPass(Operation *moving) {
    return !isa<tensor::ExtractSliceOp>(moving) || isOnlyFactor(moving->getOperand(0));
  }

  /// True if every reader, through operations that move elements, is a factor that is rounded.
  bool isOnlyFactor(Value value) {
    auto [known, isNew] = onlyFactor.try_emplace(value, false);
    if (!isNew)
      return known->second;
    bool is = llvm::all_of(value.getUses(), [&](OpOperand &use) {
      return factors.contains(&use) ||
             (ds::movedBy(use.getOwner()) == value && isOnlyFactor(use.getOwner()->getResult(0)));
    });
    return onlyFactor[value] = is;
  }

  /// Clones an operation that moves elements, for the rounded source.
  Value moveRounded(Operation *moving) {
    Value source = ds::movedBy(moving), from = round(source);
    Type element = elementOf(from);
    OpBuilder builder(moving);
    IRMapping mapping;
    mapping.map(source, from);
    auto remake = [&](Value init) {
      if (elementOf(init) != element)
        mapping.map(init, remakeUniform(builder, init, element));
    };
    if (auto kernel = dyn_cast<linalg::GenericOp>(moving))
      remake(kernel.getDpsInits()[0]);
    if (auto insert = dyn_cast<tensor::InsertSliceOp>(moving))
      remake(insert.getDest());
    if (auto pad = dyn_cast<tensor::PadOp>(moving)) {
      auto type = cast<RankedTensorType>(pad.getType()).clone(element);
      Value zero = arith::ConstantOp::create(builder, pad.getLoc(), builder.getZeroAttr(element));
      return tensor::PadOp::create(builder, pad.getLoc(), type, from, pad.getMixedLowPad(),
                                   pad.getMixedHighPad(), zero, pad.getNofold())
          .getResult();
    }
    Operation *clone = builder.clone(*moving, mapping);
    clone->getResult(0).setType(
        cast<RankedTensorType>(moving->getResult(0).getType()).clone(element));
    if (auto kernel = dyn_cast<linalg::GenericOp>(clone))
      for (BlockArgument argument : kernel.getBody()->getArguments())
        argument.setType(element);
    return clone->getResult(0);
  }

  /// Creates zeros, or memory that is not yet written, in the shape of `value`.
  static Value remakeUniform(OpBuilder &builder, Value value, Type element) {
    Location loc = value.getLoc();
    auto type = cast<RankedTensorType>(value.getType()).clone(element);
    Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(), element);
    if (value.getDefiningOp<tensor::EmptyOp>())
      return empty;
    Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(element));
    SmallVector<utils::IteratorType> loops(type.getRank(), utils::IteratorType::parallel);
    return linalg::GenericOp::create(
               builder, loc, TypeRange(type), ValueRange(), ValueRange(empty),
               ArrayRef<AffineMap>{builder.getMultiDimIdentityMap(type.getRank())}, loops,
               [&](OpBuilder &b, Location at, ValueRange) { linalg::YieldOp::create(b, at, zero); })
        .getResult(0);
  }

  const BFloat16Type narrow;
  const bool keeps;
  DenseSet<OpOperand *> factors;
  DenseMap<Value, Value> rounded;
  DenseMap<Value, bool> onlyFactor;
  int64_t count = 0;
};

/// Lets a product read a factor in 16 bits.
void readNarrow(linalg::GenericOp op, OpOperand &factor, Value narrow) {
  BlockArgument argument = op.getMatchingBlockArgument(&factor);
  OpBuilder builder = OpBuilder::atBlockBegin(op.getBody());
  Type wide = argument.getType();
  factor.set(narrow);
  argument.setType(elementOf(narrow));
  auto widened = arith::ExtFOp::create(builder, op.getLoc(), wide, argument);
  argument.replaceAllUsesExcept(widened, widened);
}

struct RoundFactors final : ds::impl::RoundFactorsPassBase<RoundFactors> {
  using RoundFactorsPassBase::RoundFactorsPassBase;

  void runOnOperation() override {
    func::FuncOp step = getOperation();
    FailureOr<ds::Config> config = ds::getConfig(step->getParentOfType<ModuleOp>());
    if (failed(config))
      return signalPassFailure();
    if (!ds::roundsFactors(*config))
      return;
    const ds::FactorKinds kinds(step);
    SmallVector<OpOperand *> factors;
    WalkResult all = step.walk([&](linalg::GenericOp op) {
      if (!ds::isContraction(op) || !op.hasPureTensorSemantics() || kinds.staysWide(op))
        return WalkResult::advance();
      Type sums = elementOf(op.getDpsInits()[0]);
      if (sums.isF64()) {
        op.emitError("'precision' is 'bf16', but this product is of f64; expected factors of f32, "
                     "or precision=ieee");
        return WalkResult::interrupt();
      }
      // Where one factor has 16 bits already, frameworks have chosen the type of the other one.
      if (sums.isF32() &&
          llvm::all_of(op.getDpsInputs(), [](Value value) { return elementOf(value).isF32(); }))
        for (OpOperand *factor : op.getDpsInputOperands())
          factors.push_back(factor);
      return WalkResult::advance();
    });
    if (all.wasInterrupted())
      return signalPassFailure();
    Rounder rounder(BFloat16Type::get(&getContext()), narrowFactors, factors);
    for (OpOperand *factor : factors) {
      Value value = rounder.round(factor->get());
      if (narrowFactors)
        readNarrow(cast<linalg::GenericOp>(factor->getOwner()), *factor, value);
      else
        factor->set(value);
    }
    remark::passed(step.getLoc(),
                   remark::RemarkOpts::name("FactorsRounded").category("ds-round-factors"))
        << "factors of products are rounded to bf16" << remark::metric("factors", factors.size())
        << remark::metric("kernels", rounder.kernels());
  }
};

} // namespace
