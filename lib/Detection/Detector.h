//===- Detector.h - Where an unmarked step combines over ranks ------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A `local` step that no front end has marked does not say which values are gradients. This guesses
// it from structure: OwnValues.cpp says what is the rank's own, DetectReductions.cpp places and
// cuts the rest, and MarkStep.cpp writes the result into the step as marks. Nothing else depends on
// it.
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_DETECTION_DETECTOR_H
#define DS_LIB_DETECTION_DETECTOR_H

#include "ds/Analysis/Cut/ReductionNetwork.h"

namespace ds {

/// What a value depends on: nothing of the batch; the rank's samples, as it alone has them; or such
/// data in what is combined over ranks (the aggregation region).
enum class Share { Replicated, Varying, Reducible };

/// The reductions of a step as they were found, with what marks cannot say.
struct DetectedPlan : ReductionPlan {
  /// Placements of the values that hold samples of the rank.
  llvm::DenseMap<mlir::Value, Placement> samples;
  /// Values that hold no samples and are the rank's own nevertheless.
  llvm::DenseSet<mlir::Value> own;
  /// Linalg operations that make in the middle of their body what should be combined: without them
  /// unfused the plan is wrong.
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
  /// What the new values of parameters are computed from; not what decides them.
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
  /// Whether ranks have the value alike since it is computed from combined ones: a norm to clip by
  /// is a factor like any other.
  bool isCombined(mlir::Value value, const StepPlacement &placement) const {
    return shareOf(value) == Share::Reducible && !placement.of(value).isPartial();
  }
  /// What an operation of the region reads of the rank's own.
  struct OwnReads {
    bool any = false;
    /// Whether they are one value, and nothing else that it reads differs between ranks.
    bool alone = false;
    /// If so, a statistic that enters the region as it is. Otherwise the operation makes a gradient
    /// of what it reads.
    mlir::Value entry;
  };
  OwnReads findOwnReads(mlir::Operation *op, const StepPlacement &placement) const;

  mlir::func::FuncOp step;
  const StepFlow &flow;
  const Config &config;
  StepPlacement samples;                      // the batch followed through the step
  llvm::DenseSet<mlir::Value> dependent;      // on the batch, or on a key of the rank's own
  llvm::DenseSet<mlir::Value> random;         // on keys of the rank's own alone
  llvm::DenseSet<mlir::Value> own;            // not per sample, yet the rank's own
  llvm::DenseSet<mlir::OpOperand *> meetsOwn; // partial operands beside the rank's own
};

} // namespace ds

#endif // DS_LIB_DETECTION_DETECTOR_H
