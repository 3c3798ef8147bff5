//===- AsynchronousStep.cpp - A step whose ranks run free -----------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments and results of the parts are found by their names. A state that updates itself, without
// gradients, is held by several shards. Writing it writes all of them; at a meeting, all have
// updated it equally often.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Asynchronous/AsynchronousStep.h"

#include "ds/Support/AssertionError.h"
#include "dsrt/dsrt.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

#include <cassert>
#include <cstring>

namespace ds {

using llvm::Error;
using llvm::StringRef;

template <typename Spec> static int64_t bytesOf(const Spec &spec) {
  return elementCount(spec.shape) * byteSize(spec.type);
}

AsynchronousStep::AsynchronousStep(Manifest manifest, int64_t staleness,
                                   std::optional<int64_t> process,
                                   std::unique_ptr<CompiledStep> gradientPart,
                                   std::vector<std::unique_ptr<CompiledStep>> updateParts)
    : whole(std::move(manifest)), staleness(staleness), process(process),
      gradients(std::move(gradientPart)), updates(std::move(updateParts)),
      arguments(whole.arguments.size()), results(whole.results.size()) {
  llvm::StringMap<unsigned> argumentOf, gradientOf;
  for (auto [slot, argument] : llvm::enumerate(whole.arguments))
    argumentOf[argument.name] = slot;
  for (auto [slot, argument] : llvm::enumerate(gradients->manifest().arguments)) {
    unsigned number = argumentOf.at(argument.name);
    arguments[number].ofGradients = slot;
    whole.arguments[number].indexRange = argument.indexRange;
  }
  // The results that update nothing come first, in their order; then the gradients.
  unsigned next = 0;
  for (auto [slot, result] : llvm::enumerate(whole.results))
    if (!result.updates)
      results[slot] = next++;
  const std::vector<ResultSpec> &made = gradients->manifest().results;
  for (unsigned slot = next; slot < made.size(); ++slot)
    gradientOf[made[slot].name] = slot;
  std::vector<std::vector<ShardTraffic::Slot>> gradientsOf(updates.size());
  for (auto [shard, update] : llvm::enumerate(updates))
    for (auto [slot, argument] : llvm::enumerate(update->manifest().arguments)) {
      auto number = static_cast<unsigned>(slot);
      if (auto found = gradientOf.find(argument.name); found != gradientOf.end())
        gradientsOf[shard].push_back(
            {number, found->second, static_cast<size_t>(bytesOf(argument)), /*isGradient=*/true});
      else
        arguments[argumentOf.at(argument.name)].inShards.push_back(
            {static_cast<int64_t>(shard), number});
    }
  layOutTraffic(gradientsOf);
}

void AsynchronousStep::layOutTraffic(llvm::ArrayRef<std::vector<ShardTraffic::Slot>> gradientsOf) {
  traffic.resize(updates.size());
  for (auto [number, argument] : llvm::enumerate(arguments)) {
    auto slot = static_cast<unsigned>(number);
    auto bytes = static_cast<size_t>(bytesOf(whole.arguments[slot]));
    if (!isInShards(slot)) { // a learning rate, which may change from step to step
      for (const InShard &place : argument.inShards)
        traffic[place.shard].pushed.push_back({place.slot, slot, bytes});
      continue;
    }
    const InShard &place = argument.inShards.front();
    traffic[place.shard].held.push_back({place.slot, slot, bytes});
    if (argument.ofGradients)
      traffic[place.shard].pulled.push_back({place.slot, *argument.ofGradients, bytes});
  }
  for (auto [shard, slots] : llvm::enumerate(gradientsOf))
    llvm::append_range(traffic[shard].pushed, slots);
}

int64_t AsynchronousStep::sharedBytes() const {
  int64_t sum = 0;
  for (auto [shard, update] : llvm::enumerate(updates))
    if (!process || *process == static_cast<int64_t>(shard))
      sum += update->memoryBytes();
  return sum;
}

std::shared_ptr<SharedMemory> AsynchronousStep::makeShared() const {
  std::vector<std::unique_ptr<StepInstance>> shards;
  for (auto [shard, update] : llvm::enumerate(updates))
    shards.push_back(!process || *process == static_cast<int64_t>(shard) ? update->instantiate()
                                                                         : nullptr);
  ParameterServer::Options options{whole.numRanks,
                                   staleness,
                                   run.begin,
                                   run.timeoutMs,
                                   run.recorded ? &*run.recorded : nullptr,
                                   run.replayed ? &*run.replayed : nullptr};
  lastServer = std::make_shared<ParameterServer>(std::move(shards), options);
  return lastServer;
}

Error AsynchronousStep::writeOrder(int64_t steps) const {
  return run.recorded ? lastServer->writeOrder(run.recordFile, steps) : Error::success();
}

/// The instance of one rank: memory for the gradient part, and access to the shards.
class AsynchronousInstance final : public StepInstance {
public:
  AsynchronousInstance(const AsynchronousStep &step, std::shared_ptr<ParameterServer> shared,
                       int64_t rank)
      : step(step), server(std::move(shared)), memory(step.gradients->instantiate()),
        own(step.whole.arguments.size()) {
    int64_t begin = step.run.begin;
    others = step.process ? makeProcessRank(server, step.traffic, rank, step.whole.numRanks, begin,
                                            step.run.timeoutMs)
                          : makeThreadRank(server, step.traffic, rank, begin);
    for (auto [slot, argument] : llvm::enumerate(step.whole.arguments))
      if (!step.isInShards(slot) || (rank == 0 && !others->holds(shardOf(slot))))
        own[slot].resize(bytesOf(argument));
  }

  void write(unsigned slot, llvm::function_ref<void(char *)> fill) override {
    const AsynchronousStep::Argument &argument = step.arguments[slot];
    if (!own[slot].empty())
      fill(own[slot].data());
    if (!step.isInShards(slot)) {
      if (argument.ofGradients)
        memory->write(*argument.ofGradients, copyFrom(own[slot].data(), own[slot].size()));
      return;
    }
    for (const AsynchronousStep::InShard &place : argument.inShards)
      if (others->begins(place.shard))
        server->shard(place.shard).write(place.slot, fill);
  }
  /// Rank 0 holds the value that a shard of another process had at the last meeting.
  HostView readArgument(unsigned slot) const override {
    if (!step.isInShards(slot) || !others->holds(shardOf(slot)))
      return HostView(std::shared_ptr<void>(), own[slot].data());
    const AsynchronousStep::InShard &place = step.arguments[slot].inShards.front();
    return server->shard(place.shard).readArgument(place.slot);
  }
  HostView readResult(unsigned slot) const override {
    if (std::optional<unsigned> argument = step.whole.results[slot].updates)
      return readArgument(*argument);
    return memory->readResult(*step.results[slot]);
  }
  std::vector<CallProfile> profile() const override { return memory->profile(); }

  void run(dsrt_context *context) override {
    if (Error error = advance(context)) {
      std::string text = llvm::toString(std::move(error));
      if (context && !dsrt_failed(context))
        dsrt_abort(context, text.c_str());
    }
  }

private:
  friend class AsynchronousStep;

  int64_t shardOf(unsigned slot) const { return step.arguments[slot].inShards.front().shard; }

  struct Copy {
    const void *from;
    size_t bytes;
    void operator()(char *to) const { memcpy(to, from, bytes); }
  };
  static Copy copyFrom(const void *from, size_t bytes) { return {from, bytes}; }

  /// Runs a step up to its end, where the rank hands over its metrics.
  Error advance(dsrt_context *context) {
    if (Error error = pull(context))
      return error;
    memory->run(nullptr);
    if (Error asserted = takeFailedAssertion())
      return asserted;
    FreeRank::Served served(*others);
    return others->push([&](const ShardTraffic::Slot &slot) {
      return slot.isGradient ? memory->readResult(slot.ofRank)
                             : HostView(std::shared_ptr<void>(), own[slot.ofRank].data());
    });
  }

  Error pull(dsrt_context *context) {
    FreeRank::Served served(*others);
    if (Error error = others->begin(context))
      return error;
    return others->pull([&](const ShardTraffic::Slot &slot, const void *value) {
      memory->write(slot.ofRank, copyFrom(value, slot.bytes));
    });
  }

  const AsynchronousStep &step;
  std::shared_ptr<ParameterServer> server;
  std::unique_ptr<StepInstance> memory;
  std::vector<std::vector<char>> own; // by slot of the whole step: values outside of shards
  std::unique_ptr<FreeRank> others;
};

std::unique_ptr<StepInstance> AsynchronousStep::instantiate(std::shared_ptr<SharedMemory> shared,
                                                            int64_t rank) const {
  return std::make_unique<AsynchronousInstance>(
      *this, std::static_pointer_cast<ParameterServer>(std::move(shared)), rank);
}

void AsynchronousStep::addActivity(int64_t rank, Watchdog::Activity &known) const {
  const ParameterServer::Activity &activity = lastServer->activity(rank);
  known.inCollective |= activity.isServed;
  known.collectives += activity.calls;
}

FreeRank &AsynchronousStep::freeRank(StepInstance &instance) {
  return *static_cast<AsynchronousInstance &>(instance).others;
}

Error AsynchronousStep::gather(StepInstance &instance) {
  auto &root = static_cast<AsynchronousInstance &>(instance);
  return root.others->gather([&](const ShardTraffic::Slot &slot, const void *value) {
    memcpy(root.own[slot.ofRank].data(), value, slot.bytes);
  });
}

} // namespace ds
