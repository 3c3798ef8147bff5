//===- LocalDecisions.h - What ranks decide together ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_ANALYSIS_LOCALDECISIONS_H
#define DS_LIB_ANALYSIS_LOCALDECISIONS_H

#include "ds/Analysis/ReductionPlan.h"

namespace ds {

/// Puts marks, of no parameter, on what decides updates in a marked step of `local` semantics and
/// differs from rank to rank (`perRank`; `samples` says which of it holds samples).
void combineDecisions(const StepFlow &flow, const llvm::DenseSet<mlir::Value> &perRank,
                      const StepPlacement &samples);

} // namespace ds

#endif // DS_LIB_ANALYSIS_LOCALDECISIONS_H
