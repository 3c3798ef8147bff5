//===- StepPlanner.cpp - the buckets that delay a step least --------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Three times describe the state after the first gradients were sent: when the channel is free, how
// far the computing thread lags behind its own clock, and how late the waits at the end of the step
// will make it. The bucket of gradients i + 1 .. j leads from a state of i to one of j; for each j
// only the states that no other one dominates in all three are kept. A state that cannot improve on
// the plan known from the start is dropped, which leaves few.
//===----------------------------------------------------------------------===//
#include "ds/Plan/StepPlanner.h"

#include <algorithm>
#include <tuple>

namespace ds {
namespace {

Ticks toTicks(int64_t picoseconds) { return Ticks(picoseconds) * ticksPerPicosecond; }

struct State {
  Ticks channelFree = 0;
  Ticks threadLate = 0; // starts and waits of the step so far
  Ticks endLate = 0;    // the sum of the waits at the end, including all of `threadLate`
  size_t buckets = 0, from = 0, fromState = 0;

  auto order() const {
    return std::tie(channelFree, threadLate, endLate, buckets, from, fromState);
  }
  bool isAsGoodAs(const State &other) const {
    return channelFree <= other.channelFree && threadLate <= other.threadLate &&
           endLate <= other.endLate;
  }
};

/// Transitions between the states of a step.
class Rules {
public:
  Rules(const StepTimeline &step, const ChannelModel &channel)
      : step(step), channel(channel), end(toTicks(step.computeEnds)), launch(toTicks(step.launch)) {
    size_t other = 0;
    for (size_t i = 0; i < step.gradients.size(); ++i) {
      const ReadyGradient &gradient = step.gradients[i];
      prefix.push_back(prefix.back() + gradient.bytes);
      updated.push_back(updated.back() + toTicks(step.updates.empty() ? 0 : step.updates[i]));
      while (other < step.others.size() && step.others[other].ready <= gradient.ready)
        ++other;
      othersBefore.push_back(other);
    }
  }

  size_t count() const { return step.gradients.size(); }

  /// Starts the other exchanges that precede the bucket, and the bucket of gradients first + 1 ..
  /// last.
  State send(State state, size_t first, size_t last) const {
    startOthers(state, othersBefore[first], othersBefore[last], first);
    start(state, step.gradients[last - 1].ready, prefix[last] - prefix[first]);
    waitAtEnd(state, first);
    ++state.buckets;
    return state;
  }

  /// Returns the delay at the end of the step.
  Ticks finish(State state) const {
    startOthers(state, othersBefore.back(), step.others.size(), count());
    return std::max(state.endLate, state.threadLate);
  }

  /// A lower bound of the delay of every continuation of the state.
  Ticks leastFinish(const State &state, size_t last, int64_t leastRate) const {
    Ticks late = std::max(state.endLate, state.threadLate);
    if (last == count())
      return late;
    Ticks free = state.channelFree + Ticks(prefix.back() - prefix[last]) * leastRate;
    return std::max(late, free - end - updated[count() - 1]);
  }

  /// The same without any bucket, for bounds: the delay of the thread by other exchanges up to
  /// then.
  std::vector<Ticks> lateByOthers() const {
    std::vector<Ticks> late;
    State state;
    for (size_t i = 0; i < count(); ++i) {
      startOthers(state, othersBefore[i], othersBefore[i + 1], i); // after as many buckets at most
      late.push_back(state.threadLate);
    }
    late.push_back(finish(state));
    return late;
  }

  int64_t bytes(size_t first, size_t last) const { return prefix[last] - prefix[first]; }
  Ticks updatesBefore(size_t gradient) const { return updated[gradient]; }
  int64_t toFinish(Ticks late) const {
    return step.computeEnds +
           static_cast<int64_t>((late + ticksPerPicosecond - 1) / ticksPerPicosecond);
  }

private:
  void start(State &state, int64_t ready, int64_t bytes) const {
    state.threadLate += launch;
    state.channelFree =
        std::max(state.channelFree, toTicks(ready) + state.threadLate) + channel.time(bytes);
  }
  /// Waits are in the order of starts, so after the updates of the first `gradients`.
  void waitAtEnd(State &state, size_t gradients) const {
    state.endLate =
        std::max({state.endLate, state.threadLate, state.channelFree - end - updated[gradients]});
  }
  /// A bucket that starts before the step waits for one of them leaves after it anyway, so the
  /// thread may count as late from the start (except for starts in between, which are then hidden).
  void startOthers(State &state, size_t first, size_t last, size_t gradients) const {
    for (size_t i = first; i < last; ++i) {
      const OtherExchange &other = step.others[i];
      start(state, other.ready, other.bytes);
      if (other.needed == OtherExchange::atEnd)
        waitAtEnd(state, gradients);
      else
        state.threadLate = std::max(state.threadLate, state.channelFree - toTicks(other.needed));
    }
  }

  const StepTimeline &step;
  const ChannelModel &channel;
  Ticks end, launch;
  std::vector<int64_t> prefix{0};
  std::vector<Ticks> updated{0};
  std::vector<size_t> othersBefore{0};
};

Ticks lateness(const Rules &rules, const std::vector<size_t> &ends) {
  State state;
  size_t first = 0;
  for (size_t last : ends) {
    state = rules.send(state, first, last);
    first = last;
  }
  return rules.finish(state);
}

/// States by the number of gradients sent; none if there would be too many.
class Search {
public:
  Search(const StepTimeline &step, const ChannelModel &channel, const PlannerOptions &options,
         const Rules &rules, Ticks known)
      : step(step), options(options), rules(rules), known(known) {
    int64_t least = INT64_MAX;
    for (const ReadyGradient &gradient : step.gradients)
      least = std::min(least, gradient.bytes);
    leastRate = channel.leastRate(least, rules.bytes(0, rules.count()));
  }

  bool run() {
    kept.assign(1, {State()});
    for (size_t last = 1; last <= rules.count(); ++last) {
      std::vector<State> states;
      for (size_t first = last; first-- > 0;) {
        if (first + 1 < last && !mayShare(first, last))
          break; // longer ones are not allowed either
        for (size_t i = 0; i < kept[first].size(); ++i) {
          State state = rules.send(kept[first][i], first, last);
          state.from = first;
          state.fromState = i;
          if (rules.leastFinish(state, last, leastRate) <= known)
            states.push_back(state);
        }
      }
      if (!keepBest(std::move(states)))
        return false;
    }
    return true;
  }

  std::vector<size_t> bestEnds() const {
    const State *best = nullptr;
    for (const State &state : kept.back())
      if (!best || isBefore(state, *best))
        best = &state;
    std::vector<size_t> ends;
    for (size_t at = rules.count(); at > 0;) {
      ends.push_back(at);
      at = best->from;
      best = &kept[at][best->fromState];
    }
    std::reverse(ends.begin(), ends.end());
    return ends;
  }

private:
  bool isBefore(const State &a, const State &b) const {
    Ticks lateA = rules.finish(a), lateB = rules.finish(b);
    return lateA != lateB ? lateA < lateB : a.buckets < b.buckets;
  }

  bool mayShare(size_t first, size_t last) const {
    return step.gradients[first].key == step.gradients[first + 1].key &&
           rules.bytes(first, last) <= options.largestBucket;
  }

  bool keepBest(std::vector<State> states) {
    std::sort(states.begin(), states.end(),
              [](const State &a, const State &b) { return a.order() < b.order(); });
    std::vector<State> best;
    for (const State &state : states) {
      work += static_cast<int64_t>(best.size()) + 1;
      if (work > mostWork)
        return false;
      if (std::none_of(best.begin(), best.end(),
                       [&](const State &other) { return other.isAsGoodAs(state); }))
        best.push_back(state);
    }
    kept.push_back(std::move(best));
    return true;
  }

  static constexpr int64_t mostWork = 30000000; // comparisons, a fraction of a second
  const StepTimeline &step;
  const PlannerOptions &options;
  const Rules &rules;
  Ticks known; // the delay of a plan already found
  int64_t leastRate = 0, work = 0;
  std::vector<std::vector<State>> kept;
};

/// Returns the ends of buckets of one gradient each, or of as many as allowed.
std::vector<size_t> simpleEnds(const StepTimeline &step, const PlannerOptions &options,
                               bool together) {
  std::vector<size_t> ends;
  int64_t bytes = 0;
  for (size_t i = 0; i < step.gradients.size(); ++i) {
    const ReadyGradient &gradient = step.gradients[i];
    if (i > 0 && (!together || gradient.key != step.gradients[i - 1].key ||
                  bytes + gradient.bytes > options.largestBucket)) {
      ends.push_back(i);
      bytes = 0;
    }
    bytes += gradient.bytes;
  }
  if (!step.gradients.empty())
    ends.push_back(step.gradients.size());
  return ends;
}

} // namespace

BucketSchedule simulateStep(const StepTimeline &step, const ChannelModel &channel,
                            std::vector<size_t> ends) {
  Rules rules(step, channel);
  int64_t finish = rules.toFinish(lateness(rules, ends));
  return {std::move(ends), finish};
}

BucketSchedule planStep(const StepTimeline &step, const ChannelModel &channel,
                        const PlannerOptions &options) {
  Rules rules(step, channel);
  if (step.gradients.empty())
    return simulateStep(step, channel, {});
  BucketSchedule best;
  Ticks known = -1;
  auto consider = [&](std::vector<size_t> ends) {
    if (Ticks late = lateness(rules, ends);
        known < 0 || late < known || (late == known && ends.size() < best.ends.size())) {
      known = late;
      best.ends = std::move(ends);
    }
  };
  consider(planFirstArrival(step.gradients, channel, options).ends);
  consider(simpleEnds(step, options, /*together=*/true));
  consider(simpleEnds(step, options, /*together=*/false));
  if (Search search(step, channel, options, rules, known); search.run())
    consider(search.bestEnds());
  best.finish = rules.toFinish(known);
  return best;
}

/// Other exchanges are no later without buckets, and a bucket with gradient j overlaps at most the
/// updates of the gradients before j.
int64_t stepBound(const StepTimeline &step, const ChannelModel &channel) {
  Rules rules(step, channel);
  std::vector<Ticks> late = rules.lateByOthers();
  Ticks bound = late.back();
  StepTimeline later = step;
  for (size_t i = 0; i < later.gradients.size(); ++i)
    later.gradients[i].ready += step.launch + static_cast<int64_t>(late[i] / ticksPerPicosecond);
  if (!later.gradients.empty())
    bound = std::max(bound, toTicks(step.launch));
  std::vector<int64_t> arrivals = arrivalBounds(later.gradients, channel);
  for (size_t i = 0; i < arrivals.size(); ++i)
    bound = std::max(bound, toTicks(arrivals[i] - step.computeEnds) - rules.updatesBefore(i));
  return step.computeEnds + static_cast<int64_t>(bound / ticksPerPicosecond);
}

} // namespace ds
