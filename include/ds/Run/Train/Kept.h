//===- Kept.h - What a training may keep of its values ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loss of a step is computed before its update, so an update that overflows is seen by no
// metric. Values are looked at before they are written: a checkpoint that is not finite would push
// out the last one that is, and be gone on from.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_TRAIN_KEPT_H
#define DS_RUN_TRAIN_KEPT_H

#include "ds/Data/Safetensors.h"
#include "ds/Run/Feed/Best.h"
#include "ds/Run/Options/Options.h"
#include "ds/Run/Ranks/Values.h"
#include "ds/Run/Ranks/Watchdog.h"
#include "ds/Run/Report/MetricSums.h"
#include "ds/Run/Report/Report.h"

#include <set>

namespace ds {

/// Names of the values that may be infinite, or, states alone, NaN: those that are so where the
/// training begins, such as the best loss so far or a mask.
using NotFiniteNames = std::set<std::string>;

NotFiniteNames notFiniteNames(const Manifest &manifest, const InitialValues &initial);

/// What checkpoints say for the runs that go on from them.
struct CarriedFacts {
  NotFiniteNames mayBeInfinite;
  MetricSums ofEpoch;    // since the last epoch's end
  MetricSums ofTraining; // since its first step

  /// Another step's sums are nobody's: `done` steps are done, `perEpoch` each epoch.
  static CarriedFacts from(const std::map<std::string, std::string> &metadata, size_t metrics,
                           int64_t done, int64_t perEpoch);
  /// Without `sums` the names alone, where a file holds values and no more.
  void addTo(std::map<std::string, std::string> &metadata, bool sums) const;
};

/// Writes what `values` gives if `metrics`, behind step `step`, are better than before, and tells
/// it.
llvm::Error keepBest(Best &best, const std::map<std::string, double> &metrics, int64_t step,
                     Report &report, llvm::function_ref<llvm::Expected<Safetensors>()> values);

/// What the ranks of this process, from `first` on, did last, to the log.
void logLast(Report &report, const Watchdog &watchdog, int64_t first);

/// "'w' holds inf": the first value that may not be written; empty if all may.
std::string firstNotKept(const Safetensors &contents, const NotFiniteNames &mayBe,
                         const Manifest &manifest);

} // namespace ds

#endif // DS_RUN_TRAIN_KEPT_H
