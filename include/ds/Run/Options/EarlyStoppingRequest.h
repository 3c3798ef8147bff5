//===- EarlyStoppingRequest.h - The value of --early-stopping ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_OPTIONS_EARLYSTOPPINGREQUEST_H
#define DS_RUN_OPTIONS_EARLYSTOPPINGREQUEST_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>

namespace ds {

/// The value `METRIC[:min|max][,patience=N][,min_delta=D]`, named as in Keras and Lightning.
struct EarlyStoppingRequest {
  std::string metric; // empty: not requested
  bool isLargest = false;
  int64_t patience = 3; // epochs, or evaluations
  double minDelta = 0;

  llvm::Error read(llvm::StringRef text);
};

/// Splits `METRIC[:min|max]`. Without a suffix, a metric is best at its maximum if it is an
/// accuracy, else at its minimum. False without a name.
bool readMetric(llvm::StringRef text, std::string &metric, bool &isLargest);

} // namespace ds

#endif // DS_RUN_OPTIONS_EARLYSTOPPINGREQUEST_H
