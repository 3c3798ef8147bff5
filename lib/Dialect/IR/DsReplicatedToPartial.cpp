//===- DsReplicatedToPartial.cpp - a replicated value counted by one rank ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `ds.replicated_to_partial` occurs in bodies of linalg operations (scalars) and between operations
// (tensors); both forms verify alike.
//
//===----------------------------------------------------------------------===//
#include "ds/Dialect/IR/Ds.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace ds {

LogicalResult ReplicatedToPartialOp::verify() {
  // C1
  if (getKind() == ReductionKind::Mean)
    return emitOpError("cannot count a value once under 'mean'; expected sum, max, min, prod, and "
                       "or or");
  // C2
  Type element = getElementTypeOrSelf(getValue().getType());
  if (!element.isIntOrFloat())
    return emitOpError("expected an integer or float element type, got ") << element;
  // C3
  return verifyAxes(*this, getGroupAttr());
}

} // namespace ds
