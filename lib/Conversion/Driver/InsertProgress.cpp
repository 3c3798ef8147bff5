//===- InsertProgress.cpp - The driver progresses collectives ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Started collectives of backends without a thread progress only while the runtime is called. Most
// of a step is between a start and its wait, so the driver calls the runtime after each kernel
// there; the runtime limits how often it polls.
//
//===----------------------------------------------------------------------===//
#include "Utils/Buffers.h"
#include "ds/Conversion/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ds {
#define GEN_PASS_DEF_INSERTPROGRESSPASS
#include "ds/Conversion/Passes.h.inc"
} // namespace ds

using namespace mlir;

namespace {

constexpr StringLiteral progressFunction = "dsrt_progress";

struct InsertProgress final : ds::impl::InsertProgressPassBase<InsertProgress> {
  void runOnOperation() final {
    symbols.emplace(getOperation());
    for (auto function : llvm::to_vector(getOperation().getOps<func::FuncOp>()))
      for (Block &block : function.getBody())
        visit(block, Value());
    symbols.reset();
  }

private:
  /// True for a call of a collective.
  bool communicates(Operation *op) {
    auto call = dyn_cast<func::CallOp>(op);
    auto callee = call ? symbols->lookup<func::FuncOp>(call.getCallee()) : func::FuncOp();
    return callee && callee->hasAttr(ds::kCollectiveFunction);
  }

  /// `context` is that of a collective in flight at the start of the block, or null.
  void visit(Block &block, Value context) {
    llvm::SmallPtrSet<Operation *, 8> started; // starts without their wait
    Value outer = context;
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (communicates(&op)) {
        if (op.getNumResults() == 1) {
          started.insert(&op);
          context = op.getOperand(0);
        }
        for (Value operand : op.getOperands())
          started.erase(operand.getDefiningOp());
        if (started.empty())
          context = outer;
        continue;
      }
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          visit(inner, context);
      if (context && isa<func::CallOp>(op))
        ask(&op, context);
    }
  }

  void ask(Operation *behind, Value context) {
    OpBuilder b(behind->getContext());
    Type count = b.getI64Type();
    if (!declared) {
      b.setInsertionPointToEnd(getOperation().getBody());
      auto type = b.getFunctionType({context.getType()}, {count});
      declared = func::FuncOp::create(b, behind->getLoc(), progressFunction, type);
      declared.setPrivate();
    }
    b.setInsertionPointAfter(behind);
    func::CallOp::create(b, behind->getLoc(), declared, ValueRange{context});
  }

  std::optional<SymbolTable> symbols;
  func::FuncOp declared;
};

} // namespace
