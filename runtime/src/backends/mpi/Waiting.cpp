//===- Waiting.cpp - Waiting for MPI with a deadline ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A rank that fails outside a rendezvous sends a note to all others; every wait looks for notes.
// When data stops moving although all had met, the members are probed: a rank that waits anywhere
// in the runtime answers; a rank that died or stopped does not, and is named. A rank that finished
// the call and computes does not answer either, so the timeout must be longer than a step.
//
//===----------------------------------------------------------------------===//
#include "MpiState.h"
#include "base/Threads.h"

#include <algorithm>
#include <cinttypes>
#include <cstring>
#include <sched.h>
#include <time.h>

namespace dsrt::mpi {

dsrt_status checkMpi(int code, const char *what, dsrt_error *error) {
  if (code == MPI_SUCCESS)
    return DSRT_OK;
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(code, text, &length);
  return failWith(error, DSRT_INTERNAL, "%s: %s", what, text);
}

Waiting::Waiting(Process &process, int64_t timeoutMs)
    : process(process), begin(now()), deadline(Deadline::in(timeoutMs)) {}

void Waiting::extend(int64_t ms) { deadline = Deadline::in(ms); }

/// Receives a message of the world if one has come; another thread may look at the same time.
static bool receiveIfThere(Tag tag, const Process &process, void *data, int bytes, int32_t &from) {
  int found = 0;
  MPI_Status status;
  MPI_Message message;
  if (MPI_Improbe(MPI_ANY_SOURCE, tag, process.world->comm, &found, &message, &status) !=
          MPI_SUCCESS ||
      !found)
    return false;
  from = status.MPI_SOURCE;
  MPI_Mrecv(data, bytes, MPI_BYTE, &message, MPI_STATUS_IGNORE);
  return true;
}

bool Waiting::peerHasFailed(dsrt_error *error) {
  Learnt &learnt = *process.learnt;
  FailureNote note;
  int32_t from = 0;
  if (receiveIfThere(tagFailure, process, &note, sizeof note, from)) {
    note.text[sizeof note.text - 1] = 0;
    std::lock_guard<std::mutex> lock(learnt.mutex);
    learnt.note = "rank " + std::to_string(note.rank) + " failed first: " + note.text;
    learnt.informed = true;
    learnt.noted = true;
  }
  if (!learnt.noted)
    return false;
  std::lock_guard<std::mutex> lock(learnt.mutex);
  setText(error, "%s", learnt.note.c_str());
  return true;
}

/// Sends a message without contents.
static void say(Tag tag, Process &process, int32_t rank) {
  MPI_Request request;
  MPI_Isend(nullptr, 0, MPI_BYTE, rank, tag, process.world->comm, &request);
  MPI_Request_free(&request);
}

static bool take(Tag tag, Process &process, int32_t &rank) {
  return receiveIfThere(tag, process, nullptr, 0, rank);
}

static void answerProbes(Process &process) {
  for (int32_t rank; take(tagProbe, process, rank);) {
    say(tagAlive, process, rank);
    process.stuck.push_back(rank);
  }
}

std::vector<int32_t> findStuck(Process &process, const std::vector<int32_t> &ranks,
                               int64_t patienceMs) {
  const Deadline patience = Deadline::in(patienceMs);
  std::vector<int32_t> found;
  do {
    const timespec pause = {0, 1000000};
    nanosleep(&pause, nullptr);
    answerProbes(process);
    found.clear();
    for (int32_t rank : ranks)
      if (std::count(process.stuck.begin(), process.stuck.end(), rank) > 0)
        found.push_back(rank);
  } while (found.size() < ranks.size() && !patience.passed());
  return found;
}

// While the rank computes this runs seldom, so each time it checks everything.
Waiting::Turn Waiting::afterYield(dsrt_error *error) {
  answerProbes(process);
  if (peerHasFailed(error))
    return Turn::peerFailed;
  return deadline.passed() ? Turn::expired : Turn::again;
}

// A test costs a fraction of a microsecond; 400 of them cover the usual skew of ranks, unless ranks
// outnumber cores and every test delays the awaited rank. From then on the core is offered to
// others, and after some milliseconds it is left alone. A thread that computes gives the core back
// after a slice of milliseconds only, and a rank that sleeps meanwhile is woken earlier than one
// that yields: then the core is left alone at once, until the next attempt to yield.
Waiting::Turn Waiting::turn(dsrt_error *error) {
  constexpr uint64_t yieldNs = 5000000, slowYieldNs = 500000, triedAgainNs = 200000000;
  if (process.call && process.call->yield && process.call->yield(process.call->yields_to))
    return afterYield(error);
  const uint32_t tests = process.crowded ? 2 : 400;
  if (++turns % 32 == 0 && peerHasFailed(error))
    return Turn::peerFailed;
  if (turns < tests)
    return Turn::again;
  if (deadline.passed())
    return peerHasFailed(error) ? Turn::peerFailed : Turn::expired;
  const uint64_t before = now();
  const bool isEarly = before - begin < yieldNs;
  if (isEarly && before >= process.contendedUntil) {
    sched_yield();
    if (const uint64_t after = now(); process.crowded && after - before > slowYieldNs)
      process.contendedUntil = after + triedAgainNs;
  } else {
    answerProbes(process);
    timespec pause = {0, isEarly ? 10000 : 100000};
    nanosleep(&pause, nullptr);
  }
  return Turn::again;
}

//===----------------------------------------------------------------------===//
// Data.
//===----------------------------------------------------------------------===//

/// Probes the members after a timeout while data moved: a rank that waits, in whatever call,
/// answers.
static dsrt_status probeLiveness(Process &process, const Communicator &communicator,
                                 int64_t timeoutMs, dsrt_error *error) {
  std::vector<int32_t> silent;
  for (int32_t rank : communicator.ranks)
    if (rank != process.rank) {
      silent.push_back(rank);
      say(tagProbe, process, rank);
    }
  Waiting waiting(process, graceMs(timeoutMs));
  for (auto turn = Waiting::Turn::again; turn == Waiting::Turn::again && !silent.empty();) {
    for (int32_t rank; take(tagAlive, process, rank);)
      silent.erase(std::remove(silent.begin(), silent.end(), rank), silent.end());
    answerProbes(process);
    turn = waiting.turn(error);
    if (turn == Waiting::Turn::peerFailed)
      return DSRT_PEER_FAILED;
  }
  if (silent.empty())
    return failWith(error, DSRT_TIMEOUT,
                    "timed out after %" PRId64
                    " ms: all ranks are in the call, but its data does not move",
                    timeoutMs);
  setLate(error, timeoutMs, silent);
  std::strncat(error->text, ", which came to the call but did not finish it",
               sizeof error->text - std::strlen(error->text) - 1);
  return DSRT_TIMEOUT;
}

dsrt_status waitForRequests(Process &process, const Communicator &communicator,
                            MPI_Request *requests, size_t number, int64_t timeoutMs,
                            dsrt_error *error) {
  Waiting waiting(process, timeoutMs);
  while (true) {
    int done = 0;
    int code = MPI_Testall(static_cast<int>(number), requests, &done, MPI_STATUSES_IGNORE);
    if (code != MPI_SUCCESS)
      return checkMpi(code, "exchange of data", error);
    if (done)
      return DSRT_OK;
    switch (waiting.turn(error)) {
    case Waiting::Turn::again:
      break;
    case Waiting::Turn::peerFailed:
      return DSRT_PEER_FAILED;
    case Waiting::Turn::expired:
      return probeLiveness(process, communicator, timeoutMs, error);
    }
  }
}

dsrt_status waitForData(Process &process, Communicator &communicator, int64_t timeoutMs,
                        dsrt_error *error) {
  return waitForRequests(process, communicator, communicator.requests.data(),
                         communicator.requests.size(), timeoutMs, error);
}

} // namespace dsrt::mpi
