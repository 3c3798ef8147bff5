//===- Metrics.cpp - Metrics of a step, reduced over ranks ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One all-gather carries all values, a row per rank, because every backend can move doubles, but
// not every one can add them. Each rank then reduces the rows in rank order.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Train/Metrics.h"

#include "ds/Data/Convert.h"
#include "ds/Run/Ranks/World.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

namespace ds {

Metrics::Metrics(const Manifest &manifest, int64_t numRanks, bool combined)
    : numRanks(numRanks), otherRanks(manifest.otherRanks()), combined(combined || manifest.global) {
  for (unsigned slot = 0; slot < manifest.results.size(); ++slot) {
    const ResultSpec &result = manifest.results[slot];
    if (!result.isMetric || elementCount(result.shape) != 1)
      continue;
    metrics.push_back({slot, result.type, result.reduce});
    labels.push_back(result.name);
  }
}

static double combine(const std::string &reduce, const double *values, int64_t count) {
  double sum = 0, most = values[0], least = values[0];
  for (int64_t i = 0; i < count; ++i) {
    sum += values[i];
    // A NaN in any value is the result: std::max would lose it.
    most = std::isnan(most) || most > values[i] ? most : values[i];
    least = std::isnan(least) || least < values[i] ? least : values[i];
  }
  if (reduce == "sum")
    return sum;
  if (reduce == "max")
    return most;
  if (reduce == "min")
    return least;
  return reduce == "none" ? values[0] : sum / static_cast<double>(count);
}

std::vector<double> Metrics::read(llvm::function_ref<HostView(unsigned)> resultOf) const {
  std::vector<double> own;
  for (const Metric &metric : metrics)
    own.push_back(toDoubles(Array::view(toDataType(metric.type), {}, resultOf(metric.slot)))[0]);
  return own;
}

std::vector<double> Metrics::combine(llvm::ArrayRef<llvm::ArrayRef<double>> byRank) const {
  std::vector<double> all = byRank[0].vec();
  for (size_t i = 0; !combined && i < metrics.size(); ++i) {
    std::vector<double> distinct; // one of the ranks with the same samples
    for (size_t rank = 0; rank < byRank.size(); rank += otherRanks)
      distinct.push_back(byRank[rank][i]);
    all[i] = ds::combine(metrics[i].reduce, distinct.data(), distinct.size());
  }
  return all;
}

llvm::Expected<std::vector<double>>
Metrics::exchange(dsrt_context *context, StopRequest &stop,
                  llvm::function_ref<HostView(unsigned)> resultOf,
                  std::vector<double> *facts) const {
  std::vector<double> own = read(resultOf);
  if (numRanks == 1)
    return own;

  std::vector<double> row = {stop.interrupted ? 1.0 : 0.0, stop.different ? 1.0 : 0.0,
                             stop.requeue ? 1.0 : 0.0, stop.moved ? 1.0 : 0.0};
  const size_t requests = row.size();
  if (facts)
    row.insert(row.end(), facts->begin(), facts->end());
  const size_t before = row.size();
  if (!combined)
    row.insert(row.end(), own.begin(), own.end());
  std::vector<double> rows(row.size() * numRanks);
  const void *input = row.data();
  void *output = rows.data();
  int64_t elements = row.size();
  dsrt_all_gather(context, 1, &input, &output, &elements, DSRT_F64, DSRT_WORLD);
  if (llvm::Error error = contextError(context))
    return error;
  auto requested = [&](size_t i) {
    bool any = false;
    for (int64_t rank = 0; rank < numRanks; ++rank)
      any |= rows[rank * row.size() + i] != 0;
    return any;
  };
  stop = {requested(0), requested(1), requested(2), requested(3)};
  if (facts) {
    facts->clear();
    for (int64_t rank = 0; rank < numRanks; ++rank) {
      const double *begin = rows.data() + rank * row.size();
      facts->insert(facts->end(), begin + requests, begin + before);
    }
  }
  if (combined)
    return own;
  std::vector<llvm::ArrayRef<double>> byRank;
  for (int64_t rank = 0; rank < numRanks; ++rank)
    byRank.push_back(llvm::ArrayRef(rows).slice(rank * row.size() + before, row.size() - before));
  return combine(byRank);
}

llvm::Expected<bool> Metrics::any(dsrt_context *context, bool mine,
                                  llvm::function_ref<HostView(unsigned)> resultOf) const {
  StopRequest request{false, mine};
  auto values = exchange(context, request, resultOf);
  if (!values)
    return values.takeError();
  return request.different;
}

std::string firstNotFinite(llvm::ArrayRef<std::string> names, llvm::ArrayRef<double> values) {
  for (auto [name, value] : llvm::zip(names, values))
    if (!std::isfinite(value))
      return "metric '" + name + "' is " + (std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
  return "";
}

std::string firstDiverged(llvm::ArrayRef<std::string> names, llvm::ArrayRef<double> first,
                          llvm::ArrayRef<double> last) {
  constexpr double large = 1e10, growth = 1e6;
  for (auto [name, before, now] : llvm::zip(names, first, last))
    if (std::abs(now) > large && std::abs(now) > growth * std::abs(before))
      return llvm::formatv("metric '{0}' grew from {1:e2} to {2:e2}", name, before, now);
  return "";
}

} // namespace ds
