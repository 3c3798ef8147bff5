//===- StepTimes.cpp - What steps take, and what their exchanges expose -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Ranks/StepTimes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

namespace ds {

void StepTimes::add(StepTime time) {
  if (times.size() < most)
    times.push_back(time);
  else
    times[steps % most] = time;
  ++steps;
  bytes += time.exchange.bytes;
}

StepTime StepTimes::median() const {
  auto of = [&](llvm::function_ref<uint64_t(const StepTime &)> figure) {
    std::vector<uint64_t> values;
    for (const StepTime &time : times)
      values.push_back(figure(time));
    if (values.empty())
      return uint64_t(0);
    if (steps == static_cast<int64_t>(values.size()) && values.size() > 1)
      values.erase(values.begin());
    auto middle = values.begin() + values.size() / 2;
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
  };
  StepTime result;
  result.ns = of([](const StepTime &time) { return time.ns; });
  result.exchange.exposed = of([](const StepTime &time) { return time.exchange.exposed; });
  result.exchange.link = of([](const StepTime &time) { return time.exchange.link; });
  return result;
}

void reportExchange(Report &report, llvm::ArrayRef<StepTimes> byRank, const World &world,
                    int64_t starts) {
  int64_t rank = -1;
  StepTime longest;
  for (auto [i, times] : llvm::enumerate(byRank)) {
    if (times.count() == 0)
      continue;
    StepTime time = times.median();
    if (rank >= 0 && time.exchange.exposed <= longest.exchange.exposed)
      continue;
    rank = static_cast<int64_t>(i) + world.firstRank();
    longest = time;
  }
  if (rank < 0 || world.numRanks() == 1)
    return;
  auto ms = [](uint64_t ns) { return static_cast<double>(ns) * 1e-6; };
  const uint64_t exposed = longest.exchange.exposed, link = longest.exchange.link;
  std::string text;
  if (link > 0) {
    double hidden = exposed < link ? 1 - ms(exposed) / ms(link) : 0;
    text = llvm::formatv("exchange: {0:f2} of {1:f2} ms per step exposed, of {2:f2} ms on the link "
                         "({3:f0} % hidden)",
                         ms(exposed), ms(longest.ns), ms(link), 100 * hidden);
  }
  report.fact("exchange", text,
              llvm::json::Object{{"rank", rank},
                                 {"steps", byRank[rank - world.firstRank()].count()},
                                 {"starts", starts},
                                 {"step_ns", int64_t(longest.ns)},
                                 {"exposed_ns", int64_t(exposed)},
                                 {"link_ns", int64_t(link)},
                                 {"bytes", int64_t(byRank[rank - world.firstRank()].exchanged())}});
}

} // namespace ds
