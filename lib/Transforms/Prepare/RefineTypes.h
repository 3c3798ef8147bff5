//===- RefineTypes.h - Move casts from static types through a step -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DS_LIB_TRANSFORMS_PREPARE_REFINETYPES_H
#define DS_LIB_TRANSFORMS_PREPARE_REFINETYPES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ds {

/// True for a ranked tensor with a dynamic dimension, and for one without a rank.
bool isDynamicTensor(mlir::Type type);

/// Makes dynamic types static wherever they follow from operands that are casts of static ones.
llvm::LogicalResult refineTypes(mlir::func::FuncOp function);

} // namespace ds

#endif // DS_LIB_TRANSFORMS_PREPARE_REFINETYPES_H
