//===- SyncPrecision.cpp - 16-bit values travel as f32 ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each operand of a sum, mean or product of bf16 or f16 is widened before the collective and its
// result narrowed after it: n roundings become one. The largest and the smallest value are exact in
// any type and keep theirs.
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"
#include "ds/Analysis/StepFlow.h"
#include "ds/Dialect/IR/Ds.h"
#include "ds/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"

namespace ds {
#define GEN_PASS_DEF_SYNCPRECISIONPASS
#include "ds/Transforms/Passes.h.inc"
} // namespace ds

using namespace mlir;
using namespace ds;

template <typename Op> static bool roundsOnTheWire(Op op) {
  Type type = getElementTypeOrSelf(op.getInputs().front().getType());
  bool adds = op.getKind() == ReductionKind::Sum || op.getKind() == ReductionKind::Mean ||
              op.getKind() == ReductionKind::Prod;
  return adds && isa<FloatType>(type) && type.getIntOrFloatBitWidth() <= 16;
}

static Operation *createLike(OpBuilder &builder, AllReduceOp op, ValueRange inputs) {
  return AllReduceOp::create(builder, op.getLoc(), inputs.getTypes(), inputs, op.getProperties(),
                             llvm::to_vector(op->getDiscardableAttrs()));
}

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

template <typename Op> static void widen(Op op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Type narrow = getElementTypeOrSelf(op.getInputs().front().getType());
  Type wide = builder.getF32Type();
  SmallVector<Value> widened;
  for (Value input : op.getInputs())
    widened.push_back(mapElements(builder, loc, input, wide,
                                  [&](OpBuilder &nested, Location loc, Value element) -> Value {
                                    return arith::ExtFOp::create(nested, loc, wide, element);
                                  }));
  Operation *reduced = createLike(builder, op, widened);
  for (auto [old, wideResult] : llvm::zip_equal(op.getResults(), reduced->getResults()))
    old.replaceAllUsesWith(
        mapElements(builder, loc, wideResult, narrow,
                    [&](OpBuilder &nested, Location loc, Value element) -> Value {
                      return arith::TruncFOp::create(nested, loc, narrow, element);
                    }));
  op.erase();
}

namespace {

struct SyncPrecision final : ds::impl::SyncPrecisionPassBase<SyncPrecision> {
  using SyncPrecisionPassBase::SyncPrecisionPassBase;

  void runOnOperation() final {
    FailureOr<Config> config = getConfig(getOperation());
    if (failed(config))
      return signalPassFailure();
    if (!config->gradientFp32Sync())
      return;
    if (failed(widenAll<AllReduceOp>()) || failed(widenAll<ReduceScatterOp>()))
      signalPassFailure();
  }

private:
  template <typename Op> LogicalResult widenAll() {
    for (Op op : collectUnits<Op>(getOperation())) {
      if (!roundsOnTheWire(op))
        continue;
      if (op->getNumResults() == 0)
        return op.emitError(
            "expected a reduction on tensors; run ds-sync-precision before bufferization");
      remark::passed(op.getLoc(),
                     remark::RemarkOpts::name("TravelsAsF32").category("ds-sync-precision"))
          << "16-bit values travel as f32" << remark::metric("operands", op.getInputs().size());
      widen(op);
    }
    return success();
  }
};

} // namespace
