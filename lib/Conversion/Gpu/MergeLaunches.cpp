//===- MergeLaunches.cpp - Fewer launches of the same kernels ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch takes longer than most kernels of a small step. Calls are reordered as their dependences
// allow, and those that do not depend on one another become one launch. Operations that are no
// kernel and no library call, such as an exchange, stay in place, and no call moves across them:
// between a start and its wait a buffer is in use although no operation there names it.
//
//===----------------------------------------------------------------------===//
#include "CallOrder.h"
#include "MergedKernel.h"
#include "Utils/Buffers.h"
#include "ds/Conversion/Gpu/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/BitVector.h"

namespace ds {
#define GEN_PASS_DEF_MERGELAUNCHESPASS
#include "ds/Conversion/Gpu/Passes.h.inc"
} // namespace ds

using namespace mlir;
using namespace ds::gpu;

/// A kernel of this many blocks fills a large GPU, so it gains nothing from sharing a launch.
static constexpr int64_t manyBlocks = 132 * 8;

namespace {

struct MergeLaunches final : ds::impl::MergeLaunchesPassBase<MergeLaunches> {
  void runOnOperation() override {
    written.clear();
    replaced.clear();
    func::FuncOp driver = ds::findDriver(getOperation());
    if (!driver)
      return signalPassFailure();
    auto modules = getOperation().getOps<mlir::gpu::GPUModuleOp>();
    if (modules.empty())
      return;
    kernels = *modules.begin();
    driver.walk([&](Block *block) { mergeIn(*block); });
    DenseSet<StringRef> called;
    driver.walk([&](func::CallOp call) { called.insert(call.getCallee()); });
    for (func::FuncOp function : replaced)
      if (!called.contains(function.getName())) {
        for (const LaunchOf &launch : launchesOf(function))
          launch.kernel->erase();
        function.erase();
      }
  }

private:
  struct LaunchOf {
    mlir::gpu::GPUFuncOp kernel;
    ArrayRef<int64_t> shape;
    int64_t rounds;
  };

  SmallVector<LaunchOf> launchesOf(func::FuncOp function) {
    SmallVector<LaunchOf> launches;
    auto list = function->getAttrOfType<ArrayAttr>(kLaunches);
    for (auto launch : list.getAsRange<DictionaryAttr>())
      launches.push_back({kernels.lookupSymbol<mlir::gpu::GPUFuncOp>(
                              launch.getAs<StringAttr>("kernel").getValue()),
                          launch.getAs<DenseI64ArrayAttr>("shape").asArrayRef(),
                          launch.getAs<IntegerAttr>("thread_rounds").getInt()});
    return launches;
  }

  void mergeIn(Block &block) {
    hoistAddresses(block);
    std::vector<OrderedCall> calls;
    for (Operation &op : llvm::make_early_inc_range(block)) {
      OrderedCall call;
      if (describe(op, call)) {
        calls.push_back(std::move(call));
      } else {
        reorder(calls, &op);
        calls.clear();
      }
    }
  }

  /// Describes the operation if it is a call that may move; else returns false.
  bool describe(Operation &op, OrderedCall &described) {
    auto call = dyn_cast<func::CallOp>(op);
    auto callee =
        call ? getOperation().lookupSymbol<func::FuncOp>(call.getCallee()) : func::FuncOp();
    if (!callee || call.getNumResults() != 0)
      return false;
    described.call = call;
    llvm::BitVector written;
    if (callee->hasAttr(kLaunches)) {
      SmallVector<LaunchOf> launches = launchesOf(callee);
      written = writtenBy(callee);
      described.isLaunch = launches.size() == 1 && launches[0].shape[0] < manyBlocks;
      described.blocks = launches[0].shape[0];
      described.rounds = launches[0].rounds;
    } else if (callee->hasAttr(ds::kContractionFunction) ||
               callee->hasAttr(ds::kConvolutionFunction)) {
      written.resize(call.getNumOperands());
      written.set(call.getNumOperands() - 1);
    } else {
      return false;
    }
    return described.addAccesses(written);
  }

  /// Returns the operands of a call that its kernels write; the first operand is the library.
  const llvm::BitVector &writtenBy(func::FuncOp callee) {
    auto [known, isNew] = written.try_emplace(callee, callee.getNumArguments());
    llvm::BitVector &operands = known->second;
    if (!isNew)
      return operands;
    for (const LaunchOf &launch : launchesOf(callee)) {
      mlir::gpu::GPUFuncOp kernel = launch.kernel;
      kernel.walk([&](Operation *op) {
        if (ds::isView(op) || isa<memref::LoadOp, vector::LoadOp>(op))
          return;
        for (Value operand : op->getOperands())
          if (auto argument = dyn_cast<BlockArgument>(ds::rootOf(operand));
              argument && argument.getOwner() == &kernel.getBody().front() &&
              argument.getArgNumber() + 1 < operands.size() && isa<MemRefType>(argument.getType()))
            operands.set(argument.getArgNumber() + 1);
      });
    }
    return operands;
  }

  /// `end` is the operation after the calls.
  void reorder(std::vector<OrderedCall> &calls, Operation *end) {
    if (calls.size() < 2)
      return;
    findDependences(calls);
    for (const CallGroup &group : orderCalls(calls)) {
      if (group.tracks.size() == 1 && group.tracks[0].size() == 1)
        calls[group.tracks[0][0]].call->moveBefore(end);
      else
        merge(calls, group, end);
    }
  }

  void merge(ArrayRef<OrderedCall> calls, const CallGroup &group, Operation *end) {
    SmallVector<SmallVector<KernelCall>> tracks;
    for (ArrayRef<size_t> members : group.tracks) {
      SmallVector<KernelCall> &track = tracks.emplace_back();
      for (size_t member : members) {
        func::CallOp call = calls[member].call;
        auto callee = getOperation().lookupSymbol<func::FuncOp>(call.getCallee());
        LaunchOf launch = launchesOf(callee).front();
        track.push_back({launch.kernel, launch.shape[0], launch.shape[1], launch.shape[2],
                         SmallVector<Value>(llvm::drop_begin(call.getOperands()))});
        library = call.getOperand(0);
        replaced.insert(callee);
      }
    }
    // Tracks of one thread each run one after another in a single thread.
    bool isOneThread = llvm::all_of(tracks, [](ArrayRef<KernelCall> track) {
      return llvm::all_of(track, [](const KernelCall &call) {
        return call.blocks * call.threadsX * call.threadsY == 1;
      });
    });
    if (isOneThread)
      while (tracks.size() > 1) {
        llvm::append_range(tracks[0], tracks[1]);
        tracks.erase(tracks.begin() + 1);
      }
    SmallVector<Location> places;
    for (ArrayRef<size_t> members : group.tracks)
      for (size_t member : members) {
        func::CallOp call = calls[member].call;
        places.push_back(call.getLoc());
      }
    MergedKernel merged = mergeKernels(tracks, kernels);
    merged.kernel->setLoc(FusedLoc::get(&getContext(), places));
    OpBuilder builder(end);
    SmallVector<Value> operands = {library};
    llvm::append_range(operands, merged.operands);
    Location loc = merged.kernel.getLoc();
    func::CallOp::create(builder, loc, declare(merged, operands), operands);
    for (ArrayRef<size_t> members : group.tracks)
      for (size_t member : members) {
        func::CallOp call = calls[member].call;
        call.erase();
      }
  }

  func::FuncOp declare(MergedKernel &merged, ValueRange operands) {
    StringRef name = merged.kernel.getName();
    if (auto there = getOperation().lookupSymbol<func::FuncOp>(name))
      return there;
    OpBuilder builder = OpBuilder::atBlockEnd(getOperation().getBody());
    auto function = func::FuncOp::create(builder, merged.kernel.getLoc(), name,
                                         builder.getFunctionType(operands.getTypes(), {}));
    function.setPrivate();
    auto launch = builder.getDictionaryAttr(
        {builder.getNamedAttr("kernel", builder.getStringAttr(name)),
         builder.getNamedAttr("scheme", builder.getStringAttr("merged")),
         builder.getNamedAttr("shape",
                              builder.getDenseI64ArrayAttr({merged.blocks, merged.threads, 1})),
         builder.getNamedAttr("thread_rounds", builder.getI64IntegerAttr(1))});
    function->setAttr(kLaunches, builder.getArrayAttr({launch}));
    return function;
  }

  mlir::gpu::GPUModuleOp kernels;
  Value library;
  DenseMap<Operation *, llvm::BitVector> written; // by callee
  llvm::SetVector<func::FuncOp> replaced;
};

} // namespace
