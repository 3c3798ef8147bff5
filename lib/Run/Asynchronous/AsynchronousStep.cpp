//===- AsynchronousStep.cpp - A step whose ranks run free -----------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments and results of the parts are found by their names. A state that changes by itself is in
// several shards, which all are written; all of them have updated it as often at a meeting.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Asynchronous/AsynchronousStep.h"

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
                                   std::unique_ptr<CompiledStep> gradientPart,
                                   std::vector<std::unique_ptr<CompiledStep>> updateParts)
    : whole(std::move(manifest)), staleness(staleness), gradients(std::move(gradientPart)),
      updates(std::move(updateParts)), arguments(whole.arguments.size()),
      results(whole.results.size()) {
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
  for (unsigned slot = next; slot < made.size(); ++slot) {
    gradientOf[made[slot].name] = pushed.size();
    pushed.push_back({slot, {}});
  }
  for (auto [shard, update] : llvm::enumerate(updates))
    for (auto [slot, argument] : llvm::enumerate(update->manifest().arguments)) {
      InShard place{static_cast<int64_t>(shard), static_cast<unsigned>(slot)};
      if (auto found = gradientOf.find(argument.name); found != gradientOf.end())
        pushed[found->second].inShards.push_back(place);
      else
        arguments[argumentOf.at(argument.name)].inShards.push_back(place);
    }
}

int64_t AsynchronousStep::sharedBytes() const {
  int64_t sum = 0;
  for (const std::unique_ptr<CompiledStep> &update : updates)
    sum += update->memoryBytes();
  return sum;
}

std::shared_ptr<SharedMemory> AsynchronousStep::makeShared() const {
  std::vector<std::unique_ptr<StepInstance>> shards;
  for (const std::unique_ptr<CompiledStep> &update : updates)
    shards.push_back(update->instantiate());
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

/// One rank's part: memory for what it makes gradients of, and a way to the shards.
class AsynchronousInstance final : public StepInstance {
public:
  AsynchronousInstance(const AsynchronousStep &step, std::shared_ptr<ParameterServer> server,
                       int64_t rank)
      : step(step), server(std::move(server)), memory(step.gradients->instantiate()), rank(rank),
        own(step.whole.arguments.size()) {
    for (auto [slot, argument] : llvm::enumerate(step.whole.arguments))
      if (!isInShards(slot))
        own[slot].resize(bytesOf(argument));
  }

  void write(unsigned slot, llvm::function_ref<void(char *)> fill) override {
    const AsynchronousStep::Argument &argument = step.arguments[slot];
    if (!isInShards(slot)) {
      fill(own[slot].data());
      if (argument.ofGradients)
        memory->write(*argument.ofGradients, copyFrom(own[slot].data(), own[slot].size()));
    } else if (rank == 0) { // all ranks begin with the same values
      for (const AsynchronousStep::InShard &place : argument.inShards)
        server->shard(place.shard).write(place.slot, fill);
    }
  }
  HostView readArgument(unsigned slot) const override {
    if (!isInShards(slot))
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
  bool isInShards(unsigned slot) const {
    return step.whole.arguments[slot].isCarried() && !step.arguments[slot].inShards.empty();
  }

  struct Copy {
    const void *from;
    size_t bytes;
    void operator()(char *to) const { memcpy(to, from, bytes); }
  };
  static Copy copyFrom(const void *from, size_t bytes) { return {from, bytes}; }

  /// All of a step but its end, which hands over what this rank has measured.
  Error advance(dsrt_context *context) {
    if (Error error = server->begin(rank, context))
      return error;
    // Ranks start at different shards, so that they do not all wait for the first.
    int64_t numShards = server->numShards();
    for (int64_t i = 0; i < numShards; ++i)
      if (Error error =
              server->pull(rank, (rank + i) % numShards, context,
                           [&](StepInstance &shard) { pull(shard, (rank + i) % numShards); }))
        return error;
    memory->run(nullptr);
    for (int64_t i = 0; i < numShards; ++i)
      if (Error error =
              server->push(rank, (rank + i) % numShards, context,
                           [&](StepInstance &shard) { push(shard, (rank + i) % numShards); }))
        return error;
    return Error::success();
  }

  void pull(StepInstance &shard, int64_t number) {
    for (auto [slot, argument] : llvm::enumerate(step.arguments))
      if (isInShards(slot) && argument.ofGradients && argument.inShards.front().shard == number) {
        HostView value = shard.readArgument(argument.inShards.front().slot);
        memory->write(*argument.ofGradients,
                      copyFrom(value.get(), bytesOf(step.whole.arguments[slot])));
      }
  }

  void push(StepInstance &shard, int64_t number) {
    for (auto [slot, argument] : llvm::enumerate(step.arguments))
      for (const AsynchronousStep::InShard &place : argument.inShards)
        if (place.shard == number && !isInShards(slot)) // a learning rate, which may be of the step
          shard.write(place.slot, copyFrom(own[slot].data(), own[slot].size()));
    for (const AsynchronousStep::Gradient &gradient : step.pushed)
      for (const AsynchronousStep::InShard &place : gradient.inShards)
        if (place.shard == number) {
          HostView value = memory->readResult(gradient.result);
          const ArgumentSpec &spec = step.updates[number]->manifest().arguments[place.slot];
          shard.write(place.slot, copyFrom(value.get(), bytesOf(spec)));
        }
    shard.run(nullptr);
  }

  const AsynchronousStep &step;
  std::shared_ptr<ParameterServer> server;
  std::unique_ptr<StepInstance> memory;
  int64_t rank;
  std::vector<std::vector<char>> own; // arguments that are in no shard, by slot
};

std::unique_ptr<StepInstance> AsynchronousStep::instantiate(std::shared_ptr<SharedMemory> shared,
                                                            int64_t rank) const {
  return std::make_unique<AsynchronousInstance>(
      *this, std::static_pointer_cast<ParameterServer>(std::move(shared)), rank);
}

} // namespace ds
