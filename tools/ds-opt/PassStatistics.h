//===- PassStatistics.h - --mlir-pass-statistics ----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_TOOLS_DS_OPT_PASSSTATISTICS_H
#define DS_TOOLS_DS_OPT_PASSSTATISTICS_H

#include "mlir/IR/Remarks.h"

#include <map>
#include <mutex>
#include <vector>

namespace mlir {
class PassManager;
} // namespace mlir

namespace ds {

/// The work of the passes of ds, counted by their remarks: how many there were of each name, and
/// the sum, the least and the most of each of their metrics.
class PassStatistics {
public:
  /// Takes --mlir-pass-statistics over from MLIR, whose report is empty
  /// (docs/Rationale/Project.md). Returns an error where the remarks are also wanted elsewhere.
  llvm::Error readOptions();
  /// Counts the remarks of the manager's context.
  void install(mlir::PassManager &manager);
  /// Prints the table; nothing if the option is not given.
  void print(llvm::raw_ostream &stream) const;

private:
  friend class Counter;
  struct Metric {
    std::string name;
    double sum = 0, least = 0, most = 0;
  };
  struct Entry {
    int64_t count = 0;
    std::vector<Metric> metrics;
  };
  void count(const mlir::remark::detail::Remark &remark);

  bool isWanted = false;
  std::mutex mutex; // --split-input-file runs in threads
  std::map<std::pair<std::string, std::string>, Entry> entries;
};

} // namespace ds

#endif // DS_TOOLS_DS_OPT_PASSSTATISTICS_H
