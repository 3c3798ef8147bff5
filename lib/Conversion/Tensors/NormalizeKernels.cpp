//===- NormalizeKernels.cpp - Kernels become linalg.generic -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies, fills and named operations are rewritten to `linalg.generic`, then every buffer of i1 is
// retyped to i8 in place: bodies and scalar accesses convert their elements. One walk each.
//
//===----------------------------------------------------------------------===//
#include "ds/Conversion/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"

namespace ds {
#define GEN_PASS_DEF_NORMALIZEKERNELSPASS
#include "ds/Conversion/Passes.h.inc"
} // namespace ds

using namespace mlir;

namespace {

bool hasNoElements(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  return memref && memref.hasStaticShape() && memref.getNumElements() == 0;
}

/// Gives empty arguments rank 1. Upstream finds no strides for shapes such as 3x0, so it cannot
/// pass them as pointers: the caller passes a list of no elements.
void flattenEmptyArguments(func::FuncOp func) {
  OpBuilder builder(func.getBody());
  for (BlockArgument argument : func.getArguments()) {
    auto type = dyn_cast<MemRefType>(argument.getType());
    if (!type || type.getRank() < 2 || !hasNoElements(type))
      continue;
    ReassociationIndices all = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
    argument.setType(MemRefType::get({0}, type.getElementType()));
    if (argument.use_empty())
      continue;
    Operation *shaped =
        memref::ExpandShapeOp::create(builder, argument.getLoc(), type, argument, {all});
    argument.replaceAllUsesExcept(shaped->getResult(0), shaped);
  }
  func.setFunctionType(FunctionType::get(func.getContext(), func.front().getArgumentTypes(),
                                         func.getFunctionType().getResults()));
}

void copyToGeneric(memref::CopyOp copy, RewriterBase &rewriter) {
  auto type = cast<MemRefType>(copy.getTarget().getType());
  if (copy.getSource() != copy.getTarget() && !hasNoElements(type)) {
    AffineMap identity = rewriter.getMultiDimIdentityMap(type.getRank());
    SmallVector<utils::IteratorType> loops(type.getRank(), utils::IteratorType::parallel);
    rewriter.setInsertionPoint(copy);
    linalg::GenericOp::create(rewriter, copy.getLoc(), copy.getSource(), copy.getTarget(),
                              ArrayRef<AffineMap>{identity, identity}, loops,
                              [](OpBuilder &b, Location loc, ValueRange args) {
                                linalg::YieldOp::create(b, loc, args[0]);
                              });
  }
  rewriter.eraseOp(copy);
}

Type byteType(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref || !memref.getElementType().isInteger(1))
    return type;
  return MemRefType::Builder(memref).setElementType(IntegerType::get(type.getContext(), 8));
}

/// Converts between i8 in memory and i1 in the body.
void convertBody(linalg::GenericOp op) {
  Block &body = *op.getBody();
  Type byte = IntegerType::get(op.getContext(), 8), boolean = IntegerType::get(op.getContext(), 1);
  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  for (auto [arg, operand] : llvm::zip(body.getArguments(), op->getOperands())) {
    auto type = dyn_cast<MemRefType>(operand.getType());
    if (!type || type.getElementType() == arg.getType())
      continue;
    arg.setType(byte);
    if (arg.use_empty())
      continue;
    Operation *flag = arith::TruncIOp::create(builder, op.getLoc(), boolean, arg);
    arg.replaceAllUsesExcept(flag->getResult(0), flag);
  }
  Operation *yield = body.getTerminator();
  builder.setInsertionPoint(yield);
  for (auto [i, init] : llvm::enumerate(op.getDpsInits()))
    if (cast<MemRefType>(init.getType()).getElementType() != yield->getOperand(i).getType())
      yield->setOperand(i,
                        arith::ExtUIOp::create(builder, op.getLoc(), byte, yield->getOperand(i)));
}

void convertAccess(Operation *op) {
  Type byte = IntegerType::get(op->getContext(), 8),
       boolean = IntegerType::get(op->getContext(), 1);
  OpBuilder builder(op);
  if (auto load = dyn_cast<memref::LoadOp>(op)) {
    if (load.getMemRefType().getElementType() == load.getType())
      return;
    load.getResult().setType(byte);
    builder.setInsertionPointAfter(load);
    Operation *flag = arith::TruncIOp::create(builder, op->getLoc(), boolean, load.getResult());
    load.getResult().replaceAllUsesExcept(flag->getResult(0), flag);
  } else if (auto store = dyn_cast<memref::StoreOp>(op)) {
    if (store.getMemRefType().getElementType() != store.getValue().getType())
      store.getValueMutable().assign(
          arith::ExtUIOp::create(builder, op->getLoc(), byte, store.getValue()));
  }
}

struct NormalizeKernels final : ds::impl::NormalizeKernelsPassBase<NormalizeKernels> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isExternal())
      return;
    IRRewriter rewriter(&getContext());
    SmallVector<Operation *> worklist;
    func.walk([&](Operation *op) {
      if (isa<memref::CopyOp>(op) || (isa<linalg::LinalgOp>(op) && !isa<linalg::GenericOp>(op)))
        worklist.push_back(op);
    });
    for (Operation *op : worklist) {
      rewriter.setInsertionPoint(op);
      if (auto copy = dyn_cast<memref::CopyOp>(op)) {
        copyToGeneric(copy, rewriter);
        continue;
      }
      [[maybe_unused]] auto generic =
          linalg::generalizeNamedOp(rewriter, cast<linalg::LinalgOp>(op));
      assert(succeeded(generic) && "every named operation has a generic form");
    }
    flattenEmptyArguments(func);
    storeBooleansAsBytes(func);
  }

  void storeBooleansAsBytes(func::FuncOp func) {
    func.walk([](Block *block) {
      for (BlockArgument arg : block->getArguments())
        arg.setType(byteType(arg.getType()));
    });
    func.walk([](Operation *op) {
      for (Value result : op->getResults())
        result.setType(byteType(result.getType()));
    });
    func.setFunctionType(FunctionType::get(func.getContext(), func.front().getArgumentTypes(),
                                           func.getFunctionType().getResults()));
    func.walk([](Operation *op) {
      if (auto generic = dyn_cast<linalg::GenericOp>(op))
        convertBody(generic);
      else
        convertAccess(op);
    });
  }
};

} // namespace
