//===- ReductionNetwork.h - From placements to a cut ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared by the two semantics: builds the flow network of a placement, cuts it, and names what was
// cut.
//
//===----------------------------------------------------------------------===//
#ifndef DS_ANALYSIS_CUT_REDUCTIONNETWORK_H
#define DS_ANALYSIS_CUT_REDUCTIONNETWORK_H

#include "ds/Analysis/Cut/ReductionPlan.h"

namespace ds {

/// Elements of a tensor; 1 for a scalar.
int64_t elementCountOf(mlir::Value value);

/// A boolean, or a tensor of them.
bool isCondition(mlir::Value value);

/// Whether the use chooses among other values and enters none: a condition, or elements that a
/// fused body only compares.
bool onlyChooses(mlir::OpOperand &use);

/// Values of the activation path that enter the aggregation region of a `local` step, with the uses
/// inside of it.
using ReducedUses = llvm::MapVector<mlir::Value, llvm::SmallVector<mlir::OpOperand *>>;

/// Cuts the network of `plan.placement` and fills reductions, partial uses and partial values. What
/// is in `uncut` is combined only where nothing else can be.
void cutNetwork(const StepFlow &flow, const ReducedUses &entries, ReductionPlan &plan,
                const llvm::DenseSet<mlir::Value> &uncut = {});

/// Finds the fused bodies that add what the plan combines apart.
void findFusedSums(const StepFlow &flow, ReductionPlan &plan);

/// Gives the reductions the names of the parameters whose gradient they are: a path of values with
/// the parameter's element count leads from the reduction to the new value (for one element: not by
/// choosing alone), to no other parameter's in fewer operations, and the reduction is no ancestor
/// of another such candidate.
void nameGradients(const StepFlow &flow, ReductionPlan &plan);

/// Purposes of the named reductions, and names of metrics. `isActivation` tells the values that
/// belong to single samples.
void assignPurposes(const StepFlow &flow, llvm::function_ref<bool(mlir::Value)> isActivation,
                    ReductionPlan &plan);

} // namespace ds

#endif // DS_ANALYSIS_CUT_REDUCTIONNETWORK_H
