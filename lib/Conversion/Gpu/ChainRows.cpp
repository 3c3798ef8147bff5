//===- ChainRows.cpp - Merge kernels that share their rows ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A chain begins with a reduction, whose results are its rows. Later calls that depend on a member
// join, then earlier ones that members depend on, if each of their rows depends only on the same
// row of the chain and no other call has to run in between. Cost: a pass over the calls for each
// chain.
//
//===----------------------------------------------------------------------===//
#include "CallOrder.h"
#include "DriverKernels.h"
#include "RowChain.h"
#include "RowForm.h"
#include "Utils/Buffers.h"
#include "ds/Conversion/Gpu/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/BitVector.h"

namespace ds {
#define GEN_PASS_DEF_CHAINROWSPASS
#include "ds/Conversion/Gpu/Passes.h.inc"
} // namespace ds

using namespace mlir;
using namespace ds::gpu;

static constexpr size_t mostCalls = 24; // of a chain
/// The number of calls after the last member of a chain, and before its first, that are considered.
static constexpr size_t window = 256;
/// Blocks of a launch that fills a large GPU; with fewer blocks, one block should have at most so
/// many points.
static constexpr int64_t enoughBlocks = 264, manyPoints = 4096;

namespace {

/// A kernel that may be part of a chain, and its accesses by rows.
struct RowKernel {
  RowKernel(KernelLoops loops, Scheme scheme) : loops(std::move(loops)), scheme(scheme) {}

  KernelLoops loops;
  Scheme scheme;
  DenseMap<int64_t, SmallVector<RowTouch>> touches; // by the number of rows
};

/// A call, or the calls of a chain.
struct Node {
  SmallVector<func::CallOp> calls;
  SmallVector<size_t> earlier;
  int64_t rows = 0; // of a chain
};

/// The numbers of the nodes to merge.
struct Chain {
  int64_t rows = 0;
  SmallVector<size_t> members; // in order
};

struct ChainRows final : ds::impl::ChainRowsPassBase<ChainRows> {
  void runOnOperation() override {
    kernels.clear();
    functions.clear();
    for (auto function : getOperation().getOps<func::FuncOp>())
      functions[function.getSymNameAttr()] = function;
    func::FuncOp driver = ds::findDriver(getOperation());
    if (!driver)
      return signalPassFailure();
    DenseSet<func::FuncOp> replaced;
    driver.walk([&](Block *block) {
      hoistAddresses(*block);
      std::vector<OrderedCall> calls;
      for (Operation &op : llvm::make_early_inc_range(*block)) {
        OrderedCall call;
        if (describe(op, call)) {
          calls.push_back(std::move(call));
        } else {
          chainIn(calls, &op, replaced);
          calls.clear();
        }
      }
    });
    driver.walk([&](func::CallOp call) { replaced.erase(calleeOf(call)); });
    for (func::FuncOp kernel : replaced)
      kernel.erase();
  }

private:
  func::FuncOp calleeOf(func::CallOp call) {
    return functions.lookup(call.getCalleeAttr().getAttr());
  }

  /// Describes the operation if it is a call that may move; else returns false.
  bool describe(Operation &op, OrderedCall &described) {
    auto call = dyn_cast<func::CallOp>(op);
    func::FuncOp callee = call ? calleeOf(call) : func::FuncOp();
    if (!callee || call.getNumResults() != 0)
      return false;
    described.call = call;
    llvm::BitVector written(call.getNumOperands());
    if (callee->hasAttr(ds::kKernelFunction) && !callee.isExternal())
      callee.walk([&](Operation *inside) { findWritten(inside, written); });
    else if (callee->hasAttr(ds::kContractionFunction) || callee->hasAttr(ds::kConvolutionFunction))
      written.set(call.getNumOperands() - 1);
    else
      return false;
    return described.addAccesses(written);
  }

  static void findWritten(Operation *op, llvm::BitVector &written) {
    if (ds::isView(op) || isa<memref::LoadOp>(op))
      return;
    auto generic = dyn_cast<linalg::GenericOp>(op);
    for (OpOperand &operand : op->getOpOperands())
      if (isa<BaseMemRefType>(operand.get().getType()) && (!generic || generic.isDpsInit(&operand)))
        if (auto argument = dyn_cast<BlockArgument>(ds::rootOf(operand.get())))
          written.set(argument.getArgNumber());
  }

  /// Returns null for a kernel that cannot be part of a chain.
  RowKernel *rowKernel(func::FuncOp function) {
    auto [known, isNew] = kernels.try_emplace(function);
    if (!isNew)
      return known->second.get();
    linalg::GenericOp op = chainableOp(function);
    if (!op)
      return nullptr;
    FailureOr<KernelLoops> loops = readLoops(op);
    if (failed(loops))
      return nullptr; // ds-map-kernels will report the error
    Scheme scheme = chooseScheme(*loops);
    if (canChain(scheme))
      known->second = std::make_shared<RowKernel>(std::move(*loops), scheme);
    return known->second.get();
  }

  RowKernel *rowKernel(const Node &node) {
    return node.calls.size() == 1 ? rowKernel(calleeOf(node.calls[0])) : nullptr;
  }

  ArrayRef<RowTouch> touchesOf(func::CallOp call, int64_t rows) {
    RowKernel *kernel = rowKernel(calleeOf(call));
    auto [known, isNew] = kernel->touches.try_emplace(rows);
    if (isNew)
      known->second = ds::gpu::touchesOf(calleeOf(call), kernel->loops, rows);
    return known->second;
  }

  /// `end` is the operation after the calls.
  void chainIn(std::vector<OrderedCall> &calls, Operation *end, DenseSet<func::FuncOp> &replaced) {
    if (calls.size() < 2)
      return;
    findDependences(calls);
    std::vector<Node> nodes;
    for (const OrderedCall &call : calls)
      nodes.push_back({{call.call}, call.earlier});
    for (size_t seed = 0; seed < nodes.size();) {
      RowKernel *kernel = rowKernel(nodes[seed]);
      Chain chain;
      if (kernel && !kernel->loops.reduction.empty() && kernel->loops.points() > 1)
        chain = grow(nodes, seed, kernel->loops.points());
      if (chain.members.size() > 1 && !isOfOneBlock(nodes, chain)) {
        contract(nodes, chain);
        seed = chain.members.front(); // a call that moved before the chain may be a seed
      } else {
        ++seed;
      }
    }
    for (Node &node : nodes)
      if (node.calls.size() == 1)
        node.calls[0]->moveBefore(end);
      else
        write(node, end, replaced);
  }

  Chain grow(ArrayRef<Node> nodes, size_t seed, int64_t rows) {
    Chain chain = {rows, {seed}};
    DenseSet<size_t> behind; // non-members that depend on a member
    size_t last = seed;
    for (size_t number = seed + 1; number < std::min(nodes.size(), last + window); ++number) {
      bool needsMember = false, needsBehind = false;
      for (size_t other : nodes[number].earlier) {
        needsMember |= llvm::is_contained(chain.members, other);
        needsBehind |= behind.contains(other);
      }
      if (needsMember && !needsBehind && joins(nodes, chain, number))
        chain.members.push_back(last = number);
      else if (needsMember || needsBehind)
        behind.insert(number);
    }
    // The calls that members depend on, directly or through calls outside of the chain.
    DenseSet<size_t> needed, neededByOthers;
    for (size_t number = last + 1; number-- > (seed > window ? seed - window : 0);) {
      bool isMember = llvm::is_contained(chain.members, number);
      if (!isMember && needed.contains(number) && !neededByOthers.contains(number) &&
          joins(nodes, chain, number)) {
        chain.members.push_back(number);
        isMember = true;
      }
      if (isMember)
        needed.insert(nodes[number].earlier.begin(), nodes[number].earlier.end());
      else if (needed.contains(number) || neededByOthers.contains(number))
        neededByOthers.insert(nodes[number].earlier.begin(), nodes[number].earlier.end());
    }
    llvm::sort(chain.members);
    return chain;
  }

  /// True if all kernels have one block: ds-merge-launches merges these in any case, whatever they
  /// read.
  bool isOfOneBlock(ArrayRef<Node> nodes, const Chain &chain) {
    return llvm::all_of(chain.members, [&](size_t member) {
      RowKernel *kernel = rowKernel(nodes[member]);
      return blocksAlone(kernel->loops, kernel->scheme) == 1;
    });
  }

  /// True if each row of the call depends only on the same row of the chain.
  bool joins(ArrayRef<Node> nodes, const Chain &chain, size_t number) {
    RowKernel *kernel = rowKernel(nodes[number]);
    if (!kernel || chain.members.size() == mostCalls || kernel->loops.points() % chain.rows != 0 ||
        (chain.rows < enoughBlocks && kernel->loops.points() / chain.rows > manyPoints))
      return false;
    func::CallOp call = nodes[number].calls[0];
    llvm::SmallDenseSet<Value> operands(call.operand_begin(), call.operand_end());
    for (size_t member : chain.members) {
      func::CallOp other = nodes[member].calls[0];
      operands.insert(other.operand_begin(), other.operand_end());
    }
    if (operands.size() > mostArguments)
      return false;
    return llvm::all_of(chain.members, [&](size_t member) {
      return meetByRows(nodes[member].calls[0], call, chain.rows);
    });
  }

  bool meetByRows(func::CallOp first, func::CallOp second, int64_t rows) {
    return llvm::all_of(conflicts(first, second, rows), [&](const auto &conflict) {
      auto [one, other] = conflict;
      return one.rowBytes && one.rowBytes == other.rowBytes &&
             accessOf(first.getOperand(one.argument)).begin ==
                 accessOf(second.getOperand(other.argument)).begin;
    });
  }

  /// Returns the accesses of both to common bytes of which one is a write.
  SmallVector<std::pair<RowTouch, RowTouch>> conflicts(func::CallOp first, func::CallOp second,
                                                       int64_t rows) {
    SmallVector<std::pair<RowTouch, RowTouch>> found;
    SmallVector<RowTouch> ones(touchesOf(first, rows));
    for (const RowTouch &one : ones)
      for (const RowTouch &other : touchesOf(second, rows)) {
        Access before = accessOf(first.getOperand(one.argument)),
               after = accessOf(second.getOperand(other.argument));
        if ((one.writes || other.writes) && before.root == after.root && before.begin < after.end &&
            after.begin < before.end)
          found.emplace_back(one, other);
      }
    return found;
  }

  /// Merges the chain into one node, after all nodes that may come before it.
  static void contract(std::vector<Node> &nodes, const Chain &chain) {
    std::vector<Node> ordered;
    std::vector<size_t> numbers(nodes.size());
    const size_t from = chain.members.front(), to = chain.members.back();
    auto isMember = [&](size_t number) { return llvm::is_contained(chain.members, number); };
    auto take = [&](size_t number) {
      numbers[number] = ordered.size();
      ordered.push_back(std::move(nodes[number]));
    };
    for (size_t number = 0; number < from; ++number)
      take(number);
    DenseSet<size_t> behind; // nodes that depend on a member
    for (size_t number = from; number <= to; ++number) {
      if (isMember(number))
        continue;
      if (llvm::any_of(nodes[number].earlier,
                       [&](size_t other) { return isMember(other) || behind.contains(other); }))
        behind.insert(number);
      else
        take(number);
    }
    Node all;
    all.rows = chain.rows;
    for (size_t member : chain.members) {
      numbers[member] = ordered.size();
      all.calls.append(nodes[member].calls);
      all.earlier.append(nodes[member].earlier);
    }
    llvm::erase_if(all.earlier, isMember);
    ordered.push_back(std::move(all));
    for (size_t number = from; number < nodes.size(); ++number)
      if (number > to || behind.contains(number))
        take(number);
    for (Node &node : ordered) {
      for (size_t &other : node.earlier)
        other = numbers[other];
      llvm::sort(node.earlier);
      node.earlier.erase(llvm::unique(node.earlier), node.earlier.end());
    }
    nodes = std::move(ordered);
  }

  void write(const Node &node, Operation *end, DenseSet<func::FuncOp> &replaced) {
    llvm::SetVector<Value> operands;
    llvm::SmallDenseSet<Value> written;
    SmallVector<Location> places;
    for (func::CallOp call : node.calls) {
      operands.insert(call.operand_begin(), call.operand_end());
      places.push_back(call.getLoc());
      for (const RowTouch &touch : touchesOf(call, node.rows))
        if (touch.writes)
          written.insert(call.getOperand(touch.argument));
    }
    Location loc = FusedLoc::get(&getContext(), places);
    func::FuncOp kernel = startKernel(loc, operands.getArrayRef());
    OpBuilder inside = OpBuilder::atBlockEnd(&kernel.front());
    kernel->setAttr(kRowChain, inside.getI64IntegerAttr(node.rows));
    SmallVector<func::CallOp> sinceBarrier;
    for (func::CallOp call : node.calls) {
      if (llvm::any_of(sinceBarrier, [&](func::CallOp earlier) {
            return !conflicts(earlier, call, node.rows).empty();
          })) {
        mlir::gpu::BarrierOp::create(inside, loc);
        sinceBarrier.clear();
      }
      sinceBarrier.push_back(call);
      func::FuncOp callee = calleeOf(call);
      replaced.insert(callee);
      IRMapping mapping;
      for (auto [argument, operand] : llvm::zip_equal(callee.getArguments(), call.getOperands())) {
        auto place = std::distance(operands.begin(), llvm::find(operands, operand));
        mapping.map(argument, kernel.getArgument(place));
      }
      for (Operation &op : callee.front().without_terminator())
        inside.clone(op, mapping);
    }
    func::ReturnOp::create(inside, loc);
    promiseNoOverlap(node, kernel, operands.getArrayRef(), written);
    OpBuilder builder(end);
    func::CallOp::create(builder, loc, addKernel(getOperation(), kernel), operands.getArrayRef());
    for (func::CallOp call : node.calls)
      call.erase();
  }

  /// Promises no overlap for arguments that the chain only reads, if all of its kernels do. Other
  /// threads read the arguments it writes after a barrier, so these get no promise.
  void promiseNoOverlap(const Node &node, func::FuncOp kernel, ArrayRef<Value> operands,
                        const llvm::SmallDenseSet<Value> &written) {
    StringRef noAlias = LLVM::LLVMDialect::getNoAliasAttrName();
    llvm::SmallDenseSet<Value> broken;
    for (func::CallOp call : node.calls)
      for (auto [i, operand] : llvm::enumerate(call.getOperands()))
        if (!calleeOf(call).getArgAttr(i, noAlias))
          broken.insert(operand);
    for (auto [i, operand] : llvm::enumerate(operands)) {
      if (!isa<MemRefType>(operand.getType()) || written.contains(operand) ||
          broken.contains(operand))
        continue;
      Access read = accessOf(operand);
      if (llvm::none_of(written, [&](Value other) {
            Access write = accessOf(other);
            return write.root == read.root && write.begin < read.end && read.begin < write.end;
          }))
        kernel.setArgAttr(i, noAlias, UnitAttr::get(&getContext()));
    }
  }

  DenseMap<StringAttr, func::FuncOp> functions; // present before the first chain
  DenseMap<func::FuncOp, std::shared_ptr<RowKernel>> kernels;
};

} // namespace
