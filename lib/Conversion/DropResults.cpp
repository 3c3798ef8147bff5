//===- DropResults.cpp - Results lie in their destinations ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// After bufferization a returned buffer is the argument where that result is stored. Where
// bufferization had to work elsewhere, a last copy brings the result there; all such sources are
// temporaries, so the copies do not meet.
//
//===----------------------------------------------------------------------===//
#include "Buffers.h"
#include "ds/Conversion/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace ds {
#define GEN_PASS_DEF_DROPRESULTSPASS
#include "ds/Conversion/Passes.h.inc"
} // namespace ds

using namespace mlir;

namespace {

/// The argument where result `index` is stored: the one it updates, or its own.
BlockArgument findDestination(func::FuncOp func, unsigned index) {
  auto updates = func.getResultAttrOfType<StringAttr>(index, "ds.updates");
  for (BlockArgument arg : func.getArguments()) {
    unsigned slot = arg.getArgNumber();
    auto own = func.getArgAttrOfType<IntegerAttr>(slot, ds::kResultArgument);
    if (own && own.getInt() == index)
      return arg;
    for (StringRef role : {"ds.param", "ds.state"})
      if (updates && func.getArgAttr(slot, role) == updates)
        return arg;
  }
  return {};
}

struct DropResults final : ds::impl::DropResultsPassBase<DropResults> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isExternal() || func.getNumResults() == 0)
      return;
    Operation *terminator = func.front().getTerminator();
    OpBuilder builder(terminator);
    for (auto [i, value] : llvm::enumerate(terminator->getOperands())) {
      BlockArgument destination = findDestination(func, i);
      if (value == destination)
        continue;
      if (!destination || isa<BlockArgument>(ds::rootOf(value))) {
        func.emitError() << "result #" << i << " is not stored in the argument that it updates";
        return signalPassFailure();
      }
      memref::CopyOp::create(builder, terminator->getLoc(), value, destination);
    }
    terminator->eraseOperands(0, terminator->getNumOperands());
    BitVector all(func.getNumResults(), true);
    if (failed(func.eraseResults(all)))
      signalPassFailure();
  }
};

} // namespace
