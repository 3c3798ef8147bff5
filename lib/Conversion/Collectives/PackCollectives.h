//===- PackCollectives.h - One flat tensor per collective -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_CONVERSION_COLLECTIVES_PACKCOLLECTIVES_H
#define DS_CONVERSION_COLLECTIVES_PACKCOLLECTIVES_H

#include "mlir/IR/Operation.h"

namespace ds {

/// Gives each collective on tensors below `root` one operand of rank 1, in which its blocks follow
/// one another. Emits an error and fails if the number of blocks is not known.
llvm::LogicalResult packCollectives(mlir::Operation *root);

} // namespace ds

#endif // DS_CONVERSION_COLLECTIVES_PACKCOLLECTIVES_H
