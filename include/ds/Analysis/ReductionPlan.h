//===- ReductionPlan.h - Which values are combined over ranks ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The minimum cut, in wire bytes, between the births of partial values and the uses that need the
// whole. `global` and `local` share the network and differ in births and needs, so a plan of one is
// never a scaled plan of the other.
//
//===----------------------------------------------------------------------===//
#ifndef DS_ANALYSIS_REDUCTIONPLAN_H
#define DS_ANALYSIS_REDUCTIONPLAN_H

#include "ds/Analysis/PlacementAnalysis.h"

namespace ds {

/// One value to combine.
struct Reduction {
  mlir::Value value;
  ReductionKind kind = ReductionKind::Sum;
  Zone zone = Zone::Gradient;
  /// Parameters whose gradient this is; for a metric, the metrics it serves.
  llvm::SmallVector<std::string> names;
  /// `local`: only these uses see the combined value (the others are on the activation path).
  /// Empty: all uses.
  llvm::SmallVector<mlir::OpOperand *> entryUses;
};

struct ReductionPlan {
  /// Placements with partial values kept as long as possible; `local`: of the aggregation region
  /// only.
  StepPlacement placement;
  /// `local`: placements of the values that hold samples of the rank.
  llvm::DenseMap<mlir::Value, Placement> samples;
  /// `local`: values that hold no samples and are the rank's own nevertheless.
  llvm::DenseSet<mlir::Value> own;
  /// Rows per block of a rank's samples, `global` (1: cyclic).
  int64_t block = 1;
  llvm::SmallVector<Reduction> reductions;
  /// Uses that read a partial value although another use of it sees the combined one.
  llvm::DenseSet<mlir::OpOperand *> partialUses;
  /// Values that stay partial after the cut.
  llvm::DenseSet<mlir::Value> partialValues;
  /// `local`: results (by number) that are running statistics: they depend on the rank's samples,
  /// not on a gradient.
  llvm::SmallVector<unsigned> statistics;
  /// `local` with sync_metrics: results that are metrics of the rank's samples.
  llvm::SmallVector<unsigned> metrics;
  /// Linalg operations that compute in the middle of their body what should be combined. `local`: a
  /// plan with a hidden birth is wrong. With a hidden sum it may combine more than it has to.
  llvm::SmallVector<mlir::Operation *> hiddenBirths, hiddenSums;
  /// Bytes combined by this plan, by combining each value where it is born, and by combining each
  /// value where the whole is needed.
  int64_t bytes = 0, bytesAtBirth = 0, bytesAtNeed = 0;
};

/// Bytes of a value on the wire: 16-bit floats travel as f32.
int64_t getWireBytes(mlir::Value value);
/// Their product with the trips of loops; what is beyond 2^50 is all alike.
int64_t bytesInLoops(int64_t bytes, int64_t trips);

/// Plans a step in which every rank computes its part of the whole batch. Emits a located error and
/// fails if the step cannot be divided.
mlir::FailureOr<ReductionPlan> planGlobal(const StepFlow &flow, int64_t numRanks);

/// Plans a step that every rank runs on samples of its own. `sync_metrics`: metrics need the whole,
/// too. `decorrelate_seeds`: what is computed from a random key is the rank's own.
mlir::FailureOr<ReductionPlan> planLocal(const StepFlow &flow, const Config &config);

/// Takes apart the bodies that hide births or sums of the plan, and says whether there were any:
/// then the step is to be planned anew. Emits an error if a birth stays hidden.
mlir::FailureOr<bool> takeApartFusedBodies(const ReductionPlan &plan);

/// Gives metrics and statistics of a `local` step copies of their own of what the plan combines for
/// a decision. True if the step changed and is to be planned anew.
bool separateReports(const StepFlow &flow, const ReductionPlan &plan);

/// The step with its samples followed as if there were ranks: which values hold them. Conflicts are
/// recorded, not emitted.
StepPlacement followSamples(const StepFlow &flow);

/// Wraps every replicated addend of a value that the plan sums over ranks in `ds.once`. Not for a
/// mean: the mean of n equal addends is the addend.
void countReplicatedOnce(const StepFlow &flow, const ReductionPlan &plan);

/// A result of the step and what its attributes say of it.
struct StepResult {
  mlir::OpOperand *operand; // of the return
  unsigned index;
  mlir::StringRef updates; // empty: none
  mlir::StringRef metric;  // empty: none
  bool perSample;
  mlir::BlockArgument parameter, state; // what it updates; null: not one of these
};
llvm::SmallVector<StepResult> getStepResults(mlir::func::FuncOp step);

/// The step of a module: the function called `entry`, or the only public one. Emits an error and
/// returns null otherwise.
mlir::func::FuncOp getStep(mlir::ModuleOp module, mlir::StringRef entry);

} // namespace ds

#endif // DS_ANALYSIS_REDUCTIONPLAN_H
