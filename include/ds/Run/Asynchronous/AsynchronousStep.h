//===- AsynchronousStep.h - A step whose ranks run free ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The step of update = asynchronous, put together from its parts: a rank pulls parameters into
// memory of its own, computes gradients there, and pushes them to the shards. The training sees an
// ordinary step with the arguments and results of the original one.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_ASYNCHRONOUS_ASYNCHRONOUSSTEP_H
#define DS_RUN_ASYNCHRONOUS_ASYNCHRONOUSSTEP_H

#include "ds/Run/Asynchronous/FreeRank.h"
#include "ds/Run/Ranks/Watchdog.h"
#include "ds/Target/CompiledStep.h"

#include <optional>
#include <string>

namespace ds {

class AsynchronousStep final : public CompiledStep {
public:
  /// `manifest` describes the step before it was cut into parts; `process` is the rank of this
  /// process, or none if all ranks are its threads.
  AsynchronousStep(Manifest manifest, int64_t staleness, std::optional<int64_t> process,
                   std::unique_ptr<CompiledStep> gradients,
                   std::vector<std::unique_ptr<CompiledStep>> updates);

  int64_t numShards() const { return updates.size(); }

  /// Settings of the next set of instances: they run steps `begin` to `steps`, and their order is
  /// recorded to a file or replayed from one.
  struct Run {
    int64_t begin = 0, timeoutMs = 0;
    std::string recordFile; // or empty
    std::optional<Order> recorded, replayed;
  };
  void setRun(Run next) { run = std::move(next); }
  /// Adds what the ranks of the last set of instances do; a watchdog treats it like collectives.
  void addActivity(int64_t rank, Watchdog::Activity &known) const;
  /// Returns the instance's interface to the other ranks.
  static FreeRank &freeRank(StepInstance &instance);
  /// On rank 0, at a meeting: reads the contents of shards of other processes into the instance.
  static llvm::Error gather(StepInstance &instance);
  /// On rank 0: writes the order of the first `steps` steps, if it is recorded.
  llvm::Error writeOrder(int64_t steps) const;

  const Manifest &manifest() const override { return whole; }
  size_t arenaBytes() const override { return gradients->arenaBytes(); }
  int64_t memoryBytes() const override { return gradients->memoryBytes(); }
  int64_t sharedBytes() const override;
  const std::vector<StageTime> &compileTimes() const override { return gradients->compileTimes(); }
  const std::vector<std::string> &kernelNames() const override { return gradients->kernelNames(); }
  std::vector<std::pair<std::string, std::string>> libraryCalls() const override {
    return gradients->libraryCalls();
  }
  std::shared_ptr<SharedMemory> makeShared() const override;
  std::unique_ptr<StepInstance> instantiate(std::shared_ptr<SharedMemory> shared,
                                            int64_t rank) const override;

private:
  friend class AsynchronousInstance;
  /// A slot of a shard that holds an argument of the whole step, or a gradient.
  struct InShard {
    int64_t shard;
    unsigned slot;
  };
  /// The places of an argument of the whole step.
  struct Argument {
    std::optional<unsigned> ofGradients; // slot in the gradient part
    std::vector<InShard> inShards;       // of a parameter or state: the first slot has the value
  };
  bool isInShards(unsigned slot) const {
    return whole.arguments[slot].isCarried() && !arguments[slot].inShards.empty();
  }
  void layOutTraffic(llvm::ArrayRef<std::vector<ShardTraffic::Slot>> gradientsOf);

  Manifest whole;
  int64_t staleness;
  std::optional<int64_t> process;
  std::unique_ptr<CompiledStep> gradients;
  std::vector<std::unique_ptr<CompiledStep>> updates; // by shard
  std::vector<Argument> arguments;                    // by slot of the whole step
  std::vector<std::optional<unsigned>> results;       // in the gradient part, likewise
  std::vector<ShardTraffic> traffic;                  // by shard
  mutable Run run;
  mutable std::shared_ptr<ParameterServer> lastServer;
};

} // namespace ds

#endif // DS_RUN_ASYNCHRONOUS_ASYNCHRONOUSSTEP_H
