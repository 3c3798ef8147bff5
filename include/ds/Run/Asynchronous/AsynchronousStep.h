//===- AsynchronousStep.h - A step whose ranks run free ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The step of update = asynchronous, put together from its parts: a rank pulls parameters into
// memory of its own, makes gradients there, and pushes them to the shards. For the training it is a
// step like any other, with the arguments and results of the one that was written.
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
  /// `manifest` is that of the step before it was cut; `process` the rank that this process is, or
  /// none where all ranks are threads of it.
  AsynchronousStep(Manifest manifest, int64_t staleness, std::optional<int64_t> process,
                   std::unique_ptr<CompiledStep> gradients,
                   std::vector<std::unique_ptr<CompiledStep>> updates);

  int64_t numShards() const { return updates.size(); }

  /// What the next set of instances is for: steps `begin` to `steps`, of which the order goes to
  /// one file or comes from another.
  struct Run {
    int64_t begin = 0, timeoutMs = 0;
    std::string recordFile; // or empty
    std::optional<Order> recorded, replayed;
  };
  void setRun(Run next) { run = std::move(next); }
  /// What the ranks of the last set of instances do is like collectives for who watches them.
  void addActivity(int64_t rank, Watchdog::Activity &known) const;
  /// What the rank of an instance asks of others.
  static FreeRank &freeRank(StepInstance &instance);
  /// At a meeting, of rank 0: its instance reads what shards of other processes hold.
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
  /// An argument of the whole step, or a gradient, in a shard.
  struct InShard {
    int64_t shard;
    unsigned slot;
  };
  /// Where an argument of the whole step is.
  struct Argument {
    std::optional<unsigned> ofGradients; // slot there
    std::vector<InShard> inShards;       // a parameter or state: the first has the value
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
  std::vector<std::optional<unsigned>> results;       // of the gradient part, likewise
  std::vector<ShardTraffic> traffic;                  // by shard
  mutable Run run;
  mutable std::shared_ptr<ParameterServer> lastServer;
};

} // namespace ds

#endif // DS_RUN_ASYNCHRONOUS_ASYNCHRONOUSSTEP_H
