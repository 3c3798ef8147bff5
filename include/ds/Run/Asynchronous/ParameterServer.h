//===- ParameterServer.h - Shards that ranks update as they come -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each rank owns a shard of the parameters. Ranks that are threads share one server, and each does
// for its push what the owner would, under the shard's lock. Ranks that are processes have a server
// each, which holds the rank's own shard; that of rank 0 also counts the steps of all (FreeRank.h).
// A rank begins step t when all have done t - staleness steps (stale synchronous parallel).
//
// Between meetings ranks do not wait for each other but for that. All of them come to a meeting
// with the same number of steps: there values are saved and evaluated, and nothing is pending.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_ASYNCHRONOUS_PARAMETERSERVER_H
#define DS_RUN_ASYNCHRONOUS_PARAMETERSERVER_H

#include "ds/Run/Asynchronous/Order.h"
#include "ds/Target/CompiledStep.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <optional>

namespace ds {

class ParameterServer final : public SharedMemory {
public:
  struct Options {
    int64_t numRanks = 1, staleness = 0;
    int64_t begin = 0;             // steps done by runs before this one
    int64_t timeoutMs = 0;         // without any progress, while a rank waits
    Order *record = nullptr;       // is filled
    const Order *replay = nullptr; // is followed
  };
  /// Shards of other processes are null.
  ParameterServer(std::vector<std::unique_ptr<StepInstance>> shards, const Options &options);

  int64_t numShards() const { return shards.size(); }
  /// The shard itself, where nobody else uses it: before the first step, and at meetings.
  StepInstance &shard(int64_t number) { return *shards[number].memory; }

  /// While a call waits, it asks every 50 ms whether it shall go on; an error ends the waiting. May
  /// be null, and must not call the server.
  using Look = llvm::function_ref<llvm::Error()>;
  using Work = llvm::function_ref<void(StepInstance &)>;
  /// The values to begin with are there; until then ranks wait. The first step of rank 0 says so.
  void start();
  /// The order in a step: begin, each shard pulled, each shard pushed, end. Errors name what was
  /// waited for. Steps count from 0.
  llvm::Error begin(int64_t rank, Look look);
  llvm::Error pull(int64_t rank, int64_t step, int64_t shard, Look look, Work work) {
    return visit({Use::pull, rank, step}, shard, look, work);
  }
  llvm::Error push(int64_t rank, int64_t step, int64_t shard, Look look, Work work) {
    return visit({Use::push, rank, step}, shard, look, work);
  }
  /// All shards, each when it can be.
  using WorkOnAny = llvm::function_ref<void(int64_t shard, StepInstance &)>;
  llvm::Error pullAll(int64_t rank, int64_t step, Look look, WorkOnAny work) {
    return visitAll({Use::pull, rank, step}, look, work);
  }
  llvm::Error pushAll(int64_t rank, int64_t step, Look look, WorkOnAny work) {
    return visitAll({Use::push, rank, step}, look, work);
  }
  void end(int64_t rank, std::vector<double> metrics);

  /// Asks for a meeting as soon as can be.
  void askToMeet();
  /// Whether ranks that have done so many steps meet, because one has asked.
  bool meetsAt(int64_t steps);
  /// Waits until all ranks have done so many steps.
  llvm::Error awaitAll(int64_t rank, int64_t steps, Look look);
  /// Rank 0 has done what it does at a meeting; the others wait for that.
  void endMeeting(int64_t steps);
  llvm::Error awaitEndOfMeeting(int64_t steps, Look look);

  /// The metrics of a step that all ranks have ended, once.
  std::optional<std::vector<std::vector<double>>> takeReports(int64_t step);

  /// For a watchdog, from any thread: whether the rank of this process waits for others, or is
  /// served, and how often it has been.
  struct Activity {
    std::atomic<bool> isServed{false};
    std::atomic<uint64_t> calls{0};
  };
  Activity &activity(int64_t rank) { return activities[rank]; }

  /// Another process ended, or this one cannot go on: every wait, now and later, ends with `why`.
  /// The first one stays.
  void fail(const std::string &why);
  llvm::Error failure();

  /// Whether the order is recorded, and of steps that all have done that of one shard, by step and
  /// rank: the process that owns it knows it.
  bool records() const { return options.record; }
  std::vector<Order::Turn> orderOf(int64_t shard, int64_t fromStep, int64_t toStep);
  void setOrder(int64_t shard, int64_t fromStep, llvm::ArrayRef<Order::Turn> turns);
  /// The order until now, of steps that all have done.
  llvm::Error writeOrder(const std::string &path, int64_t steps);

private:
  struct Shard {
    std::unique_ptr<StepInstance> memory;
    std::mutex mutex;             // of the memory
    int64_t updates = 0;          // changes under both locks
    int64_t pulls = 0;            // since the last update
    std::vector<int64_t> pullsAt; // of a replay: by number of updates
  };
  enum class Use { pull, push };
  struct Visit {
    Use use;
    int64_t rank, step;
  };
  llvm::Error visit(const Visit &visit, int64_t shard, Look look, Work work);
  llvm::Error visitAll(const Visit &visit, Look look, WorkOnAny work);
  /// Of a replay: how many updates the shard has then.
  int64_t turnOf(const Visit &visit, int64_t shard) const;
  bool isDue(const Visit &visit, int64_t shard) const;
  std::string describeWait(const Visit &visit, int64_t shard) const;
  llvm::Error wait(std::unique_lock<std::mutex> &lock, Look look, llvm::function_ref<bool()> holds,
                   llvm::function_ref<std::string()> what);
  /// A look of who waits; an error ends the waiting.
  llvm::Error pause(std::unique_lock<std::mutex> &lock, Look look);
  int64_t slowest() const;

  const Options options;
  std::deque<Shard> shards;
  std::vector<Activity> activities; // by rank
  std::mutex mutex;                 // of what follows
  std::condition_variable changed;
  std::vector<int64_t> done;    // steps, by rank
  int64_t begun;                // the most of any rank
  int64_t progress = 0;         // steps and updates, of all
  int64_t metUntil;             // of meetings that have ended
  std::optional<int64_t> asked; // where ranks shall meet
  bool started = false;         // the values to begin with are written
  std::string failed;           // why, or empty
  std::map<int64_t, std::vector<std::vector<double>>> reports; // by step and rank
};

} // namespace ds

#endif // DS_RUN_ASYNCHRONOUS_PARAMETERSERVER_H
