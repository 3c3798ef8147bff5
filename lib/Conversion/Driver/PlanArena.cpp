//===- PlanArena.cpp - Static offsets for all temporary memory --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations are numbered in program order. An allocation lives from its definition to the last use
// of any value that may show its memory (BufferViewFlowAnalysis); a use inside a loop that does not
// contain the allocation keeps it alive until the loop ends. Allocations of one collective form one
// block. Memory that other ranks read lives to the end of the step, since they may be late. Blocks
// are placed largest first at the lowest offset that is free during their whole life: O(blocks^2),
// about a millisecond for hundreds of blocks. An option lets the smallest blocks live from begin to
// end.
//
//===----------------------------------------------------------------------===//
#include "Utils/Buffers.h"
#include "ds/Conversion/Passes.h"
#include "ds/Dialect/IR/Ds.h"
#include "ds/Plan/ByteSize.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/Support/MathExtras.h"

#include <map>

namespace ds {
#define GEN_PASS_DEF_PLANARENAPASS
#include "ds/Conversion/Passes.h.inc"
} // namespace ds

using namespace mlir;

namespace {

constexpr int64_t slotAlignment = 64;

/// Buffers with one lifetime, placed next to each other.
struct MemoryBlock {
  SmallVector<memref::AllocOp> allocs;
  SmallVector<int64_t> offsets; // of each allocation within the block
  int64_t bytes = 0;
  int64_t begin = std::numeric_limits<int64_t>::max(), end = -1;
  int64_t start = 0; // in the arena
};

int64_t bytesOf(MemRefType type) {
  return type.getNumElements() * ds::elementBytes(type.getElementType());
}

/// Adds two sizes; saturates on overflow.
int64_t plus(int64_t a, int64_t b) {
  int64_t sum;
  return llvm::AddOverflow(a, b, sum) ? std::numeric_limits<int64_t>::max() : sum;
}

/// Numbers operations in program order: each spans [begin, end], which contains the spans of the
/// operations nested in it.
class Numbering {
public:
  explicit Numbering(func::FuncOp func) { number(func); }
  int64_t begin(Operation *op) const { return spans.lookup(op).first; }
  int64_t end(Operation *op) const { return spans.lookup(op).second; }

private:
  void number(Operation *op) {
    int64_t begin = next++;
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Operation &inner : block)
          number(&inner);
    spans[op] = {begin, next++};
  }
  DenseMap<Operation *, std::pair<int64_t, int64_t>> spans;
  int64_t next = 0;
};

struct PlanArena final : ds::impl::PlanArenaPassBase<PlanArena> {
  using PlanArenaPassBase::PlanArenaPassBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isExternal() || !func.isPublic())
      return;
    Numbering numbering(func);
    SmallVector<MemoryBlock> blocks;
    if (failed(collectBlocks(func, numbering, blocks)))
      return signalPassFailure();
    keepApart(blocks);
    int64_t bytes = place(blocks);
    if (bytes > ds::largestArrayBytes) {
      func.emitError() << "the step's temporaries take " << bytes
                       << " bytes at once, expected at most 2^48";
      return signalPassFailure();
    }
    rewrite(func, blocks, bytes);
  }

  LogicalResult collectBlocks(func::FuncOp func, const Numbering &numbering,
                              SmallVectorImpl<MemoryBlock> &blocks) {
    BufferViewFlowAnalysis aliases(func);
    DenseSet<Operation *> grouped;
    auto addBlock = [&](ArrayRef<memref::AllocOp> allocs) -> LogicalResult {
      MemoryBlock block;
      for (memref::AllocOp alloc : allocs) {
        if (!alloc.getType().hasStaticShape() || !alloc.getType().getLayout().isIdentity())
          return alloc.emitOpError()
                 << "of type " << alloc.getType() << " cannot be placed in the arena, expected "
                 << "a static shape";
        grouped.insert(alloc);
        block.allocs.push_back(alloc);
        block.offsets.push_back(block.bytes);
        block.bytes =
            plus(block.bytes,
                 llvm::alignTo(std::max<int64_t>(bytesOf(alloc.getType()), 1), slotAlignment));
        if (failed(extend(block, alloc, numbering, aliases)))
          return failure();
      }
      blocks.push_back(std::move(block));
      return success();
    };
    SymbolTable symbols(func->getParentOfType<ModuleOp>());
    WalkResult walked = func.walk([&](func::CallOp call) {
      auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
      if (!callee || !callee->hasAttr(ds::kCollectiveFunction))
        return WalkResult::advance();
      SmallVector<memref::AllocOp> allocs;
      for (Value operand : call.getOperands()) {
        auto alloc = ds::rootOf(operand).getDefiningOp<memref::AllocOp>();
        if (alloc && alloc->getBlock() == call->getBlock() && !grouped.contains(alloc) &&
            !llvm::is_contained(allocs, alloc))
          allocs.push_back(alloc);
      }
      return !allocs.empty() && failed(addBlock(allocs)) ? WalkResult::interrupt()
                                                         : WalkResult::advance();
    });
    if (walked.wasInterrupted())
      return failure();
    walked = func.walk([&](memref::AllocOp alloc) {
      if (!grouped.contains(alloc) && failed(addBlock(alloc)))
        return WalkResult::interrupt();
      return WalkResult::advance();
    });
    return failure(walked.wasInterrupted());
  }

  static LogicalResult extend(MemoryBlock &block, memref::AllocOp alloc, const Numbering &numbering,
                              const BufferViewFlowAnalysis &aliases) {
    auto cover = [&](int64_t begin, int64_t end) {
      block.begin = std::min(block.begin, begin);
      block.end = std::max(block.end, end);
    };
    cover(numbering.begin(alloc), numbering.end(alloc));
    for (Value value : aliases.resolve(alloc.getResult())) {
      for (Operation *user : value.getUsers()) {
        cover(numbering.begin(user), numbering.end(user));
        if (isa<ds::PeerOp>(user))
          cover(numbering.begin(user), std::numeric_limits<int64_t>::max());
        // A loop around the use, but not around the allocation, may repeat the use.
        for (Operation *parent = user->getParentOp(); !parent->isAncestor(alloc);
             parent = parent->getParentOp())
          if (isa<LoopLikeOpInterface>(parent))
            cover(numbering.begin(parent), numbering.end(parent));
        // The value that an iteration writes and the one it reads of the iteration before would
        // share one place.
        if (isa<scf::YieldOp>(user) && isa<LoopLikeOpInterface>(user->getParentOp()) &&
            user->getParentOp()->isProperAncestor(alloc))
          return alloc.emitOpError("made in a loop is handed to the next round, expected "
                                   "ds-set-destinations to have stored it where the loop keeps it");
      }
    }
    return success();
  }

  void keepApart(MutableArrayRef<MemoryBlock> blocks) const {
    SmallVector<MemoryBlock *> bySize =
        llvm::map_to_vector(blocks, [](MemoryBlock &b) { return &b; });
    llvm::stable_sort(bySize, [](MemoryBlock *a, MemoryBlock *b) { return a->bytes < b->bytes; });
    int64_t total = 0;
    for (MemoryBlock *block : bySize) {
      total = plus(total, block->bytes);
      if (total > apart)
        return;
      block->begin = 0;
      block->end = std::numeric_limits<int64_t>::max();
    }
  }

  static int64_t place(MutableArrayRef<MemoryBlock> blocks) {
    SmallVector<MemoryBlock *> bySize =
        llvm::map_to_vector(blocks, [](MemoryBlock &b) { return &b; });
    llvm::stable_sort(bySize, [](MemoryBlock *a, MemoryBlock *b) { return a->bytes > b->bytes; });
    SmallVector<MemoryBlock *> placed; // by start
    int64_t total = 0;
    for (MemoryBlock *block : bySize) {
      int64_t start = 0;
      for (MemoryBlock *other : placed) {
        if (other->end < block->begin || block->end < other->begin)
          continue;
        if (plus(start, block->bytes) <= other->start)
          break;
        start = std::max(start, plus(other->start, other->bytes));
      }
      block->start = start;
      total = std::max(total, plus(start, block->bytes));
      placed.insert(
          llvm::upper_bound(placed, block,
                            [](MemoryBlock *a, MemoryBlock *b) { return a->start < b->start; }),
          block);
    }
    return total;
  }

  static void rewrite(func::FuncOp func, MutableArrayRef<MemoryBlock> blocks, int64_t bytes) {
    OpBuilder builder(func.getContext());
    unsigned index = 0;
    for (StringRef name : {ds::kContextArgument, ds::kLibraryArgument})
      index += ds::findMarkedArgument(func, name) ? 1 : 0;
    auto type = MemRefType::get({bytes}, builder.getI8Type());
    Value arena = ds::getOrAddMarkedArgument(func, ds::kArenaArgument, index, type);
    std::map<int64_t, Value> constants;
    for (MemoryBlock &block : blocks)
      for (auto [alloc, offset] : llvm::zip(block.allocs, block.offsets)) {
        Value &constant = constants[block.start + offset];
        if (!constant) {
          builder.setInsertionPointToStart(&func.front());
          constant = arith::ConstantIndexOp::create(builder, func.getLoc(), block.start + offset);
        }
        builder.setInsertionPoint(alloc);
        Value view = memref::ViewOp::create(builder, alloc.getLoc(), alloc.getType(), arena,
                                            constant, ValueRange());
        alloc.replaceAllUsesWith(view);
        alloc.erase();
      }
    resolvePeers(func, cast<BlockArgument>(arena));
  }

  /// Resolves the buffers of peers: all ranks have one plan, so a buffer has the same offset in
  /// every arena.
  static void resolvePeers(func::FuncOp func, BlockArgument arena) {
    std::map<int64_t, Value> arenas;
    func.walk([&](ds::PeerOp op) {
      Value &peer = arenas[op.getRank()];
      if (!peer) {
        unsigned index = arena.getArgNumber() + arenas.size();
        OpBuilder builder(op);
        auto mark =
            builder.getNamedAttr(ds::kPeerArgument, builder.getI64IntegerAttr(op.getRank()));
        (void)func.insertArgument(index, arena.getType(), builder.getDictionaryAttr(mark),
                                  func.getLoc());
        peer = func.getArgument(index);
      }
      auto here = op.getBuffer().getDefiningOp<memref::ViewOp>();
      OpBuilder builder(op);
      Value there = memref::ViewOp::create(builder, op.getLoc(), here.getType(), peer,
                                           here.getByteShift(), ValueRange());
      op.replaceAllUsesWith(there);
      op.erase();
    });
  }
};

} // namespace
