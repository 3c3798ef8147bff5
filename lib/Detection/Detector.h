//===- Detector.h - Where an unmarked step reduces over ranks -------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A `local` step that no front end has annotated does not declare which values are gradients. This
// component infers them from structure: OwnValues.cpp finds the rank-local values,
// DetectReductions.cpp places and cuts the rest, and MarkStep.cpp writes the result into the step
// as annotations. No other component depends on it.
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_DETECTION_DETECTOR_H
#define DS_LIB_DETECTION_DETECTOR_H

#include "ds/Analysis/Cut/ReductionNetwork.h"

namespace ds {

/// The dependence of a value on the batch: none; on the rank's samples, rank-local; or on such data
/// in a value that is reduced over ranks (the aggregation region).
enum class Share { Replicated, Varying, Reducible };

/// The detected reductions of a step, with facts that annotations cannot express.
struct DetectedPlan : ReductionPlan {
  /// Placements of the values that hold samples of the rank.
  llvm::DenseMap<mlir::Value, Placement> samples;
  /// Values that hold no samples but are rank-local nevertheless.
  llvm::DenseSet<mlir::Value> own;
  /// Linalg operations that make a value to be reduced inside their body: the plan is wrong until
  /// they are unfused.
  llvm::SmallVector<mlir::Operation *> fusedSources;
};

class Detector {
public:
  Detector(const StepFlow &flow, const Config &config)
      : step(flow.step()), flow(flow), config(config) {}

  mlir::FailureOr<DetectedPlan> run();

private:
  mlir::LogicalResult findSamples();
  void findDependent();
  void findRandom();
  llvm::DenseSet<mlir::Value> findUpdates() const;
  bool holdsSamples(mlir::Value value) const { return samples.of(value).isSharded(); }
  bool sumsSamples(mlir::Operation *op) const;
  void findOwn();
  void addReportsToOwn();
  void placeRegion(ReductionPlan &plan, ReducedUses &entries);
  void placeInRegion(mlir::Operation *op, StepPlacement &placement, ReducedUses &entries);
  bool placeSum(mlir::Operation *op, StepPlacement &placement, ReducedUses &entries);
  void wantUpdatesWhole(mlir::Operation *op, StepPlacement &placement);
  void wantResultsWhole(ReductionPlan &plan);
  /// Returns the values from which new values of parameters are computed, without those that decide
  /// them.
  llvm::DenseSet<mlir::Value> findReachingParameter() const;
  llvm::DenseSet<mlir::Value> findUncut(const ReductionPlan &plan) const;
  bool isReadLinearly(const Reduction &reduction, const ReductionPlan &plan) const;
  mlir::LogicalResult refuseStatistics(const ReductionPlan &plan) const;
  mlir::LogicalResult refuseUnnamed(const ReductionPlan &plan) const;
  void findFusedSources(DetectedPlan &plan) const;

  Share shareOf(mlir::Value value) const {
    if (!dependent.contains(value))
      return Share::Replicated;
    return holdsSamples(value) || own.contains(value) ? Share::Varying : Share::Reducible;
  }
  /// True if the value is equal on all ranks because it is computed from reduced ones: a norm to
  /// clip by is a factor like any other.
  bool isCombined(mlir::Value value, const StepPlacement &placement) const {
    return shareOf(value) == Share::Reducible && !placement.of(value).isPartial();
  }
  /// The rank-local values that an operation of the region reads.
  struct OwnReads {
    bool any = false;
    /// True if they are one value, and no other operand differs between ranks.
    bool alone = false;
    /// If so, a statistic that enters the region unchanged. Otherwise the operation computes a
    /// gradient from its operands.
    mlir::Value entry;
  };
  OwnReads findOwnReads(mlir::Operation *op, const StepPlacement &placement) const;

  mlir::func::FuncOp step;
  const StepFlow &flow;
  const Config &config;
  StepPlacement samples;                      // the batch followed through the step
  llvm::DenseSet<mlir::Value> dependent;      // on the batch, or on a rank's own key
  llvm::DenseSet<mlir::Value> random;         // on ranks' own keys alone
  llvm::DenseSet<mlir::Value> own;            // not per sample, yet rank-local
  llvm::DenseSet<mlir::OpOperand *> meetsOwn; // partial operands beside rank-local ones
};

} // namespace ds

#endif // DS_LIB_DETECTION_DETECTOR_H
