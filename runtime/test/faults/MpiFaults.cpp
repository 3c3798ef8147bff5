//===- MpiFaults.cpp - A job in which something goes wrong ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// dsrt-mpi-faults SCENARIO: one rank of a job of three. Prints what each rank ends with, on one
// line, and exits with 1 if its context failed, which makes the launcher end the job; check.py
// reads the lines.
//
//===----------------------------------------------------------------------===//
#include "dsrt/dsrt.h"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mpi.h>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

constexpr int64_t hour = 3600000;

/// On a busy machine the others' timeout comes later than the clock says.
void outlast(double seconds) {
  const char *slack = std::getenv("DS_TEST_SLACK");
  usleep(static_cast<useconds_t>(seconds * 1e6 * (slack ? std::atof(slack) : 1)));
}

dsrt_context *join(int64_t timeoutMs, const char *backend = "mpi", int64_t chunkBytes = 0) {
  dsrt_options options;
  dsrt_options_init(&options);
  options.timeout_ms = timeoutMs;
  options.chunk_bytes = chunkBytes;
  dsrt_context *context = nullptr;
  dsrt_status status = dsrt_init(backend, &options, &context);
  if (status != DSRT_OK) {
    std::printf("init: %s: %s\n", dsrt_status_name(status), dsrt_last_error(nullptr));
    std::fflush(stdout);
    sleep(1);
    std::exit(2);
  }
  return context;
}

dsrt_status permute(dsrt_context *context, const std::vector<int64_t> &sources) {
  std::vector<float> from(16), to(16);
  const void *in = from.data();
  void *out = to.data();
  const int64_t elements = 16;
  return dsrt_collective_permute(context, 1, &in, &out, &elements, DSRT_F32, sources.data(),
                                 DSRT_WORLD);
}

int launchedRank() {
  for (const char *variable : {"OMPI_COMM_WORLD_RANK", "PMI_RANK"})
    if (const char *rank = std::getenv(variable))
      return std::atoi(rank);
  return -1;
}

/// Faults at the beginning and after the end; returns whether the scenario was one of them.
bool runAroundInit(const std::string &scenario) {
  if (scenario == "auto") {
    dsrt_context *context = join(hour, "auto");
    std::printf("auto: %d ranks\n", dsrt_num_ranks(context));
    (void)dsrt_shutdown(context);
  } else if (scenario == "again") {
    (void)dsrt_shutdown(join(hour));
    (void)join(hour);
  } else if (scenario == "options") {
    (void)join(hour, "mpi", launchedRank() == 1 ? 4096 : 0);
  } else if (scenario == "absent") {
    // One that ended would have a launcher end the job, sooner or later.
    if (launchedRank() == 1)
      std::this_thread::sleep_for(std::chrono::hours(1));
    (void)join(2000);
  } else if (scenario == "stopped-early") {
    if (launchedRank() == 1)
      std::raise(SIGSTOP);
    (void)join(2000);
  } else if (scenario == "other") {
    // A launcher of one MPI, a plugin of another: never silently worlds of one.
    setenv("DS_MPI", "lam", /*overwrite=*/1);
    (void)join(hour);
  } else if (scenario == "single") {
    MPI_Init(nullptr, nullptr);
    (void)join(hour);
  } else if (scenario == "theirs") {
    // The program owns MPI: it can go on after the runtime has left.
    int level, sum = 0, one = 1;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &level);
    (void)dsrt_shutdown(join(hour));
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    std::printf("theirs: %d\n", sum);
    MPI_Finalize();
  } else {
    return false;
  }
  return true;
}

dsrt_status sum(dsrt_context *context, int64_t elements = 1024) {
  static std::vector<float> memory(1 << 20, 1.0f);
  void *data = memory.data();
  return dsrt_all_reduce(context, 1, &data, &elements, DSRT_F32, DSRT_SUM, DSRT_WORLD);
}

int finish(dsrt_context *context) {
  const bool failed = dsrt_failed(context);
  std::printf("rank %d: %s: %s\n", dsrt_rank(context), dsrt_status_name(dsrt_last_status(context)),
              dsrt_last_error(context));
  std::fflush(stdout);
  // The launcher kills the job when the first rank leaves with an error; the others first say their
  // line.
  if (failed)
    outlast(3);
  if (dsrt_shutdown(context) != DSRT_OK) {
    std::printf("shutdown: %s\n", dsrt_last_error(nullptr));
    return 1;
  }
  return failed;
}

} // namespace

int main(int argc, char **argv) {
  const std::string scenario = argc > 1 ? argv[1] : "";
  if (runAroundInit(scenario))
    return 0;
  const bool patient = scenario == "peer" || scenario == "abort" || scenario == "mismatch" ||
                       scenario == "sources" || scenario == "order";
  dsrt_context *context = join(patient ? hour : 1000);
  const int32_t rank = dsrt_rank(context);
  (void)sum(context); // the job is healthy at first

  if (scenario == "late" && rank == 2)
    pause();
  if (scenario == "late-first" && rank == 0)
    pause();
  if (scenario == "stopped" && rank == 1)
    std::raise(SIGSTOP);
  if (scenario == "killed" && rank == 1)
    std::raise(SIGKILL);
  if (scenario == "exited" && rank == 1)
    _exit(0);
  if (scenario == "comes-late" && rank == 2)
    outlast(2.4);
  // In 'group' rank 0 keeps out of the way: its own timeout could come before that of rank 1.
  if ((scenario == "first-comes-late" || scenario == "group") && rank == 0)
    outlast(2.4);
  if (scenario == "abort" && rank == 1) {
    dsrt_abort(context, "loss is not a number");
    return 0;
  }
  if (scenario == "peer" && rank == 1) {
    (void)sum(context, -1);
    return finish(context);
  }
  if (scenario == "leaves" && rank == 1)
    return finish(context); // the others stay and make another call
  if (scenario == "group") {
    const int32_t ranks[] = {1, 2};
    dsrt_group group = DSRT_WORLD;
    if (rank == 1 && dsrt_group_create(context, 2, ranks, &group) == DSRT_OK)
      std::printf("rank 1 made a group alone\n");
    if (rank != 1)
      pause(); // rank 0 stays out of it, or its own timeout could come first
    return finish(context);
  }
  if (scenario == "sources")
    (void)permute(context, {2, 0, rank == 2 ? -1 : 1});
  else if (scenario == "order" && rank == 1)
    (void)dsrt_barrier(context, DSRT_WORLD);
  else
    (void)sum(context, scenario == "mismatch" && rank == 2 ? 999 : 1024);
  return finish(context);
}
