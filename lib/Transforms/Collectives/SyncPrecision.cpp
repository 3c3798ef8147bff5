//===- SyncPrecision.cpp - send 16-bit values as f32 ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each operand of a sum, mean or product of bf16 or f16 is widened before the collective and its
// result narrowed after it: n roundings become one. The maximum and the minimum are exact in any
// type and keep theirs.
//
//===----------------------------------------------------------------------===//

#include "WireType.h"
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

/// True if the operands are sent as f32: by `wire_type` for gradients if it is set, otherwise by
/// `gradient_fp32_sync` for all reductions that round.
static bool widens(CollectiveOpInterface op, const Config &config) {
  FloatType type = getWireType(op);
  if (!type || type.getWidth() > 16)
    return false;
  if (config.forceFp32Communication())
    return true;
  if (op.getPurpose() == Purpose::Gradient && config.wireType() != WireType::Auto)
    return config.wireType() == WireType::F32;
  bool adds = op.getKind() == ReductionKind::Sum || op.getKind() == ReductionKind::Mean ||
              op.getKind() == ReductionKind::Prod;
  return adds && config.gradientFp32Sync();
}

namespace {

struct SyncPrecision final : ds::impl::SyncPrecisionPassBase<SyncPrecision> {
  using SyncPrecisionPassBase::SyncPrecisionPassBase;

  void runOnOperation() final {
    FailureOr<Config> config = getConfig(getOperation());
    if (failed(config))
      return signalPassFailure();
    if (failed(widenAll(*config)))
      signalPassFailure();
  }

private:
  LogicalResult widenAll(const Config &config) {
    for (CollectiveOpInterface op : collectReductions(getOperation())) {
      if (!widens(op, config))
        continue;
      if (op->getNumResults() == 0)
        return op->emitError(
            "expected a reduction on tensors; run ds-sync-precision before bufferization");
      remark::passed(op.getLoc(),
                     remark::RemarkOpts::name("TravelsAsF32").category("ds-sync-precision"))
          << "16-bit values travel as f32" << remark::metric("operands", op.getRead().size());
      sendAs(op, Float32Type::get(&getContext()));
    }
    return success();
  }
};

} // namespace
