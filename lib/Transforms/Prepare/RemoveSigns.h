//===- RemoveSigns.h - Integers without a sign in their type ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DS_LIB_TRANSFORMS_PREPARE_REMOVESIGNS_H
#define DS_LIB_TRANSFORMS_PREPARE_REMOVESIGNS_H

#include "mlir/IR/BuiltinOps.h"

namespace ds {

/// Gives every integer of the module a type without a sign. Samples of an unsigned type keep it as
/// 'ds.unsigned'.
void removeSigns(mlir::ModuleOp module);

} // namespace ds

#endif // DS_LIB_TRANSFORMS_PREPARE_REMOVESIGNS_H
