//===- WhileLoops.h - Give loop values a fixed place ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_CONVERSION_TENSORS_WHILELOOPS_H
#define DS_CONVERSION_TENSORS_WHILELOOPS_H

#include "mlir/IR/Operation.h"

namespace ds {

/// Gives every scf.while in `root` as many results as iteration arguments, of the same types in the
/// same order, so that a value has one memory in the condition, in the body and after the loop.
void alignWhileLoops(mlir::Operation *root);

} // namespace ds

#endif // DS_CONVERSION_TENSORS_WHILELOOPS_H
