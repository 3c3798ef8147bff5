//===- World.h - The ranks of this process ----------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ranks of this process: with `local` all ranks, one thread each; with `mpi` and `tcp` one
// rank, on the main thread, or several of those of the job; with `nccl` and `hccl` one or all. A
// rank that fails ends the world, so no other rank waits for it.
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

/// The failure of another process of the job. A program that prints for the whole job leaves the
/// report to that process; a library with a caller of its own repeats it, because a launcher ends
/// the processes of a job as soon as one has ended with an error, whether the cause is printed by
/// then or not.
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
class Member;

struct WorldOptions {
  int64_t timeoutMs = 600000;
  bool deterministic = true;
  std::optional<Link> link; // modelled by the local backend
  Member *member = nullptr; // of a roster, which then makes the world instead of the launcher
};

/// The nanoseconds that a rank has spent in collectives, and the bytes that it passed to them.
struct ExchangeTimes {
  uint64_t exposed = 0; // of its thread, in blocking collectives and in waits
  uint64_t link = 0;    // of the modelled link
  uint64_t bytes = 0;
};

class World {
public:
  /// Joins the world of the launcher (mpirun, srun, DS_RANK and its like), or the next one of a
  /// roster. Returns null if there is no launcher or `backend` is "local", or a member is alone.
  /// The error of an environment that connects no ranks has the code std::errc::invalid_argument.
  static llvm::Expected<std::unique_ptr<World>> join(llvm::StringRef backend,
                                                     const WorldOptions &options);
  /// Creates a world of threads.
  static llvm::Expected<std::unique_ptr<World>> create(int64_t numRanks, llvm::StringRef backend,
                                                       const WorldOptions &options);
  ~World();
  World(const World &) = delete;

  /// Makes the processes of a joined world hold `numRanks` ranks, each as many as its neighbours or
  /// one more. Collective over processes.
  llvm::Error divide(int64_t numRanks);

  int64_t numRanks() const { return ranks; }
  int64_t numLocalRanks() const { return contexts.size(); }
  int64_t numProcesses() const { return processes ? dsrt_num_ranks(processes) : 1; }
  int64_t firstRank() const { return first; }
  /// Returns the first rank of each process; empty if all ranks are threads of this one.
  llvm::ArrayRef<int64_t> firstRankOfEach() const { return firstRanks; }
  std::string backend() const;
  bool hasRoot() const { return first == 0; }
  static std::string hostName(); // of this machine
  /// True if there are several processes, some of which hold several ranks.
  bool isHybrid() const;
  /// Makes errors name a rank's place in a mesh such as `dp=2 x tp=4`; no axes: no place.
  llvm::Error nameAxes(const std::vector<AxisSpec> &axes);
  /// Describes how a device backend stages the host buffers of a step; "" for other backends.
  std::string describeStaging() const;
  /// Warns that processes of this machine outnumber its cores; "" if they do not.
  std::string describeCrowding() const;
  /// True if the buffers that steps on GPUs exchange are registered with NCCL; none for other
  /// backends, and for one rank.
  std::optional<bool> registersMemory() const;
  /// True if exchanges leave the computing cores free: between hosts, or on devices. The first call
  /// is collective over processes.
  llvm::Expected<bool> isOverNetwork();
  /// Returns the largest message that the backend moves at full speed; 0 for no limit.
  int64_t largestMessage() const;
  /// Returns the state of a rank of this process, from any thread while ranks run.
  Watchdog::Activity activityOf(int64_t rank) const;
  int64_t timeoutMs() const { return options.timeoutMs; }

  /// Runs `body` once per local rank, each on its own thread with denormals flushed: the first rank
  /// on the caller's thread, the others on threads that stay for the next call. Returns the failure
  /// that came first; the failures that it caused in other ranks are dropped.
  llvm::Error run(llvm::function_ref<llvm::Error(int64_t rank, dsrt_context *context)> body);

  /// True if a process of the world has ended, left it or not answered. Failures that a rank
  /// reports of itself are not meant.
  bool hasLostProcess() const;
  /// Names the processes that did not answer to the roster of `member`.
  void nameLate(Member &member) const;

  /// Turns a failure of any process into a failure of all. The lowest failing one keeps its error,
  /// the others get an `OtherRankError` with its message. Collective over processes.
  llvm::Error agree(llvm::Error error);

  /// Returns the texts of all processes, by rank: that of its process for each; only this process's
  /// own if all ranks are its threads. Collective over processes.
  llvm::Expected<std::vector<std::string>> gather(llvm::StringRef mine);
  /// Returns each process's text once. Collective over processes.
  llvm::Expected<std::vector<std::string>> gatherOfProcesses(llvm::StringRef mine);
  /// Copies the contents of process `root`'s buffers to all processes in one call; does nothing if
  /// all ranks are threads of this one. Collective over processes.
  llvm::Error broadcast(llvm::ArrayRef<void *> buffers, llvm::ArrayRef<int64_t> bytes,
                        int32_t root = 0);

  /// True if this process was forked from the one that has started the ranks.
  bool isForked() const;

private:
  World();
  static std::unique_ptr<World> ofProcesses(dsrt_context *context, const WorldOptions &options);
  llvm::Expected<std::string> shareFailure(std::string mine, int32_t root);
  std::string placeName() const;
  bool isOneProcess() const;

  std::vector<dsrt_context *> contexts;
  std::unique_ptr<RankThreads> threads; // from the first run on
  pid_t process;
  WorldOptions options;
  int64_t ranks = 1, first = 0;
  std::optional<bool> overNetwork; // once known
  /// Of the world of processes: that of the only rank of this one, or one of its own. Null if all
  /// ranks are threads.
  dsrt_context *processes = nullptr;
  std::vector<int64_t> firstRanks; // of each process
};

/// Returns the times of a context so far.
ExchangeTimes exchangeTimes(const dsrt_context *context);

/// Returns the sticky error of a context, if it has one; none without a context.
llvm::Error contextError(dsrt_context *context);

} // namespace ds

#endif // DS_RUN_RANKS_WORLD_H
