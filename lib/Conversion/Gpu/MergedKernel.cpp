//===- MergedKernel.cpp - Several kernels in one launch ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block finds its track by bisection, then runs as a block of that kernel would, in the same
// order. Kernels that run in one block may read each other's results, so their arguments carry no
// promise against overlap, and a barrier separates two kernels if a thread of the second conflicts
// with another thread of the first.
//
//===----------------------------------------------------------------------===//
#include "MergedKernel.h"

#include "OwnElements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace ds::gpu;

namespace {

class Merger {
public:
  Merger(ArrayRef<SmallVector<KernelCall>> tracks, mlir::gpu::GPUModuleOp module)
      : tracks(tracks), module(module), b(module.getContext()), loc(module.getLoc()) {}

  MergedKernel merge() {
    for (const SmallVector<KernelCall> &track : tracks) {
      firstBlock.push_back(made.blocks);
      made.blocks += track.front().blocks;
      for (const KernelCall &call : track)
        addInterface(call, track.size() > 1);
    }
    begin();
    dispatch(0, tracks.size());
    b.setInsertionPointToEnd(&made.kernel.getBody().front());
    mlir::gpu::ReturnOp::create(b, loc);
    share();
    made.operands = operands.takeVector();
    return made;
  }

private:
  static bool isConstant(Value value) {
    Operation *op = value.getDefiningOp();
    return op && matchPattern(op, m_Constant());
  }

  void addInterface(const KernelCall &call, bool isChained) {
    mlir::gpu::GPUFuncOp kernel = call.kernel;
    if (call.threadsX * call.threadsY > 1)
      made.threads = kThreads;
    for (auto [i, operand] : llvm::enumerate(call.operands)) {
      if (isConstant(operand))
        continue;
      operands.insert(operand);
      bool promises = !isChained && kernel.getArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName());
      auto [known, isNew] = overlapsNone.try_emplace(operand, promises);
      known->second &= promises;
      if (Attribute alignment = kernel.getArgAttr(i, LLVM::LLVMDialect::getAlignAttrName()))
        alignments[operand] = alignment;
    }
    llvm::SmallDenseMap<Type, unsigned> count;
    for (Value memory : kernel.getWorkgroupAttributions())
      if (++count[memory.getType()] > sharedCount[memory.getType()]) {
        ++sharedCount[memory.getType()];
        shared.push_back(memory.getType());
      }
  }

  void begin() {
    b.setInsertionPointToEnd(&module.getBodyRegion().front());
    auto type = b.getFunctionType(ValueRange(operands.getArrayRef()).getTypes(), {});
    made.kernel = mlir::gpu::GPUFuncOp::create(b, loc, "merged", type, shared, {});
    made.kernel->setAttr(mlir::gpu::GPUDialect::getKernelFuncAttrName(), b.getUnitAttr());
    made.kernel.setKnownBlockSizeAttr(
        b.getDenseI32ArrayAttr({static_cast<int32_t>(made.threads), 1, 1}));
    made.kernel.setKnownGridSizeAttr(
        b.getDenseI32ArrayAttr({static_cast<int32_t>(made.blocks), 1, 1}));
    for (auto [i, operand] : llvm::enumerate(operands)) {
      if (overlapsNone.lookup(operand))
        made.kernel.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(), b.getUnitAttr());
      if (Attribute alignment = alignments.lookup(operand))
        made.kernel.setArgAttr(i, LLVM::LLVMDialect::getAlignAttrName(), alignment);
      argumentOf[operand] = made.kernel.getArgument(i);
    }
    b.setInsertionPointToStart(&made.kernel.getBody().front());
    block = mlir::gpu::BlockIdOp::create(b, loc, mlir::gpu::Dimension::x);
    thread = mlir::gpu::ThreadIdOp::create(b, loc, mlir::gpu::Dimension::x);
    Value warp = index(kWarp);
    lane = arith::RemUIOp::create(b, loc, thread, warp);
    row = arith::DivUIOp::create(b, loc, thread, warp);
  }

  Value index(int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); }

  void dispatch(size_t from, size_t to) {
    if (to - from == 1)
      return writeTrack(from);
    size_t middle = from + (to - from) / 2;
    Value isBefore =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, block, index(firstBlock[middle]));
    auto branch = scf::IfOp::create(b, loc, isBefore, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    dispatch(from, middle);
    b.setInsertionPointToStart(branch.elseBlock());
    dispatch(middle, to);
  }

  void writeTrack(size_t track) {
    Value number = firstBlock[track] == 0
                       ? block
                       : arith::SubIOp::create(b, loc, block, index(firstBlock[track])).getResult();
    ArrayRef<KernelCall> calls = tracks[track];
    size_t behindBarrier = 0; // the first kernel after the last barrier
    for (auto [i, call] : llvm::enumerate(calls)) {
      auto isApart = [call = &call](const KernelCall &earlier) {
        return keepToOwnElements(earlier, *call);
      };
      if (made.threads > 1 &&
          !llvm::all_of(calls.slice(behindBarrier, i - behindBarrier), isApart)) {
        mlir::gpu::BarrierOp::create(b, loc);
        behindBarrier = i;
      }
      writeKernel(call, number);
    }
  }

  void writeKernel(const KernelCall &call, Value number) {
    mlir::gpu::GPUFuncOp kernel = call.kernel;
    OpBuilder::InsertionGuard guard(b);
    bool isOneThread = call.threadsX * call.threadsY == 1;
    if (isOneThread && made.threads > 1) {
      Value isFirst = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, thread, index(0));
      auto branch = scf::IfOp::create(b, loc, isFirst, /*withElseRegion=*/false);
      b.setInsertionPointToStart(branch.thenBlock());
    }
    IRMapping mapping;
    for (auto [argument, operand] : llvm::zip(kernel.getArguments(), call.operands))
      mapping.map(argument, isConstant(operand) ? b.clone(*operand.getDefiningOp())->getResult(0)
                                                : argumentOf.lookup(operand));
    llvm::SmallDenseMap<Type, unsigned> count;
    for (Value memory : kernel.getWorkgroupAttributions())
      mapping.map(memory, sharedMemory(memory.getType(), count[memory.getType()]++));
    SmallVector<Operation *> clones;
    for (Operation &op : kernel.getBody().front().without_terminator())
      clones.push_back(b.clone(op, mapping));
    for (Operation *clone : clones)
      clone->walk([&](Operation *op) { placeInBlock(op, call, number); });
  }

  /// Replaces ids of blocks and threads by those of a launch of that kernel alone.
  void placeInBlock(Operation *op, const KernelCall &call, Value number) {
    Value value;
    if (isa<mlir::gpu::BlockIdOp>(op))
      value = number;
    else if (auto id = dyn_cast<mlir::gpu::ThreadIdOp>(op))
      value = call.threadsY == 1                             ? thread
              : id.getDimension() == mlir::gpu::Dimension::x ? lane
                                                             : row;
    if (!value)
      return;
    op->replaceAllUsesWith(ValueRange{value});
    op->erase();
  }

  Value sharedMemory(Type type, unsigned number) {
    for (Value memory : made.kernel.getWorkgroupAttributions())
      if (memory.getType() == type && number-- == 0)
        return memory;
    llvm_unreachable("counted by addInterface");
  }

  /// Names the kernel by its text; an equal kernel of the module replaces it.
  void share() {
    std::string text;
    llvm::raw_string_ostream stream(text);
    made.kernel->print(stream, OpPrintingFlags().useLocalScope().assumeVerified());
    std::string name =
        "merged_" + llvm::utohexstr(llvm::xxh3_64bits(text), /*LowerCase=*/true, /*Width=*/16);
    if (auto there = module.lookupSymbol<mlir::gpu::GPUFuncOp>(name)) {
      made.kernel.erase();
      made.kernel = there;
    } else {
      SymbolTable::setSymbolName(made.kernel, name);
    }
  }

  ArrayRef<SmallVector<KernelCall>> tracks;
  mlir::gpu::GPUModuleOp module;
  OpBuilder b;
  Location loc;
  MergedKernel made;
  SmallVector<int64_t> firstBlock;
  llvm::SetVector<Value> operands;
  DenseMap<Value, bool> overlapsNone;
  DenseMap<Value, Attribute> alignments;
  DenseMap<Value, Value> argumentOf;
  DenseMap<Type, unsigned> sharedCount;
  SmallVector<Type> shared; // of one block of any track
  Value block, thread, lane, row;
};

} // namespace

MergedKernel ds::gpu::mergeKernels(ArrayRef<SmallVector<KernelCall>> tracks,
                                   mlir::gpu::GPUModuleOp module) {
  return Merger(tracks, module).merge();
}
