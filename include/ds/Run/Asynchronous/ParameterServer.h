//===- ParameterServer.h - Shards that ranks update as they come -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each rank owns a shard of the parameters. The ranks of one process share memory, so what the
// owner would do for a push is done by the rank that pushes, under the shard's lock. A rank begins
// step t when all have done t - staleness steps (stale synchronous parallel).
//
// Between meetings ranks do not wait for each other but for that. All of them come to a meeting
// with the same number of steps: there values are saved and evaluated, and nothing is pending.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_ASYNCHRONOUS_PARAMETERSERVER_H
#define DS_RUN_ASYNCHRONOUS_PARAMETERSERVER_H

#include "ds/Run/Asynchronous/Order.h"
#include "ds/Target/CompiledStep.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <optional>

struct dsrt_context;

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
  ParameterServer(std::vector<std::unique_ptr<StepInstance>> shards, const Options &options);

  int64_t numShards() const { return shards.size(); }
  /// The shard itself, where nobody else uses it: before the first step, and at meetings.
  StepInstance &shard(int64_t number) { return *shards[number].memory; }

  using Work = llvm::function_ref<void(StepInstance &)>;
  /// The order in a step: begin, each shard pulled, each shard pushed, end. Errors name what was
  /// waited for. `context` is the rank's: another rank's failure ends the waiting; it may be null.
  llvm::Error begin(int64_t rank, dsrt_context *context);
  llvm::Error pull(int64_t rank, int64_t shard, dsrt_context *context, Work work) {
    return use(Use::pull, rank, shard, context, work);
  }
  llvm::Error push(int64_t rank, int64_t shard, dsrt_context *context, Work work) {
    return use(Use::push, rank, shard, context, work);
  }
  void end(int64_t rank, std::vector<double> metrics);

  /// Asks for a meeting as soon as can be.
  void askToMeet();
  /// Whether ranks that have done so many steps meet, because one has asked.
  bool meetsAt(int64_t steps);
  /// Waits until all ranks have done so many steps.
  llvm::Error awaitAll(int64_t rank, int64_t steps, dsrt_context *context);
  /// Rank 0 has done what it does at a meeting; the others wait for that.
  void endMeeting(int64_t steps);
  llvm::Error awaitEndOfMeeting(int64_t rank, int64_t steps, dsrt_context *context);

  /// The metrics of a step that all ranks have ended, once.
  std::optional<std::vector<std::vector<double>>> takeReports(int64_t step);

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
  llvm::Error use(Use use, int64_t rank, int64_t shard, dsrt_context *context, Work work);
  llvm::Error wait(std::unique_lock<std::mutex> &lock, dsrt_context *context,
                   llvm::function_ref<bool()> holds, llvm::function_ref<std::string()> what);
  int64_t slowest() const;

  const Options options;
  std::deque<Shard> shards;
  std::mutex mutex; // of what follows
  std::condition_variable changed;
  std::vector<int64_t> done;    // steps, by rank
  int64_t begun;                // the most of any rank
  int64_t progress = 0;         // steps and updates, of all
  int64_t metUntil;             // of meetings that have ended
  std::optional<int64_t> asked; // where ranks shall meet
  bool started = false;         // rank 0 has written the values to begin with
  std::map<int64_t, std::vector<std::vector<double>>> reports; // by step and rank
};

} // namespace ds

#endif // DS_RUN_ASYNCHRONOUS_PARAMETERSERVER_H
