//===- WorkCosts.h - The cost of an operation on one rank -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_ANALYSIS_WORKCOSTS_H
#define DS_ANALYSIS_WORKCOSTS_H

#include "mlir/IR/Operation.h"

#include <optional>

namespace ds {

struct StepCosts;

/// Returns the floating-point operations; none for an operation that only describes how memory is
/// read.
std::optional<int64_t> flopsOf(mlir::Operation *op);

/// Returns the nanoseconds of an operation without control flow, whose operands and results are
/// those of one rank.
int64_t timeOfWork(mlir::Operation *op, const StepCosts &costs);

} // namespace ds

#endif // DS_ANALYSIS_WORKCOSTS_H
