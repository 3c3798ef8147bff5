//===- World.h - The ranks of this run that live in this process --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `local`: all ranks, one thread each. `mpi`: one rank, on the main thread. `nccl` and `hccl`:
// either. A rank that fails ends the world, so no other rank waits for it.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_RANKS_WORLD_H
#define DS_RUN_RANKS_WORLD_H

#include "ds/Plan/Link.h"
#include "ds/Run/Ranks/Watchdog.h"
#include "ds/Step/Manifest.h"
#include "dsrt/dsrt.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace ds {

/// What another process of the job has failed with. Who prints for a whole job leaves it to that
/// process; who has a caller of its own repeats it, since a launcher ends the processes of a job
/// as soon as one has ended with an error, be the cause printed by then or not.
class OtherRankError : public llvm::ErrorInfo<OtherRankError> {
public:
  static char ID;
  explicit OtherRankError(std::string text) : text(std::move(text)) {}
  void log(llvm::raw_ostream &out) const override { out << text; }
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }

private:
  std::string text;
};

class RankThreads;

struct WorldOptions {
  int64_t timeoutMs = 600000;
  bool deterministic = true;
  std::optional<Link> link; // that the local backend models
};

/// What a rank has spent in collectives, in nanoseconds, and the bytes that it gave them.
struct ExchangeTimes {
  uint64_t exposed = 0; // its thread, in blocking ones and in waits
  uint64_t link = 0;    // the modelled link
  uint64_t bytes = 0;
};

class World {
public:
  /// Joins the world of the launcher (mpirun, srun, DS_RANK and its like); null if there is none or
  /// `backend` is "local".
  static llvm::Expected<std::unique_ptr<World>> join(llvm::StringRef backend,
                                                     const WorldOptions &options);
  /// A world of threads.
  static llvm::Expected<std::unique_ptr<World>> create(int64_t numRanks, llvm::StringRef backend,
                                                       const WorldOptions &options);
  ~World();
  World(const World &) = delete;

  int64_t numRanks() const { return ranks; }
  int64_t numLocalRanks() const { return contexts.size(); }
  int64_t firstRank() const { return first; }
  std::string backend() const;
  bool hasRoot() const { return first == 0; }
  /// So that errors tell where a rank is in a mesh such as `dp=2 x tp=4`; no axes: nowhere.
  llvm::Error nameAxes(const std::vector<AxisSpec> &axes);
  /// What a device backend does with the host buffers of a step; "" for the others.
  std::string describeStaging() const;
  /// That processes of this machine outnumber its cores; "" where they do not.
  std::string describeCrowding() const;
  /// Whether what steps on GPUs exchange lies in memory that is registered with NCCL; none where
  /// they exchange otherwise.
  std::optional<bool> registersMemory() const;
  /// Whether exchanges leave the cores that compute: between hosts, or by devices. Collective over
  /// processes when it is first asked.
  llvm::Expected<bool> isOverNetwork();
  /// What the backend moves at its full speed in one message; 0: any number of bytes.
  int64_t largestMessage() const;
  /// Of the ranks of this process, from any thread while they run.
  Watchdog::Activity activityOf(int64_t rank) const;
  int64_t timeoutMs() const { return options.timeoutMs; }

  /// Runs `body` once per local rank, each on its own thread with denormals flushed: the first on
  /// the caller's, the others on threads that stay for the next call. Returns the failure that came
  /// first; those that it caused in other ranks are dropped.
  llvm::Error run(llvm::function_ref<llvm::Error(int64_t rank, dsrt_context *context)> body);

  /// A failure of any process becomes one of all: collective over processes. The lowest failing
  /// rank keeps its error, the others get an `OtherRankError` with its message.
  llvm::Error agree(llvm::Error error);

  /// Every process's text, by rank: collective over processes. Where all ranks are threads of this
  /// one, its own text alone.
  llvm::Expected<std::vector<std::string>> gather(llvm::StringRef mine);
  /// All buffers get the bytes of `root`'s, in one call: collective over processes. Nothing to do
  /// where all ranks are threads of this one.
  llvm::Error broadcast(llvm::ArrayRef<void *> buffers, llvm::ArrayRef<int64_t> bytes,
                        int32_t root = 0);

  /// Whether this process is a child by fork of the one that has started the ranks.
  bool isForked() const;

private:
  World();
  llvm::Expected<std::string> shareFailure(std::string mine, int32_t root);

  std::vector<dsrt_context *> contexts;
  std::unique_ptr<RankThreads> threads; // since the first run
  pid_t process;
  WorldOptions options;
  int64_t ranks = 1, first = 0;
  std::optional<bool> overNetwork; // once it is known
};

/// Of a context, until now.
ExchangeTimes exchangeTimes(const dsrt_context *context);

/// The sticky error of a context, if it has one; none where there is no context.
llvm::Error contextError(dsrt_context *context);

} // namespace ds

#endif // DS_RUN_RANKS_WORLD_H
