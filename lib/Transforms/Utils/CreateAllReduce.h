//===- CreateAllReduce.h - The all-reduce of a value ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_TRANSFORMS_UTILS_CREATEALLREDUCE_H
#define DS_TRANSFORMS_UTILS_CREATEALLREDUCE_H

#include "ds/Analysis/Cut/ReductionPlan.h"

namespace ds {

/// Creates the all-reduce of `value` over the group, of the same type: a tensor, or a scalar, which
/// is sent as a tensor of one element.
mlir::Value createAllReduce(mlir::OpBuilder &b, mlir::Value value, ReductionKind kind,
                            Purpose purpose, mlir::ArrayAttr group,
                            llvm::ArrayRef<std::string> names = {});

/// Writes an all-reduce after each value that the plan reduces, for the uses that read the reduced
/// value.
void writeAllReduces(const ReductionPlan &plan, Purpose purpose);

} // namespace ds

#endif // DS_TRANSFORMS_UTILS_CREATEALLREDUCE_H
