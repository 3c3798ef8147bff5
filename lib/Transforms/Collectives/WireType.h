//===- WireType.h - the type in which values are sent -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DS_TRANSFORMS_COLLECTIVES_WIRETYPE_H
#define DS_TRANSFORMS_COLLECTIVES_WIRETYPE_H

#include "ds/Dialect/IR/Ds.h"

namespace ds {

/// Returns the collectives below `root` that reduce values, except those in flight.
llvm::SmallVector<CollectiveOpInterface> collectReductions(mlir::Operation *root);

/// Returns the type in which a reduction on tensors sends its operands if these are floats; else
/// null.
mlir::FloatType getWireType(CollectiveOpInterface reduction);

/// Converts the operands of a reduction on tensors to `wire` before it, and its results back after
/// it.
void sendAs(CollectiveOpInterface op, mlir::FloatType wire);

} // namespace ds

#endif // DS_TRANSFORMS_COLLECTIVES_WIRETYPE_H
