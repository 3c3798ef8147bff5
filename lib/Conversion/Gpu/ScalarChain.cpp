//===- ScalarChain.cpp - Consecutive kernels of one point -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ScalarChain.h"

#include "DriverKernels.h"

#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

bool ds::gpu::isScalar(func::FuncOp kernel) {
  if (kernel.isExternal())
    return false;
  auto generics = kernel.front().getOps<linalg::GenericOp>();
  bool isOnePoint = llvm::all_of(generics, [](linalg::GenericOp op) {
    return llvm::all_of(op.getStaticLoopRanges(), [](int64_t size) { return size == 1; });
  });
  return isOnePoint && !generics.empty() &&
         !kernel.walk([](cf::AssertOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

/// Reads the operands at the only point, computes the body and stores what it yields.
static void buildPoint(OpBuilder &builder, linalg::GenericOp op, IRMapping &outer) {
  Location loc = op.getLoc();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  SmallVector<Value> at(op.getNumLoops(), zero);
  auto indicesOf = [&](OpOperand &operand) {
    return *affine::expandAffineMap(builder, loc, op.getMatchingIndexingMap(&operand), at);
  };
  IRMapping inner(outer);
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(&operand);
    Value memory = outer.lookupOrDefault(operand.get());
    if (argument.use_empty())
      continue;
    inner.map(argument,
              isa<MemRefType>(memory.getType())
                  ? memref::LoadOp::create(builder, loc, memory, indicesOf(operand)).getResult()
                  : memory);
  }
  for (Operation &each : op.getBody()->without_terminator()) {
    if (auto position = dyn_cast<linalg::IndexOp>(each))
      inner.map(position.getResult(), zero);
    else
      builder.clone(each, inner);
  }
  Operation *yield = op.getBody()->getTerminator();
  for (auto [result, value] : llvm::enumerate(yield->getOperands())) {
    OpOperand &operand = *op.getDpsInitOperand(result);
    memref::StoreOp::create(builder, loc, inner.lookupOrDefault(value),
                            outer.lookupOrDefault(operand.get()), indicesOf(operand));
  }
}

void ds::gpu::buildScalarChain(func::FuncOp kernel, mlir::gpu::GPUModuleOp module) {
  OpBuilder builder = OpBuilder::atBlockEnd(&module.getBodyRegion().front());
  auto made = mlir::gpu::GPUFuncOp::create(builder, kernel.getLoc(), kernel.getName(),
                                           kernel.getFunctionType());
  made->setAttr(mlir::gpu::GPUDialect::getKernelFuncAttrName(), builder.getUnitAttr());
  made.setKnownBlockSizeAttr(builder.getDenseI32ArrayAttr({1, 1, 1}));
  made.setKnownGridSizeAttr(builder.getDenseI32ArrayAttr({1, 1, 1}));
  StringRef noAlias = LLVM::LLVMDialect::getNoAliasAttrName();
  for (unsigned i = 0; i < kernel.getNumArguments(); ++i)
    if (kernel.getArgAttr(i, noAlias))
      made.setArgAttr(i, noAlias, builder.getUnitAttr());
  builder.setInsertionPointToStart(&made.getBody().front());
  IRMapping outer;
  outer.map(kernel.getArguments(), made.getArguments());
  if (BlockArgument guard = guardOf(kernel))
    builder.setInsertionPointToStart(
        buildGuard(builder, kernel.getLoc(), outer.lookup(guard)).thenBlock());
  for (Operation &op : kernel.front().without_terminator()) {
    if (auto generic = dyn_cast<linalg::GenericOp>(op))
      buildPoint(builder, generic, outer);
    else
      builder.clone(op, outer);
  }
  builder.setInsertionPointToEnd(&made.getBody().front());
  mlir::gpu::ReturnOp::create(builder, kernel.getLoc());
}
