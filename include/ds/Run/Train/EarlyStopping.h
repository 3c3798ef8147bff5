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

/// Counts the epochs since the metric was better than before by more than min_delta. NaN is never
/// better. A run that goes on from a checkpoint counts anew.
class EarlyStopping {
public:
  /// `names` are the metrics that there will be.
  static llvm::Expected<std::unique_ptr<EarlyStopping>> create(const EarlyStoppingRequest &request,
                                                               llvm::ArrayRef<std::string> names);

  /// After an epoch: whether the training ends. One without the metric, of which a run has seen a
  /// part, does not count.
  bool consider(const std::map<std::string, double> &metrics);
  /// `early stopping: loss was no better than 0.1234 in 3 epochs`.
  std::string describe() const;

private:
  explicit EarlyStopping(EarlyStoppingRequest request) : request(std::move(request)) {}

  const EarlyStoppingRequest request;
  std::optional<double> best;
  int64_t since = 0; // epochs
};

} // namespace ds

#endif // DS_RUN_TRAIN_EARLYSTOPPING_H
