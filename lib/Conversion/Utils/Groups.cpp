//===- Groups.cpp - Facts about groups of ranks -----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Utils/Groups.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

FailureOr<int64_t> ds::countBlocks(CollectiveOpInterface op) {
  std::optional<int64_t> dim = op.getSplitDim();
  std::optional<int64_t> ranks = 1;
  if (dim || op.getConcatDim()) {
    std::optional<int64_t> shares = getNumShares(op);
    ranks = shares ? shares : getGroupSize(op, op.getRanks());
  }
  if (!ranks)
    return op->emitOpError() << "within dimension " << *dim
                             << " cannot be executed; expected 'ds.config' to say how many ranks "
                                "there are, or a 'group'";
  if (!dim)
    return *ranks;
  for (Value whole : op.getWholes())
    if (int64_t size = cast<ShapedType>(whole.getType()).getDimSize(*dim); size % *ranks != 0)
      return op->emitOpError() << "among " << *ranks << " ranks cannot divide dimension " << *dim
                               << " of size " << size;
  return *ranks;
}

/// Computes a rank's number in the group from its coordinates along the axes, the last one fastest,
/// or the number of ranks.
static LogicalResult expand(Operation *op, ArrayAttr axes) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  std::optional<SmallVector<ds::AxisDigit>> digits = ds::getAxisDigits(op, axes);
  if (!digits)
    return op->emitOpError() << "counts ranks along " << axes << ", which the mesh does not have";
  auto index = [&](int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value).getResult();
  };
  Value number = index(isa<ds::RankOp>(op) ? 0 : 1);
  Value rank = isa<ds::RankOp>(op) ? ds::RankOp::create(builder, loc).getResult() : Value();
  for (const ds::AxisDigit &digit : *digits) {
    number = arith::MulIOp::create(builder, loc, number, index(digit.size));
    if (!rank)
      continue;
    Value rounds = arith::DivUIOp::create(builder, loc, rank, index(digit.stride));
    Value coordinate = arith::RemUIOp::create(builder, loc, rounds, index(digit.size));
    number = arith::AddIOp::create(builder, loc, number, coordinate);
  }
  op->getResult(0).replaceAllUsesWith(number);
  op->erase();
  return success();
}

LogicalResult ds::expandRanksAlongAxes(Operation *root) {
  WalkResult walked = root->walk([](Operation *op) {
    auto axes = op->getAttrOfType<ArrayAttr>("group");
    if (!axes || !isa<RankOp, NumRanksOp>(op))
      return WalkResult::advance();
    return succeeded(expand(op, axes)) ? WalkResult::advance() : WalkResult::interrupt();
  });
  return success(!walked.wasInterrupted());
}

SmallVector<Operation *> ds::findRankOps(Operation *root) {
  SmallVector<Operation *> ops;
  root->walk([&](Operation *op) {
    if (isa<RankOp, NumRanksOp, CollectiveOpInterface>(op))
      ops.push_back(op);
  });
  return ops;
}

LogicalResult ds::requireTensors(Operation *op) {
  if (llvm::any_of(op->getOperandTypes(), llvm::IsaPred<BaseMemRefType>))
    return op->emitOpError("works on buffers; expected tensors, as they are before bufferization");
  return success();
}
