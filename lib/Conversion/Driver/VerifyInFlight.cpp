//===- VerifyInFlight.cpp - Nobody touches memory in flight -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ds-verify-spmd asks of a step on tensors, asked again of what bufferization, and then the
// plan of the arena, have made of it.
//
//===----------------------------------------------------------------------===//
#include "Utils/Buffers.h"
#include "ds/Analysis/InFlight.h"
#include "ds/Conversion/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ds {
#define GEN_PASS_DEF_VERIFYINFLIGHTPASS
#include "ds/Conversion/Passes.h.inc"
} // namespace ds

using namespace mlir;

namespace {

struct VerifyInFlight final : ds::impl::VerifyInFlightPassBase<VerifyInFlight> {
  void runOnOperation() final {
    SymbolTable symbols(getOperation());
    auto isStart = [&](Operation *op) {
      auto call = dyn_cast<func::CallOp>(op);
      auto callee = call && call->getNumResults() == 1
                        ? symbols.lookup<func::FuncOp>(call.getCallee())
                        : func::FuncOp();
      return callee && callee->hasAttr(ds::kCollectiveFunction);
    };
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal() && failed(ds::verifyInFlight(function, isStart)))
        return signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace
