//===- ExpandReplicatedToPartial.cpp - Values on rank 0 alone -------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A replicated value becomes partial as the value on rank 0 and the identity of the reduction on
// the other ranks. A value that is the identity itself, such as the zeros that a sum starts from,
// needs no rewrite. Placement analysis needs the operation itself, so it is expanded last.
//
//===----------------------------------------------------------------------===//
#include "ds/Transforms/Passes.h"

#include "Utils/Elementwise.h"
#include "Utils/StepPlan.h"

#include "ds/Analysis/ScalarRule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

namespace ds {
#define GEN_PASS_DEF_EXPANDREPLICATEDTOPARTIALPASS
#include "ds/Transforms/Passes.h.inc"
} // namespace ds

using namespace mlir;

namespace ds {
namespace {

/// Returns whether this is rank 0 of the group, computed once at the start of the function.
Value getIsFirst(func::FuncOp function, ArrayAttr group, Value &isFirst) {
  if (!isFirst) {
    OpBuilder b = OpBuilder::atBlockBegin(&function.getBody().front());
    Location loc = function.getLoc();
    Value zero = arith::ConstantIndexOp::create(b, loc, 0);
    isFirst = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, RankOp::create(b, loc, group),
                                    zero);
  }
  return isFirst;
}

Value selectOnFirst(OpBuilder &b, Location loc, Value isFirst, ReductionKind kind, Value scalar) {
  Value identity = arith::ConstantOp::create(b, loc, getReductionIdentity(kind, scalar.getType()));
  return arith::SelectOp::create(b, loc, isFirst, scalar, identity);
}

void expand(ReplicatedToPartialOp op, Value isFirst) {
  OpBuilder b(op);
  auto select = [&](OpBuilder &in, Location loc, Value scalar) {
    return selectOnFirst(in, loc, isFirst, op.getKind(), scalar);
  };
  auto type = dyn_cast<RankedTensorType>(op.getType());
  op.getResult().replaceAllUsesWith(
      type ? mapElements(b, op.getLoc(), op.getValue(), type.getElementType(), select)
           : select(b, op.getLoc(), op.getValue()));
  op.erase();
}

/// Returns the constant that every element of the value equals, or null.
Attribute constantOf(Value value) {
  Attribute constant;
  if (matchPattern(value, m_Constant(&constant))) {
    auto elements = dyn_cast<DenseElementsAttr>(constant);
    return !elements            ? constant
           : elements.isSplat() ? elements.getSplatValue<Attribute>()
                                : Attribute();
  }
  Operation *maker = value.getDefiningOp();
  if (auto fill = dyn_cast_if_present<linalg::FillOp>(maker))
    return constantOf(fill.value());
  if (isa_and_present<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::ExtractSliceOp,
                      tensor::CastOp>(maker))
    return constantOf(maker->getOperand(0));
  return {};
}

/// True if the value is the identity of the reduction, bit for bit: -0.0 is not 0.0.
bool isIdentity(ReplicatedToPartialOp op) {
  Type element = getElementTypeOrSelf(op.getType());
  return constantOf(op.getValue()) == getReductionIdentity(op.getKind(), element);
}

struct ExpandReplicatedToPartial final
    : impl::ExpandReplicatedToPartialPassBase<ExpandReplicatedToPartial> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      expandReplicatedToPartial(function);
  }
};

} // namespace

void expandReplicatedToPartial(func::FuncOp function) {
  llvm::DenseMap<Attribute, Value> isFirst; // by group
  function.walk([&](ReplicatedToPartialOp op) {
    bool combines = op.getKind() == ReductionKind::Sum || op.getKind() == ReductionKind::Prod;
    if (combines && !isIdentity(op)) {
      expand(op, getIsFirst(function, op.getGroupAttr(), isFirst[op.getGroupAttr()]));
      return;
    }
    // The maximum, minimum or mean of equal values is the value, and a reduction of identities is
    // the identity.
    op.getResult().replaceAllUsesWith(op.getValue());
    op.erase();
  });
}

} // namespace ds
