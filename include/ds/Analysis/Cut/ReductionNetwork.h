//===- ReductionNetwork.h - From placements to a cut ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared by the two semantics: builds the flow network of a placement, cuts it, and names the
// reductions.
//
//===----------------------------------------------------------------------===//
#ifndef DS_ANALYSIS_CUT_REDUCTIONNETWORK_H
#define DS_ANALYSIS_CUT_REDUCTIONNETWORK_H

#include "ds/Analysis/Cut/ReductionPlan.h"

namespace ds {

/// Returns the elements of a tensor; 1 for a scalar.
int64_t elementCountOf(mlir::Value value);

/// True for a boolean, or a tensor of them.
bool isCondition(mlir::Value value);

/// True if the use only chooses among other values: a condition, or elements that a fused body only
/// compares.
bool onlyChooses(mlir::OpOperand &use);

/// Values of the activation path that enter the aggregation region of a `local` step, with the uses
/// inside it.
using ReducedUses = llvm::MapVector<mlir::Value, llvm::SmallVector<mlir::OpOperand *>>;

/// Cuts the network of `plan.placement` and fills reductions, partial uses and partial values. A
/// value in `uncut` is reduced only if no other value can be.
void cutNetwork(const StepFlow &flow, const ReducedUses &entries, ReductionPlan &plan,
                const llvm::DenseSet<mlir::Value> &uncut = {});

/// Finds the fused bodies that add values which the plan reduces separately.
void findFusedSums(const StepFlow &flow, ReductionPlan &plan);

/// Gives each reduction the names of the parameters whose gradient it is: a path of values with the
/// parameter's element count leads from the reduction to the new value (for one element: not by
/// choosing alone), no other parameter's is reached in fewer operations, and the reduction is not
/// an ancestor of another such candidate.
void nameGradients(const StepFlow &flow, ReductionPlan &plan);

/// Sets the purposes of the named reductions, and the names of metrics. `isActivation` is true for
/// values that belong to single samples.
void assignPurposes(const StepFlow &flow, llvm::function_ref<bool(mlir::Value)> isActivation,
                    ReductionPlan &plan);

} // namespace ds

#endif // DS_ANALYSIS_CUT_REDUCTIONNETWORK_H
