//===- Kept.h - The values that a training may save -------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loss of a step is computed before its update, so no metric shows an update that overflows.
// Values are checked before they are saved: a checkpoint that is not finite would evict the last
// finite one, and a restart would resume from it.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_TRAIN_KEPT_H
#define DS_RUN_TRAIN_KEPT_H

#include "ds/Data/Safetensors.h"
#include "ds/Run/Feed/Best.h"
#include "ds/Run/Options/Options.h"
#include "ds/Run/Ranks/Values.h"
#include "ds/Run/Ranks/Watchdog.h"
#include "ds/Run/Ranks/World.h"
#include "ds/Run/Report/MetricSums.h"
#include "ds/Run/Report/Report.h"

#include <set>

namespace ds {

/// Names of the values that may be infinite, or, for states alone, NaN: those that are so at the
/// start of the training, such as the best loss so far or a mask.
using NotFiniteNames = std::set<std::string>;

NotFiniteNames notFiniteNames(const Manifest &manifest, const InitialValues &initial);

/// The facts that checkpoints carry to resumed runs.
struct CarriedFacts {
  NotFiniteNames mayBeInfinite;
  MetricSums ofEpoch;    // since the last epoch's end
  MetricSums ofTraining; // since its first step

  /// Reads the facts from metadata. Drops sums of another number of steps than `done`, the steps
  /// done, with `perEpoch` steps in each epoch.
  static CarriedFacts from(const std::map<std::string, std::string> &metadata, size_t metrics,
                           int64_t done, int64_t perEpoch);
  /// Adds the facts. Without `sums` only the names are added, for a file of values alone.
  void addTo(std::map<std::string, std::string> &metadata, bool sums) const;
  /// Gives all processes the names of rank 0, which alone may have them from a file.
  llvm::Error shareNames(World &world);
};

/// Saves the result of `values` if `metrics`, after step `step`, are better than before, and
/// reports it.
llvm::Error keepBest(Best &best, const std::map<std::string, double> &metrics, int64_t step,
                     Report &report, llvm::function_ref<llvm::Expected<Safetensors>()> values);

/// Logs the last action of each rank of this process, from `first` on.
void logLast(Report &report, const Watchdog &watchdog, int64_t first);

/// Returns "'w' holds inf" if a value, or a shard of it, may not be saved; else an empty text.
std::string notKept(const std::string &name, const Array &array, const NotFiniteNames &mayBe,
                    const Manifest &manifest);
/// Returns the same for the first value that may not be saved; empty if all may.
std::string firstNotKept(const Safetensors &contents, const NotFiniteNames &mayBe,
                         const Manifest &manifest);

} // namespace ds

#endif // DS_RUN_TRAIN_KEPT_H
