//===- ParameterServer.cpp - Shards that ranks update as they come --------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Asynchronous/ParameterServer.h"

#include "dsrt/dsrt.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <chrono>

namespace ds {

using llvm::Error;

/// How often who waits looks whether another rank has failed.
static constexpr std::chrono::milliseconds lookEvery(50);

ParameterServer::ParameterServer(std::vector<std::unique_ptr<StepInstance>> memories,
                                 const Options &options)
    : options(options), done(options.numRanks, options.begin), begun(options.begin),
      metUntil(options.begin) {
  for (auto [number, memory] : llvm::enumerate(memories)) {
    Shard &shard = shards.emplace_back();
    shard.memory = std::move(memory);
    shard.updates = options.begin * options.numRanks;
    if (!options.replay)
      continue;
    shard.pullsAt.resize(options.replay->steps() * options.numRanks + 1);
    for (int64_t step = options.begin; step < options.replay->steps(); ++step)
      for (int64_t rank = 0; rank < options.numRanks; ++rank)
        ++shard.pullsAt[options.replay->at(step, rank, number).pulled];
  }
}

int64_t ParameterServer::slowest() const {
  return std::min_element(done.begin(), done.end()) - done.begin();
}

/// As long as anybody gets on, it is no time to give up.
Error ParameterServer::wait(std::unique_lock<std::mutex> &lock, dsrt_context *context,
                            llvm::function_ref<bool()> holds,
                            llvm::function_ref<std::string()> what) {
  using Clock = std::chrono::steady_clock;
  Clock::time_point since = Clock::now();
  for (int64_t seen = progress; !holds();) {
    changed.wait_for(lock, lookEvery);
    if (context && dsrt_failed(context))
      return llvm::createStringError(dsrt_last_error(context));
    if (progress != seen) {
      seen = progress;
      since = Clock::now();
    } else if (Clock::now() - since > std::chrono::milliseconds(options.timeoutMs)) {
      return llvm::createStringError(
          llvm::formatv("update=asynchronous: timed out after {0} ms: {1}", options.timeoutMs,
                        what())
              .str());
    }
  }
  return Error::success();
}

Error ParameterServer::begin(int64_t rank, dsrt_context *context) {
  std::unique_lock<std::mutex> lock(mutex);
  started |= rank == 0;
  if (rank == 0)
    changed.notify_all();
  int64_t step = done[rank];
  Error error = wait(
      lock, context, [&] { return started && step - done[slowest()] <= options.staleness; },
      [&] {
        return llvm::formatv("rank {0} cannot begin step {1} before rank {2} has done step {3}",
                             rank, step + 1, slowest(), step - options.staleness)
            .str();
      });
  if (!error)
    begun = std::max(begun, step + 1);
  return error;
}

Error ParameterServer::use(Use use, int64_t rank, int64_t number, dsrt_context *context,
                           Work work) {
  const bool isPull = use == Use::pull;
  int64_t Order::Turn::*const seen = isPull ? &Order::Turn::pulled : &Order::Turn::pushed;
  Shard &shard = shards[number];
  int64_t step;
  {
    std::unique_lock<std::mutex> lock(mutex);
    step = done[rank];
    if (options.replay) {
      const int64_t turn = options.replay->at(step, rank, number).*seen;
      if (Error error = wait(
              lock, context,
              [&] {
                return shard.updates == turn && (isPull || shard.pulls == shard.pullsAt[turn]);
              },
              [&] {
                return llvm::formatv(
                           "rank {0} {1} shard {2} in step {3} behind update {4}, which has {5}",
                           rank, isPull ? "pulls" : "updates", number, step + 1, turn,
                           shard.updates)
                    .str();
              }))
        return error;
    }
  }
  std::lock_guard<std::mutex> exclusive(shard.mutex);
  work(*shard.memory);
  std::lock_guard<std::mutex> lock(mutex);
  if (options.record)
    options.record->change(step, rank, number).*seen = shard.updates;
  if (isPull) {
    ++shard.pulls;
  } else {
    ++shard.updates;
    shard.pulls = 0;
    ++progress;
  }
  if (options.replay)
    changed.notify_all();
  return Error::success();
}

void ParameterServer::end(int64_t rank, std::vector<double> metrics) {
  std::lock_guard<std::mutex> lock(mutex);
  std::vector<std::vector<double>> &ofStep = reports[done[rank]];
  ofStep.resize(options.numRanks);
  ofStep[rank] = std::move(metrics);
  ++done[rank];
  ++progress;
  changed.notify_all();
}

void ParameterServer::askToMeet() {
  std::lock_guard<std::mutex> lock(mutex);
  if (asked)
    return;
  // The most advanced rank asks again behind the step that it is in, or begins next.
  asked = begun + 1;
  while (options.replay && *asked < options.replay->steps() && !options.replay->meetsAt(*asked))
    ++*asked;
}

bool ParameterServer::meetsAt(int64_t steps) {
  std::lock_guard<std::mutex> lock(mutex);
  return asked == steps;
}

Error ParameterServer::awaitAll(int64_t rank, int64_t steps, dsrt_context *context) {
  std::unique_lock<std::mutex> lock(mutex);
  return wait(
      lock, context, [&] { return done[slowest()] >= steps; },
      [&] {
        return llvm::formatv("rank {0} waits behind step {1} for rank {2}, which has done step {3}",
                             rank, steps, slowest(), done[slowest()])
            .str();
      });
}

void ParameterServer::endMeeting(int64_t steps) {
  std::lock_guard<std::mutex> lock(mutex);
  metUntil = steps;
  if (asked && *asked <= steps) // they go on
    asked.reset();
  ++progress;
  changed.notify_all();
}

/// Rank 0 may evaluate for long: it has no time limit, but its failure ends the waiting.
Error ParameterServer::awaitEndOfMeeting(int64_t rank, int64_t steps, dsrt_context *context) {
  std::unique_lock<std::mutex> lock(mutex);
  while (metUntil < steps) {
    changed.wait_for(lock, lookEvery);
    if (context && dsrt_failed(context))
      return llvm::createStringError(dsrt_last_error(context));
  }
  return Error::success();
}

std::optional<std::vector<std::vector<double>>> ParameterServer::takeReports(int64_t step) {
  std::lock_guard<std::mutex> lock(mutex);
  if (done[slowest()] <= step)
    return std::nullopt;
  auto found = reports.find(step);
  if (found == reports.end())
    return std::nullopt;
  std::vector<std::vector<double>> all = std::move(found->second);
  reports.erase(found);
  return all;
}

Error ParameterServer::writeOrder(const std::string &path, int64_t steps) {
  Order order(0, 0);
  {
    std::lock_guard<std::mutex> lock(mutex);
    order = *options.record;
  }
  return order.write(path, steps);
}

} // namespace ds
