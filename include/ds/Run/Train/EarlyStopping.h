//===- EarlyStopping.h - A training that no longer gets better --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_TRAIN_EARLYSTOPPING_H
#define DS_RUN_TRAIN_EARLYSTOPPING_H

#include "ds/Run/Options/EarlyStoppingRequest.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <map>
#include <memory>
#include <optional>
#include <string>

namespace ds {

/// Counts the epochs, or evaluations, since the metric was better than before by more than
/// min_delta. NaN is never better. A run that goes on from a checkpoint goes on counting.
class EarlyStopping {
public:
  /// `names` are the metrics that there will be; `unit` is what is counted, as a word.
  static llvm::Expected<std::unique_ptr<EarlyStopping>>
  create(const EarlyStoppingRequest &request, llvm::ArrayRef<std::string> names, const char *unit);

  /// After an epoch or an evaluation: whether the training ends. One without the metric does not
  /// count: an epoch of which a run has seen a part, for one.
  bool consider(const std::map<std::string, double> &metrics);
  /// `early stopping: loss was no better than 0.1234 in 3 epochs`.
  std::string describe() const;
  bool ends() const { return since >= request.patience; }

  /// `loss:min 0.1234 2`: the metric, its best value or `-`, what was counted since; for
  /// checkpoints.
  std::string toText() const;
  /// What an earlier run has counted of the same metric; another text counts for nothing.
  void restore(llvm::StringRef text);

private:
  EarlyStopping(EarlyStoppingRequest request, const char *unit)
      : request(std::move(request)), unit(unit) {}

  const EarlyStoppingRequest request;
  const char *unit;
  std::optional<double> best;
  int64_t since = 0; // units
};

} // namespace ds

#endif // DS_RUN_TRAIN_EARLYSTOPPING_H
