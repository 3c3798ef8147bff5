//===- ParameterServer.cpp - Shards that ranks update as they come --------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Asynchronous/ParameterServer.h"

#include "Stream.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <chrono>

namespace ds {

using llvm::Error;

/// How often a waiting rank checks whether another rank has failed.
static constexpr std::chrono::milliseconds lookEvery(50);

ParameterServer::ParameterServer(std::vector<std::unique_ptr<StepInstance>> memories,
                                 const Options &options)
    : options(options), activities(options.numRanks), done(options.numRanks, options.begin),
      begun(options.begin), metUntil(options.begin) {
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

Error ParameterServer::pause(std::unique_lock<std::mutex> &lock, Look look) {
  changed.wait_for(lock, lookEvery);
  if (!failed.empty())
    return llvm::createStringError(failed);
  return look ? look() : Error::success();
}

/// Waits until `holds`. Progress of any rank restarts the time limit.
Error ParameterServer::wait(std::unique_lock<std::mutex> &lock, Look look,
                            llvm::function_ref<bool()> holds,
                            llvm::function_ref<std::string()> what) {
  Patience patience(options.timeoutMs);
  for (int64_t seen = progress; !holds();) {
    if (Error error = pause(lock, look))
      return error;
    if (std::exchange(seen, progress) != progress)
      patience.restart();
    else if (patience.isOver() && !holds())
      return llvm::createStringError(
          llvm::formatv("update=asynchronous: timed out after {0} ms: {1}", options.timeoutMs,
                        what())
              .str());
  }
  return Error::success();
}

void ParameterServer::start() {
  std::lock_guard<std::mutex> lock(mutex);
  started = true;
  changed.notify_all();
}

Error ParameterServer::begin(int64_t rank, Look look) {
  if (rank == 0)
    start();
  std::unique_lock<std::mutex> lock(mutex);
  int64_t step = done[rank];
  Error error = wait(
      lock, look, [&] { return started && step - done[slowest()] <= options.staleness; },
      [&] {
        return llvm::formatv("rank {0} cannot begin step {1} before rank {2} has done step {3}",
                             rank, step + 1, slowest(), step - options.staleness)
            .str();
      });
  if (!error)
    begun = std::max(begun, step + 1);
  return error;
}

/// Returns the rank that makes an update in the replayed order.
static int64_t rankOfUpdate(const Order &order, int64_t numRanks, int64_t shard, int64_t update) {
  for (int64_t step = 0; step < order.steps(); ++step)
    for (int64_t rank = 0; rank < numRanks; ++rank)
      if (order.at(step, rank, shard).pushed == update)
        return rank;
  return -1;
}

int64_t ParameterServer::turnOf(const Visit &visit, int64_t shard) const {
  if (!options.replay)
    return 0;
  Order::Turn turn = options.replay->at(visit.step, visit.rank, shard);
  return visit.use == Use::pull ? turn.pulled : turn.pushed;
}

/// True if the visit may happen now. Stays true until the visit.
bool ParameterServer::isDue(const Visit &visit, int64_t number) const {
  if (!started || !options.replay)
    return started;
  const Shard &shard = shards[number];
  const int64_t turn = turnOf(visit, number);
  return shard.updates == turn && (visit.use == Use::pull || shard.pulls == shard.pullsAt[turn]);
}

std::string ParameterServer::describeWait(const Visit &visit, int64_t number) const {
  const Shard &shard = shards[number];
  const int64_t turn = turnOf(visit, number);
  std::string what =
      llvm::formatv("rank {0} {1} shard {2} in step {3}", visit.rank,
                    visit.use == Use::pull ? "pulls" : "updates", number, visit.step + 1);
  if (!started)
    return what + ", whose owner has not begun";
  if (shard.updates == turn)
    return llvm::formatv("{0} after {1} pulls of update {2}, which has {3}", what,
                         shard.pullsAt[turn], turn, shard.pulls);
  return llvm::formatv("{0} after update {1}, which has {2}: the next one is rank {3}'s", what,
                       turn, shard.updates,
                       rankOfUpdate(*options.replay, options.numRanks, number, shard.updates));
}

Error ParameterServer::visit(const Visit &visit, int64_t number, Look look, Work work) {
  const bool isPull = visit.use == Use::pull;
  Shard &shard = shards[number];
  {
    std::unique_lock<std::mutex> lock(mutex);
    if (Error error = wait(
            lock, look, [&] { return isDue(visit, number); },
            [&] { return describeWait(visit, number); }))
      return error;
  }
  std::lock_guard<std::mutex> exclusive(shard.mutex);
  work(*shard.memory);
  std::lock_guard<std::mutex> lock(mutex);
  if (options.record) {
    Order::Turn &turn = options.record->change(visit.step, visit.rank, number);
    (isPull ? turn.pulled : turn.pushed) = shard.updates;
  }
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

/// Begins with a different shard on each rank, so that ranks do not all wait for the first. A
/// replay visits any shard that is due, because the recording ranks may have asked for all shards
/// at once.
Error ParameterServer::visitAll(const Visit &all, Look look, WorkOnAny work) {
  std::vector<int64_t> left;
  for (int64_t i = 0; i < numShards(); ++i)
    left.push_back((all.rank + i) % numShards());
  while (!left.empty()) {
    auto next = left.begin();
    if (options.replay) {
      std::unique_lock<std::mutex> lock(mutex);
      auto anyIsDue = [&] {
        next = llvm::find_if(left, [&](int64_t shard) { return isDue(all, shard); });
        return next != left.end();
      };
      if (Error error = wait(lock, look, anyIsDue, [&] { return describeWait(all, left.front()); }))
        return error;
    }
    if (Error error = visit(all, *next, look, [&](StepInstance &shard) { work(*next, shard); }))
      return error;
    left.erase(next);
  }
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
  // The most advanced rank checks for a meeting after the step that it is in or begins next.
  asked = begun + 1;
  while (options.replay && *asked < options.replay->steps() && !options.replay->meetsAt(*asked))
    ++*asked;
}

bool ParameterServer::meetsAt(int64_t steps) {
  std::lock_guard<std::mutex> lock(mutex);
  return asked == steps;
}

Error ParameterServer::awaitAll(int64_t rank, int64_t steps, Look look) {
  std::unique_lock<std::mutex> lock(mutex);
  return wait(
      lock, look, [&] { return done[slowest()] >= steps; },
      [&] {
        return llvm::formatv("rank {0} waits after step {1} for rank {2}, which has done step {3}",
                             rank, steps, slowest(), done[slowest()])
            .str();
      });
}

void ParameterServer::endMeeting(int64_t steps) {
  std::lock_guard<std::mutex> lock(mutex);
  metUntil = steps;
  if (asked && *asked <= steps) // the meeting was the one asked for
    asked.reset();
  ++progress;
  changed.notify_all();
}

/// Has no time limit, because rank 0 may evaluate for long; its failure ends the wait.
Error ParameterServer::awaitEndOfMeeting(int64_t steps, Look look) {
  std::unique_lock<std::mutex> lock(mutex);
  while (metUntil < steps)
    if (Error error = pause(lock, look))
      return error;
  return Error::success();
}

void ParameterServer::fail(const std::string &why) {
  std::lock_guard<std::mutex> lock(mutex);
  if (failed.empty())
    failed = why;
  changed.notify_all();
}

Error ParameterServer::failure() {
  std::lock_guard<std::mutex> lock(mutex);
  return failed.empty() ? Error::success() : llvm::createStringError(failed);
}

std::vector<Order::Turn> ParameterServer::orderOf(int64_t shard, int64_t fromStep, int64_t toStep) {
  std::lock_guard<std::mutex> lock(mutex);
  std::vector<Order::Turn> turns;
  for (int64_t step = fromStep; step < toStep; ++step)
    for (int64_t rank = 0; rank < options.numRanks; ++rank)
      turns.push_back(options.record->change(step, rank, shard));
  return turns;
}

void ParameterServer::setOrder(int64_t shard, int64_t fromStep, llvm::ArrayRef<Order::Turn> turns) {
  std::lock_guard<std::mutex> lock(mutex);
  for (auto [i, turn] : llvm::enumerate(turns))
    options.record->change(fromStep + i / options.numRanks, i % options.numRanks, shard) = turn;
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
