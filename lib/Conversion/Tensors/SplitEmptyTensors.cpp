//===- SplitEmptyTensors.cpp - One tensor.empty per use ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fills first, so that each fill copy then gets its own tensor.empty. Linear in the number of uses.
// Also keeps empty-tensor elimination from placing a result in strided memory.
//
//===----------------------------------------------------------------------===//
#include "ds/Conversion/Passes.h"
#include "ds/Dialect/IR/Ds.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace ds {
#define GEN_PASS_DEF_SPLITEMPTYTENSORSPASS
#include "ds/Conversion/Passes.h.inc"
} // namespace ds

using namespace mlir;

namespace {

/// True for a fill with a scalar, which is cheaper to repeat than to copy.
bool isFill(Operation *op) {
  if (isa<linalg::FillOp>(op))
    return true;
  auto generic = dyn_cast<linalg::GenericOp>(op);
  if (!generic || generic.getNumDpsInits() != 1 || !llvm::hasSingleElement(*generic.getBody()) ||
      generic.getNumParallelLoops() != generic.getNumLoops())
    return false;
  Value value = generic.getBody()->getTerminator()->getOperand(0);
  auto arg = dyn_cast<BlockArgument>(value);
  if (!arg || arg.getOwner() != generic.getBody())
    return true;
  return arg.getArgNumber() < generic.getNumDpsInputs() &&
         !isa<ShapedType>(generic.getDpsInputs()[arg.getArgNumber()].getType());
}

/// Returns the operation before which the copy for a use is created: for a use in the body of a
/// kernel, which runs for every element, the kernel.
Operation *placeOfCopy(OpOperand &use) {
  Operation *user = use.getOwner();
  while (auto kernel = user->getParentOfType<linalg::LinalgOp>())
    user = kernel;
  return user;
}

void cloneForEachUse(Operation *op) {
  Value result = op->getResult(0);
  SmallVector<OpOperand *> uses;
  SmallVector<ds::WaitOp>
      waits; // waits keep the operands of their starts, which is no separate use
  for (OpOperand &use : result.getUses()) {
    if (auto wait = dyn_cast<ds::WaitOp>(use.getOwner()))
      waits.push_back(wait);
    else
      uses.push_back(&use);
  }
  for (OpOperand *use : llvm::drop_begin(uses, !uses.empty())) {
    OpBuilder builder(placeOfCopy(*use));
    use->set(builder.clone(*op)->getResult(0));
  }
  for (ds::WaitOp wait : waits)
    wait.getKeptMutable().assign(
        wait.getPending().getDefiningOp<ds::CollectiveOpInterface>().getLeaving());
}

/// Gives a value that is inserted with strides (a gradient dilated by zeros) separate dense memory:
/// otherwise kernels would write it element by element, and a convolution that looks through the
/// dilation could not read it.
void keepDense(tensor::InsertSliceOp insert) {
  if (llvm::all_of(insert.getStaticStrides(), [](int64_t stride) { return stride == 1; }))
    return;
  auto result = dyn_cast<OpResult>(insert.getSource());
  auto producer = result ? dyn_cast<DestinationStyleOpInterface>(result.getOwner()) : nullptr;
  if (!producer)
    return;
  OpOperand *init = producer.getTiedOpOperand(result);
  auto empty = init->get().getDefiningOp<tensor::EmptyOp>();
  if (!empty)
    return;
  OpBuilder builder(empty);
  init->set(
      bufferization::AllocTensorOp::create(builder, empty.getLoc(), empty.getType(), ValueRange()));
}

struct SplitEmptyTensors final : ds::impl::SplitEmptyTensorsPassBase<SplitEmptyTensors> {
  void runOnOperation() override {
    SmallVector<Operation *> fills, empties;
    getOperation().walk([&](Operation *op) {
      if (isFill(op) && op->getNumResults() == 1)
        fills.push_back(op);
    });
    llvm::for_each(fills, cloneForEachUse);
    getOperation().walk([&](tensor::EmptyOp op) { empties.push_back(op); });
    llvm::for_each(empties, cloneForEachUse);
    getOperation().walk(keepDense);
  }
};

} // namespace
