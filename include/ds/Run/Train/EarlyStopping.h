//===- EarlyStopping.h - Ends a training that stops improving ---*- C++ -*-===//
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

/// Counts the epochs, or evaluations, since the metric last improved by more than min_delta. NaN is
/// never better. A resumed run continues the count.
class EarlyStopping {
public:
  /// `names` are the metrics of the run; `unit` is the word for what is counted.
  static llvm::Expected<std::unique_ptr<EarlyStopping>>
  create(const EarlyStoppingRequest &request, llvm::ArrayRef<std::string> names, const char *unit);

  /// Counts an epoch or an evaluation. True if the training ends. One without the metric does not
  /// count, such as an epoch that this run has only seen a part of.
  bool consider(const std::map<std::string, double> &metrics);
  /// Returns `early stopping: loss was no better than 0.1234 in 3 epochs`.
  std::string describe() const;
  bool ends() const { return since >= request.patience; }

  /// Returns `loss:min 0.1234 2` for checkpoints: the metric, its best value or `-`, and the count
  /// since.
  std::string toText() const;
  /// Continues the count of an earlier run for the same metric; ignores any other text.
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
