//===- PendingStates.cpp - States that an update mode adds ----------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "PendingStates.h"

#include "ds/Analysis/StepRoles.h"
#include "ds/Dialect/IR/Roles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace ds {

BlockArgument addState(func::FuncOp step, const Twine &name, RankedTensorType type, bool perRank) {
  MLIRContext *ctx = step.getContext();
  NamedAttrList attrs;
  attrs.set(role::state, StringAttr::get(ctx, name));
  if (perRank)
    attrs.set(role::perRank, UnitAttr::get(ctx));
  unsigned number = step.getNumArguments();
  LogicalResult added = step.insertArgument(number, type, attrs.getDictionary(ctx), step.getLoc());
  assert(succeeded(added) && "a step takes any argument");
  (void)added;
  return step.getArgument(number);
}

void setNewValue(func::FuncOp step, BlockArgument state, Value value) {
  MLIRContext *ctx = step.getContext();
  auto name = step.getArgAttrOfType<StringAttr>(state.getArgNumber(), role::state);
  auto attrs = DictionaryAttr::get(ctx, {NamedAttribute(role::updates, name)});
  unsigned number = step.getNumResults();
  LogicalResult added = step.insertResult(number, value.getType(), attrs);
  assert(succeeded(added) && "a step returns any value");
  (void)added;
  step.getBody().front().getTerminator()->insertOperands(number, value);
}

RankedTensorType entryType(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  SmallVector<int64_t> shape(tensor.getShape());
  shape.insert(shape.begin(), 1);
  return RankedTensorType::get(shape, tensor.getElementType());
}

/// Returns [entry, first], second, ..; no groups for a scalar.
static SmallVector<ReassociationIndices> entryGroups(int64_t rank) {
  SmallVector<ReassociationIndices> groups;
  for (int64_t dim = 0; dim < rank; ++dim)
    groups.push_back(dim == 0 ? ReassociationIndices{0, 1} : ReassociationIndices{dim + 1});
  return groups;
}

Value readEntry(OpBuilder &b, Value entry) {
  auto type = cast<RankedTensorType>(entry.getType());
  auto value = RankedTensorType::get(type.getShape().drop_front(), type.getElementType());
  return tensor::CollapseShapeOp::create(b, entry.getLoc(), value, entry,
                                         entryGroups(value.getRank()));
}

Value makeEntry(OpBuilder &b, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  return tensor::ExpandShapeOp::create(b, value.getLoc(), entryType(type), value,
                                       entryGroups(type.getRank()));
}

Value integerConstant(OpBuilder &b, Location loc, int64_t value) {
  return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(value));
}

StepCount countSteps(func::FuncOp step, OpBuilder &b) {
  auto type = RankedTensorType::get({}, b.getI64Type());
  BlockArgument state = addState(step, "update.step", type, /*perRank=*/false);
  Location loc = step.getLoc();
  StepCount count;
  count.before = tensor::ExtractOp::create(b, loc, state, ValueRange());
  count.now = arith::AddIOp::create(b, loc, count.before, integerConstant(b, loc, 1));
  setNewValue(step, state, tensor::FromElementsOp::create(b, loc, type, count.now));
  return count;
}

FailureOr<SmallVector<GradientOp>> collectGradients(func::FuncOp step, StringRef what) {
  SmallVector<GradientOp> marks;
  for (GradientOp mark : collectUnits<GradientOp>(step)) {
    if (mark->getParentOp() != step)
      return mark.emitError() << what
                              << " a gradient that is marked inside of control flow; mark it where "
                                 "the step has it";
    if (!mark.getValue().getDefiningOp<GradientOp>())
      marks.push_back(mark);
  }
  return marks;
}

LogicalResult checkStatesOfGradients(const StepFlow &flow, ArrayRef<GradientOp> marks,
                                     StringRef mode) {
  llvm::DenseSet<Value> origins, updated;
  for (GradientOp mark : marks) {
    origins.insert(mark.getValue());
    updated.insert(mark.getResult());
  }
  flow.addOrigins(origins);
  flow.addDependents(updated);
  func::FuncOp step = flow.step();
  SmallVector<StepResult> results = getStepResults(step);
  for (const StepResult &state : results) {
    if (!state.state || !origins.contains(state.state) || !updated.contains(state.operand->get()))
      continue;
    return step.emitError("update=")
           << mode << ": gradients are made with state '" << state.updates
           << "', which their update changes, so a delayed gradient would meet another value of it";
  }
  return success();
}

Value zipElements(OpBuilder &b, Location loc, ValueRange tensors, ElementsBody body) {
  auto type = cast<RankedTensorType>(tensors.front().getType());
  Value empty = tensor::EmptyOp::create(b, loc, type.getShape(), type.getElementType());
  SmallVector<AffineMap> maps(tensors.size() + 1, b.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> loops(type.getRank(), utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(b, loc, type, tensors, empty, maps, loops,
                                           [&](OpBuilder &in, Location at, ValueRange elements) {
                                             linalg::YieldOp::create(
                                                 in, at, body(in, at, elements.drop_back()));
                                           });
  return generic.getResult(0);
}

} // namespace ds
