//===- Arrival.cpp - The rendezvous before each MPI collective --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No user buffer is given to MPI before all members are known to be there and to want the same.
// Each member sends its call to the first member of the group, the coordinator, which compares them
// and answers; two small messages per member and call. What this buys:
//   - a late rank is named, because the coordinator knows exactly which have not arrived;
//   - a member whose timeout expires first asks the coordinator to end the call, so that all get
//   the same verdict;
//   - if the coordinator itself is late it cannot answer, and is the one to be named;
//   - ranks that disagree get a sentence, where MPI would truncate, hang or return wrong sums.
//
// After a timeout, messages under way are abandoned together with their memory: MPI may still use
// it.
//
//===----------------------------------------------------------------------===//
#include "MpiState.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace dsrt::mpi {

static_assert(std::is_trivially_copyable_v<Arrival> && std::is_trivially_copyable_v<Verdict> &&
                  std::is_trivially_copyable_v<dsrt_error>,
              "these travel as bytes");

namespace {

/// Identifies a rendezvous in a give-up message: one that arrives after its end must not end the
/// next.
uint64_t keyOf(const Arrival &arrival) {
  return arrival.signature.sequence ^ arrival.signature.elementsHash;
}

class Rendezvous {
public:
  Rendezvous(Process &process, Communicator &communicator, MPI_Comm comm,
             const std::vector<int32_t> &commRanks, const Arrival &mine, int64_t timeoutMs,
             dsrt_error *error)
      : process(process), communicator(communicator), comm(comm), commRanks(commRanks), mine(mine),
        timeoutMs(timeoutMs), error(error), size(communicator.size()) {}

  dsrt_status coordinate(Verdict &verdict);
  dsrt_status attend(Verdict &verdict);

private:
  void compare(Verdict &verdict);
  bool someoneGivesUp();
  std::vector<int32_t> notArrived();
  int tag(Tag own) const { return own + communicator.tags; }
  void answer(const Verdict &verdict);

  Process &process;
  Communicator &communicator;
  MPI_Comm comm;
  const std::vector<int32_t> &commRanks;
  const Arrival &mine;
  const int64_t timeoutMs;
  dsrt_error *error;
  const int32_t size;
};

void Rendezvous::compare(Verdict &verdict) {
  verdict.oneSpan = mine.spanLayout != 0;
  for (int32_t m = 1; m < size; ++m) {
    const Arrival &other = communicator.arrivals[m];
    verdict.oneSpan &= other.spanLayout == mine.spanLayout;
    if (verdict.status == DSRT_OK && !agree(communicator.ranks[0], mine.signature, nullptr,
                                            communicator.ranks[m], other.signature, nullptr, error))
      verdict.status = DSRT_MISMATCH;
  }
}

bool Rendezvous::someoneGivesUp() {
  int found = 0;
  MPI_Status status;
  while (MPI_Iprobe(MPI_ANY_SOURCE, tag(tagGiveUp), comm, &found, &status) == MPI_SUCCESS &&
         found) {
    uint64_t key = 0;
    MPI_Recv(&key, sizeof key, MPI_BYTE, status.MPI_SOURCE, tag(tagGiveUp), comm,
             MPI_STATUS_IGNORE);
    if (key == keyOf(mine))
      return true;
  }
  return false;
}

std::vector<int32_t> Rendezvous::notArrived() {
  std::vector<int32_t> late;
  for (int32_t m = 1; m < size; ++m) {
    int done = 0;
    MPI_Request_get_status(communicator.requests[m - 1], &done, MPI_STATUS_IGNORE);
    if (!done)
      late.push_back(communicator.ranks[m]);
  }
  return late;
}

void Rendezvous::answer(const Verdict &verdict) {
  std::vector<MPI_Request> &requests = communicator.requests;
  communicator.messages.verdict = verdict;
  if (verdict.status == DSRT_OK) {
    for (int32_t m = 1; m < size; ++m)
      MPI_Isend(&communicator.messages.verdict, sizeof verdict, MPI_BYTE, commRanks[m],
                tag(tagVerdict), comm, &requests[m - 1]);
    return;
  }
  // A late rank finds the answer when it arrives.
  MessageBuffers *last = &communicator.messages;
  last->error = *error;
  for (int32_t m = 1; m < size; ++m) {
    MPI_Request request;
    MPI_Isend(&last->verdict, sizeof(Verdict), MPI_BYTE, commRanks[m], tag(tagVerdict), comm,
              &request);
    MPI_Request_free(&request);
    MPI_Isend(&last->error, sizeof(dsrt_error), MPI_BYTE, commRanks[m], tag(tagVerdictText), comm,
              &request);
    MPI_Request_free(&request);
  }
}

dsrt_status Rendezvous::coordinate(Verdict &verdict) {
  std::vector<MPI_Request> &requests = communicator.requests;
  for (int32_t m = 1; m < size; ++m)
    MPI_Irecv(&communicator.arrivals[m], sizeof(Arrival), MPI_BYTE, commRanks[m], tag(tagArrival),
              comm, &requests[m - 1]);
  Waiting waiting(process, timeoutMs);
  for (uint32_t turns = 1;; ++turns) {
    int done = 0;
    int code = MPI_Testall(size - 1, requests.data(), &done, MPI_STATUSES_IGNORE);
    if (code != MPI_SUCCESS)
      return checkMpi(code, "rendezvous", error);
    if (done)
      break;
    Waiting::Turn turn = waiting.turn(error);
    if (turn == Waiting::Turn::peerFailed)
      return DSRT_PEER_FAILED;
    if (turn == Waiting::Turn::expired || (turns % 32 == 0 && someoneGivesUp())) {
      std::vector<int32_t> late = notArrived();
      if (late.empty())
        continue; // they came just now
      if (late.size() > 1) {
        // A rank that hangs in an earlier call waits for another one, too, unless all of them do.
        // Members that wait for our answer have as much patience again.
        const std::vector<int32_t> stuck = findStuck(process, late, graceMs(timeoutMs) / 2);
        if (stuck.size() < late.size())
          for (int32_t rank : stuck)
            late.erase(std::find(late.begin(), late.end(), rank));
      }
      setLate(error, timeoutMs, late);
      verdict.status = DSRT_TIMEOUT;
      answer(verdict);
      return DSRT_TIMEOUT;
    }
  }
  // This rank may be the late one: a rank that waited for us may have gone.
  if (waiting.peerHasFailed(error))
    return DSRT_PEER_FAILED;
  compare(verdict);
  answer(verdict);
  if (verdict.status != DSRT_OK)
    return static_cast<dsrt_status>(verdict.status);
  return waitForData(process, communicator, timeoutMs, error);
}

dsrt_status Rendezvous::attend(Verdict &verdict) {
  MessageBuffers *messages = &communicator.messages;
  messages->arrival = mine;
  messages->key = keyOf(mine);
  MPI_Request send, receive;
  MPI_Isend(&messages->arrival, sizeof(Arrival), MPI_BYTE, commRanks[0], tag(tagArrival), comm,
            &send);
  MPI_Irecv(&messages->verdict, sizeof(Verdict), MPI_BYTE, commRanks[0], tag(tagVerdict), comm,
            &receive);

  Waiting waiting(process, timeoutMs);
  bool gaveUp = false, haveVerdict = false;
  while (true) {
    int done = 0;
    int code = MPI_Test(&receive, &done, MPI_STATUS_IGNORE);
    if (code != MPI_SUCCESS)
      return checkMpi(code, "rendezvous", error);
    if (done && haveVerdict)
      break;
    if (done) {
      verdict = messages->verdict;
      if (verdict.status == DSRT_OK) {
        MPI_Wait(&send, MPI_STATUS_IGNORE); // answered, hence received
        return DSRT_OK;
      }
      haveVerdict = true;
      MPI_Irecv(&messages->error, sizeof(dsrt_error), MPI_BYTE, commRanks[0], tag(tagVerdictText),
                comm, &receive);
      waiting.extend(graceMs(timeoutMs));
      continue;
    }
    Waiting::Turn turn = waiting.turn(error);
    if (turn == Waiting::Turn::peerFailed)
      return DSRT_PEER_FAILED;
    if (turn == Waiting::Turn::again)
      continue;
    if (!gaveUp && !haveVerdict) {
      gaveUp = true;
      MPI_Request request;
      MPI_Isend(&messages->key, sizeof messages->key, MPI_BYTE, commRanks[0], tag(tagGiveUp), comm,
                &request);
      MPI_Request_free(&request);
      waiting.extend(graceMs(timeoutMs));
      continue;
    }
    setLate(error, timeoutMs, {communicator.ranks[0]});
    std::strncat(error->text, ", which collects the arrivals of this group; others may be late too",
                 sizeof error->text - std::strlen(error->text) - 1);
    return DSRT_TIMEOUT;
  }

  process.learnt->informed = true;
  *error = messages->error;
  auto end = error->late + error->num_late;
  if (verdict.status != DSRT_TIMEOUT || std::find(error->late, end, process.rank) == end)
    return static_cast<dsrt_status>(verdict.status);
  // This rank is the late one.
  dsrt_error original = *error;
  *error = {};
  return failWith(error, DSRT_PEER_FAILED, "rank %d gave up: %s", communicator.ranks[0],
                  original.text);
}

} // namespace

dsrt_status meet(Process &process, Communicator &communicator, MPI_Comm comm,
                 const std::vector<int32_t> &commRanks, const Arrival &mine, int64_t timeoutMs,
                 Verdict &verdict, dsrt_error *error) {
  verdict = {};
  if (communicator.size() == 1) {
    verdict.oneSpan = mine.spanLayout != 0;
    return DSRT_OK;
  }
  communicator.arrivals.resize(communicator.size());
  communicator.requests.assign(communicator.size() - 1, MPI_REQUEST_NULL);
  Rendezvous rendezvous(process, communicator, comm, commRanks, mine, timeoutMs, error);
  return communicator.index == 0 ? rendezvous.coordinate(verdict) : rendezvous.attend(verdict);
}

} // namespace dsrt::mpi
