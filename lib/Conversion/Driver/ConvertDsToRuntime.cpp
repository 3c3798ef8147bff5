//===- ConvertDsToRuntime.cpp - Collectives call the C ABI ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One walk: each collective on buffers becomes `func.call @<op>_<i>(context, buffers...)`, and the
// private function it calls, built once per signature, puts pointers and sizes into arrays on the
// stack and calls `dsrt_*`. ds.rank and ds.num_ranks query the context. Calls return no status:
// errors stay in the context.
//
//===----------------------------------------------------------------------===//
#include "CollectiveFunction.h"
#include "Utils/Buffers.h"
#include "Utils/Groups.h"
#include "ds/Conversion/Passes.h"
#include "ds/Dialect/IR/Ds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace ds {
#define GEN_PASS_DEF_CONVERTDSTORUNTIMEPASS
#include "ds/Conversion/Passes.h.inc"
} // namespace ds

using namespace mlir;

namespace {

struct ConvertDsToRuntime final : ds::impl::ConvertDsToRuntimePassBase<ConvertDsToRuntime> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    func::FuncOp driver = ds::findDriver(module);
    if (!driver || failed(checkNames(module)) || failed(ds::expandRanksAlongAxes(driver)))
      return signalPassFailure();
    context = ds::getOrAddMarkedArgument(driver, ds::kContextArgument, 0,
                                         LLVM::LLVMPointerType::get(&getContext()));
    // A pass may run on one module after another.
    functions.emplace(module);
    handles.clear();
    dead.clear();
    bool communicates = false;
    WalkResult walked = driver.walk([&](Operation *op) {
      communicates |= ds::isCollective(op);
      return failed(convert(op)) ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (walked.wasInterrupted())
      return signalPassFailure();
    for (Operation *op : llvm::reverse(dead))
      op->erase();
    if (!communicates)
      return;
    walked = driver.walk([&](scf::ConditionOp op) {
      return succeeded(stopAfterFailure(op)) ? WalkResult::advance() : WalkResult::interrupt();
    });
    if (walked.wasInterrupted())
      signalPassFailure();
  }

  /// Refuses functions of the module that have a name of the runtime and are no declarations of its
  /// functions: the driver calls these by name.
  static LogicalResult checkNames(ModuleOp module) {
    for (auto function : module.getOps<func::FuncOp>()) {
      StringRef name = function.getName();
      if (!name.starts_with("dsrt_"))
        continue;
      TypeRange results = function.getResultTypes();
      if (!function.isExternal() || results.size() != 1 || !results[0].isInteger(32))
        return function.emitError("the runtime has '")
               << name << "', expected a declaration of a function that returns i32";
    }
    return success();
  }

  LogicalResult convert(Operation *op) {
    OpBuilder builder(op);
    Location loc = op->getLoc();
    if (isa<ds::RankOp, ds::NumRanksOp>(op)) {
      StringRef name = isa<ds::RankOp>(op) ? "dsrt_rank" : "dsrt_num_ranks";
      FailureOr<func::FuncOp> query = functions->query(name);
      if (failed(query))
        return failure();
      Value number = func::CallOp::create(builder, loc, *query, context).getResult(0);
      op->getResult(0).replaceAllUsesWith(
          arith::IndexCastOp::create(builder, loc, builder.getIndexType(), number));
      op->erase();
      return success();
    }
    if (!ds::isCollective(op))
      return success();
    FailureOr<func::FuncOp> callee = functions->get(op);
    if (failed(callee))
      return failure();
    // A wait takes its handle first; its buffers follow, so that they stay alive until then.
    SmallVector<Value> operands = {context};
    for (Value operand : op->getOperands())
      operands.push_back(isa<ds::PendingType>(operand.getType()) ? handles.lookup(operand)
                                                                 : operand);
    auto call = func::CallOp::create(builder, loc, *callee, operands);
    for (Value result : op->getResults())
      if (isa<ds::PendingType>(result.getType()))
        handles[result] = call.getResult(0);
    dead.push_back(op);
    return success();
  }

  /// Ends a loop after a failed collective: a condition that depends on its results may never
  /// become false.
  LogicalResult stopAfterFailure(scf::ConditionOp op) {
    OpBuilder builder(op);
    Location loc = op.getLoc();
    FailureOr<func::FuncOp> query = functions->query("dsrt_failed");
    if (mlir::failed(query))
      return failure();
    Value failed = func::CallOp::create(builder, loc, *query, context).getResult(0);
    Value zero = arith::ConstantIntOp::create(builder, loc, 0, 32);
    Value healthy = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, failed, zero);
    op.getConditionMutable().assign(
        arith::AndIOp::create(builder, loc, op.getCondition(), healthy));
    return success();
  }

  Value context;
  std::optional<ds::CollectiveFunctions> functions;
  DenseMap<Value, Value> handles;
  SmallVector<Operation *> dead;
};

} // namespace
