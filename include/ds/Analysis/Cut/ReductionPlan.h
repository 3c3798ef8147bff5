//===- ReductionPlan.h - Which values are reduced over ranks ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The minimum cut, in wire bytes, between the operations that make partial values and the uses that
// need the reduced value. `global` and `local` share the network and differ in sources and needs,
// so a plan of one is never a scaled plan of the other.
//
//===----------------------------------------------------------------------===//
#ifndef DS_ANALYSIS_CUT_REDUCTIONPLAN_H
#define DS_ANALYSIS_CUT_REDUCTIONPLAN_H

#include "ds/Analysis/PlacementAnalysis.h"
#include "ds/Analysis/StepRoles.h"

namespace ds {

/// One value to reduce.
struct Reduction {
  mlir::Value value;
  ReductionKind kind = ReductionKind::Sum;
  Purpose purpose = Purpose::Gradient;
  /// Parameters whose gradient this is; for a metric, the metrics it serves.
  llvm::SmallVector<std::string> names;
  /// Detection in `local`: only these uses read the reduced value (the others are on the activation
  /// path). Empty: all uses.
  llvm::SmallVector<mlir::OpOperand *> reducedUses;
};

struct ReductionPlan {
  /// Placements with partial values kept as long as possible.
  StepPlacement placement;
  /// Rows per block of a rank's samples in `global` (1: cyclic).
  int64_t block = 1;
  llvm::SmallVector<Reduction> reductions;
  /// Uses that read a partial value although another use reads the reduced one.
  llvm::DenseSet<mlir::OpOperand *> partialUses;
  /// Values that stay partial after the cut.
  llvm::DenseSet<mlir::Value> partialValues;
  /// `local`: results (by number) that are running statistics: states whose new values vary.
  llvm::SmallVector<unsigned> statistics;
  /// `local`: metrics (by number) that vary, and those that are equal on all ranks.
  llvm::SmallVector<unsigned> varyingMetrics, commonMetrics;
  /// Linalg operations that compute sums of reduced values inside their body, so that the plan may
  /// reduce more than necessary.
  llvm::SmallVector<mlir::Operation *> fusedSums;
  /// Bytes reduced by this plan, by reducing each value at its definition, and by reducing each
  /// value where it is needed reduced.
  int64_t bytes = 0, bytesAtDefinition = 0, bytesAtUse = 0;

  /// Returns the uses that read the reduced value.
  llvm::SmallVector<mlir::OpOperand *> findCombinedUses(const Reduction &reduction) const;
  /// Maps each value that stays partial after the cut to the partial values that it is linear in.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value, 2>> findPartialSources() const;
};

/// Plans a step in which every rank computes its part of the global batch. Emits a located error
/// and fails if the step cannot be sharded.
mlir::FailureOr<ReductionPlan> planGlobal(const StepFlow &flow, const ReplicaGroup &ranks);

/// Plans the reductions of a step over ranks that shard the values of `boundary`, and no samples:
/// at the fewest wire bytes or, if annotations place them, at the uses. Emits a located error and
/// fails if the step cannot be sharded.
enum class CutAt { FewestBytes, Uses };
mlir::FailureOr<ReductionPlan> planSharded(const StepFlow &flow, const ReplicaGroup &ranks,
                                           const StepBoundary &boundary,
                                           CutAt where = CutAt::FewestBytes);

/// Returns the first operation with a result that is sharded or partial in another way than in
/// `plan` after its cut: the reductions in the step would be wrong. None, unless ds has a bug.
std::optional<PlacementConflict> findChanged(const StepFlow &flow, const ReductionPlan &plan,
                                             const StepPlacement &placement);

/// Plans a step that every rank runs on its own samples, by its annotations; `axes` are the axes of
/// these ranks, null for all. Emits a located error and fails if ranks would not agree on a
/// parameter.
mlir::FailureOr<ReductionPlan> planLocal(const StepFlow &flow, const Config &config,
                                         mlir::ArrayAttr axes = {});

/// Places the samples as if there were ranks, to find the values that hold them. Conflicts are
/// recorded, not emitted.
StepPlacement followSamples(const StepFlow &flow);

} // namespace ds

#endif // DS_ANALYSIS_CUT_REDUCTIONPLAN_H
