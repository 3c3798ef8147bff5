//===- StepPlan.h - The plan of a module's step -----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What detection and insertion share: the step, its configuration, and the plan of its semantics.
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

/// Whether nothing divides the batch: stand_alone, one device, or one along the first axis.
bool runsAlone(const Config &config);

/// The ranks that divide the batch: all of them, or those along the first axis of the mesh. None
/// where the configuration does not say how many.
std::optional<ReplicaGroup> getBatchRanks(mlir::MLIRContext *ctx, const Config &config);

/// Writes every `ds.replicated_to_partial` in terms of the rank's number.
void expandReplicatedToPartial(mlir::func::FuncOp function);

/// The step of `module`, which has parameters, all of them updated. Emits an error otherwise.
mlir::FailureOr<mlir::func::FuncOp> getCheckedStep(mlir::ModuleOp module, llvm::StringRef entry);

/// Unfuses the bodies that add what the plan combines apart. True if any is: plan again then.
bool unfuseSums(const ReductionPlan &plan);

/// Plans the step of `module` in the semantics of its configuration. Emits an error and fails if it
/// cannot.
mlir::FailureOr<PlannedStep> planStep(mlir::ModuleOp module, llvm::StringRef entry);

} // namespace ds

#endif // DS_TRANSFORMS_UTILS_STEPPLAN_H
