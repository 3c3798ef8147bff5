//===- CutAliases.cpp - Short chains of values in one memory ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For each write the analysis of bufferization compares all reads and writes of all values that may
// be in the same memory, and looks for what they were defined by along their whole chain: the
// fourth power of a chain's length (150 slices, each written back, take 15 s). A copy is memory of
// its own, where each such search ends. One in so many values costs nothing beside what the others
// do. A constant is no memory to write to, so bufferization copies it for each writer anyway, after
// it has compared all of them. Destinations of results are set behind this pass: it would cut a
// result off its argument.
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

/// Longer chains are cut; steps that people write have shorter ones.
static constexpr unsigned maxChain = 32;
/// A constant of so many uses is copied for those who write to it.
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
    // A call is refused later, as it was not inlined; its model asks for an analysis of functions.
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

  /// How many values before this one may be in its memory, along one chain.
  llvm::DenseMap<Value, unsigned> lengths;
};

} // namespace

std::unique_ptr<Pass> ds::createCutAliasesPass() { return std::make_unique<CutAliases>(); }
