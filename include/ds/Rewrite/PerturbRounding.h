//===- PerturbRounding.h - A step with other rounding errors --------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rounding differently shows how much of a result is rounding error. The rewritten step takes one
// more argument, a number: each number moves every rounded value of the step by one unit in the
// last place, up or down; 0 moves nothing.
//
//===----------------------------------------------------------------------===//
#ifndef DS_REWRITE_PERTURBROUNDING_H
#define DS_REWRITE_PERTURBROUNDING_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ds {

/// Rewrites a step on tensors in place. The new argument is the last one, a tensor<i32>.
void perturbRounding(mlir::func::FuncOp step);

} // namespace ds

#endif // DS_REWRITE_PERTURBROUNDING_H
