//===- CreateAllReduce.cpp - The all-reduce of a value --------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CreateAllReduce.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

static ArrayAttr namesAttr(Builder &b, ArrayRef<std::string> names) {
  if (names.empty())
    return b.getArrayAttr({});
  SmallVector<StringRef> refs(names.begin(), names.end());
  return b.getArrayAttr({b.getStrArrayAttr(refs)});
}

Value ds::createAllReduce(OpBuilder &b, Value value, ReductionKind kind, Purpose purpose,
                          ArrayAttr group, ArrayRef<std::string> names) {
  Location loc = value.getLoc();
  bool isScalar = !isa<RankedTensorType>(value.getType());
  Value sent = value;
  if (isScalar)
    sent =
        tensor::FromElementsOp::create(b, loc, RankedTensorType::get({}, value.getType()), value);
  Value combined = AllReduceOp::create(b, loc, kind, sent, purpose, namesAttr(b, names), {}, group)
                       .getResults()[0];
  return isScalar ? tensor::ExtractOp::create(b, loc, combined, ValueRange()) : combined;
}

void ds::writeAllReduces(const ReductionPlan &plan, Purpose purpose) {
  for (const Reduction &reduction : plan.reductions) {
    SmallVector<OpOperand *> uses = plan.findCombinedUses(reduction);
    OpBuilder b(reduction.value.getContext());
    b.setInsertionPointAfterValue(reduction.value);
    Value combined =
        createAllReduce(b, reduction.value, reduction.kind, purpose, plan.placement.ranks.axes);
    for (OpOperand *use : uses)
      use->set(combined);
  }
}
