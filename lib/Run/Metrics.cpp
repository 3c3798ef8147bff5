//===- Metrics.cpp - Numbers that a step reports, combined over ranks --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One sum over ranks carries everything: a metric that is not summed stands alone in its rank's
// place of a table with a row per rank, so max, min and rank 0's value are read off the sum of the
// tables.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Metrics.h"

#include "ds/Data/Convert.h"
#include "ds/Run/World.h"

#include <algorithm>
#include <cmath>

namespace ds {

Metrics::Metrics(const Manifest &manifest, int64_t numRanks, bool combined)
    : numRanks(numRanks), combined(combined || manifest.global) {
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
    // A NaN anywhere is the result: std::max would lose it.
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

llvm::Expected<std::vector<double>>
Metrics::exchange(dsrt_context *context, StopRequest &stop,
                  llvm::function_ref<const void *(unsigned)> resultOf) const {
  std::vector<double> own(metrics.size());
  for (size_t i = 0; i < metrics.size(); ++i)
    own[i] = toDoubles(Array::copy(toDataType(metrics[i].type), {}, resultOf(metrics[i].slot)))[0];
  if (numRanks == 1)
    return own;

  int64_t rank = dsrt_rank(context), columns = combined ? 0 : numRanks;
  constexpr int64_t requests = 2;
  std::vector<double> table(requests + metrics.size() * columns, 0.0);
  table[0] = stop.interrupted;
  table[1] = stop.different;
  if (!combined)
    for (size_t i = 0; i < metrics.size(); ++i)
      table[requests + i * columns + rank] = own[i];
  void *buffer = table.data();
  int64_t elements = table.size();
  dsrt_all_reduce(context, 1, &buffer, &elements, DSRT_F64, DSRT_SUM, DSRT_WORLD);
  if (llvm::Error error = contextError(context))
    return error;
  stop = {table[0] != 0, table[1] != 0};
  if (!combined)
    for (size_t i = 0; i < metrics.size(); ++i)
      own[i] = combine(metrics[i].reduce, &table[requests + i * columns], numRanks);
  return own;
}

} // namespace ds
