//===- MpiError.cpp - An MPI library that fails on request ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loaded before the MPI library, by the profiling interface that every MPI has: the third gather of
// rank DS_TEST_MPI_ERROR returns an error, and that of rank DS_TEST_MPI_DEATH is its end.
//
//===----------------------------------------------------------------------===//
#include <csignal>
#include <cstdlib>
#include <mpi.h>

/// Whether the third gather of the rank that the variable names has come.
static bool isTime(const char *variable, int calls) {
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const char *named = std::getenv(variable);
  return named && std::atoi(named) == rank && calls == 3;
}

extern "C" int MPI_Iallgather(const void *send, int sendCount, MPI_Datatype sendType, void *receive,
                              int receiveCount, MPI_Datatype receiveType, MPI_Comm comm,
                              MPI_Request *request) {
  static int calls = 0;
  ++calls;
  if (isTime("DS_TEST_MPI_ERROR", calls))
    return MPI_ERR_OTHER;
  if (isTime("DS_TEST_MPI_DEATH", calls))
    std::raise(SIGKILL);
  return PMPI_Iallgather(send, sendCount, sendType, receive, receiveCount, receiveType, comm,
                         request);
}
