//===- LocalReference.h - The result of n ranks, on one ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reference of `local` semantics, which are those of `vmap` over the ranks: operations before
// an annotation run once per rank's rows, the annotation reduces the n values in rank order,
// operations after it run once. The reference uses no plan and shares no code with one: it follows
// from the annotations alone.
//
//===----------------------------------------------------------------------===//
#ifndef DS_REWRITE_LOCALREFERENCE_H
#define DS_REWRITE_LOCALREFERENCE_H

#include "ds/Analysis/StepFlow.h"
#include "ds/Dialect/IR/Config.h"

#include "mlir/IR/Builders.h"

namespace ds {

/// Returns the values that differ between ranks: those that depend on samples, or on keys of the
/// rank, up to the annotations. The result of `ds.replicated_to_partial` differs, too.
llvm::DenseSet<mlir::Value> findPerRank(const StepFlow &flow, const Config &config);

/// Creates a copy of the control flow `op` with other operands and results. `fill` receives each
/// region and the block of its copy, fills the block, and returns the values to yield.
mlir::Operation *rebuildControl(mlir::OpBuilder &b, mlir::Operation &op, mlir::ValueRange operands,
                                mlir::TypeRange results,
                                llvm::function_ref<llvm::SmallVector<mlir::Value>(
                                    mlir::Region &region, mlir::Block &copy, mlir::OpBuilder &in)>
                                    fill);

/// Rewrites the step of `marked` (after ds-detect-gradients, batch = local) in place into a step
/// for one device whose batch arguments hold the rows of `numRanks` ranks, rank after rank. States
/// and metrics that stay per rank are reduced by `local_state` and `ds.reduce`. Fails with a
/// located error for local_state = per_rank, where there is no single state.
mlir::LogicalResult buildLocalReference(mlir::ModuleOp marked, int64_t numRanks,
                                        llvm::StringRef entry = {});

} // namespace ds

#endif // DS_REWRITE_LOCALREFERENCE_H
