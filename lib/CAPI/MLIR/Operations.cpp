//===- Operations.cpp - Builders of operations ------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds-c/mlir/Dialect.h"
#include "ds/Dialect/IR/Ds.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace ds;

/// Returns a builder in a context that has the dialect.
static OpBuilder builderAt(MlirLocation location) {
  MLIRContext *context = unwrap(location)->getContext();
  context->getOrLoadDialect<DsDialect>();
  return OpBuilder(context);
}

/// Returns the operation if it is valid; else erases it.
static MlirOperation checked(Operation *op) {
  if (succeeded(verify(op)))
    return wrap(op);
  op->destroy();
  return MlirOperation();
}

static std::optional<ReductionKind> readKind(Location location, MlirStringRef text) {
  std::optional<ReductionKind> kind = symbolizeReductionKind(unwrap(text));
  if (!kind)
    emitError(location) << "there is no reduction '" << unwrap(text)
                        << "', expected sum, mean, max, min, prod, and or or";
  return kind;
}

MlirOperation mlirDsGradientCreate(MlirLocation location, MlirValue value, MlirStringRef param) {
  OpBuilder builder = builderAt(location);
  OperationState state(unwrap(location), GradientOp::getOperationName());
  GradientOp::build(builder, state, unwrap(value).getType(), unwrap(value),
                    builder.getStringAttr(unwrap(param)), /*pinned=*/UnitAttr());
  return checked(Operation::create(state));
}

MlirOperation mlirDsAllReduceCreate(MlirLocation location, MlirStringRef kindText,
                                    intptr_t numInputs, MlirValue const *inputs,
                                    MlirAttribute group) {
  std::optional<ReductionKind> kind = readKind(unwrap(location), kindText);
  if (!kind)
    return MlirOperation();
  SmallVector<Value> values;
  for (MlirValue each : llvm::ArrayRef(inputs, numInputs))
    values.push_back(unwrap(each));
  OpBuilder builder = builderAt(location);
  OperationState state(unwrap(location), AllReduceOp::getOperationName());
  AllReduceOp::build(builder, state, *kind, values, Purpose::Gradient, ArrayAttr(), std::nullopt,
                     unwrap(group));
  return checked(Operation::create(state));
}

/// Creates a collective with a destination, of which the result is the new value.
static MlirOperation createInto(MlirLocation location, StringRef name, MlirValue input,
                                MlirValue out, ArrayRef<NamedAttribute> attributes,
                                MlirAttribute group) {
  OperationState state(unwrap(location), name);
  state.addOperands({unwrap(input), unwrap(out)});
  if (isa<TensorType>(unwrap(out).getType()))
    state.addTypes(unwrap(out).getType());
  state.addAttributes(attributes);
  if (Attribute ranks = unwrap(group))
    state.addAttribute("group", ranks);
  return checked(Operation::create(state));
}

MlirOperation mlirDsAllGatherCreate(MlirLocation location, MlirValue input, MlirValue out,
                                    int64_t dimension, MlirAttribute group) {
  OpBuilder builder = builderAt(location);
  NamedAttribute dim = builder.getNamedAttr("dim", builder.getI64IntegerAttr(dimension));
  return createInto(location, AllGatherOp::getOperationName(), input, out, dim, group);
}

MlirOperation mlirDsReduceScatterCreate(MlirLocation location, MlirStringRef kindText,
                                        MlirValue input, MlirValue out, int64_t dimension,
                                        MlirAttribute group) {
  std::optional<ReductionKind> kind = readKind(unwrap(location), kindText);
  if (!kind)
    return MlirOperation();
  OpBuilder builder = builderAt(location);
  NamedAttribute attributes[] = {
      builder.getNamedAttr("dim", builder.getI64IntegerAttr(dimension)),
      builder.getNamedAttr("kind", ReductionKindAttr::get(builder.getContext(), *kind))};
  return createInto(location, ReduceScatterOp::getOperationName(), input, out, attributes, group);
}

bool mlirOperationIsADsCollective(MlirOperation operation) {
  return isa<CollectiveOpInterface>(unwrap(operation));
}

int64_t mlirDsCollectiveGetBytes(MlirOperation operation) {
  auto collective = dyn_cast<CollectiveOpInterface>(unwrap(operation));
  if (!collective || collective.getWholes().empty())
    return -1;
  int64_t bytes = 0;
  for (Value value : collective.getWholes()) {
    auto type = cast<ShapedType>(value.getType());
    bytes += type.getNumElements() * llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  }
  return bytes;
}

MlirStringRef mlirDsCollectiveGetPurpose(MlirOperation operation) {
  auto collective = dyn_cast<CollectiveOpInterface>(unwrap(operation));
  return wrap(collective ? stringifyPurpose(collective.getPurpose()) : StringRef());
}
