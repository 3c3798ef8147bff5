//===- MpiError.cpp - An MPI library that fails on request ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loaded before the MPI library, by the profiling interface that every MPI has: the third gather of
// rank DS_TEST_MPI_ERROR returns an error, that of rank DS_TEST_MPI_DEATH is its end, and the
// second of rank DS_TEST_MPI_STUCK ends for the others alone.
//
//===----------------------------------------------------------------------===//
#include <csignal>
#include <cstdlib>
#include <mpi.h>

static bool isNamed(const char *variable) {
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const char *named = std::getenv(variable);
  return named && std::atoi(named) == rank;
}

extern "C" int MPI_Iallgather(const void *send, int sendCount, MPI_Datatype sendType, void *receive,
                              int receiveCount, MPI_Datatype receiveType, MPI_Comm comm,
                              MPI_Request *request) {
  static int calls = 0;
  ++calls;
  if (calls == 3 && isNamed("DS_TEST_MPI_ERROR"))
    return MPI_ERR_OTHER;
  if (calls == 3 && isNamed("DS_TEST_MPI_DEATH"))
    std::raise(SIGKILL);
  if (calls == 2 && isNamed("DS_TEST_MPI_STUCK")) {
    // The others get what they need; this rank waits for a message that nobody sends.
    static MPI_Request theirs;
    static char nothing;
    PMPI_Iallgather(send, sendCount, sendType, receive, receiveCount, receiveType, comm, &theirs);
    return PMPI_Irecv(&nothing, 1, MPI_BYTE, 0, 1000, comm, request);
  }
  return PMPI_Iallgather(send, sendCount, sendType, receive, receiveCount, receiveType, comm,
                         request);
}
