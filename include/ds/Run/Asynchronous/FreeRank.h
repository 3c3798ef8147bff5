//===- FreeRank.h - The calls of a free-running rank to others --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same calls serve ranks that are threads, which share one ParameterServer, and ranks that are
// processes, which reach each other's servers by streams. An error names the event that was waited
// for.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_ASYNCHRONOUS_FREERANK_H
#define DS_RUN_ASYNCHRONOUS_FREERANK_H

#include "ds/Run/Asynchronous/ParameterServer.h"

struct dsrt_context;

namespace ds {

/// The values that travel between a rank and a shard, in order.
struct ShardTraffic {
  struct Slot {
    unsigned inShard;        // an argument there
    unsigned ofRank;         // a slot of the rank; the list defines of what
    size_t bytes;            // of one value
    bool isGradient = false; // ofRank is a result of the gradient part
  };
  std::vector<Slot> pulled; // ofRank: an argument of the gradient part
  std::vector<Slot> pushed; // ofRank: an argument of the whole step, or a gradient
  std::vector<Slot> held;   // parameters and states, for a checkpoint. ofRank: of the whole step

  static size_t bytesOf(llvm::ArrayRef<Slot> slots);
};

using Take = llvm::function_ref<void(const ShardTraffic::Slot &, const void *value)>;
using Give = llvm::function_ref<HostView(const ShardTraffic::Slot &)>;

/// Copies values out of a shard, for a pull or a checkpoint; and updates it by the values of a
/// push.
void readShard(const StepInstance &shard, llvm::ArrayRef<ShardTraffic::Slot> slots, Take take);
void updateShard(StepInstance &shard, const ShardTraffic &traffic, Give give);

class FreeRank {
public:
  FreeRank(std::shared_ptr<ParameterServer> server, llvm::ArrayRef<ShardTraffic> shards,
           int64_t rank, int64_t begin)
      : server(std::move(server)), shards(shards), rank(rank), step(begin) {}
  virtual ~FreeRank() = default;

  /// While it lives, the rank does not compute: other ranks serve it.
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

  /// True if the shard's memory is in this process; and true if this rank writes its initial
  /// values.
  virtual bool holds(int64_t shard) const = 0;
  virtual bool begins(int64_t shard) const = 0;

  /// A step calls begin, pull, push and end in this order. They all use the context of its begin.
  virtual llvm::Error begin(dsrt_context *context) = 0;
  virtual llvm::Error pull(Take take) = 0;
  virtual llvm::Error push(Give give) = 0;
  /// `asksToMeet` asks for a meeting of all ranks as soon as possible. Returns true if they meet
  /// after this step because a rank has asked.
  virtual llvm::Expected<bool> end(std::vector<double> metrics, bool asksToMeet) = 0;

  /// Waits until all ranks have done as many steps as this one.
  virtual llvm::Error awaitAll() = 0;
  /// On rank 0, at a meeting: reads the shards of other processes, and the order of the steps
  /// before.
  virtual llvm::Error gather(Take take) = 0;
  /// Ends the meeting on rank 0, which releases the ranks in awaitEndOfMeeting().
  void endMeeting() { server->endMeeting(step); }
  virtual llvm::Error awaitEndOfMeeting() = 0;
  /// Ends the training on all ranks: no rank steps any more, but rank 0 may still gather.
  virtual void leave() {}

  /// On rank 0: returns, once, the metrics of a step that all ranks have ended.
  std::optional<std::vector<std::vector<double>>> takeReports(int64_t of) {
    return server->takeReports(of);
  }

protected:
  int64_t numShards() const { return shards.size(); }
  /// Returns the i-th shard of this rank's turn. Ranks begin with different shards, so that they do
  /// not all wait for the first.
  int64_t inTurn(int64_t i) const { return (rank + i) % numShards(); }

  const std::shared_ptr<ParameterServer> server;
  const llvm::ArrayRef<ShardTraffic> shards;
  const int64_t rank;
  int64_t step; // steps done
};

/// Makes a rank that is a thread, with all shards in its process.
std::unique_ptr<FreeRank> makeThreadRank(std::shared_ptr<ParameterServer> server,
                                         llvm::ArrayRef<ShardTraffic> shards, int64_t rank,
                                         int64_t begin);

/// Makes a rank that is a process; it owns the shard of its own number, if there is one.
std::unique_ptr<FreeRank> makeProcessRank(std::shared_ptr<ParameterServer> server,
                                          llvm::ArrayRef<ShardTraffic> shards, int64_t rank,
                                          int64_t numRanks, int64_t begin, int64_t timeoutMs);

} // namespace ds

#endif // DS_RUN_ASYNCHRONOUS_FREERANK_H
