//===- CutAliases.cpp - Short chains of values in one memory ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For each write the analysis of bufferization compares all reads and writes of all values that may
// be in the same memory, and searches for their definitions along the whole chain: the fourth power
// of a chain's length (150 slices, each written back, take 15 s). A copy has separate memory, where
// each such search ends, and one copy per 32 values costs little compared with the other
// operations. A constant cannot be written, so bufferization copies it for each writer anyway, but
// only after it has compared all of them. Destinations of results are set after this pass, since it
// would separate a result from its argument.
//
//===----------------------------------------------------------------------===//
#include "ds/Conversion/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;

/// Longer chains are cut; ordinary steps have shorter ones.
static constexpr unsigned maxChain = 32;
/// A constant with this many uses is copied for the operations that write to it.
static constexpr unsigned manyUses = 32;

namespace {

struct CutAliases final : PassWrapper<CutAliases, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CutAliases)

  StringRef getArgument() const override { return "ds-cut-aliases"; }
  StringRef getDescription() const override {
    return "cut long chains of values in one memory by copies";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<bufferization::BufferizationDialect>();
  }

  void runOnOperation() override {
    bufferization::BufferizationOptions options;
    bufferization::AnalysisState state(options);
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      for (OpOperand &operand : op->getOpOperands())
        if (isa<RankedTensorType>(operand.get().getType()))
          visit(operand, state);
    });
  }

private:
  void visit(OpOperand &operand, const bufferization::AnalysisState &state) {
    Operation *op = operand.getOwner();
    auto bufferizable = dyn_cast<bufferization::BufferizableOpInterface>(op);
    // A call that was not inlined is refused later; its bufferization model would need an analysis
    // of functions.
    if (!bufferizable || isa<func::ReturnOp, CallOpInterface>(op))
      return;
    const unsigned length = lengths.lookup(operand.get()) + 1;
    const bool isWrittenConstant = operand.get().getDefiningOp<arith::ConstantOp>() &&
                                   operand.get().hasNUsesOrMore(manyUses) &&
                                   bufferizable.bufferizesToMemoryWrite(operand, state);
    const auto aliases = bufferizable.getAliasingValues(operand, state);
    if (aliases.getNumAliases() == 0)
      return;
    const bool cuts = length > maxChain || isWrittenConstant;
    if (cuts) {
      OpBuilder builder(op);
      operand.set(bufferization::AllocTensorOp::create(
          builder, op->getLoc(), cast<RankedTensorType>(operand.get().getType()), ValueRange(),
          operand.get()));
    }
    for (const bufferization::AliasingValue &alias : aliases)
      extend(alias.value, cuts ? 1 : length);
    if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
      if (BlockArgument argument = loop.getTiedLoopRegionIterArg(&operand))
        extend(argument, cuts ? 1 : length);
  }

  void extend(Value value, unsigned length) {
    unsigned &known = lengths[value];
    known = std::max(known, length);
  }

  /// The number of values before this one along one chain that may be in its memory.
  llvm::DenseMap<Value, unsigned> lengths;
};

} // namespace

std::unique_ptr<Pass> ds::createCutAliasesPass() { return std::make_unique<CutAliases>(); }
