//===- ReturnBuffers.cpp - A step returns buffers ---------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Upstream's analysis of functions compares every result that is a tensor with every argument,
// which takes seconds for thousands of parameters. A read at the end says the same to it.
//
//===----------------------------------------------------------------------===//
#include "ReturnBuffers.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace {

struct ReturnBuffers final : PassWrapper<ReturnBuffers, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ReturnBuffers)

  StringRef getArgument() const override { return "ds-return-buffers"; }
  StringRef getDescription() const override { return "return buffers in place of tensors"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<bufferization::BufferizationDialect>();
  }

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isExternal() || !func.getBody().hasOneBlock())
      return;
    Operation *terminator = func.front().getTerminator();
    OpBuilder builder(terminator);
    for (OpOperand &operand : terminator->getOpOperands())
      if (auto type = dyn_cast<RankedTensorType>(operand.get().getType()))
        operand.set(bufferization::ToBufferOp::create(
            builder, operand.get().getLoc(),
            MemRefType::get(type.getShape(), type.getElementType()), operand.get(),
            /*read_only=*/true));
    func.setFunctionType(FunctionType::get(func.getContext(), func.getArgumentTypes(),
                                           terminator->getOperandTypes()));
  }
};

} // namespace

std::unique_ptr<Pass> ds::createReturnBuffersPass() { return std::make_unique<ReturnBuffers>(); }
