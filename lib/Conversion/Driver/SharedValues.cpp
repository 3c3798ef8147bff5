//===- SharedValues.cpp - Values that ranks of a process share --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel whose results are all sharded runs on the rank's share of its outermost loop. A
// parameter or state is sharded if only such kernels write it, a temporary if only such kernels use
// it, element by element. The sets start with all candidates; those that break a condition are
// removed until nothing changes.
//
//===----------------------------------------------------------------------===//
#include "SharedValues.h"

#include "Utils/Buffers.h"
#include "ds/Dialect/IR/Roles.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace ds;

/// A kernel that reads the gradients of more ranks than this has more streams than a core can
/// prefetch.
static constexpr int64_t mostPeers = 8;

/// True if the value is a view of all elements of its root, in order.
static bool showsWhole(Value value) {
  auto type = dyn_cast<MemRefType>(value.getType());
  auto root = dyn_cast<MemRefType>(rootOf(value).getType());
  return type && root && type.hasStaticShape() && root.hasStaticShape() &&
         type.getLayout().isIdentity() && type.getElementType() == root.getElementType() &&
         type.getNumElements() == root.getNumElements();
}

/// True if the loops of the kernel visit the operand's buffer in the order of its elements.
static bool isElementwise(linalg::GenericOp kernel, OpOperand &operand) {
  return showsWhole(operand.get()) && kernel.getMatchingIndexingMap(&operand).isIdentity();
}

bool SharedValues::isShareOf(linalg::GenericOp kernel, OpOperand &operand) const {
  return isa<BaseMemRefType>(operand.get().getType()) && isSharded(rootOf(operand.get())) &&
         isElementwise(kernel, operand);
}

namespace {

/// A use of memory of a root: the operand, and the operation in the block of the step that contains
/// the use.
struct Access {
  Operation *top;
  OpOperand *operand;
};

class Finder {
public:
  Finder(func::FuncOp step, int64_t numRanks, bool keepsStates)
      : step(step), block(step.front()), numRanks(numRanks), keepsStates(keepsStates) {}

  SharedValues run() {
    collectAccesses();
    begin();
    while (dropOne())
      ;
    return std::move(found);
  }

private:
  static bool mayDivide(linalg::GenericOp kernel) {
    return kernel.hasPureBufferSemantics() && kernel.getNumLoops() > 0 &&
           kernel.getNumParallelLoops() == kernel.getNumLoops() && !kernel.hasIndexSemantics() &&
           llvm::all_of(kernel.getStaticLoopRanges(), [](int64_t range) { return range > 0; }) &&
           llvm::all_of(kernel.getIndexingMapsArray(),
                        [](AffineMap map) { return map.isProjectedPermutation(); });
  }

  void collectAccesses() {
    for (Operation &top : block)
      top.walk([&](Operation *op) {
        if (!isView(op))
          for (OpOperand &operand : op->getOpOperands())
            if (isa<BaseMemRefType>(operand.get().getType()))
              accesses[rootOf(operand.get())].push_back({&top, &operand});
      });
  }

  static bool isWritten(const Access &access) {
    if (auto kernel = dyn_cast<linalg::GenericOp>(access.operand->getOwner()))
      return kernel.isDpsInit(access.operand);
    return !isa<memref::LoadOp, memref::DimOp>(access.operand->getOwner());
  }

  bool mayShare(BlockArgument argument) {
    unsigned number = argument.getArgNumber();
    auto has = [&](StringRef name) { return step.getArgAttr(number, name) != nullptr; };
    return !paramOrState(step, number).empty() && !isOfEachRank(step, number) &&
           !has(role::layout) && !has(role::sharding) && !has(role::batch) && !has(role::perRank) &&
           !(keepsStates && has(role::state));
  }

  void begin() {
    for (Operation &op : block)
      if (auto kernel = dyn_cast<linalg::GenericOp>(op);
          kernel && mayDivide(kernel) && dividesResults(kernel))
        found.kernels.insert(kernel);
    for (BlockArgument argument : step.getArguments())
      if (mayShare(argument))
        found.arguments.insert(argument);
    for (auto &[root, uses] : accesses) {
      if (!root.getDefiningOp<memref::AllocOp>())
        continue;
      if (AllReduceOp reduction = findReduction(uses))
        found.gradients[root] = reduction;
      else
        found.temporaries.insert(root);
    }
  }

  /// True if each rank can compute a share of the kernel's results without reading elements that
  /// another rank computes.
  static bool dividesResults(linalg::GenericOp kernel) {
    llvm::SmallDenseSet<Value> written;
    for (OpOperand &init : kernel.getDpsInitsMutable()) {
      if (!isElementwise(kernel, init))
        return false;
      written.insert(rootOf(init.get()));
    }
    return llvm::all_of(kernel.getDpsInputOperands(), [&](OpOperand *input) {
      return !isa<BaseMemRefType>(input->get().getType()) ||
             !written.contains(rootOf(input->get())) || isElementwise(kernel, *input);
    });
  }

  /// Returns the only all-reduce of a gradient, if kernels can perform it themselves.
  AllReduceOp findReduction(ArrayRef<Access> uses) const {
    AllReduceOp reduction;
    for (const Access &use : uses)
      if (auto op = dyn_cast<AllReduceOp>(use.operand->getOwner())) {
        if (reduction || op != use.top)
          return {};
        reduction = op;
        Type element = cast<MemRefType>(use.operand->get().getType()).getElementType();
        if (op.getGroup() || op.getKind() != ReductionKind::Sum || numRanks > mostPeers ||
            !(element.isF32() || element.isF64() || element.isInteger()) ||
            !showsWhole(use.operand->get()))
          return {};
      }
    return reduction;
  }

  /// Removes candidates that break a condition; returns whether there were any.
  bool dropOne() {
    bool changed = false;
    auto isShardedUse = [&](const Access &use) {
      return use.operand->getOwner() == use.top && found.kernels.contains(use.top);
    };
    auto isElementwiseUse = [&](const Access &use) {
      return isShardedUse(use) && isElementwise(cast<linalg::GenericOp>(use.top), *use.operand);
    };
    changed |= found.kernels.remove_if([&](Operation *op) {
      return llvm::any_of(cast<linalg::GenericOp>(op).getDpsInits(),
                          [&](Value init) { return !found.isSharded(rootOf(init)); });
    });
    changed |= found.arguments.remove_if([&](BlockArgument argument) {
      return llvm::any_of(accesses[argument],
                          [&](const Access &use) { return isWritten(use) && !isShardedUse(use); });
    });
    changed |= found.temporaries.remove_if(
        [&](Value root) { return !llvm::all_of(accesses[root], isElementwiseUse); });
    size_t before = found.gradients.size();
    found.gradients.remove_if([&](const auto &entry) {
      Operation *reduction = entry.second;
      SmallVector<Access> behind(
          llvm::make_filter_range(accesses[entry.first], [&](const Access &use) {
            return reduction->isBeforeInBlock(use.top);
          }));
      return behind.empty() || llvm::any_of(behind, [&](const Access &use) {
               return !isShardedUse(use) || isWritten(use);
             });
    });
    changed |= found.gradients.size() < before;
    return changed;
  }

  func::FuncOp step;
  Block &block;
  const int64_t numRanks;
  const bool keepsStates;
  llvm::MapVector<Value, SmallVector<Access>> accesses; // by root
  SharedValues found;
};

} // namespace

SharedValues ds::findSharedValues(func::FuncOp step, int64_t numRanks, bool keepsStates) {
  return Finder(step, numRanks, keepsStates).run();
}
