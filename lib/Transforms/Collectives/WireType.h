//===- WireType.h - the type in which values travel -------------*- C++ -*-===//
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

/// The collectives below `root` that combine values, but for those in flight.
llvm::SmallVector<CollectiveOpInterface> collectReductions(mlir::Operation *root);

/// The type in which a reduction on tensors sends its operands, if these are floats; else null.
mlir::FloatType getWireType(CollectiveOpInterface reduction);

/// Converts the operands of a reduction on tensors before it, and its results back behind it.
void sendAs(CollectiveOpInterface op, mlir::FloatType wire);

} // namespace ds

#endif // DS_TRANSFORMS_COLLECTIVES_WIRETYPE_H
