//===- ReturnBuffers.cpp - A step returns buffers ---------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Upstream's analysis of functions compares every result that is a tensor with every argument,
// which takes seconds for thousands of parameters. A read at the end has the same meaning to it and
// is cheap. The analysis also compares all readers of a value with each other, and a learning rate
// has one for each parameter. If no operation writes to the memory of such a value, its readers are
// distributed over several tensors of that memory, which the analysis treats as different values.
//
//===----------------------------------------------------------------------===//
#include "ds/Conversion/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;

/// The number of readers per tensor.
static constexpr unsigned readersOfOne = 64;
/// The number of readers from which a value gets several tensors.
static constexpr unsigned manyReaders = 256;

/// True if the value has memory of its own. Constants are copied, so they do.
static bool isInMemoryOfItsOwn(OpResult value) {
  if (isa<arith::ConstantOp>(value.getOwner()))
    return true;
  auto producer = dyn_cast<DestinationStyleOpInterface>(value.getOwner());
  if (!producer)
    return false;
  auto init = dyn_cast<OpResult>(producer.getTiedOpOperand(value)->get());
  if (!init)
    return false;
  return isa<tensor::EmptyOp, bufferization::AllocTensorOp, arith::ConstantOp>(init.getOwner()) ||
         (init.hasOneUse() && isInMemoryOfItsOwn(init));
}

/// True if no operation writes to the value's memory once its readers use copies.
static bool isReadOnly(Value value) {
  if (auto result = dyn_cast<OpResult>(value); result && !isInMemoryOfItsOwn(result))
    return false;
  return llvm::none_of(value.getUses(), [](OpOperand &use) {
    auto store = dyn_cast<bufferization::MaterializeInDestinationOp>(use.getOwner());
    return (store && use == store.getDestMutable()) || isa<func::ReturnOp>(use.getOwner());
  });
}

static void dealOutReaders(Value value) {
  if (!isa<RankedTensorType>(value.getType()) || !value.hasNUsesOrMore(manyReaders) ||
      !isReadOnly(value))
    return;
  auto type = cast<RankedTensorType>(value.getType());
  OpBuilder builder(value.getContext());
  builder.setInsertionPointAfterValue(value);
  SmallVector<OpOperand *> uses(llvm::make_pointer_range(value.getUses()));
  // Uses are listed from the last to the first; in program order, neighbouring readers share a
  // tensor.
  std::reverse(uses.begin(), uses.end());
  Value buffer = bufferization::ToBufferOp::create(
      builder, value.getLoc(), MemRefType::get(type.getShape(), type.getElementType()), value,
      /*read_only=*/true);
  Value tensor;
  for (auto [i, use] : llvm::enumerate(uses)) {
    if (i % readersOfOne == 0)
      tensor = bufferization::ToTensorOp::create(builder, value.getLoc(), type, buffer,
                                                 /*restrict=*/true, /*writable=*/false);
    use->set(tensor);
  }
}

namespace {

struct ReturnBuffers final : PassWrapper<ReturnBuffers, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ReturnBuffers)

  StringRef getArgument() const override { return "ds-return-buffers"; }
  StringRef getDescription() const override {
    return "return buffers in place of tensors, and deal out many readers of one";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<bufferization::BufferizationDialect>();
  }

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isExternal() || !func.getBody().hasOneBlock())
      return;
    SmallVector<Value> values(func.getArguments());
    for (Operation &op : func.front())
      values.append(op.result_begin(), op.result_end());
    llvm::for_each(values, dealOutReaders);
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
