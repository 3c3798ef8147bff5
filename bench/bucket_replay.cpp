//===- bucket_replay.cpp - Buckets of a profile on the runtime --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   bucket_replay PROFILE.json LATENCY:RATE [ROUNDS]
//
// The exchanges of a step whose work is not done: where a rank would compute or update it sleeps,
// for as long as the profile (of ds-run --profile) says. Starts, waits and the modelled link are
// those of the runtime, and so is what they expose; but a core that others use does not change how
// long the work takes, so plans can be compared on any machine (as root best: the ranks then go
// before other processes). First each gradient travels alone,
// which tells what a start takes here. Then the planned buckets and those of other systems take
// turns, a few steps each, ROUNDS times (default 5). Prints a line of JSON for each system: its
// buckets, what the planner says that the exchange adds to a step, and the median of what it added.
//
//===----------------------------------------------------------------------===//
#include "ds/Plan/BucketPresets.h"
#include "ds/Plan/Link.h"
#include "ds/Support/ToolMain.h"

#include "dsrt/dsrt.h"
#include "dsrt/events.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <pthread.h>
#include <sys/prctl.h>
#include <thread>

using namespace ds;

namespace {

[[noreturn]] void fail(const llvm::Twine &message) {
  llvm::errs() << "error: " << message << "\n";
  std::exit(1);
}

int64_t now() {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// What is over within microseconds is not worth being woken for.
void sleepUntil(int64_t ns) {
  constexpr int64_t second = 1000000000, spun = 5000;
  while (ns - now() > 0 && ns - now() < spun)
    ;
  if (ns <= now())
    return;
  const timespec at = {static_cast<time_t>(ns / second), static_cast<long>(ns % second)};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, nullptr) == EINTR)
    ;
}

int64_t median(std::vector<int64_t> values) {
  auto middle = values.begin() + static_cast<int64_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// What ds-run --profile wrote.
struct Profile {
  StepTimeline step;
  int32_t ranks = 0;
};

Profile readProfile(const char *path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    fail(llvm::Twine("cannot read '") + path + "': " + buffer.getError().message());
  auto parsed = llvm::json::parse((*buffer)->getBuffer());
  if (!parsed)
    fail(llvm::Twine("'") + path + "': " + llvm::toString(parsed.takeError()));
  const llvm::json::Object *object = parsed->getAsObject();
  const llvm::json::Array *gradients = object ? object->getArray("gradients") : nullptr;
  if (!gradients || gradients->empty() || !object->getInteger("ranks"))
    fail(llvm::Twine("'") + path + "' is no profile of ds-run");
  Profile profile;
  profile.ranks = static_cast<int32_t>(*object->getInteger("ranks"));
  auto ps = [](const llvm::json::Object &entry, const char *name) {
    return entry.getInteger(name).value_or(0) * 1000;
  };
  StepTimeline &step = profile.step;
  step.computeEnds = ps(*object, "compute_ns");
  for (const llvm::json::Value &value : *gradients) {
    const llvm::json::Object &entry = *value.getAsObject();
    int64_t before = step.gradients.empty() ? 0 : step.gradients.back().ready;
    step.gradients.push_back(
        {entry.getInteger("bytes").value_or(0), std::max(before, ps(entry, "ready_ns"))});
    step.updates.push_back(ps(entry, "update_ns"));
  }
  if (const llvm::json::Array *others = object->getArray("others"))
    for (const llvm::json::Value &value : *others) {
      const llvm::json::Object &entry = *value.getAsObject();
      OtherExchange other{entry.getInteger("bytes").value_or(0), ps(entry, "ready_ns")};
      if (entry.get("needed_ns"))
        other.needed = std::max(other.ready, ps(entry, "needed_ns"));
      step.others.push_back(other);
    }
  llvm::stable_sort(step.others, [](const OtherExchange &a, const OtherExchange &b) {
    return a.ready < b.ready;
  });
  step.computeEnds = std::max(step.computeEnds, step.gradients.back().ready);
  return profile;
}

/// One rank's buffers and thread.
class Replay {
public:
  Replay(const StepTimeline &step, dsrt_context *context) : step(step), context(context) {
    for (const ReadyGradient &gradient : step.gradients)
      addBuffer(gradient.bytes);
    for (const OtherExchange &other : step.others)
      addBuffer(other.bytes);
  }

  /// Nanoseconds that a step's exchanges add to it; `launch`: that one of its starts takes.
  int64_t run(const std::vector<size_t> &ends, int64_t &launch) {
    prctl(PR_SET_TIMERSLACK, 1UL);
    if (dsrt_barrier(context, DSRT_WORLD) != DSRT_OK)
      fail(dsrt_last_error(context));
    began = now();
    stood = launched = 0;
    started.clear();
    size_t first = 0, other = 0;
    for (size_t last : ends) {
      const int64_t ready = step.gradients[last - 1].ready;
      while (other < step.others.size() && step.others[other].ready <= ready)
        startOther(other++);
      waitForNeeded(ready);
      start(ready, first, last - first, first, last);
      first = last;
    }
    while (other < step.others.size())
      startOther(other++);
    waitForNeeded(step.computeEnds);
    int64_t clock = step.computeEnds;
    for (Started &exchange : started) {
      if (!exchange.waited)
        wait(exchange, clock);
      for (size_t i = exchange.first; i < exchange.last; ++i)
        clock += step.updates[i];
    }
    sleepTo(clock);
    launch = launched / static_cast<int64_t>(started.size());
    return stood;
  }

private:
  struct Started {
    dsrt_pending *pending;
    int64_t needed;
    size_t first, last; // its gradients
    bool waited = false;
  };

  void addBuffer(int64_t bytes) {
    const int64_t count = std::max<int64_t>(1, bytes / 4);
    memory.emplace_back(count, 1.0f);
    buffers.push_back(memory.back().data());
    elements.push_back(count);
  }

  /// To a time of the step's own clock, in ps.
  void sleepTo(int64_t clock) { sleepUntil(began + clock / 1000 + stood); }

  void startOther(size_t i) {
    waitForNeeded(step.others[i].ready);
    start(step.others[i].ready, step.gradients.size() + i, 1, 0, 0);
    started.back().needed = step.others[i].needed;
  }

  void start(int64_t ready, size_t buffer, size_t count, size_t first, size_t last) {
    sleepTo(ready);
    Started exchange{nullptr, OtherExchange::atEnd, first, last};
    const int64_t begin = now();
    if (dsrt_all_reduce_start(context, static_cast<int64_t>(count), &buffers[buffer],
                              &elements[buffer], DSRT_F32, DSRT_MAX, DSRT_WORLD,
                              &exchange.pending) != DSRT_OK)
      fail(dsrt_last_error(context));
    const int64_t took = now() - begin;
    launched += took;
    stood += took;
    started.push_back(exchange);
  }

  void wait(Started &exchange, int64_t clock) {
    sleepTo(clock);
    const int64_t begin = now();
    if (dsrt_wait(context, exchange.pending) != DSRT_OK)
      fail(dsrt_last_error(context));
    stood += now() - begin;
    exchange.waited = true;
  }

  /// What the step needs before that time of its clock.
  void waitForNeeded(int64_t clock) {
    for (Started &exchange : started)
      if (!exchange.waited && exchange.needed <= clock)
        wait(exchange, exchange.needed);
  }

  const StepTimeline &step;
  dsrt_context *context;
  std::vector<std::vector<float>> memory;
  std::vector<void *> buffers;
  std::vector<int64_t> elements;
  std::vector<Started> started;
  int64_t began = 0, stood = 0, launched = 0; // ns
};

class World {
public:
  World(const Profile &profile, const Link &link) : contexts(profile.ranks) {
    dsrt_options options;
    dsrt_options_init(&options);
    options.link_latency_ns = link.latencyNs;
    options.link_bytes_per_s = link.bytesPerSecond;
    if (dsrt_local_world_create(profile.ranks, &options, contexts.data()) != DSRT_OK)
      fail(dsrt_last_error(nullptr));
    for (dsrt_context *context : contexts)
      ranks.emplace_back(profile.step, context);
  }
  ~World() {
    for (dsrt_context *context : contexts)
      (void)dsrt_shutdown(context);
  }

  /// Adds what each step added on each rank, and what its starts took.
  void run(const std::vector<size_t> &ends, int64_t steps, std::vector<int64_t> &added,
           std::vector<int64_t> &launches) {
    std::vector<std::vector<int64_t>> ofRanks(ranks.size()), launchesOfRanks(ranks.size());
    std::vector<std::thread> threads;
    for (size_t rank = 0; rank < ranks.size(); ++rank)
      threads.emplace_back([&, rank] {
        // Where that is allowed: they sleep most of the time, and others shall not make them late.
        const sched_param first = {1};
        (void)pthread_setschedparam(pthread_self(), SCHED_FIFO, &first);
        for (int64_t i = 0; i < steps; ++i)
          ofRanks[rank].push_back(ranks[rank].run(ends, launchesOfRanks[rank].emplace_back()));
      });
    for (std::thread &thread : threads)
      thread.join();
    for (size_t rank = 0; rank < ranks.size(); ++rank) {
      llvm::append_range(added, ofRanks[rank]);
      llvm::append_range(launches, launchesOfRanks[rank]);
    }
  }

private:
  std::vector<dsrt_context *> contexts;
  std::vector<Replay> ranks;
};

int run(int argc, char **argv) {
  int64_t rounds = 5;
  if (argc < 3 || argc > 4 ||
      (argc > 3 && (llvm::StringRef(argv[3]).getAsInteger(10, rounds) || rounds < 1)))
    fail("usage: bucket_replay PROFILE.json LATENCY:RATE [ROUNDS]");
  constexpr int64_t stepsOfTurn = 3;
  Profile profile = readProfile(argv[1]);
  std::optional<Link> link = Link::parse(argv[2]);
  if (!link)
    fail(llvm::Twine("the link is '") + argv[2] + "', expected " + linkSyntax);
  const ChannelModel channel = link->allReduce(profile.ranks);
  World world(profile, *link);
  StepTimeline &step = profile.step;
  std::vector<int64_t> ignored, launches;
  const std::vector<size_t> each = bucketsOf(BucketPreset::Each, step.gradients, channel, 0);
  world.run(each, 1, ignored, launches);
  launches.clear();
  world.run(each, stepsOfTurn, ignored, launches);
  step.launch = median(launches) * 1000;

  BucketCertificate certificate = certifyBuckets(step, channel, profile.ranks);
  std::vector<std::pair<std::string, BucketSchedule>> systems = {{"planned", certificate.plan}};
  for (auto &[preset, schedule] : certificate.presets)
    systems.emplace_back(toString(preset), schedule);
  std::vector<std::vector<int64_t>> added(systems.size());
  for (int64_t round = 0; round < rounds; ++round)
    for (size_t i = 0; i < systems.size(); ++i)
      world.run(systems[i].second.ends, stepsOfTurn, added[i], launches);
  for (size_t i = 0; i < systems.size(); ++i) {
    auto &[name, schedule] = systems[i];
    llvm::outs() << llvm::formatv(
        "{{\"system\": \"{0}\", \"buckets\": {1}, \"foretold_ms\": {2:f4}, \"exposed_ms\": {3:f4}, "
        "\"bound_ms\": {4:f4}, \"launch_us\": {5:f1}, \"compute_ms\": {6:f3}}\n",
        name, schedule.ends.size(), double(certificate.exposed(schedule.finish)) * 1e-9,
        double(median(added[i])) * 1e-6, double(certificate.exposed(certificate.bound)) * 1e-9,
        double(step.launch) * 1e-6, double(step.computeEnds) * 1e-9);
  }
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  return toolMain("bucket_replay", [&] { return run(argc, argv); });
}
