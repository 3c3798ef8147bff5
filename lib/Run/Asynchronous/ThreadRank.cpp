//===- ThreadRank.cpp - Ranks that share the shards -----------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Asynchronous/FreeRank.h"

#include "ds/Support/AssertionError.h"
#include "dsrt/dsrt.h"

#include <cstring>

namespace ds {

using llvm::Error;
using llvm::Expected;

size_t ShardTraffic::bytesOf(llvm::ArrayRef<Slot> slots) {
  size_t sum = 0;
  for (const Slot &slot : slots)
    sum += slot.bytes;
  return sum;
}

void readShard(const StepInstance &shard, llvm::ArrayRef<ShardTraffic::Slot> slots, Take take) {
  for (const ShardTraffic::Slot &slot : slots)
    take(slot, shard.readArgument(slot.inShard).get());
}

void updateShard(StepInstance &shard, const ShardTraffic &traffic, Give give) {
  for (const ShardTraffic::Slot &slot : traffic.pushed) {
    HostView value = give(slot);
    shard.write(slot.inShard, [&](char *to) { memcpy(to, value.get(), slot.bytes); });
  }
  shard.run(nullptr);
}

namespace {
class ThreadRank final : public FreeRank {
public:
  using FreeRank::FreeRank;

  bool holds(int64_t) const override { return true; }
  bool begins(int64_t) const override { return rank == 0; } // all ranks have the same values

  Error begin(dsrt_context *next) override {
    context = next;
    return server->begin(rank, look);
  }
  Error pull(Take take) override {
    return server->pullAll(rank, step, look, [&](int64_t number, StepInstance &shard) {
      readShard(shard, shards[number].pulled, take);
    });
  }
  Error push(Give give) override {
    Error error = server->pushAll(rank, step, look, [&](int64_t number, StepInstance &shard) {
      updateShard(shard, shards[number], give);
    });
    return error ? std::move(error) : takeFailedAssertion();
  }
  Expected<bool> end(std::vector<double> metrics, bool asksToMeet) override {
    server->end(rank, std::move(metrics));
    ++step;
    if (asksToMeet)
      server->askToMeet();
    return server->meetsAt(step);
  }
  Error awaitAll() override { return server->awaitAll(rank, step, look); }
  Error gather(Take) override { return Error::success(); }
  Error awaitEndOfMeeting() override { return server->awaitEndOfMeeting(step, look); }

private:
  /// Returns the failure of another rank, which ends the wait.
  Error lookAround() {
    return context && dsrt_failed(context) ? llvm::createStringError(dsrt_last_error(context))
                                           : Error::success();
  }

  dsrt_context *context = nullptr;
  const std::function<Error()> look = [this] { return lookAround(); };
};
} // namespace

std::unique_ptr<FreeRank> makeThreadRank(std::shared_ptr<ParameterServer> server,
                                         llvm::ArrayRef<ShardTraffic> shards, int64_t rank,
                                         int64_t begin) {
  return std::make_unique<ThreadRank>(std::move(server), shards, rank, begin);
}

} // namespace ds
