//===- UpdateChain.h - The arguments that a result updates ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DS_TRANSFORMS_PREPARE_UPDATECHAIN_H
#define DS_TRANSFORMS_PREPARE_UPDATECHAIN_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"

namespace ds {

/// How a new value contains an old one.
enum class Containment {
  Scaled, // somewhere in the elementwise chain: beta * m + (1 - beta) * g contains m
  Whole,  // added with factor one: p - lr * m contains p
};

/// Returns the arguments that `result` contains element by element, each with the strongest
/// containment found.
llvm::MapVector<mlir::BlockArgument, Containment> argumentsInUpdate(mlir::Value result);

} // namespace ds

#endif // DS_TRANSFORMS_PREPARE_UPDATECHAIN_H
