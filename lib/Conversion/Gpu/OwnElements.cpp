//===- OwnElements.cpp - Threads keep to their own elements -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads of one kernel write different elements. So if another kernel accesses a buffer at the
// same places, as functions of the thread's number and the iterations of its loops, under the same
// conditions, each thread accesses only its own elements. Places and conditions are compared as
// text, after places are linearised to offsets in the buffer.
//
//===----------------------------------------------------------------------===//
#include "OwnElements.h"

#include "CallOrder.h"
#include "Utils/Buffers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace ds::gpu;

namespace {

/// The elements of an operand that a thread accesses.
struct Touch {
  unsigned operand = 0;
  bool writes = false;
  std::string where; // place and condition; empty: anywhere
};

/// Describes the accesses of a kernel as text; equal texts are equal accesses.
class Toucher {
public:
  explicit Toucher(const KernelCall &call) : call(call), context(call.kernel->getContext()) {}

  SmallVector<Touch> list() {
    mlir::gpu::GPUFuncOp kernel = call.kernel;
    SmallVector<Touch> touches;
    kernel.walk([&](Operation *op) {
      for (OpOperand &use : op->getOpOperands()) {
        if (!isa<BaseMemRefType>(use.get().getType()) || ds::isView(op))
          continue;
        auto argument = dyn_cast<BlockArgument>(ds::rootOf(use.get()));
        if (!argument || argument.getOwner() != &kernel.getBody().front() ||
            argument.getArgNumber() >= call.operands.size())
          continue; // memory of the block, which the caller checks
        Touch touch = {argument.getArgNumber(), !isa<memref::LoadOp, vector::LoadOp>(op), {}};
        if (use.get() == argument)
          touch.where = describe(op);
        touches.push_back(std::move(touch));
      }
    });
    return touches;
  }

private:
  std::string describe(Operation *op) {
    auto [indices, type, element] = placeOf(op);
    if (!type)
      return {};
    SmallVector<int64_t> strides;
    int64_t offset = 0;
    if (failed(type.getStridesAndOffset(strides, offset)) || ShapedType::isDynamic(offset) ||
        llvm::any_of(strides, ShapedType::isDynamic))
      return {};
    AffineExpr place = getAffineConstantExpr(offset, context);
    for (auto [index, stride] : llvm::zip_equal(indices, strides)) {
      AffineExpr expr = expressionOf(index);
      if (!expr)
        return {};
      place = place + expr * stride;
    }
    std::string text;
    llvm::raw_string_ostream stream(text);
    stream << simplifyAffineExpr(place, numDims, 0) << " of " << element << " in " << call.threadsX
           << "x" << call.threadsY;
    for (Operation *outer = op->getParentOp(); outer != call.kernel; outer = outer->getParentOp())
      if (!describeOuter(outer, *op, stream))
        return {};
    return text;
  }

  struct Place {
    ValueRange indices;
    MemRefType type; // null: unknown
    Type element;    // or a vector of them
  };
  static Place placeOf(Operation *op) {
    if (auto load = dyn_cast<memref::LoadOp>(op))
      return {load.getIndices(), load.getMemRefType(), load.getType()};
    if (auto store = dyn_cast<memref::StoreOp>(op))
      return {store.getIndices(), store.getMemRefType(), store.getValueToStore().getType()};
    if (auto load = dyn_cast<vector::LoadOp>(op))
      return {load.getIndices(), load.getMemRefType(), load.getVectorType()};
    if (auto store = dyn_cast<vector::StoreOp>(op))
      return {store.getIndices(), store.getMemRefType(), store.getVectorType()};
    return {};
  }

  /// Describes the condition or the loop around an operation.
  bool describeOuter(Operation *outer, Operation &inside, llvm::raw_ostream &stream) {
    if (auto loop = dyn_cast<scf::ForOp>(outer)) {
      AffineExpr from = expressionOf(loop.getLowerBound()), to = expressionOf(loop.getUpperBound()),
                 step = expressionOf(loop.getStep());
      if (!from || !to || !step)
        return false;
      stream << " for " << from << " to " << to << " step " << step;
      return true;
    }
    auto branch = dyn_cast<scf::IfOp>(outer);
    auto compare = branch ? branch.getCondition().getDefiningOp<arith::CmpIOp>() : nullptr;
    if (!compare)
      return false;
    AffineExpr lhs = expressionOf(compare.getLhs()), rhs = expressionOf(compare.getRhs());
    if (!lhs || !rhs)
      return false;
    const bool holds = branch.getThenRegion().isAncestor(inside.getParentRegion());
    stream << (holds ? " if " : " unless ") << simplifyAffineExpr(lhs, numDims, 0) << " "
           << arith::stringifyCmpIPredicate(compare.getPredicate()) << " "
           << simplifyAffineExpr(rhs, numDims, 0);
    return true;
  }

  /// Returns an index as an expression of the thread's number and loop iterations; null if it is
  /// none.
  AffineExpr expressionOf(Value value) {
    APInt constant;
    if (matchPattern(value, m_ConstantInt(&constant)))
      return getAffineConstantExpr(constant.getSExtValue(), context);
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
      if (!loop || argument != loop.getInductionVar())
        return {};
      unsigned depth = firstLoop;
      for (Operation *outer = loop->getParentOp(); outer != call.kernel;
           outer = outer->getParentOp())
        depth += isa<scf::ForOp>(outer);
      return depth < numDims ? getAffineDimExpr(depth, context) : AffineExpr();
    }
    Operation *op = value.getDefiningOp();
    if (isa<mlir::gpu::BlockIdOp>(op)) // there is one block
      return getAffineConstantExpr(0, context);
    if (auto id = dyn_cast<mlir::gpu::ThreadIdOp>(op))
      return getAffineDimExpr(id.getDimension() == mlir::gpu::Dimension::x ? 0 : 1, context);
    if (op->getNumOperands() != 2)
      return {};
    AffineExpr lhs = expressionOf(op->getOperand(0)), rhs = expressionOf(op->getOperand(1));
    if (!lhs || !rhs)
      return {};
    if (isa<arith::AddIOp>(op))
      return lhs + rhs;
    if (isa<arith::SubIOp>(op))
      return lhs - rhs;
    auto factor = dyn_cast<AffineConstantExpr>(rhs);
    if (isa<arith::MulIOp>(op))
      return factor || isa<AffineConstantExpr>(lhs) ? lhs * rhs : AffineExpr();
    if (!factor || factor.getValue() <= 0)
      return {};
    if (isa<arith::DivUIOp>(op)) // no index here is negative
      return lhs.floorDiv(rhs);
    return isa<arith::RemUIOp>(op) ? lhs % rhs : AffineExpr();
  }

  static constexpr unsigned firstLoop = 2, numDims = 8;
  const KernelCall &call;
  MLIRContext *context;
};

bool isOneThread(const KernelCall &call) { return call.threadsX * call.threadsY == 1; }

} // namespace

bool ds::gpu::keepToOwnElements(const KernelCall &first, const KernelCall &second) {
  if (isOneThread(first) && isOneThread(second))
    return true;
  mlir::gpu::GPUFuncOp firstKernel = first.kernel, secondKernel = second.kernel;
  if (!firstKernel.getWorkgroupAttributions().empty() &&
      !secondKernel.getWorkgroupAttributions().empty())
    return false; // both use the same memory of the block
  SmallVector<Touch> before = Toucher(first).list(), after = Toucher(second).list();
  for (const Touch &earlier : before)
    for (const Touch &later : after) {
      if (!earlier.writes && !later.writes)
        continue;
      Access one = accessOf(first.operands[earlier.operand]),
             other = accessOf(second.operands[later.operand]);
      if (one.root && other.root &&
          (one.root != other.root || one.end <= other.begin || other.end <= one.begin))
        continue;
      if (one.root != other.root || one.begin != other.begin || earlier.where.empty() ||
          earlier.where != later.where)
        return false;
    }
  return true;
}
