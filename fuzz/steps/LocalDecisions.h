//===- LocalDecisions.h - What ranks decide together ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_FUZZ_LOCALDECISIONS_H
#define DS_LIB_FUZZ_LOCALDECISIONS_H

#include "ds/Analysis/PlacementAnalysis.h"
#include "ds/Analysis/StepRoles.h"

namespace ds::fuzz {

/// Puts `ds.combine` on what decides updates in a step of `local` semantics whose gradients are
/// marked, where it differs from rank to rank (`perRank`; `samples` says which of it holds
/// samples). With `mean` it combines floats as means, otherwise everything as sums.
void combineDecisions(const StepFlow &flow, const llvm::DenseSet<mlir::Value> &perRank,
                      const StepPlacement &samples, bool mean);

} // namespace ds::fuzz

#endif // DS_LIB_FUZZ_LOCALDECISIONS_H
