//===- ReductionPlan.h - Which values are combined over ranks ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The minimum cut, in wire bytes, between where partial values are made and the uses that need the
// whole. `global` and `local` share the network and differ in sources and needs, so a plan of one
// is never a scaled plan of the other.
//
//===----------------------------------------------------------------------===//
#ifndef DS_ANALYSIS_CUT_REDUCTIONPLAN_H
#define DS_ANALYSIS_CUT_REDUCTIONPLAN_H

#include "ds/Analysis/PlacementAnalysis.h"
#include "ds/Analysis/StepRoles.h"

namespace ds {

/// One value to combine.
struct Reduction {
  mlir::Value value;
  ReductionKind kind = ReductionKind::Sum;
  Purpose purpose = Purpose::Gradient;
  /// Parameters whose gradient this is; for a metric, the metrics it serves.
  llvm::SmallVector<std::string> names;
  /// Detection in `local`: only these uses see the combined value (the others are on the activation
  /// path). Empty: all uses.
  llvm::SmallVector<mlir::OpOperand *> reducedUses;
};

struct ReductionPlan {
  /// Placements with partial values kept as long as possible.
  StepPlacement placement;
  /// Rows per block of a rank's samples, `global` (1: cyclic).
  int64_t block = 1;
  llvm::SmallVector<Reduction> reductions;
  /// Uses that read a partial value although another use of it sees the combined one.
  llvm::DenseSet<mlir::OpOperand *> partialUses;
  /// Values that stay partial after the cut.
  llvm::DenseSet<mlir::Value> partialValues;
  /// `local`: results (by number) that are running statistics: states whose new values vary.
  llvm::SmallVector<unsigned> statistics;
  /// `local`: metrics (by number) that vary, and those that all ranks have alike.
  llvm::SmallVector<unsigned> varyingMetrics, commonMetrics;
  /// Linalg operations that add in the middle of their body what is combined, so that the plan may
  /// combine more than it has to.
  llvm::SmallVector<mlir::Operation *> fusedSums;
  /// Bytes combined by this plan, by combining each value where it is made, and by combining each
  /// value where the whole is needed.
  int64_t bytes = 0, bytesAtDefinition = 0, bytesAtUse = 0;

  /// The uses that read what is combined.
  llvm::SmallVector<mlir::OpOperand *> findCombinedUses(const Reduction &reduction) const;
  /// By value that stays partial after the cut: the partial values that it is linear in.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value, 2>> findPartialSources() const;
};

/// Plans a step in which every rank computes its part of the whole batch. Emits a located error and
/// fails if the step cannot be sharded.
mlir::FailureOr<ReductionPlan> planGlobal(const StepFlow &flow, const ReplicaGroup &ranks);

/// Plans the reductions of a step over ranks that divide what `boundary` says, and no samples:
/// where the fewest bytes travel, or, of a step whose marks say where, where the whole is needed.
/// Emits a located error and fails if it cannot be sharded.
enum class CutAt { FewestBytes, Uses };
mlir::FailureOr<ReductionPlan> planSharded(const StepFlow &flow, const ReplicaGroup &ranks,
                                           const StepBoundary &boundary,
                                           CutAt where = CutAt::FewestBytes);

/// The first operation with a result that is sharded or partial otherwise than `plan` has it behind
/// its cut: the reductions in the step would be wrong. None, or ds has a mistake.
std::optional<PlacementConflict> findChanged(const StepFlow &flow, const ReductionPlan &plan,
                                             const StepPlacement &placement);

/// Plans a step that every rank runs on samples of its own, by its marks; `axes` are those along
/// which such ranks lie, null for all. Emits a located error and
/// fails if ranks would not agree on a parameter.
mlir::FailureOr<ReductionPlan> planLocal(const StepFlow &flow, const Config &config,
                                         mlir::ArrayAttr axes = {});

/// The step with its samples followed as if there were ranks: which values hold them. Conflicts are
/// recorded, not emitted.
StepPlacement followSamples(const StepFlow &flow);

} // namespace ds

#endif // DS_ANALYSIS_CUT_REDUCTIONPLAN_H
