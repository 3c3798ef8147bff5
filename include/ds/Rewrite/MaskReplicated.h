//===- MaskReplicated.h - Count replicated addends once ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_REWRITE_MASKREPLICATED_H
#define DS_REWRITE_MASKREPLICATED_H

#include "ds/Analysis/Cut/ReductionPlan.h"

namespace ds {

/// Wraps every replicated addend of a value that the plan sums over ranks in
/// `ds.replicated_to_partial`. Not for a mean: the mean of n equal addends is the addend. `known`
/// returns the placement of an operand where it is not that of the plan.
void maskReplicated(
    const StepFlow &flow, const ReductionPlan &plan,
    llvm::function_ref<std::optional<Placement>(mlir::OpOperand &)> known = [](mlir::OpOperand &) {
      return std::nullopt;
    });

} // namespace ds

#endif // DS_REWRITE_MASKREPLICATED_H
