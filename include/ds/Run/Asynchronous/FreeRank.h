//===- FreeRank.h - What a rank that runs free asks of others ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same calls for ranks that are threads, which share one ParameterServer, and for ranks that
// are processes, which reach each other's by streams. Errors name what was waited for.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_ASYNCHRONOUS_FREERANK_H
#define DS_RUN_ASYNCHRONOUS_FREERANK_H

#include "ds/Run/Asynchronous/ParameterServer.h"

struct dsrt_context;

namespace ds {

/// What travels between a rank and a shard, in order.
struct ShardTraffic {
  struct Slot {
    unsigned inShard;        // an argument there
    unsigned ofRank;         // where the rank has it, as the list says
    size_t bytes;            // of one value
    bool isGradient = false; // ofRank is a result of the gradient part
  };
  std::vector<Slot> pulled; // ofRank: an argument of the gradient part
  std::vector<Slot> pushed; // ofRank: an argument of the whole step, or a gradient
  std::vector<Slot> held;   // parameters and states, for a checkpoint. ofRank: an argument likewise

  static size_t bytesOf(llvm::ArrayRef<Slot> slots);
};

using Take = llvm::function_ref<void(const ShardTraffic::Slot &, const void *value)>;
using Give = llvm::function_ref<HostView(const ShardTraffic::Slot &)>;

/// What is done at a shard for a pull, or to read it, and for a push.
void readShard(const StepInstance &shard, llvm::ArrayRef<ShardTraffic::Slot> slots, Take take);
void updateShard(StepInstance &shard, const ShardTraffic &traffic, Give give);

class FreeRank {
public:
  FreeRank(std::shared_ptr<ParameterServer> server, llvm::ArrayRef<ShardTraffic> shards,
           int64_t rank, int64_t begin)
      : server(std::move(server)), shards(shards), rank(rank), step(begin) {}
  virtual ~FreeRank() = default;

  /// While it lives, the rank does not compute: others serve it.
  class Served {
  public:
    explicit Served(FreeRank &free) : activity(free.server->activity(free.rank)) {
      activity.isServed = true;
    }
    ~Served() {
      ++activity.calls;
      activity.isServed = false;
    }
    Served(const Served &) = delete;

  private:
    ParameterServer::Activity &activity;
  };

  /// Whether the shard's memory is in this process, and whether this rank gives it the values to
  /// begin with.
  virtual bool holds(int64_t shard) const = 0;
  virtual bool begins(int64_t shard) const = 0;

  /// The order in a step: begin, pull, push, end. The context is that of all calls until the next
  /// step.
  virtual llvm::Error begin(dsrt_context *context) = 0;
  virtual llvm::Error pull(Take take) = 0;
  virtual llvm::Error push(Give give) = 0;
  /// `asksToMeet`: that all shall meet as soon as can be. Whether they do behind this step, because
  /// one of them has asked.
  virtual llvm::Expected<bool> end(std::vector<double> metrics, bool asksToMeet) = 0;

  /// Waits until all have done the steps that this one has.
  virtual llvm::Error awaitAll() = 0;
  /// At a meeting, on rank 0: what shards of other processes hold, and the order of the steps
  /// before.
  virtual llvm::Error gather(Take take) = 0;
  /// Rank 0 has done what it does at a meeting; the others wait for that.
  void endMeeting() { server->endMeeting(step); }
  virtual llvm::Error awaitEndOfMeeting() = 0;
  /// The training is over for all ranks: no more steps, but rank 0 may still gather.
  virtual void leave() {}

  /// On rank 0: the metrics of a step that all ranks have ended, once.
  std::optional<std::vector<std::vector<double>>> takeReports(int64_t of) {
    return server->takeReports(of);
  }

protected:
  int64_t numShards() const { return shards.size(); }
  /// Ranks begin with different shards, so that they do not all wait for the first.
  int64_t inTurn(int64_t i) const { return (rank + i) % numShards(); }

  const std::shared_ptr<ParameterServer> server;
  const llvm::ArrayRef<ShardTraffic> shards;
  const int64_t rank;
  int64_t step; // steps done
};

/// A rank that is a thread: the shards are at hand.
std::unique_ptr<FreeRank> makeThreadRank(std::shared_ptr<ParameterServer> server,
                                         llvm::ArrayRef<ShardTraffic> shards, int64_t rank,
                                         int64_t begin);

/// A rank that is a process and owns the shard of its own number, if there is one.
std::unique_ptr<FreeRank> makeProcessRank(std::shared_ptr<ParameterServer> server,
                                          llvm::ArrayRef<ShardTraffic> shards, int64_t rank,
                                          int64_t numRanks, int64_t begin, int64_t timeoutMs);

} // namespace ds

#endif // DS_RUN_ASYNCHRONOUS_FREERANK_H
