//===- MpiState.h - A rank, its communicators, and how it waits -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BACKENDS_MPI_MPISTATE_H
#define DSRT_SRC_BACKENDS_MPI_MPISTATE_H

#include "backends/Hosts.h"
#include "base/Deadline.h"
#include "base/Messages.h"
#include "dsrt/backend.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mpi.h>
#include <mutex>
#include <string>
#include <vector>

namespace dsrt::mpi {

/// Tags of the point-to-point messages. A rendezvous uses the communicator of its group, notes and
/// liveness probes that of the world.
enum Tag {
  tagArrival = 1,
  tagVerdict = 2,
  tagVerdictText = 3,
  tagGiveUp = 4,
  tagFailure = 5,
  tagData = 6,
  tagProbe = 7,
  tagAlive = 8
};

/// A member's message to the coordinator of a rendezvous.
struct Arrival {
  CallSignature signature;
  uint64_t spanLayout = 0; // hash of the gaps in one span of buffers, 0 if there is none
};

/// The coordinator's answer. On failure the text follows in a message of its own.
struct Verdict {
  int32_t status = DSRT_OK;
  int32_t oneSpan = 0; // all members' buffers lie in one span with the same gaps
};

/// The memory of the messages of a rendezvous. A failed one abandons messages that MPI may still
/// read or write, so this lives in the communicator, which a failed rank never frees.
struct MessageBuffers {
  Arrival arrival;
  uint64_t key = 0; // of the rendezvous that a member gives up
  Verdict verdict;
  dsrt_error error = {};
};

/// The note of a failure that a rank sends to all others.
struct FailureNote {
  int32_t rank;
  char text[1024];
};

/// Adjacent elements of a call: `begin` counts in the elements of the whole call.
struct Run {
  char *data;
  int64_t begin, elements;
};

/// A rank's knowledge of the failures of others. Its threads share it.
struct Learnt {
  /// Set when this rank learnt of a failure from another: it sends no note of its own.
  std::atomic<bool> informed{false};
  std::atomic<bool> noted{false};
  std::mutex mutex; // of `note`
  std::string note; // that came, once `noted`
};

/// The backend state of a rank.
struct Process {
  struct Communicator *world = nullptr;
  int32_t rank = 0;
  int32_t size = 1;
  dsrt_options options = {};
  int32_t onHost = 1;          // ranks that share memory with this one
  bool crowded = false;        // more of them than cores
  uint64_t contendedUntil = 0; // of the clock: until then threads that do not yield have the cores
  bool oneHost = false;        // all ranks share memory
  std::vector<int32_t> hostOf; // by rank: the first rank that shares memory with it
  std::shared_ptr<Learnt> learnt = std::make_shared<Learnt>();
  /// Ranks that have sent a liveness probe: they hang in a call whose data does not move.
  std::vector<int32_t> stuck;
  const dsrt_call *call = nullptr; // under way; its waits may yield
};

/// A communicator and the memory of its calls, kept so that a steady state allocates nothing.
struct Communicator {
  MPI_Comm comm = MPI_COMM_NULL;
  std::vector<int32_t> ranks;   // of the world
  std::vector<int32_t> indices; // 0, 1, ...: the same members as ranks of `comm`
  int32_t index = 0;
  Hosts hosts;
  std::vector<Arrival> arrivals;
  std::vector<MPI_Request> requests;
  MessageBuffers messages;
  std::vector<Run> runs;
  std::vector<char> scratch, staging;
  std::vector<const void *> sources;
  std::vector<std::vector<MPI_Request>> messagesTo, messagesFrom; // by member (HostOrder.cpp)
  /// Added to the tags of a rendezvous: groups that are made at the same time do not mix.
  int32_t tags = 0;
  /// For a group whose calls run beside those of other groups: its own waits.
  std::unique_ptr<Process> apart;

  int32_t size() const { return static_cast<int32_t>(ranks.size()); }
};

/// Waits for MPI without blocking in it: tests, yields, then sleeps for short whiles, until the
/// deadline or until another rank reports that it has failed.
class Waiting {
public:
  Waiting(Process &process, int64_t timeoutMs);

  enum class Turn { again, expired, peerFailed };
  /// Called between two tests. Fills `error` on peerFailed.
  Turn turn(dsrt_error *error);
  /// Looks for a failure note now.
  bool peerHasFailed(dsrt_error *error);
  void extend(int64_t ms);

private:
  Turn afterYield(dsrt_error *error);

  Process &process;
  uint64_t begin; // of the clock
  Deadline deadline;
  uint32_t turns = 0;
};

/// Returns those of `ranks` that hang in a call of their own. They may send their probes a little
/// later than we time out, so this takes `patienceMs` if one does not.
std::vector<int32_t> findStuck(Process &process, const std::vector<int32_t> &ranks,
                               int64_t patienceMs);

//===----------------------------------------------------------------------===//
// Beginning and end of MPI itself (Start.cpp): within a timeout, although MPI has none, or within
// shortestStartMs, since MPI takes some seconds by itself on a busy machine. `code` is MPI's.
// DSRT_TIMEOUT abandons a call of MPI and names no rank; the process should end.
//===----------------------------------------------------------------------===//

constexpr int64_t shortestStartMs = 10000;

dsrt_status initialiseMpi(int64_t timeoutMs, int &code, dsrt_error *error);
/// Makes a copy of MPI_COMM_WORLD.
dsrt_status copyWorld(int64_t timeoutMs, MPI_Comm &copy, int &code, dsrt_error *error);
int finaliseMpi();

/// Fills `error` with MPI's own words if `code` is not MPI_SUCCESS.
dsrt_status checkMpi(int code, const char *what, dsrt_error *error);

/// Returns how long a member whose timeout has expired waits for the last messages of others.
inline int64_t graceMs(int64_t timeoutMs) { return std::clamp<int64_t>(timeoutMs / 4, 200, 2000); }

/// Waits until all requests of the communicator are complete. DSRT_TIMEOUT leaves them pending:
/// their memory must not be freed.
dsrt_status waitForData(Process &process, Communicator &communicator, int64_t timeoutMs,
                        dsrt_error *error);
/// Waits for requests of messages between members.
dsrt_status waitForRequests(Process &process, const Communicator &communicator,
                            MPI_Request *requests, size_t number, int64_t timeoutMs,
                            dsrt_error *error);

/// Meets the members (index in `members` -> rank of communicator `comm`); if all agree, returns
/// DSRT_OK and fills `verdict`. The first member coordinates: it collects every member's arrival,
/// compares them, and answers.
dsrt_status meet(Process &process, Communicator &communicator, MPI_Comm comm,
                 const std::vector<int32_t> &commRanks, const Arrival &mine, int64_t timeoutMs,
                 Verdict &verdict, dsrt_error *error);

/// Returns 0, 1, ..
std::vector<int32_t> counting(int32_t n);
/// The groups of the backend's table (MpiGroups.cpp).
dsrt_status createGroup(void *state, int32_t numRanks, const int32_t *ranks, int64_t timeoutMs,
                        void **outGroup, dsrt_error *error);
dsrt_status createGroupApart(void *state, int32_t numRanks, const int32_t *ranks, uint64_t name,
                             int64_t timeoutMs, void **outGroup, dsrt_error *error);
void destroyGroup(void *state, void *group, int32_t failed);

/// In-place all_reduce of up to 2^30 bytes in rank order, and the other collectives
/// (RankOrder.cpp).
dsrt_status allReduceInRankOrder(Process &process, Communicator &communicator,
                                 const dsrt_call &call, char *data, int64_t elements,
                                 dsrt_error *error);
/// Does the same where hosts of several members form a chain (HostOrder.cpp).
dsrt_status allReduceByHosts(Process &process, Communicator &communicator, const dsrt_call &call,
                             char *data, int64_t elements, dsrt_error *error);
dsrt_status reduceScatter(Process &process, Communicator &communicator, const dsrt_call &call,
                          int64_t chunkElements, dsrt_error *error);
dsrt_status allGather(Process &process, Communicator &communicator, const dsrt_call &call,
                      int64_t chunkElements, dsrt_error *error);
dsrt_status allToAll(Process &process, Communicator &communicator, const dsrt_call &call,
                     int64_t chunkElements, dsrt_error *error);
dsrt_status permute(Process &process, Communicator &communicator, const dsrt_call &call,
                    int64_t chunkElements, dsrt_error *error);

/// Moves the data of a collective whose members have met.
dsrt_status moveData(Process &process, Communicator &communicator, const dsrt_call &call,
                     bool oneSpan, dsrt_error *error);

} // namespace dsrt::mpi

#endif // DSRT_SRC_BACKENDS_MPI_MPISTATE_H
