//===- Metrics.h - Numbers that a step reports, combined over ranks --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In `local` each rank has metrics of its own; they are combined by ds.reduce. The request to stop
// travels with them, so that all ranks stop after the same step.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_TRAIN_METRICS_H
#define DS_RUN_TRAIN_METRICS_H

#include "ds/Step/Manifest.h"
#include "ds/Target/CompiledStep.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

struct dsrt_context;

namespace ds {

/// Why a training should end after this step; of any rank, it is of all.
struct StopRequest {
  bool interrupted = false;
  bool different = false; // a check failed
  bool requeue = false;   // with `interrupted`: by another signal than Ctrl-C

  explicit operator bool() const { return interrupted || different; }
};

class Metrics {
public:
  /// `combined`: the program has combined its metrics already, so every rank holds the same.
  Metrics(const Manifest &manifest, int64_t numRanks, bool combined);

  /// Names of the scalar metrics, in order of the results.
  const std::vector<std::string> &names() const { return labels; }

  /// This rank's metrics.
  std::vector<double> read(llvm::function_ref<HostView(unsigned slot)> resultOf) const;
  /// What all ranks report together, of what each of them has.
  std::vector<double> combine(llvm::ArrayRef<std::vector<double>> byRank) const;

  /// Reads this rank's metrics through `resultOf`, combines them and the request to stop with those
  /// of all ranks, and returns the metrics. `facts` goes in as one number of this rank and comes
  /// out as those of all. Collective; every rank gets the same.
  llvm::Expected<std::vector<double>> exchange(dsrt_context *context, StopRequest &stop,
                                               llvm::function_ref<HostView(unsigned slot)> resultOf,
                                               std::vector<double> *facts = nullptr) const;
  /// Whether any rank says so. Collective.
  llvm::Expected<bool> any(dsrt_context *context, bool mine,
                           llvm::function_ref<HostView(unsigned slot)> resultOf) const;

private:
  struct Metric {
    unsigned slot;
    ElementType type;
    std::string reduce;
  };
  std::vector<Metric> metrics;
  std::vector<std::string> labels;
  int64_t numRanks, otherRanks;
  bool combined;
};

/// "metric 'loss' is nan" for the first metric that is no finite number, else empty.
std::string firstNotFinite(llvm::ArrayRef<std::string> names, llvm::ArrayRef<double> values);

/// "metric 'loss' grew from 3.10e+04 to 1.20e+23" for the first one that a training has made so
/// large that it no longer learns, else empty.
std::string firstDiverged(llvm::ArrayRef<std::string> names, llvm::ArrayRef<double> first,
                          llvm::ArrayRef<double> last);

} // namespace ds

#endif // DS_RUN_TRAIN_METRICS_H
