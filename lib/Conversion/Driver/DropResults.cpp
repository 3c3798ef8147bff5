//===- DropResults.cpp - Store results in destinations ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// After bufferization a returned buffer is the argument where that result is stored. Where
// bufferization needed another buffer, a final copy stores the result in that argument; the sources
// of these copies are temporaries, so the copies do not overlap.
//
//===----------------------------------------------------------------------===//
#include "Utils/Buffers.h"
#include "ds/Conversion/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace ds {
#define GEN_PASS_DEF_DROPRESULTSPASS
#include "ds/Conversion/Passes.h.inc"
} // namespace ds

using namespace mlir;

namespace {

/// Returns the argument in which each result is stored: the one that the result updates, or its
/// own.
SmallVector<BlockArgument> findDestinations(func::FuncOp func) {
  DenseMap<Attribute, BlockArgument> updated;
  SmallVector<BlockArgument> destinations(func.getNumResults());
  for (BlockArgument arg : func.getArguments()) {
    unsigned slot = arg.getArgNumber();
    if (auto own = func.getArgAttrOfType<IntegerAttr>(slot, ds::kResultArgument))
      destinations[own.getInt()] = arg;
    for (StringRef role : {"ds.param", "ds.state"})
      if (Attribute name = func.getArgAttr(slot, role))
        updated[name] = arg;
  }
  for (auto [index, destination] : llvm::enumerate(destinations))
    if (Attribute name = func.getResultAttr(index, "ds.updates"))
      destination = updated.lookup(name);
  return destinations;
}

struct DropResults final : ds::impl::DropResultsPassBase<DropResults> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isExternal() || func.getNumResults() == 0)
      return;
    Operation *terminator = func.front().getTerminator();
    OpBuilder builder(terminator);
    SmallVector<BlockArgument> destinations = findDestinations(func);
    for (auto [i, value] : llvm::enumerate(terminator->getOperands())) {
      BlockArgument destination = destinations[i];
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
