//===- MetricSums.h - Sums of the metrics of steps --------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_REPORT_METRICSUMS_H
#define DS_RUN_REPORT_METRICSUMS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ds {

/// The sums of metrics over steps. A training resumed in the middle of an epoch continues with
/// these, to the last bit.
struct MetricSums {
  int64_t steps = 0;
  std::vector<double> sums; // by metric; empty before the first step

  void add(llvm::ArrayRef<double> metrics);
  void clear() { *this = {}; }
  /// Returns the means; zeros before the first step.
  std::vector<double> means(size_t metrics) const;

  /// Returns "3 0x1.8p+1 ..": the steps, and the sums as hexadecimal floats.
  std::string toText() const;
  /// Parses such a text; empty if it is malformed or has another number of metrics.
  static MetricSums fromText(llvm::StringRef text, size_t metrics);
};

} // namespace ds

#endif // DS_RUN_REPORT_METRICSUMS_H
