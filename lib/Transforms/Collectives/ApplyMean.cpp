//===- ApplyMean.cpp - multiply by f32(1/n) after the sum -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The factor is f32(1/n), or 1/n for f64, in the wire type, on every backend: a backend's own mean
// may divide in another order and is used only if 'deterministic' is false. Without a configured n,
// the factor is computed once per function from ds.num_ranks.
//
//===----------------------------------------------------------------------===//

#include "Utils/Elementwise.h"
#include "WireType.h"
#include "ds/Dialect/IR/Ds.h"
#include "ds/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace ds {
#define GEN_PASS_DEF_APPLYMEANPASS
#include "ds/Transforms/Passes.h.inc"
} // namespace ds

using namespace mlir;
using namespace ds;

/// Returns 1/n as a scalar of type `type`, computed in f64 for f64 and otherwise in f32, as the
/// runtime does.
static Value createFactor(OpBuilder &builder, Location loc, std::optional<int64_t> ranks,
                          FloatType type) {
  FloatType computed = type.getWidth() > 32 ? type : builder.getF32Type();
  if (ranks) {
    double factor = 1.0 / static_cast<double>(*ranks);
    if (computed.isF32())
      factor = static_cast<float>(factor);
    return arith::ConstantOp::create(builder, loc, builder.getFloatAttr(type, factor));
  }
  Value n = NumRanksOp::create(builder, loc);
  n = arith::IndexCastOp::create(builder, loc, builder.getI64Type(), n);
  n = arith::UIToFPOp::create(builder, loc, computed, n);
  Value one = arith::ConstantOp::create(builder, loc, builder.getFloatAttr(computed, 1.0));
  Value factor = arith::DivFOp::create(builder, loc, one, n);
  return type == computed ? factor : arith::TruncFOp::create(builder, loc, type, factor);
}

static void multiplyResults(CollectiveOpInterface op, std::optional<int64_t> ranks) {
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  FloatType type = getWireType(op);
  Value factor = createFactor(builder, op.getLoc(), ranks, type);
  for (Value sum : op->getResults()) {
    Value mean = mapElements(builder, op.getLoc(), sum, type,
                             [&](OpBuilder &nested, Location loc, Value element) -> Value {
                               return arith::MulFOp::create(nested, loc, element, factor);
                             });
    sum.replaceAllUsesExcept(mean, mean.getDefiningOp());
  }
}

namespace {

struct ApplyMean final : ds::impl::ApplyMeanPassBase<ApplyMean> {
  using ApplyMeanPassBase::ApplyMeanPassBase;

  void runOnOperation() final {
    FailureOr<Config> config = getConfig(getOperation());
    if (failed(config))
      return signalPassFailure();
    for (CollectiveOpInterface op : collectReductions(getOperation()))
      if (op.getKind() == ReductionKind::Mean && failed(apply(op, *config)))
        return signalPassFailure();
  }

private:
  static LogicalResult apply(CollectiveOpInterface op, const Config &config) {
    if (op->getNumResults() == 0)
      return op->emitError("expected a mean on tensors; run ds-apply-mean before bufferization");
    std::optional<int64_t> ranks = getGroupSize(op, op.getRanks());
    auto remark = remark::passed(op.getLoc(),
                                 remark::RemarkOpts::name("MeanApplied").category("ds-apply-mean"));
    if (!config.deterministic()) {
      remark << "mean left to the backend";
      return success();
    }
    op->setAttr("kind", ReductionKindAttr::get(op->getContext(), ReductionKind::Sum));
    multiplyResults(op, ranks);
    remark << "sum multiplied by 1/n" << remark::metric("ranks", ranks.value_or(0));
    return success();
  }
};

} // namespace
