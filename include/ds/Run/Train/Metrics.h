//===- Metrics.h - Metrics of a step, reduced over ranks --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In `local` semantics each rank has metrics of its own, which are reduced by ds.reduce. The
// request to stop travels with them, so that all ranks stop after the same step.
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

/// Why a training should end after this step; a request of any rank applies to all.
struct StopRequest {
  bool interrupted = false;
  bool different = false; // a check failed
  bool requeue = false;   // with `interrupted`: by a signal other than Ctrl-C
  bool moved = false;     // ranks go on in another world

  explicit operator bool() const { return isEnd() || moved; }
  /// True if the training ends.
  bool isEnd() const { return interrupted || different; }
};

class Metrics {
public:
  /// `combined`: the program has reduced its metrics already, so they are the same on every rank.
  Metrics(const Manifest &manifest, int64_t numRanks, bool combined);

  /// Returns the names of the scalar metrics, in order of the results.
  const std::vector<std::string> &names() const { return labels; }

  /// Returns this rank's metrics.
  std::vector<double> read(llvm::function_ref<HostView(unsigned slot)> resultOf) const;
  /// Returns the metrics of all ranks, reduced from those of each rank.
  std::vector<double> combine(llvm::ArrayRef<llvm::ArrayRef<double>> byRank) const;

  /// Reads this rank's metrics through `resultOf`, reduces them and the request to stop over all
  /// ranks, and returns the metrics. `facts` holds numbers of this rank before the call and
  /// those of all ranks after it, rank by rank. Collective; every rank gets the same result.
  llvm::Expected<std::vector<double>> exchange(dsrt_context *context, StopRequest &stop,
                                               llvm::function_ref<HostView(unsigned slot)> resultOf,
                                               std::vector<double> *facts = nullptr) const;
  /// Returns true if `mine` is true on any rank. Collective.
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

/// Returns "metric 'loss' is nan" for the first metric that is not finite, else an empty text.
std::string firstNotFinite(llvm::ArrayRef<std::string> names, llvm::ArrayRef<double> values);

/// Returns "metric 'loss' grew from 3.10e+04 to 1.20e+23" for the first metric that has grown so
/// large that the training diverges, else an empty text.
std::string firstDiverged(llvm::ArrayRef<std::string> names, llvm::ArrayRef<double> first,
                          llvm::ArrayRef<double> last);

} // namespace ds

#endif // DS_RUN_TRAIN_METRICS_H
