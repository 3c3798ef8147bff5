//===- StepPlan.h - The plan of a module's step -----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared by detection and insertion: the step, its configuration, and the plan of its semantics.
//
//===----------------------------------------------------------------------===//
#ifndef DS_TRANSFORMS_UTILS_STEPPLAN_H
#define DS_TRANSFORMS_UTILS_STEPPLAN_H

#include "ds/Analysis/Cut/ReductionPlan.h"

namespace ds {

struct PlannedStep {
  mlir::func::FuncOp step;
  StepFlow flow;
  Config config;
  ReductionPlan plan;
};

/// True if the batch is not sharded: stand_alone, one device, or one rank along the first axis.
bool runsAlone(const Config &config);

/// Returns the ranks that shard the batch: all ranks, or those along the first axis of the mesh.
/// None if the configuration does not give their number.
std::optional<ReplicaGroup> getBatchRanks(mlir::MLIRContext *ctx, const Config &config);

/// Writes every `ds.replicated_to_partial` in terms of the rank's number.
void expandReplicatedToPartial(mlir::func::FuncOp function);

/// Returns the step of `module`. Emits an error if it has no parameters, or one that is not
/// updated.
mlir::FailureOr<mlir::func::FuncOp> getCheckedStep(mlir::ModuleOp module, llvm::StringRef entry);

/// Unfuses the bodies that contain sums which the plan reduces separately. True if any body is
/// unfused: the step must be planned again.
bool unfuseSums(const ReductionPlan &plan);

/// Plans the step of `module` in the semantics of its configuration. Emits an error and fails if it
/// cannot.
mlir::FailureOr<PlannedStep> planStep(mlir::ModuleOp module, llvm::StringRef entry);

} // namespace ds

#endif // DS_TRANSFORMS_UTILS_STEPPLAN_H
