//===- MetricsTest.cpp - Metrics over ranks ---------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Four ranks hold 1, 2, 4 and 8; the digits tell which of them a combination saw.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Train/Metrics.h"

#include "ds/Run/Ranks/World.h"

#include "TestSupport.h"

#include <cmath>

namespace ds {
namespace {

Manifest withMetrics(const std::vector<std::string> &reductions) {
  Manifest manifest;
  for (const std::string &reduce : reductions) {
    ResultSpec result;
    result.name = reduce;
    result.isMetric = true;
    result.reduce = reduce;
    manifest.results.push_back(result);
  }
  ResultSpec notScalar = manifest.results.front();
  notScalar.shape = {2};
  manifest.results.push_back(notScalar);
  return manifest;
}

/// What rank 2 gets when rank r holds `values[r]` in every metric.
std::vector<double> combine(const Manifest &manifest, const std::vector<float> &values,
                            bool combined, int64_t stopper = -1, StopRequest *seen = nullptr) {
  auto world = cantFail(World::create(values.size(), "local", {}));
  Metrics metrics(manifest, values.size(), combined);
  std::vector<double> result;
  EXPECT_EQ(errorOf(world->run([&](int64_t rank, dsrt_context *context) -> llvm::Error {
              StopRequest stop;
              stop.interrupted = rank == stopper;
              auto got = metrics.exchange(
                  context, stop, [&](unsigned) { return HostView(HostView(), &values[rank]); });
              if (!got)
                return got.takeError();
              if (rank == 2) {
                result = *got;
                if (seen)
                  *seen = stop;
              }
              return llvm::Error::success();
            })),
            "(no error)");
  return result;
}

TEST(Metrics, LocalOnesAreCombinedByTheirReduction) {
  Manifest manifest = withMetrics({"mean", "sum", "max", "min", "none"});
  EXPECT_EQ(combine(manifest, {1, 2, 4, 8}, false), (std::vector<double>{3.75, 15, 8, 1, 1}));
}

TEST(Metrics, CombinedOnesStayAsTheyAre) {
  Manifest manifest = withMetrics({"sum"});
  EXPECT_EQ(combine(manifest, {5, 5, 5, 5}, true), std::vector<double>{5});
  manifest.global = true;
  EXPECT_EQ(combine(manifest, {5, 5, 5, 5}, false), std::vector<double>{5});
}

TEST(Metrics, ANanIsNotLost) {
  for (double value : combine(withMetrics({"mean", "sum", "max", "min"}), {1, NAN, 4, 8}, false))
    EXPECT_TRUE(std::isnan(value));
}

TEST(Metrics, ARequestToStopReachesEveryRank) {
  StopRequest seen;
  combine(withMetrics({"mean"}), {1, 2, 4, 8}, false, /*stopper=*/3, &seen);
  EXPECT_TRUE(seen.interrupted);
  EXPECT_FALSE(seen.different);
  combine(withMetrics({"mean"}), {1, 2, 4, 8}, false, /*stopper=*/-1, &seen);
  EXPECT_FALSE(bool(seen));
}

TEST(Metrics, NamesAreThoseOfScalars) {
  EXPECT_EQ(Metrics(withMetrics({"mean"}), 1, false).names(), std::vector<std::string>{"mean"});
}

} // namespace
} // namespace ds
