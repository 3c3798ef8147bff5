//===- ReduceFactors.h - Which factor of a product is reduced ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_ANALYSIS_REDUCEFACTORS_H
#define DS_LIB_ANALYSIS_REDUCEFACTORS_H

#include "ds/Analysis/PlacementAnalysis.h"

namespace ds {

/// Where either of two partial factors can be reduced, reduces the one that another use needs
/// replicated in any case. `state` is that of the whole step.
void reduceFactors(const StepFlow &flow, StepPlacement &state);

} // namespace ds

#endif // DS_LIB_ANALYSIS_REDUCEFACTORS_H
