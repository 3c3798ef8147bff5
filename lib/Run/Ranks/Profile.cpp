//===- Profile.cpp - When the gradients of a step are ready -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A step whose gradients travel one by one starts each as soon as it is made, so the times of the
// starts are what a plan of buckets wants to know. Of a gradient's times in all steps the median
// counts, and of all ranks the latest: an exchange waits for its last rank.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Ranks/Profile.h"

#include "ds/Data/File.h"
#include "ds/Support/Nesting.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

namespace ds {

using llvm::Error;
namespace json = llvm::json;

StepEvents::StepEvents(dsrt_context *context, int64_t starts)
    : context(context), times(starts + 1), events(4 * (starts + 1)) {
  begin();
}

void StepEvents::begin() { dsrt_take_events(context, 0, nullptr); }

void StepEvents::end(uint64_t beganNs) {
  int64_t count = dsrt_take_events(context, events.size(), events.data());
  size_t next = 0;
  bool waited = false;
  for (const dsrt_event &event : llvm::ArrayRef(events).take_front(count)) {
    if (event.kind == DSRT_EVENT_START && next + 1 < times.size())
      times[next++].push_back(event.ns - beganNs);
    if (event.kind == DSRT_EVENT_WAIT && !waited)
      times.back().push_back(event.ns - beganNs);
    waited |= event.kind == DSRT_EVENT_WAIT;
  }
}

std::vector<int64_t> StepEvents::medians() const {
  std::vector<int64_t> result;
  for (std::vector<uint64_t> values : times) {
    if (values.size() > 1)
      values.erase(values.begin()); // it warms up
    auto middle = values.begin() + values.size() / 2;
    if (!values.empty())
      std::nth_element(values.begin(), middle, values.end());
    result.push_back(values.empty() ? 0 : int64_t(*middle));
  }
  return result;
}

Error writeProfile(const std::string &path, World &world, const Manifest &manifest,
                   llvm::ArrayRef<std::vector<int64_t>> ofRanks) {
  std::vector<int64_t> latest(manifest.starts.size() + 1);
  auto include = [&](llvm::ArrayRef<int64_t> times) {
    for (size_t i = 0; i < latest.size() && i < times.size(); ++i)
      latest[i] = std::max(latest[i], times[i]);
  };
  for (const std::vector<int64_t> &times : ofRanks)
    include(times);
  // Over processes, each of which has one rank.
  auto texts = world.gather(llvm::formatv("{0}", json::Value(json::Array(latest))).str());
  if (!texts)
    return texts.takeError();
  for (const std::string &text : *texts) {
    auto parsed = parseJson(text);
    if (!parsed)
      return parsed.takeError();
    std::vector<int64_t> times;
    for (const json::Value &time : *parsed->getAsArray())
      times.push_back(time.getAsInteger().value_or(0));
    include(times);
  }
  if (!world.hasRoot())
    return Error::success();
  json::Array gradients;
  for (auto [start, ready] : llvm::zip(manifest.starts, latest))
    if (start.isGradient)
      gradients.push_back(
          json::Object{{"names", start.names}, {"bytes", start.bytes}, {"ready_ns", ready}});
  json::Object profile{{"ds_profile", 1},
                       {"ranks", world.numRanks()},
                       {"compute_ns", latest.back()},
                       {"gradients", std::move(gradients)}};
  return writeFileAtomically(path, [&](llvm::raw_ostream &out) {
    out << llvm::formatv("{0:2}\n", json::Value(std::move(profile)));
  });
}

} // namespace ds
