//===- LocalReference.h - What n ranks should compute, on one ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reference of `local` semantics: the ranks computed one after the other. The marked step is
// cut at its `ds.gradient` marks; the producers run once per rank's rows, the n values are combined
// in rank order, the update runs once. It is no plan: what is combined, what counts once and what
// is a rank's own follows from the marks by rules of its own. Where samples are (`followSamples`)
// is all that it takes over from the analysis that it checks.
//
//===----------------------------------------------------------------------===//
#ifndef DS_ANALYSIS_LOCALREFERENCE_H
#define DS_ANALYSIS_LOCALREFERENCE_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringRef.h"

namespace ds {

/// Rewrites the step of `marked` (after ds-detect-gradients, batch = local) in place into a step
/// for one device whose batch arguments hold the rows of `numRanks` ranks, rank after rank. States
/// and metrics that stay per rank are combined as `local_state` and `ds.reduce` say. Fails with a
/// located error for local_state = per_rank: there is no one state.
mlir::LogicalResult buildLocalReference(mlir::ModuleOp marked, int64_t numRanks,
                                        llvm::StringRef entry = {});

} // namespace ds

#endif // DS_ANALYSIS_LOCALREFERENCE_H
