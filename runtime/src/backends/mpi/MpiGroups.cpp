//===- MpiGroups.cpp - Groups of ranks over MPI -----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "MpiState.h"

namespace dsrt::mpi {

std::vector<int32_t> counting(int32_t n) {
  std::vector<int32_t> list(n);
  for (int32_t i = 0; i < n; ++i)
    list[i] = i;
  return list;
}

/// `name` and `tags` (Communicator::tags) keep groups apart that are made at the same time.
static dsrt_status makeGroup(Process &process, int32_t numRanks, const int32_t *ranks,
                             uint64_t name, int32_t tags, int64_t timeoutMs, void **outGroup,
                             dsrt_error *error) {
  auto *communicator = new Communicator; // kept on failure, as at init
  communicator->tags = tags;
  communicator->ranks.assign(ranks, ranks + numRanks);
  communicator->indices = counting(numRanks);
  while (communicator->ranks[communicator->index] != process.rank)
    ++communicator->index;
  communicator->hosts = hostsOf(communicator->ranks, process.hostOf);
  Arrival mine;
  mine.signature.op = rendezvousGroup;
  mine.signature.sourcesHash = name;
  for (int32_t i = 0; i < numRanks; ++i)
    mine.signature.elementsHash = mine.signature.elementsHash * 1099511628211u + ranks[i] + 1;
  Verdict verdict;
  MPI_Comm worldComm = process.world->comm;
  dsrt_status status =
      meet(process, *communicator, worldComm, communicator->ranks, mine, timeoutMs, verdict, error);
  if (status != DSRT_OK)
    return status;
  MPI_Group everyone, members;
  MPI_Comm_group(worldComm, &everyone);
  MPI_Group_incl(everyone, numRanks, communicator->ranks.data(), &members);
  // Blocks, but only among ranks that have just met.
  int code = MPI_Comm_create_group(worldComm, members, tags ? tags : tagData, &communicator->comm);
  MPI_Group_free(&members);
  MPI_Group_free(&everyone);
  if (code != MPI_SUCCESS)
    return checkMpi(code, "MPI_Comm_create_group", error);
  MPI_Comm_set_errhandler(communicator->comm, MPI_ERRORS_RETURN);
  *outGroup = communicator;
  return DSRT_OK;
}

dsrt_status createGroup(void *state, int32_t numRanks, const int32_t *ranks, int64_t timeoutMs,
                        void **outGroup, dsrt_error *error) {
  auto *process = static_cast<Process *>(state);
  if (numRanks == process->size) {
    *outGroup = process->world;
    return DSRT_OK;
  }
  return makeGroup(*process, numRanks, ranks, /*name=*/0, /*tags=*/0, timeoutMs, outGroup, error);
}

/// Tags for the rendezvous of one group, beside those of the enumeration.
static dsrt_status tagsOf(const Process &process, uint64_t name, int32_t &tags, dsrt_error *error) {
  constexpr int32_t own = 16;
  int *most = nullptr, found = 0;
  const int code = MPI_Comm_get_attr(process.world->comm, MPI_TAG_UB, &most, &found);
  if (code != MPI_SUCCESS || !found)
    return failWith(error, DSRT_INTERNAL, "the MPI library does not give its largest tag");
  tags = own * (1 + static_cast<int32_t>(name % static_cast<uint64_t>(*most / own - 1)));
  return DSRT_OK;
}

dsrt_status createGroupApart(void *state, int32_t numRanks, const int32_t *ranks, uint64_t name,
                             int64_t timeoutMs, void **outGroup, dsrt_error *error) {
  auto *process = static_cast<Process *>(state);
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);
  if (level < MPI_THREAD_MULTIPLE)
    return failWith(error, DSRT_UNAVAILABLE,
                    "ranks that share a process need MPI_THREAD_MULTIPLE, which this program's MPI "
                    "does not give");
  int32_t tags = 0;
  dsrt_status status = tagsOf(*process, name, tags, error);
  Process apart = *process;
  apart.call = nullptr;
  if (status == DSRT_OK)
    status = makeGroup(apart, numRanks, ranks, name, tags, timeoutMs, outGroup, error);
  if (status != DSRT_OK)
    return status;
  auto *communicator = static_cast<Communicator *>(*outGroup);
  communicator->tags = 0; // it has a communicator of its own now
  communicator->apart = std::make_unique<Process>(apart);
  return DSRT_OK;
}

void destroyGroup(void *state, void *group, int32_t failed) {
  auto *process = static_cast<Process *>(state);
  auto *communicator = static_cast<Communicator *>(group);
  if (communicator == process->world || failed) // messages of a failed call may be under way
    return;
  MPI_Comm_free(&communicator->comm);
  delete communicator;
}

} // namespace dsrt::mpi
