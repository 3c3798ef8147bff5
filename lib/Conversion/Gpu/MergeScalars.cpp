//===- MergeScalars.cpp - Neighbouring kernels of one point -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bias corrections, counts, losses and norms are kernels of one point, whose time is that of a
// launch. Calls with nothing but views between them become one call of a kernel that does the same
// in the same order. Its buffers may overlap, so that no argument says otherwise. Linear in the
// driver's length.
//
//===----------------------------------------------------------------------===//
#include "DriverMemory.h"
#include "ScalarChain.h"
#include "Utils/Buffers.h"
#include "ds/Conversion/Gpu/Passes.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace ds {
#define GEN_PASS_DEF_MERGESCALARSPASS
#include "ds/Conversion/Gpu/Passes.h.inc"
} // namespace ds

using namespace mlir;

/// Arguments of a kernel are limited to 4 KiB.
static constexpr size_t mostArguments = 256;

namespace {

struct MergeScalars final : ds::impl::MergeScalarsPassBase<MergeScalars> {
  void runOnOperation() override {
    func::FuncOp driver = ds::findDriver(getOperation());
    if (!driver)
      return signalPassFailure();
    driver.walk([&](Block *block) { mergeIn(*block); });
    for (auto func : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>()))
      if (func->hasAttr(ds::kKernelFunction) && replaced.contains(func) &&
          SymbolTable::symbolKnownUseEmpty(func, getOperation()))
        func.erase();
    replaced.clear();
  }

  void mergeIn(Block &block) {
    SmallVector<func::CallOp> run;
    llvm::SetVector<Value> arguments;
    for (Operation &op : llvm::make_early_inc_range(block)) {
      auto call = dyn_cast<func::CallOp>(op);
      if (!call && isMemoryEffectFree(&op) && op.getNumRegions() == 0)
        continue;
      func::FuncOp kernel =
          call ? getOperation().lookupSymbol<func::FuncOp>(call.getCallee()) : func::FuncOp();
      bool joins = kernel && kernel->hasAttr(ds::kKernelFunction) && ds::gpu::isScalar(kernel);
      if (!joins || arguments.size() + call.getNumOperands() > mostArguments) {
        merge(run, arguments);
        run.clear();
        arguments.clear();
      }
      if (!joins)
        continue;
      run.push_back(call);
      arguments.insert(call.operand_begin(), call.operand_end());
    }
    merge(run, arguments);
  }

  void merge(ArrayRef<func::CallOp> run, const llvm::SetVector<Value> &arguments) {
    if (run.size() < 2)
      return;
    OpBuilder builder(&getContext());
    func::CallOp last = run.back();
    Location loc = last.getLoc();
    ValueRange operands = arguments.getArrayRef();
    auto type = builder.getFunctionType(operands.getTypes(), {});
    func::FuncOp merged = func::FuncOp::create(loc, "kernel", type);
    merged.setPrivate();
    merged->setAttr(ds::kKernelFunction, builder.getUnitAttr());
    builder.setInsertionPointToStart(merged.addEntryBlock());
    IRMapping mapping;
    mapping.map(operands, merged.getArguments());
    for (func::CallOp call : run) {
      auto kernel = getOperation().lookupSymbol<func::FuncOp>(call.getCallee());
      replaced.insert(kernel);
      IRMapping inner;
      for (auto [argument, operand] : llvm::zip(kernel.getArguments(), call.getOperands()))
        inner.map(argument, mapping.lookup(operand));
      for (Operation &op : kernel.front().without_terminator())
        builder.clone(op, inner);
    }
    func::ReturnOp::create(builder, loc);
    merged = ds::gpu::addKernel(getOperation(), merged);
    builder.setInsertionPoint(last);
    func::CallOp::create(builder, loc, merged, operands);
    for (func::CallOp call : run)
      call.erase();
  }

  DenseSet<func::FuncOp> replaced;
};

} // namespace
