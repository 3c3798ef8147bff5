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

/// What the values of the group's ranks are together, of the type of `value`: a tensor, or a
/// scalar, which travels as a tensor of one element.
mlir::Value createAllReduce(mlir::OpBuilder &b, mlir::Value value, ReductionKind kind,
                            Purpose purpose, mlir::ArrayAttr group,
                            llvm::ArrayRef<std::string> names = {});

/// Writes an all-reduce behind each value that the plan combines, for the uses that read what is
/// combined.
void writeAllReduces(const ReductionPlan &plan, Purpose purpose);

} // namespace ds

#endif // DS_TRANSFORMS_UTILS_CREATEALLREDUCE_H
