//===- ParameterServer.h - Shards that ranks update as they come -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each rank owns a shard of the parameters. Ranks that are threads share one server, and each does
// the owner's work for its push itself, under the shard's lock. Ranks that are processes have a
// server each, which holds the rank's own shard; that of rank 0 also counts the steps of all ranks
// (FreeRank.h).
// A rank begins step t when all ranks have done t - staleness steps (stale synchronous parallel);
// between meetings, ranks do not wait for each other otherwise. All ranks come to a meeting with
// the same number of steps: values are saved and evaluated there, and no update is pending.
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
    int64_t timeoutMs = 0;         // without progress of any rank, while a rank waits
    Order *record = nullptr;       // is filled if not null
    const Order *replay = nullptr; // is followed if not null
  };
  /// Shards of other processes are null.
  ParameterServer(std::vector<std::unique_ptr<StepInstance>> shards, const Options &options);

  int64_t numShards() const { return shards.size(); }
  /// Returns the shard itself, for times when no other rank uses it: before the first step, and at
  /// meetings.
  StepInstance &shard(int64_t number) { return *shards[number].memory; }

  /// A waiting call calls it every 50 ms; an error ends the wait. May be null, and must not call
  /// the server.
  using Look = llvm::function_ref<llvm::Error()>;
  using Work = llvm::function_ref<void(StepInstance &)>;
  /// Reports that the initial values are written; ranks wait until then. begin() of rank 0 calls
  /// it, too.
  void start();
  /// A step calls begin, then pulls each shard, pushes each shard, and calls end. An error names
  /// the event that was waited for. Steps count from 0.
  llvm::Error begin(int64_t rank, Look look);
  llvm::Error pull(int64_t rank, int64_t step, int64_t shard, Look look, Work work) {
    return visit({Use::pull, rank, step}, shard, look, work);
  }
  llvm::Error push(int64_t rank, int64_t step, int64_t shard, Look look, Work work) {
    return visit({Use::push, rank, step}, shard, look, work);
  }
  /// Visit all shards in this rank's turn or, in a replay, each when it is due.
  using WorkOnAny = llvm::function_ref<void(int64_t shard, StepInstance &)>;
  llvm::Error pullAll(int64_t rank, int64_t step, Look look, WorkOnAny work) {
    return visitAll({Use::pull, rank, step}, look, work);
  }
  llvm::Error pushAll(int64_t rank, int64_t step, Look look, WorkOnAny work) {
    return visitAll({Use::push, rank, step}, look, work);
  }
  void end(int64_t rank, std::vector<double> metrics);

  /// Asks for a meeting as soon as possible.
  void askToMeet();
  /// True if ranks meet after this number of steps because a rank has asked.
  bool meetsAt(int64_t steps);
  /// Waits until all ranks have done this number of steps.
  llvm::Error awaitAll(int64_t rank, int64_t steps, Look look);
  /// Ends the meeting on rank 0, which releases the ranks in awaitEndOfMeeting().
  void endMeeting(int64_t steps);
  llvm::Error awaitEndOfMeeting(int64_t steps, Look look);

  /// Returns, once, the metrics of a step that all ranks have ended.
  std::optional<std::vector<std::vector<double>>> takeReports(int64_t step);

  /// For a watchdog, readable from any thread: whether the rank of this process waits for others or
  /// is served by them, and how often it has been.
  struct Activity {
    std::atomic<bool> isServed{false};
    std::atomic<uint64_t> calls{0};
  };
  Activity &activity(int64_t rank) { return activities[rank]; }

  /// Ends every wait, present and future, with `why`: another process ended, or this one cannot
  /// continue. The first reason stays.
  void fail(const std::string &why);
  llvm::Error failure();

  /// True if the order is recorded; and the order of one shard, by step and rank, of steps that all
  /// ranks have done. Only the process that owns the shard knows it, and shares it by these calls.
  bool records() const { return options.record; }
  std::vector<Order::Turn> orderOf(int64_t shard, int64_t fromStep, int64_t toStep);
  void setOrder(int64_t shard, int64_t fromStep, llvm::ArrayRef<Order::Turn> turns);
  /// Writes the order so far, of steps that all ranks have done.
  llvm::Error writeOrder(const std::string &path, int64_t steps);

private:
  struct Shard {
    std::unique_ptr<StepInstance> memory;
    std::mutex mutex;             // guards the memory
    int64_t updates = 0;          // changes under both locks
    int64_t pulls = 0;            // since the last update
    std::vector<int64_t> pullsAt; // in a replay, by number of updates
  };
  enum class Use { pull, push };
  struct Visit {
    Use use;
    int64_t rank, step;
  };
  llvm::Error visit(const Visit &visit, int64_t shard, Look look, Work work);
  llvm::Error visitAll(const Visit &visit, Look look, WorkOnAny work);
  /// Returns the number of updates that the replayed order gives the shard before the visit.
  int64_t turnOf(const Visit &visit, int64_t shard) const;
  bool isDue(const Visit &visit, int64_t shard) const;
  std::string describeWait(const Visit &visit, int64_t shard) const;
  llvm::Error wait(std::unique_lock<std::mutex> &lock, Look look, llvm::function_ref<bool()> holds,
                   llvm::function_ref<std::string()> what);
  /// Pauses a waiting call and calls `look`; an error ends the wait.
  llvm::Error pause(std::unique_lock<std::mutex> &lock, Look look);
  int64_t slowest() const;

  const Options options;
  std::deque<Shard> shards;
  std::vector<Activity> activities; // by rank
  std::mutex mutex;                 // guards the members below
  std::condition_variable changed;
  std::vector<int64_t> done;    // steps, by rank
  int64_t begun;                // by the most advanced rank
  int64_t progress = 0;         // steps and updates of all ranks
  int64_t metUntil;             // steps at the last meeting that has ended
  std::optional<int64_t> asked; // number of steps at which ranks shall meet
  bool started = false;         // the values to begin with are written
  std::string failed;           // the reason, or empty
  std::map<int64_t, std::vector<std::vector<double>>> reports; // by step and rank
};

} // namespace ds

#endif // DS_RUN_ASYNCHRONOUS_PARAMETERSERVER_H
