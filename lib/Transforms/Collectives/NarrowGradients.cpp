//===- NarrowGradients.cpp - Send gradients in fewer bits -----------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each rank rounds its addend, so the sum differs from that of unrounded gradients by up to half a
// unit in the last place of each addend and of each partial sum.
//
//===----------------------------------------------------------------------===//

#include "WireType.h"

#include "ds/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"

namespace ds {
#define GEN_PASS_DEF_NARROWGRADIENTSPASS
#include "ds/Transforms/Passes.h.inc"
} // namespace ds

using namespace mlir;

namespace ds {
namespace {

FloatType toType(MLIRContext *ctx, WireType wire) {
  switch (wire) {
  case WireType::Auto:
    return nullptr;
  case WireType::F32:
    return Float32Type::get(ctx);
  case WireType::F16:
    return Float16Type::get(ctx);
  case WireType::BF16:
    return BFloat16Type::get(ctx);
  }
  llvm_unreachable("all types are handled");
}

struct NarrowGradients final : impl::NarrowGradientsPassBase<NarrowGradients> {
  using NarrowGradientsPassBase::NarrowGradientsPassBase;

  void runOnOperation() override {
    FailureOr<Config> config = getConfig(getOperation());
    if (failed(config))
      return signalPassFailure();
    FloatType wire = toType(&getContext(), config->wireType());
    if (wire && failed(narrowAll(wire)))
      signalPassFailure();
  }

private:
  LogicalResult narrowAll(FloatType wire) {
    for (CollectiveOpInterface op : collectReductions(getOperation())) {
      FloatType own = getWireType(op);
      if (op.getPurpose() != Purpose::Gradient || !own || own == wire ||
          own.getWidth() < wire.getWidth()) // ds-sync-precision widens where required
        continue;
      if (op->getNumResults() == 0)
        return op->emitError(
            "expected a reduction on tensors; run ds-narrow-gradients before bufferization");
      remark::passed(op.getLoc(),
                     remark::RemarkOpts::name("GradientNarrowed").category("ds-narrow-gradients"))
          << "gradients are rounded for their way"
          << remark::metric("operands", op.getRead().size())
          << remark::metric("bits", wire.getWidth());
      sendAs(op, wire);
    }
    return success();
  }
};

} // namespace
} // namespace ds
