//===- StepPlannerTest.cpp - the buckets that delay a step least ----------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans against all contiguous plans of small steps, which a simulation of its own judges: it runs
// the thread action by action.
//
//===----------------------------------------------------------------------===//
#include "ds/Plan/BucketPresets.h"

#include <algorithm>
#include <chrono>
#include <gtest/gtest.h>
#include <random>
#include <tuple>

using namespace ds;

namespace {

using Ends = std::vector<size_t>;

class Instance {
public:
  explicit Instance(unsigned seed) : random(seed) {}

  int64_t below(int64_t limit) { return random() % limit; }

  StepTimeline step(size_t most) {
    StepTimeline made;
    int64_t ready = 0, key = 0;
    bool hasKeys = below(3) == 0, hasUpdates = below(3) > 0;
    made.gradients.resize(1 + below(most));
    for (ReadyGradient &gradient : made.gradients) {
      ready += below(4) == 0 ? 0 : below(60000);
      key += hasKeys && below(4) == 0;
      gradient = {1 + below(40), ready, key};
      if (hasUpdates)
        made.updates.push_back(below(3) ? below(30000) : 0);
    }
    made.computeEnds = ready + below(50000);
    if (below(2))
      made.launch = below(20000);
    if (below(2) == 0)
      for (int64_t at = 0; made.others.size() < 4 && (at += below(60000)) < made.computeEnds;) {
        OtherExchange other = {below(20), at};
        if (below(2)) {
          // Starts between an exchange and its wait hide; the planner does not count that.
          other.needed = made.launch ? at : std::min(at + below(30000), made.computeEnds);
          at = other.needed;
        }
        made.others.push_back(other);
      }
    return made;
  }

  ChannelModel channel() {
    int64_t start = below(50000), rate = below(4000) * 1024;
    if (below(2))
      return ChannelModel::affine(start, rate);
    int64_t knee = 1 + below(60), jump = below(20000);
    std::string why;
    ChannelModel model = ChannelModel::fromPieces(
        {{0, knee, start, rate},
         {knee, CostPiece::unbounded, start + jump, rate + (jump > 5000 ? 1024 : 0)}},
        why);
    EXPECT_FALSE(model.empty()) << why;
    return model;
  }

private:
  std::mt19937 random;
};

/// What the thread does, in its order, one after another.
int64_t runStep(const StepTimeline &step, const ChannelModel &channel, const Ends &ends) {
  struct Exchange {
    int64_t ready, bytes, needed, update;
    Ticks arrives = 0;
  };
  std::vector<Exchange> exchanges;
  size_t first = 0, other = 0;
  auto addOthers = [&](int64_t until) {
    for (; other < step.others.size() && step.others[other].ready <= until; ++other)
      exchanges.push_back(
          {step.others[other].ready, step.others[other].bytes, step.others[other].needed, 0});
  };
  for (size_t last : ends) {
    addOthers(step.gradients[last - 1].ready);
    Exchange bucket = {step.gradients[last - 1].ready, 0, OtherExchange::atEnd, 0};
    for (size_t i = first; i < last; ++i) {
      bucket.bytes += step.gradients[i].bytes;
      bucket.update += step.updates.empty() ? 0 : step.updates[i];
    }
    exchanges.push_back(bucket);
    first = last;
  }
  addOthers(INT64_MAX);
  struct Action {
    int64_t clock;
    size_t exchange;
    bool isWait;
  };
  std::vector<Action> actions;
  for (size_t i = 0; i < exchanges.size(); ++i) {
    actions.push_back({exchanges[i].ready, i, false});
    if (exchanges[i].needed != OtherExchange::atEnd)
      actions.push_back({exchanges[i].needed, i, true});
  }
  std::sort(actions.begin(), actions.end(), [](const Action &a, const Action &b) {
    return std::tie(a.clock, a.exchange, a.isWait) < std::tie(b.clock, b.exchange, b.isWait);
  });
  auto ticks = [](int64_t ps) { return Ticks(ps) * ticksPerPicosecond; };
  Ticks now = 0, clock = 0, free = 0;
  auto wait = [&](const Exchange &exchange) { now = std::max(now, exchange.arrives); };
  for (const Action &action : actions) {
    now += ticks(action.clock) - clock;
    clock = ticks(action.clock);
    Exchange &exchange = exchanges[action.exchange];
    if (action.isWait) {
      wait(exchange);
      continue;
    }
    now += ticks(step.launch);
    free = exchange.arrives = std::max(free, now) + channel.time(exchange.bytes);
  }
  now += ticks(step.computeEnds) - clock;
  Ticks updates = 0;
  for (const Exchange &exchange : exchanges) {
    if (exchange.needed != OtherExchange::atEnd)
      continue;
    wait(exchange);
    now += ticks(exchange.update);
    updates += ticks(exchange.update);
  }
  return static_cast<int64_t>((now - updates + ticksPerPicosecond - 1) / ticksPerPicosecond);
}

template <typename Visit>
void forEachRun(const StepTimeline &step, const PlannerOptions &options, Visit visit) {
  size_t count = step.gradients.size();
  for (unsigned cuts = 0; cuts < 1u << (count - 1); ++cuts) {
    Ends ends;
    int64_t bytes = 0;
    size_t members = 0;
    bool allowed = true;
    for (size_t i = 0; i < count; ++i) {
      allowed &= members == 0 || step.gradients[i].key == step.gradients[i - 1].key;
      bytes += step.gradients[i].bytes;
      ++members;
      if (i + 1 < count && !(cuts >> i & 1))
        continue;
      allowed &= members == 1 || bytes <= options.largestBucket;
      ends.push_back(i + 1);
      bytes = members = 0;
    }
    if (allowed)
      visit(ends);
  }
}

TEST(StepPlanner, SimulatesWhatTheThreadDoes) {
  for (unsigned seed = 0; seed < 3000; ++seed) {
    Instance instance(seed);
    StepTimeline step = instance.step(6);
    ChannelModel channel = instance.channel();
    forEachRun(step, {}, [&](const Ends &ends) {
      ASSERT_EQ(simulateStep(step, channel, ends).finish, runStep(step, channel, ends)) << seed;
    });
  }
}

TEST(StepPlanner, IsAsGoodAsAnyRun) {
  for (unsigned seed = 0; seed < 3000; ++seed) {
    Instance instance(seed);
    StepTimeline step = instance.step(9);
    ChannelModel channel = instance.channel();
    PlannerOptions options;
    if (seed % 3 == 0)
      options.largestBucket = 1 + instance.below(120);
    int64_t best = INT64_MAX;
    bool isAllowed = false;
    BucketSchedule plan = planStep(step, channel, options);
    forEachRun(step, options, [&](const Ends &ends) {
      best = std::min(best, runStep(step, channel, ends));
      isAllowed |= ends == plan.ends;
    });
    ASSERT_EQ(plan.finish, best) << seed;
    ASSERT_EQ(runStep(step, channel, plan.ends), best) << seed;
    ASSERT_TRUE(isAllowed) << seed;
    ASSERT_LE(stepBound(step, channel), best) << seed;
  }
}

/// Without starts, updates and others the step ends when the last bucket arrives.
TEST(StepPlanner, OfGradientsAloneItIsTheFirstArrival) {
  int64_t reached = 0;
  for (unsigned seed = 0; seed < 500; ++seed) {
    Instance instance(seed);
    StepTimeline step = instance.step(30);
    step.launch = 0;
    step.updates.clear();
    step.others.clear();
    ChannelModel channel = instance.channel();
    int64_t arrives = std::max(planFirstArrival(step.gradients, channel).finish, step.computeEnds);
    ASSERT_EQ(planStep(step, channel).finish, arrives) << seed;
    reached += stepBound(step, channel) >= arrives - 1;
  }
  EXPECT_GE(reached, 200);
}

/// A start that costs more than a message saves is not made.
TEST(StepPlanner, DearStartsMakeFewBuckets) {
  StepTimeline step;
  for (int64_t i = 1; i <= 8; ++i)
    step.gradients.push_back({1000000, i * 1000000000, 0});
  step.computeEnds = step.gradients.back().ready;
  ChannelModel channel = ChannelModel::affine(10000000, 300 * 1024);
  EXPECT_EQ(planStep(step, channel).ends.size(), 8u);
  step.launch = 400000000;
  EXPECT_EQ(planStep(step, channel).ends.size(), 2u);
}

/// The arrival of the last bucket alone would call for one bucket.
TEST(StepPlanner, UpdatesHideWhatFollows) {
  StepTimeline step;
  step.gradients = {{1000000, 0, 0}, {1000000, 0, 0}};
  ChannelModel channel = ChannelModel::affine(100000000, 1000 * 1024); // 0.1 ms and 1 ms each
  EXPECT_EQ(planStep(step, channel).ends.size(), 1u);
  step.updates = {2000000000, 0};
  BucketSchedule plan = planStep(step, channel);
  EXPECT_EQ(plan.ends, (Ends{1, 2}));
  EXPECT_EQ(plan.finish, 1100000000);
}

/// What the step waits for in its middle leaves behind the buckets in flight.
TEST(StepPlanner, LargeBucketsHoldUpWhatTheStepNeeds) {
  StepTimeline step;
  step.gradients = {{1000000, 0, 0}, {1000, 9000000000, 0}};
  step.computeEnds = 9000000000;
  step.others = {{1000, 100000000, 100000000}};
  ChannelModel channel = ChannelModel::affine(0, 1000 * 1024); // 1 ms for 1 MB
  BucketSchedule each = simulateStep(step, channel, {1, 2}), one = simulateStep(step, channel, {2});
  EXPECT_EQ(each.finish - step.computeEnds, 901000000 + 1000000);
  EXPECT_EQ(one.finish - step.computeEnds, 1000000 + 1001000000);
  EXPECT_EQ(planStep(step, channel).ends, (Ends{1, 2}));
}

TEST(StepPlanner, ThousandsOfGradientsAndTerabytes) {
  constexpr int64_t hour = int64_t(3600) * 1000000000000;
  StepTimeline large;
  large.gradients = {{int64_t(1) << 40, hour, 0}, {int64_t(1) << 40, 2 * hour, 0}};
  large.updates = {hour, hour};
  large.launch = 1000000;
  large.computeEnds = 2 * hour;
  ChannelModel slow = ChannelModel::affine(1000000000, int64_t(10000) * 1024); // 100 MB/s
  EXPECT_EQ(planStep(large, slow).finish,
            hour + large.launch + 2 * (1000000000 + (int64_t(1) << 40) * 10000) - hour);

  std::mt19937 random(1);
  StepTimeline many;
  for (int64_t i = 0; i < 4000; ++i) {
    many.gradients.push_back({1 + static_cast<int64_t>(random() % 1000000), i * 20000000, 0});
    many.updates.push_back(random() % 10000000);
  }
  many.launch = 10000000;
  many.computeEnds = many.gradients.back().ready;
  auto begin = std::chrono::steady_clock::now();
  BucketCertificate certificate =
      certifyBuckets(many, ChannelModel::affine(50000000, 100 * 1024), 4);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
  EXPECT_LE(certificate.bound, certificate.plan.finish);
  for (const auto &[preset, schedule] : certificate.presets)
    EXPECT_LE(certificate.plan.finish, schedule.finish) << toString(preset);
}

} // namespace
