//===- LocalReference.h - What n ranks should compute, on one ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reference of `local` semantics, which are those of `vmap` over the ranks: what comes before a
// mark runs once per rank's rows, the mark combines the n values in rank order, what comes behind
// it runs once. It is no plan and shares none: the marks say everything.
//
//===----------------------------------------------------------------------===//
#ifndef DS_REWRITE_LOCALREFERENCE_H
#define DS_REWRITE_LOCALREFERENCE_H

#include "ds/Analysis/StepFlow.h"
#include "ds/Dialect/IR/Config.h"

#include "mlir/IR/Builders.h"

namespace ds {

/// Values that differ between ranks: what is made of samples, or of keys of the rank's own, up to
/// the marks. What counts once (`ds.replicated_to_partial`) is one rank's.
llvm::DenseSet<mlir::Value> findPerRank(const StepFlow &flow, const Config &config);

/// The control flow `op` once more, with other operands and results. `fill` gets each region with
/// the block that is to be its copy, fills it, and returns what it yields.
mlir::Operation *rebuildControl(mlir::OpBuilder &b, mlir::Operation &op, mlir::ValueRange operands,
                                mlir::TypeRange results,
                                llvm::function_ref<llvm::SmallVector<mlir::Value>(
                                    mlir::Region &region, mlir::Block &copy, mlir::OpBuilder &in)>
                                    fill);

/// Rewrites the step of `marked` (after ds-detect-gradients, batch = local) in place into a step
/// for one device whose batch arguments hold the rows of `numRanks` ranks, rank after rank. States
/// and metrics that stay per rank are combined as `local_state` and `ds.reduce` say. Fails with a
/// located error for local_state = per_rank: there is no one state.
mlir::LogicalResult buildLocalReference(mlir::ModuleOp marked, int64_t numRanks,
                                        llvm::StringRef entry = {});

} // namespace ds

#endif // DS_REWRITE_LOCALREFERENCE_H
