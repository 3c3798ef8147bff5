//===- Profile.cpp - When the gradients of a step are ready -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A step that exchanges its gradients one by one starts each exchange as soon as the gradient is
// ready. So the times of starts are the input of a plan of buckets, and the times between waits are
// those of updates. The clock is stopped in starts and waits, because other plans have other ones.
// A figure is the median over all steps, and then the maximum over ranks, because an exchange waits
// for its last rank.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Ranks/Profile.h"

#include "ds/Support/Nesting.h"
#include "ds/Support/Seal.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

namespace ds {

using llvm::Error;
namespace json = llvm::json;

StepEvents::StepEvents(dsrt_context *context, int64_t starts)
    : context(context), starts(starts), events(4 * (starts + 1)) {
  begin();
}

void StepEvents::begin() { dsrt_take_events(context, 0, nullptr); }

/// Returns the figures of a step by its events.
static StepClock readEvents(llvm::ArrayRef<dsrt_event> events, size_t starts, uint64_t beganNs,
                            uint64_t endedNs) {
  StepClock step;
  step.ready.resize(starts);
  step.needed.resize(starts);
  step.updates.resize(starts);
  uint64_t stood = 0, called = 0; // time in starts and waits; begin of the current one
  int64_t launched = 0;
  std::optional<size_t> arrived; // the exchange whose update runs
  int64_t arrivedAt = 0;
  bool started = true; // since the last wait
  auto endUpdate = [&](int64_t clock) {
    if (arrived)
      step.updates[*arrived] = clock - arrivedAt;
    arrived.reset();
  };
  for (const dsrt_event &event : events) {
    const size_t exchange = event.exchange - events.front().exchange;
    const auto clock = static_cast<int64_t>(event.ns - beganNs - stood);
    if (exchange >= starts)
      continue; // of the step before
    switch (event.kind) {
    case DSRT_EVENT_START:
      endUpdate(clock);
      step.updates.assign(starts, 0); // the step goes on, so those were no updates
      step.ready[exchange] = clock;
      started = true;
      called = event.ns;
      break;
    case DSRT_EVENT_STARTED:
      launched += static_cast<int64_t>(event.ns - called);
      stood += event.ns - called;
      break;
    case DSRT_EVENT_WAIT:
      endUpdate(clock);
      step.needed[exchange] = clock;
      if (started)
        step.computeEnds = clock;
      started = false;
      called = event.ns;
      break;
    case DSRT_EVENT_WAITED:
      stood += event.ns - called;
      arrived = exchange;
      arrivedAt = static_cast<int64_t>(event.ns - beganNs - stood);
      break;
    }
  }
  endUpdate(static_cast<int64_t>(endedNs - beganNs - stood));
  if (starts > 0)
    step.launch = launched / static_cast<int64_t>(starts);
  return step;
}

void StepEvents::end(uint64_t beganNs, uint64_t endedNs) {
  constexpr size_t most = 1024; // bounds the memory of a long training
  int64_t count = dsrt_take_events(context, events.size(), events.data());
  if (steps.size() < most)
    steps.push_back(readEvents(llvm::ArrayRef(events).take_front(count), starts, beganNs, endedNs));
}

/// Returns all figures of a step in a row.
static std::vector<int64_t> flat(const StepClock &step) {
  std::vector<int64_t> figures{step.launch, step.computeEnds};
  for (const std::vector<int64_t> *list : {&step.ready, &step.needed, &step.updates})
    figures.insert(figures.end(), list->begin(), list->end());
  return figures;
}

static StepClock unflat(llvm::ArrayRef<int64_t> figures) {
  StepClock step;
  const size_t starts = (figures.size() - 2) / 3;
  step.launch = figures[0];
  step.computeEnds = figures[1];
  step.ready = figures.slice(2, starts).vec();
  step.needed = figures.slice(2 + starts, starts).vec();
  step.updates = figures.slice(2 + 2 * starts, starts).vec();
  return step;
}

StepClock StepEvents::median() const {
  StepClock none;
  none.ready.resize(starts);
  none.needed = none.updates = none.ready;
  if (steps.empty())
    return none;
  std::vector<std::vector<int64_t>> all;
  for (const StepClock &step : llvm::ArrayRef(steps).drop_front(steps.size() > 1))
    all.push_back(flat(step));
  std::vector<int64_t> medians, values;
  for (size_t i = 0; i < all.front().size(); ++i) {
    values.clear();
    for (const std::vector<int64_t> &figures : all)
      values.push_back(figures[i]);
    auto middle = values.begin() + static_cast<int64_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    medians.push_back(*middle);
  }
  return unflat(medians);
}

Error writeProfile(const std::string &path, World &world, const Manifest &manifest,
                   llvm::ArrayRef<StepClock> ofRanks) {
  std::vector<int64_t> latest(2 + 3 * manifest.starts.size());
  auto include = [&](llvm::ArrayRef<int64_t> times) {
    for (size_t i = 0; i < latest.size() && i < times.size(); ++i)
      latest[i] = std::max(latest[i], times[i]);
  };
  for (const StepClock &clock : ofRanks)
    include(flat(clock));
  auto texts =
      world.gatherOfProcesses(llvm::formatv("{0}", json::Value(json::Array(latest))).str());
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
  const StepClock step = unflat(latest);
  json::Array gradients, others;
  for (auto [i, start] : llvm::enumerate(manifest.starts)) {
    json::Object entry{{"bytes", start.bytes}, {"ready_ns", step.ready[i]}};
    if (start.isGradient) {
      entry["names"] = start.names;
      entry["update_ns"] = step.updates[i];
      gradients.push_back(std::move(entry));
      continue;
    }
    if (step.needed[i] < step.computeEnds)
      entry["needed_ns"] = step.needed[i];
    others.push_back(std::move(entry));
  }
  json::Object profile{{"ds_profile", 1},
                       {"ranks", world.numRanks()},
                       {"launch_ns", step.launch},
                       {"compute_ns", step.computeEnds},
                       {"others", std::move(others)},
                       {"gradients", std::move(gradients)}};
  return writeSealedJson(path, std::move(profile));
}

} // namespace ds
