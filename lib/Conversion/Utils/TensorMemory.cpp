//===- TensorMemory.cpp - The memory in which tensors are made ------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Utils/TensorMemory.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;

bool ds::showsMemoryOf(Operation *op) {
  return isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::ExtractSliceOp, tensor::CastOp,
             tensor::ReshapeOp>(op);
}

Value ds::madeIn(Value value) {
  auto result = dyn_cast<OpResult>(value);
  if (!result)
    return {};
  Operation *op = result.getOwner();
  if (auto destinations = dyn_cast<DestinationStyleOpInterface>(op))
    return destinations.getTiedOpOperand(result)->get();
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return insert.getDest();
  return showsMemoryOf(op) ? op->getOperand(0) : Value();
}

bool ds::isPart(Value value) {
  for (; value; value = madeIn(value))
    if (value.getDefiningOp<tensor::ExtractSliceOp>())
      return true;
  return false;
}

bool ds::becomesPart(Value value) {
  SmallVector<Value> made{value};
  while (!made.empty()) {
    Value next = made.pop_back_val();
    for (Operation *user : next.getUsers()) {
      if (auto insert = dyn_cast<tensor::InsertSliceOp>(user); insert && insert.getSource() == next)
        return true;
      for (Value result : user->getResults())
        if (madeIn(result) == next)
          made.push_back(result);
    }
  }
  return false;
}

Value ds::shownBy(Value value) {
  for (Operation *maker = value.getDefiningOp(); maker && showsMemoryOf(maker);
       maker = value.getDefiningOp())
    value = maker->getOperand(0);
  return value;
}
