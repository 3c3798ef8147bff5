//===- PackCollectives.h - One flat tensor a collective ---------*- C++ -*-===//
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

/// Gives each collective on tensors below `root` one operand of rank 1, whose blocks lie one after
/// another. Fails, after an error, where nothing says how many blocks there are.
llvm::LogicalResult packCollectives(mlir::Operation *root);

} // namespace ds

#endif // DS_CONVERSION_COLLECTIVES_PACKCOLLECTIVES_H
