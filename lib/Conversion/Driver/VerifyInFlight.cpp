//===- VerifyInFlight.cpp - No access to memory in flight -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Repeats the check of ds-verify-spmd, that no operation accesses memory in flight, after
// bufferization and again after the plan of the arena. Also checks that ranks which share memory
// wait for each other: on buffers for the values that they hold once, on the driver for the
// gradients of other ranks, whose bytes the arena might reuse too early.
//
//===----------------------------------------------------------------------===//
#include "Utils/Buffers.h"
#include "ds/Analysis/InFlight.h"
#include "ds/Conversion/Passes.h"
#include "ds/Dialect/IR/Ds.h"
#include "ds/Dialect/IR/Roles.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace ds {
#define GEN_PASS_DEF_VERIFYINFLIGHTPASS
#include "ds/Conversion/Passes.h.inc"
} // namespace ds

using namespace mlir;

namespace {

/// Checks that ranks synchronise between a use of a whole shared value and a write of a share of
/// it.
class SharedValueVerifier {
public:
  SharedValueVerifier(func::FuncOp driver, BlockArgument value) : driver(driver), value(value) {}

  LogicalResult run() {
    for (Operation &op : driver.front()) {
      if (auto collective = dyn_cast<ds::CollectiveOpInterface>(op);
          collective && !collective.isInFlight() && !collective.getRanks()) {
        mayCallerRead = false;
        lastRead = lastWrite = nullptr;
      }
      WalkResult walked = op.walk([&](Operation *inner) {
        return ds::isView(inner) || succeeded(visit(inner)) ? WalkResult::advance()
                                                            : WalkResult::interrupt();
      });
      if (walked.wasInterrupted())
        return failure();
    }
    if (lastWrite)
      return refuse(driver.front().getTerminator(),
                    "ends the step while another rank may still write its share of ", lastWrite);
    return success();
  }

private:
  LogicalResult visit(Operation *op) {
    auto kernel = dyn_cast<linalg::GenericOp>(op);
    bool writes = false;
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isa<BaseMemRefType>(operand.get().getType()) || ds::rootOf(operand.get()) != value)
        continue;
      bool isWritten = kernel ? kernel.isDpsInit(&operand) : !isa<memref::LoadOp>(op);
      if (isWritten && !isShare(operand.get()))
        return refuse(op, "writes all of ", nullptr);
      if (isWritten && (mayCallerRead || lastRead))
        return refuse(op, "writes a share while another rank may still read ", lastRead);
      if (!isShare(operand.get()) && lastWrite)
        return refuse(op, "reads all while another rank may still write its share of ", lastWrite);
      if (isWritten)
        writes = true;
      else if (!isShare(operand.get()))
        lastRead = op;
    }
    if (writes)
      lastWrite = op;
    return success();
  }

  /// True for a part of the value at an offset that depends on the rank.
  static bool isShare(Value view) {
    for (Operation *op = view.getDefiningOp(); op && ds::isView(op);
         op = op->getOperand(0).getDefiningOp())
      if (auto part = dyn_cast<memref::SubViewOp>(op);
          part && llvm::any_of(part.getMixedOffsets(),
                               [](OpFoldResult at) { return !getConstantIntValue(at); }))
        return true;
    return false;
  }

  LogicalResult refuse(Operation *op, StringRef what, Operation *other) {
    InFlightDiagnostic diag = op->emitError()
                              << what << "'" << ds::paramOrState(driver, value.getArgNumber())
                              << "', which the ranks hold once";
    if (other)
      diag.attachNote(other->getLoc()) << "the other use";
    return diag;
  }

  func::FuncOp driver;
  BlockArgument value;
  bool mayCallerRead = true;
  Operation *lastRead = nullptr, *lastWrite = nullptr;
};

struct VerifyInFlight final : ds::impl::VerifyInFlightPassBase<VerifyInFlight> {
  void runOnOperation() final {
    symbols.emplace(getOperation());
    auto isStart = [&](Operation *op) { return isCollective(op) && op->getNumResults() == 1; };
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (function.isExternal())
        continue;
      FailureOr<SmallVector<ds::SharedBytes>> shared = findSharedBytes(function);
      if (failed(shared) || failed(ds::verifyInFlight(function, isStart, *shared)) ||
          failed(verifySharedValues(function)))
        return signalPassFailure();
    }
    symbols.reset();
    markAllAnalysesPreserved();
  }

private:
  bool isCollective(Operation *op) {
    auto call = dyn_cast<func::CallOp>(op);
    auto callee = call ? symbols->lookup<func::FuncOp>(call.getCallee()) : func::FuncOp();
    return callee && callee->hasAttr(ds::kCollectiveFunction);
  }

  /// True for a collective at which all ranks synchronise. A wait takes a handle after the context,
  /// and a start returns one.
  bool areAllThere(Operation *op) {
    return isCollective(op) && op->getNumResults() == 0 &&
           llvm::count_if(op->getOperandTypes(), llvm::IsaPred<LLVM::LLVMPointerType>) == 1;
  }

  static LogicalResult verifySharedValues(func::FuncOp function) {
    if (ds::findMarkedArgument(function, ds::kContextArgument))
      return success(); // checked before collectives became calls
    for (BlockArgument argument : function.getArguments())
      if (function.getArgAttr(argument.getArgNumber(), ds::kSharedArgument) &&
          failed(SharedValueVerifier(function, argument).run()))
        return failure();
    return success();
  }

  /// Finds the bytes of this rank's arena that other ranks read: they are at the same offsets in
  /// every arena.
  FailureOr<SmallVector<ds::SharedBytes>> findSharedBytes(func::FuncOp function) {
    SmallVector<ds::SharedBytes> shared;
    BlockArgument arena = ds::findMarkedArgument(function, ds::kArenaArgument);
    for (BlockArgument argument : function.getArguments()) {
      if (!function.getArgAttr(argument.getArgNumber(), ds::kPeerArgument))
        continue;
      for (Operation *user : argument.getUsers()) {
        auto view = dyn_cast<memref::ViewOp>(user);
        std::optional<int64_t> at = view ? getConstantIntValue(view.getByteShift()) : std::nullopt;
        if (!at || !arena)
          return user->emitError("expected a view at known bytes of the arena of another rank");
        auto [begin, end] = findMeetings(view);
        if (!begin || !end)
          return view.emitError("expected the ranks to meet before and after what reads this");
        MemRefType type = view.getType();
        shared.push_back({begin, end, arena, *at,
                          *at + type.getNumElements() * ds::elementBytes(type.getElementType())});
      }
    }
    return shared;
  }

  /// Returns the last synchronisation before all uses of the view, and the first one after them.
  std::pair<Operation *, Operation *> findMeetings(memref::ViewOp view) {
    Block &block = *view->getBlock();
    Operation *first = nullptr, *last = nullptr;
    SmallVector<Operation *> uses(view->getUsers());
    while (!uses.empty()) {
      Operation *use = uses.pop_back_val();
      if (ds::isView(use))
        llvm::append_range(uses, use->getUsers());
      Operation *at = block.findAncestorOpInBlock(*use);
      if (!first || at->isBeforeInBlock(first))
        first = at;
      if (!last || last->isBeforeInBlock(at))
        last = at;
    }
    Operation *begin = first, *end = last;
    while (begin && !areAllThere(begin))
      begin = begin->getPrevNode();
    while (end && !areAllThere(end))
      end = end->getNextNode();
    return {begin, end};
  }

  std::optional<SymbolTable> symbols;
};

} // namespace
