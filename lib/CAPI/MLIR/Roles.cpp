//===- Roles.cpp - Roles of arguments and results ---------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Dialect/IR/Roles.h"

#include "ds-c/mlir/Dialect.h"
#include "ds/Dialect/IR/Ds.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"

using namespace mlir;
using namespace ds;

static FunctionOpInterface stepOf(MlirOperation op) {
  auto step = dyn_cast<FunctionOpInterface>(unwrap(op));
  if (!step)
    unwrap(op)->emitError("a role is of a function, got '") << unwrap(op)->getName() << "'";
  return step;
}

/// Returns the function; null, with a diagnostic, if the operation is none or has no such argument.
static FunctionOpInterface stepWith(MlirOperation op, intptr_t number, bool isResult) {
  FunctionOpInterface step = stepOf(op);
  if (!step)
    return step;
  const intptr_t count = isResult ? step.getNumResults() : step.getNumArguments();
  if (number >= 0 && number < count)
    return step;
  StringRef what = isResult ? "result" : "argument";
  step.emitError("there is no ") << what << " " << number << ", expected one below " << count;
  return FunctionOpInterface();
}

/// Sets one attribute of an argument or a result.
static MlirLogicalResult set(MlirOperation op, intptr_t number, bool isResult, StringRef name,
                             Attribute value) {
  FunctionOpInterface step = stepWith(op, number, isResult);
  if (!step)
    return wrap(failure());
  if (isResult)
    step.setResultAttr(number, name, value);
  else
    step.setArgAttr(number, name, value);
  return wrap(success());
}
static Attribute text(MlirOperation op, MlirStringRef value) {
  return StringAttr::get(unwrap(op)->getContext(), unwrap(value));
}

MlirLogicalResult mlirDsStepSetParam(MlirOperation step, intptr_t argument, MlirStringRef name) {
  return set(step, argument, false, role::param, text(step, name));
}
MlirLogicalResult mlirDsStepSetState(MlirOperation step, intptr_t argument, MlirStringRef name) {
  return set(step, argument, false, role::state, text(step, name));
}
MlirLogicalResult mlirDsStepSetBatch(MlirOperation step, intptr_t argument, MlirStringRef name,
                                     int64_t dimension) {
  Builder builder(unwrap(step)->getContext());
  MlirLogicalResult result =
      set(step, argument, false, role::batch, builder.getI64IntegerAttr(dimension));
  return mlirLogicalResultIsFailure(result) ? result : mlirDsStepSetName(step, argument, name);
}
MlirLogicalResult mlirDsStepSetSeed(MlirOperation step, intptr_t argument, MlirStringRef name) {
  MlirLogicalResult result =
      set(step, argument, false, role::seed, UnitAttr::get(unwrap(step)->getContext()));
  return mlirLogicalResultIsFailure(result) ? result : mlirDsStepSetName(step, argument, name);
}
MlirLogicalResult mlirDsStepSetName(MlirOperation step, intptr_t argument, MlirStringRef name) {
  return set(step, argument, false, role::name, text(step, name));
}
MlirLogicalResult mlirDsStepSetSharding(MlirOperation step, intptr_t argument,
                                        MlirAttribute sharding) {
  return set(step, argument, false, role::sharding, unwrap(sharding));
}
MlirLogicalResult mlirDsStepSetUpdates(MlirOperation step, intptr_t result, MlirStringRef name) {
  return set(step, result, true, role::updates, text(step, name));
}
MlirLogicalResult mlirDsStepSetMetric(MlirOperation step, intptr_t result, MlirStringRef name) {
  return set(step, result, true, role::metric, text(step, name));
}
MlirLogicalResult mlirDsStepVerifyRoles(MlirOperation op) {
  FunctionOpInterface step = stepOf(op);
  return wrap(step ? verifyRoles(step) : failure());
}
