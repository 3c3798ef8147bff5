//===- World.cpp - The ranks of this process --------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first failure is that of the rank that calls dsrt_abort first; the failures that other ranks
// report afterwards are its echo.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Ranks/World.h"

#include "RankThreads.h"

#include "ds/Run/Ranks/Member.h"
#include "ds/Support/AssertionError.h"
#include "ds/Support/FaultReport.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

#include <atomic>
#include <chrono>
#include <cstring>
#include <map>
#include <mutex>
#include <thread>
#include <unistd.h>
#include <vector>

namespace ds {

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

char OtherRankError::ID = 0;

static Error worldError(const Twine &what) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), what);
}

static dsrt_options toRuntime(const WorldOptions &options) {
  dsrt_options result;
  dsrt_options_init(&result);
  result.timeout_ms = options.timeoutMs;
  result.deterministic = options.deterministic;
  result.on_host = 1; // steps compute on the CPU
  if (options.link) {
    result.link_latency_ns = options.link->latencyNs;
    result.link_bytes_per_s = options.link->bytesPerSecond;
  }
  return result;
}

static dsrt_capabilities capabilitiesOf(dsrt_context *context) {
  dsrt_capabilities capabilities = {};
  capabilities.struct_size = sizeof(capabilities);
  if (dsrt_get_capabilities(context, &capabilities) != DSRT_OK)
    return {};
  return capabilities;
}

static dsrt_statistics statisticsOf(const dsrt_context *context) {
  dsrt_statistics statistics = {};
  statistics.struct_size = sizeof(statistics);
  if (dsrt_get_statistics(context, &statistics) != DSRT_OK)
    return {};
  return statistics;
}

ExchangeTimes exchangeTimes(const dsrt_context *context) {
  dsrt_statistics statistics = statisticsOf(context);
  return {statistics.exposed_ns, statistics.link_ns, statistics.bytes};
}

Error contextError(dsrt_context *context) {
  if (Error asserted = takeFailedAssertion())
    return asserted;
  if (!context) // one device without collectives
    return Error::success();
  if (!dsrt_failed(context))
    return Error::success();
  return worldError(dsrt_last_error(context));
}

Expected<std::unique_ptr<World>> World::join(StringRef backend, const WorldOptions &options) {
  std::unique_ptr<World> world;
  dsrt_options runtime = toRuntime(options);
  dsrt_context *context = nullptr;
  if (options.member) {
    if (Error error = options.member->makeWorld(runtime, context))
      return error;
    if (context)
      world = ofProcesses(context, options);
    return world;
  }
  if (backend == "local") {
    int32_t rank = 0, numRanks = 1;
    if (dsrt_launched(&rank, &numRanks) && numRanks > 1)
      return worldError("--backend=local runs all ranks in one process, but the launcher has "
                        "started " +
                        Twine(numRanks) + " processes; leave the option out, or the launcher");
    return world;
  }
  FaultsUnreported handlersOfMpi; // MPI warns of handlers that it finds
  const dsrt_status status = dsrt_init(backend.str().c_str(), &runtime, &context);
  if (status != DSRT_OK)
    return llvm::createStringError(
        status == DSRT_INVALID_ARGUMENT ? std::make_error_code(std::errc::invalid_argument)
                                        : llvm::inconvertibleErrorCode(),
        "the " + backend + " backend cannot start: " + dsrt_last_error(nullptr));
  if (!capabilitiesOf(context).multiprocess) { // there is no launcher
    dsrt_shutdown(context);
    return world;
  }
  return ofProcesses(context, options);
}

std::unique_ptr<World> World::ofProcesses(dsrt_context *context, const WorldOptions &options) {
  std::unique_ptr<World> world(new World());
  world->contexts = {context};
  world->processes = context;
  world->options = options;
  world->ranks = dsrt_num_ranks(context);
  world->first = dsrt_rank(context);
  for (int64_t rank = 0; rank < world->ranks; ++rank)
    world->firstRanks.push_back(rank);
  return world;
}

Expected<std::unique_ptr<World>> World::create(int64_t numRanks, StringRef backend,
                                               const WorldOptions &options) {
  constexpr int64_t most = 4096; // the runtime counts ranks in 32 bits
  if (numRanks < 1 || numRanks > most)
    return worldError("a process has 1 to " + Twine(most) + " ranks, got " + Twine(numRanks));
  dsrt_options runtime = toRuntime(options);
  std::unique_ptr<World> world(new World());
  std::vector<dsrt_context *> contexts(numRanks);
  std::string name = backend == "auto" ? "local" : backend.str();
  if (dsrt_world_create(name.c_str(), numRanks, &runtime, contexts.data()) != DSRT_OK)
    return worldError("the ranks cannot be created: " + Twine(dsrt_last_error(nullptr)));
  world->contexts = std::move(contexts);
  world->options = options;
  world->ranks = numRanks;
  return world;
}

World::World() : process(getpid()) {}

World::~World() {
  if (isForked()) {
    (void)threads.release(); // a forked process has no threads to join, and no world to leave
    return;
  }
  threads.reset();
  for (dsrt_context *context : contexts)
    dsrt_shutdown(context);
  if (!llvm::is_contained(contexts, processes))
    dsrt_shutdown(processes);
}

bool World::isForked() const { return getpid() != process; }

namespace {
/// The failed assertions of the ranks of a process. The world is ended only when each other rank
/// has ended, too, or waits for one that has: that rank may be about to fail the same assertion.
class FailedAssertions {
public:
  explicit FailedAssertions(llvm::ArrayRef<dsrt_context *> contexts)
      : contexts(contexts), ended(contexts.size()) {}

  void end(size_t rank) { ended[rank] = true; }
  /// Keeps the error of `rank`.
  void add(size_t rank, std::unique_ptr<AssertionError> error) {
    std::lock_guard<std::mutex> lock(mutex);
    found.emplace(rank, std::move(error));
  }
  void awaitOthers() const {
    using std::chrono::milliseconds;
    constexpr int mostLooks = 1000, stuckLooks = 20;
    std::vector<int64_t> calls(contexts.size(), -1);
    for (int look = 0, stuck = 0; look < mostLooks && stuck < stuckLooks; ++look, ++stuck) {
      for (auto [i, context] : llvm::enumerate(contexts)) {
        if (ended[i])
          continue;
        const int64_t now = statisticsOf(context).calls;
        if (!dsrt_in_collective(context) || now != calls[i])
          stuck = 0;
        calls[i] = now;
      }
      std::this_thread::sleep_for(milliseconds(5));
    }
  }
  /// Returns the assertion of the lowest rank, with all ranks that it has ended; success if none
  /// failed.
  Error take(int64_t firstRank, int64_t numRanks) {
    if (found.empty())
      return Error::success();
    std::unique_ptr<AssertionError> first = std::move(found.begin()->second);
    std::vector<int64_t> ranks = {firstRank + static_cast<int64_t>(found.begin()->first)};
    for (auto it = std::next(found.begin()); it != found.end(); ++it)
      if (it->second->place == first->place && it->second->message == first->message)
        ranks.push_back(firstRank + static_cast<int64_t>(it->first));
    first->name(ranks, numRanks);
    return Error(std::move(first));
  }

private:
  llvm::ArrayRef<dsrt_context *> contexts;
  std::vector<std::atomic<bool>> ended;
  std::mutex mutex;
  std::map<size_t, std::unique_ptr<AssertionError>> found;
};
} // namespace

Error World::run(llvm::function_ref<Error(int64_t, dsrt_context *)> rankBody) {
  if (isForked())
    return worldError("this process was forked from the one that has started the ranks, which do "
                      "not live in it: start them after the fork");
  if (!threads)
    if (Error error = RankThreads::start(contexts.size()).moveInto(threads))
      return error;
  std::mutex mutex;
  Error first = Error::success();
  FailedAssertions assertions(contexts);
  bool failed = false, isCaused = false; // describe `first`
  threads->run([&](size_t i) {
    Error error = llvm::handleErrors(rankBody(this->first + i, contexts[i]),
                                     [&](std::unique_ptr<AssertionError> asserted) -> Error {
                                       // Each process names its own rank.
                                       auto own = std::make_unique<AssertionError>(*asserted);
                                       own->name({this->first + int64_t(i)}, ranks);
                                       assertions.add(i, std::move(asserted));
                                       return Error(std::move(own));
                                     });
    assertions.end(i);
    if (!error)
      return;
    if (error.isA<AssertionError>())
      assertions.awaitOthers();
    const bool ofOther = error.isA<OtherRankError>();
    const bool byPeer = dsrt_last_status(contexts[i]) == DSRT_PEER_FAILED;
    std::string text = llvm::toString(std::move(error));
    {
      std::lock_guard<std::mutex> lock(mutex);
      // A rank that waits for the failed rank may get here before the failed rank itself.
      if (failed && (byPeer || !isCaused))
        return;
      failed = true;
      isCaused = byPeer;
      llvm::consumeError(std::move(first));
      first = ofOther ? llvm::make_error<OtherRankError>(text) : worldError(text);
    }
    // A process of a job ends the other processes by exiting with an error code; the launcher does
    // the rest.
    dsrt_abort(contexts[i], text.c_str());
  });
  if (Error asserted = assertions.take(this->first, ranks)) {
    llvm::consumeError(std::move(first));
    return asserted;
  }
  return first;
}

Error World::nameAxes(const std::vector<AxisSpec> &axes) {
  std::vector<const char *> names;
  std::vector<int32_t> sizes;
  for (const AxisSpec &axis : axes) {
    names.push_back(axis.name.c_str());
    sizes.push_back(axis.size);
  }
  for (dsrt_context *context : contexts)
    if (dsrt_name_axes(context, names.size(), names.data(), sizes.data()) != DSRT_OK)
      return contextError(context);
  return Error::success();
}

bool World::hasLostProcess() const {
  auto isLost = [](dsrt_context *context) {
    const dsrt_status status = context ? dsrt_last_status(context) : DSRT_OK;
    return status == DSRT_PEER_FAILED || status == DSRT_TIMEOUT;
  };
  return processes && (isLost(processes) || llvm::any_of(contexts, isLost));
}

void World::nameLate(Member &member) const {
  for (const dsrt_context *context : contexts)
    member.miss(context);
  if (!llvm::is_contained(contexts, processes))
    member.miss(processes);
}

std::string World::backend() const { return capabilitiesOf(contexts.front()).backend; }

std::string World::describeStaging() const {
  dsrt_capabilities capabilities = capabilitiesOf(contexts.front());
  if (!capabilities.device)
    return "";
  return std::string(capabilities.backend) +
         ": the step's host buffers are staged through device memory";
}

std::string World::describeCrowding() const {
  const auto cores = static_cast<int32_t>(std::thread::hardware_concurrency());
  const int32_t onHost = capabilitiesOf(contexts.front()).ranks_on_host;
  if (cores == 0 || onHost <= cores)
    return "";
  return (Twine(onHost) + " ranks share the " +
          (cores == 1 ? "one core" : Twine(cores) + " cores") +
          " of this machine, expected a core for each: a rank that has none holds the others up")
      .str();
}

std::optional<bool> World::registersMemory() const {
  if (numRanks() == 1 || backend() != "nccl")
    return std::nullopt;
  return capabilitiesOf(contexts.front()).registers != 0;
}

int64_t World::largestMessage() const { return capabilitiesOf(contexts.front()).largest_message; }

Watchdog::Activity World::activityOf(int64_t rank) const {
  const dsrt_context *context = contexts[rank - first];
  return {dsrt_in_collective(context) != 0, statisticsOf(context).calls, dsrt_failed(context) != 0};
}

} // namespace ds
