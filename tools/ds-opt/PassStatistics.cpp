//===- PassStatistics.cpp - --mlir-pass-statistics --------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "PassStatistics.h"

#include "ds/Support/UserError.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using mlir::remark::detail::Remark;

static constexpr llvm::StringLiteral option = "mlir-pass-statistics";
/// A metric that names something: its sum has no meaning.
static constexpr llvm::StringLiteral identifier = "id";

namespace ds {

class Counter final : public remark::detail::MLIRRemarkStreamerBase {
public:
  explicit Counter(PassStatistics &statistics) : statistics(statistics) {}
  void streamOptimizationRemark(const Remark &remark) override { statistics.count(remark); }

private:
  PassStatistics &statistics;
};

llvm::Error PassStatistics::readOptions() {
  llvm::cl::Option *found = llvm::cl::getRegisteredOptions().lookup(option);
  if (!found || !found->getNumOccurrences())
    return llvm::Error::success();
  auto &given = static_cast<llvm::cl::opt<bool> &>(*found);
  isWanted = given;
  given = false; // MLIR prints no report
  if (isWanted && MlirOptMainConfig::createFromCLOptions().shouldEmitRemarks())
    return userError("--" + option +
                     " counts the remarks that --remarks-filter prints; expected "
                     "one of the two");
  return llvm::Error::success();
}

void PassStatistics::install(PassManager &manager) {
  if (!isWanted)
    return;
  remark::RemarkCategories categories;
  // `all` alone adds to the others.
  categories.passed = categories.missed = categories.analysis = categories.failed = "ds-.*";
  (void)remark::enableOptimizationRemarks(*manager.getContext(), std::make_unique<Counter>(*this),
                                          std::make_unique<remark::RemarkEmittingPolicyAll>(),
                                          categories);
}

void PassStatistics::count(const Remark &remark) {
  std::lock_guard<std::mutex> lock(mutex);
  Entry &entry = entries[{remark.getCategoryName().str(), remark.getRemarkName().str()}];
  ++entry.count;
  for (const Remark::Arg &each : remark.getArgs()) {
    double value;
    if (each.key == identifier || llvm::StringRef(each.val).getAsDouble(value))
      continue;
    auto metric = llvm::find_if(entry.metrics, [&](Metric &one) { return one.name == each.key; });
    if (metric == entry.metrics.end())
      metric = entry.metrics.insert(metric, {each.key, 0, value, value});
    metric->sum += value;
    metric->least = std::min(metric->least, value);
    metric->most = std::max(metric->most, value);
  }
}

void PassStatistics::print(llvm::raw_ostream &stream) const {
  if (!isWanted)
    return;
  stream << llvm::format("%-24s %-20s %7s  %-20s %14s %14s %14s\n", "pass", "did", "count",
                         "of each", "sum", "least", "most");
  for (const auto &[name, entry] : entries) {
    stream << llvm::format("%-24s %-20s %7lld", name.first.c_str(), name.second.c_str(),
                           static_cast<long long>(entry.count));
    for (const Metric &metric : entry.metrics) {
      if (&metric != &entry.metrics.front())
        stream << llvm::format("\n%53s", "");
      stream << llvm::format("  %-20s %14.14g %14.14g %14.14g", metric.name.c_str(), metric.sum,
                             metric.least, metric.most);
    }
    stream << "\n";
  }
}

} // namespace ds
