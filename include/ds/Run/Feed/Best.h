//===- Best.h - The best values of a training so far ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --keep-best=accuracy writes w-best.safetensors beside --save w.safetensors after each epoch that
// is better than all before. The file contains the metric, so that --resume continues the
// comparison.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_FEED_BEST_H
#define DS_RUN_FEED_BEST_H

#include "ds/Data/Safetensors.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ds {

class Best {
public:
  /// `names` are the metrics of the run. With `resumes` the value in the file counts.
  static llvm::Expected<std::unique_ptr<Best>> create(llvm::StringRef metric, bool isLargest,
                                                      llvm::StringRef save, bool resumes,
                                                      llvm::ArrayRef<std::string> names);
  /// Returns the path of the file beside `save`.
  static std::string path(llvm::StringRef save);

  /// Writes the result of `values` if the metric is better than before. Returns whether it is.
  llvm::Expected<bool> consider(const std::map<std::string, double> &metrics,
                                llvm::function_ref<llvm::Expected<Safetensors>()> values);
  const std::string &file() const { return filePath; }
  const std::string &metricName() const { return metric; }
  double value() const { return *best; }

private:
  Best() = default;

  std::string metric, filePath;
  bool isLargest = false;
  std::optional<double> best;
};

} // namespace ds

#endif // DS_RUN_FEED_BEST_H
