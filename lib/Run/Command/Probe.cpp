//===- Probe.cpp - The cost of all-reduces between ranks --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs all-reduces of growing size, each several times. The cost of a size is the median over its
// repetitions, and then the maximum over ranks, which all ranks learn.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Command/Probe.h"

#include "ds/Plan/FitChannel.h"
#include "ds/Run/Ranks/World.h"
#include "ds/Support/File.h"
#include "ds/Support/Seal.h"
#include "ds/Support/UserError.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <chrono>

namespace ds {

using llvm::Error;
using llvm::Expected;
namespace json = llvm::json;

constexpr int64_t leastBytes = 1024, mostBytes = int64_t(64) << 20;
constexpr int fewestTimes = 5, mostTimes = 25;
constexpr double secondsOfSize = 0.5; // limits repetitions beyond the fewest
constexpr int64_t tolerancePercent = 5;

/// Measures on one rank; the messages are the same on all of them.
static Error measure(dsrt_context *context, std::vector<MeasuredMessage> &messages) {
  using Clock = std::chrono::steady_clock;
  std::vector<float> values(mostBytes / sizeof(float));
  for (int64_t bytes = leastBytes; bytes <= mostBytes; bytes *= 2) {
    std::vector<int64_t> times;
    void *data = values.data();
    const int64_t elements = bytes / int64_t(sizeof(float)), one = 1;
    const Clock::time_point first = Clock::now();
    for (int32_t goesOn = 1; goesOn;) {
      dsrt_barrier(context, DSRT_WORLD);
      const Clock::time_point begin = Clock::now();
      dsrt_all_reduce(context, 1, &data, &elements, DSRT_F32, DSRT_SUM, DSRT_WORLD);
      const Clock::time_point end = Clock::now();
      times.push_back(std::chrono::nanoseconds(end - begin).count());
      goesOn = times.size() < fewestTimes ||
               (times.size() < mostTimes &&
                std::chrono::duration<double>(end - first).count() < secondsOfSize);
      void *flag = &goesOn; // all ranks repeat equally often
      dsrt_all_reduce(context, 1, &flag, &one, DSRT_I32, DSRT_MIN, DSRT_WORLD);
      if (Error error = contextError(context))
        return error;
    }
    std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
    int64_t median = times[times.size() / 2];
    void *slowest = &median;
    dsrt_all_reduce(context, 1, &slowest, &one, DSRT_I64, DSRT_MAX, DSRT_WORLD);
    messages.push_back({bytes, median * 1000});
    if (Error error = contextError(context))
      return error;
  }
  return Error::success();
}

static json::Object toJson(const ChannelModel &channel,
                           const std::vector<MeasuredMessage> &messages, int64_t ranks,
                           const std::string &backend) {
  json::Array pieces, measured;
  for (const CostPiece &piece : channel.pieces())
    pieces.push_back(json::Object{
        {"from_bytes", piece.low}, {"start_ps", piece.start}, {"ps_per_kib", piece.rate}});
  for (const MeasuredMessage &message : messages)
    measured.push_back(json::Object{{"bytes", message.bytes}, {"ps", message.ps}});
  return json::Object{{"ds_costs", 1},
                      {"ranks", ranks},
                      {"backend", backend},
                      {"pieces", std::move(pieces)},
                      {"measured", std::move(measured)}};
}

Expected<int> probeLink(const RunOptions &options, Report &report) {
  WorldOptions worldOptions;
  worldOptions.link = Link::parse(options.link);
  auto world = World::join(options.backend, worldOptions);
  if (!world)
    return world.takeError();
  if (!*world)
    world = World::create(options.ranks.value_or(2), options.backend, worldOptions);
  if (!world)
    return world.takeError();
  if (!(*world)->hasRoot())
    report.silence();
  Error unusable = (*world)->hasRoot() ? checkWritable(options.probeLink) : Error::success();
  if (!unusable && (*world)->numRanks() == 1)
    unusable = userError("--probe-link measures what ranks exchange, but there is one");
  if (Error error = (*world)->agree(std::move(unusable)))
    return error;
  std::vector<std::vector<MeasuredMessage>> ofRanks((*world)->numLocalRanks());
  Error error = (*world)->run([&](int64_t rank, dsrt_context *context) {
    return measure(context, ofRanks[rank - (*world)->firstRank()]);
  });
  if (error)
    return error;
  ChannelModel channel = fitChannel(ofRanks.front(), tolerancePercent);
  Error written = Error::success();
  if ((*world)->hasRoot())
    written = writeSealedJson(options.probeLink, toJson(channel, ofRanks.front(),
                                                        (*world)->numRanks(), (*world)->backend()));
  if (Error error = (*world)->agree(std::move(written)))
    return error;
  report.fact("probed",
              llvm::formatv("wrote '{0}': an all-reduce of {1} ranks in {2} lines",
                            options.probeLink, (*world)->numRanks(), channel.pieces().size())
                  .str(),
              json::Object{{"file", options.probeLink},
                           {"ranks", (*world)->numRanks()},
                           {"pieces", int64_t(channel.pieces().size())}});
  return 0;
}

} // namespace ds
