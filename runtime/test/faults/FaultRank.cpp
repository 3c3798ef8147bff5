//===- FaultRank.cpp - One job in which one rank is at fault ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// dsrt-fault-rank BACKEND FAULT TIMEOUT_MS [threads N]: one rank of a job, or with `threads` all of
// them. Rank 1 is at fault after two good calls. Every rank says on one line of JSON what it ended
// with and when; the one at fault says when it began. faults.py starts jobs and judges them.
//
// `axis-*`: four ranks form a mesh dp=2, tp=2. They exchange over tp, then sum over dp; rank 1,
// which is dp=0, tp=1, is at fault as without the prefix. Rank 2 shares no group with it, and ends
// first.
//
// `suspended`: before its third call rank 1 waits until the whole job has been stopped and
// continued. `paused`: rank 0 stops itself there; the others ask for failures meanwhile. `joining`:
// nothing happens. None of these is a fault.
//
//===----------------------------------------------------------------------===//
#include "dsrt/dsrt.h"
#include "support/StoreBackend.h"

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <sys/socket.h>
#include <thread>
#include <time.h>
#include <unistd.h>
#include <vector>

namespace {

constexpr int32_t guilty = 1;

std::string fault;
int64_t timeoutMs = 0;
bool threads = false;
std::mutex output;
std::atomic<bool> continued{false};

/// On a busy machine the others' timeout comes later than the clock says, and their words, too.
void outlast(double seconds) {
  const char *slack = std::getenv("DS_TEST_SLACK");
  usleep(static_cast<useconds_t>(seconds * 1e6 * (slack ? std::atof(slack) : 1)));
}

/// One clock for all processes of the machine.
long long nowMs() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000LL + time.tv_nsec / 1000000;
}

std::string escaped(const char *text) {
  std::string out;
  for (; *text; ++text) {
    if (*text == '"' || *text == '\\')
      out += '\\';
    out += *text >= ' ' ? *text : ' ';
  }
  return out;
}

void say(const char *format, const std::string &a, int32_t rank, long long time,
         const std::string &b = "") {
  std::lock_guard<std::mutex> lock(output);
  std::printf(format, rank, a.c_str(), time, b.c_str());
  std::fflush(stdout);
}

void sayFault(int32_t rank = guilty) {
  say("{\"rank\": %d, \"fault\": \"%s\", \"at\": %lld}\n", fault, rank, nowMs());
}

void sayEnd(const dsrt_context *context) {
  const long long time = nowMs();
  int32_t late[16] = {};
  const int32_t count = dsrt_late_ranks(context, 16, late);
  std::string list;
  for (int32_t i = 0; i < count && i < 16; ++i)
    list += (i ? ", " : "") + std::to_string(late[i]);
  say("{\"rank\": %d, \"status\": \"%s\", \"at\": %lld, %s}\n",
      dsrt_status_name(dsrt_last_status(context)), dsrt_rank(context), time,
      "\"late\": [" + list + "], \"error\": \"" + escaped(dsrt_last_error(context)) + "\"");
}

dsrt_status sum(dsrt_context *context, int64_t elements = 1024, dsrt_dtype dtype = DSRT_F32,
                dsrt_group group = DSRT_WORLD) {
  std::vector<float> memory(1024, 1.0f);
  void *data = memory.data();
  return dsrt_all_reduce(context, 1, &data, &elements, dtype, DSRT_SUM, group);
}

/// Ends every TCP connection of this process, as a network does that goes away.
void cutConnections() {
  for (int descriptor = 3; descriptor < 1024; ++descriptor) {
    int domain = 0, accepting = 0;
    socklen_t length = sizeof domain;
    if (getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &domain, &length) != 0 ||
        (domain != AF_INET && domain != AF_INET6))
      continue;
    length = sizeof accepting;
    getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &accepting, &length);
    if (!accepting)
      shutdown(descriptor, SHUT_RDWR);
  }
}

/// Until somebody has stopped and continued this process, and a little longer: the others have been
/// continued, too, and look at their deadlines while this rank is still on its way.
void awaitContinuation() {
  for (int i = 0; i < 6000 && !continued; ++i)
    usleep(10000);
  for (int i = 0; i < 30; ++i)
    usleep(10000);
}

/// What rank 0 and its fellows do while rank 0 is stopped.
void pauseRankZero(dsrt_context *context) {
  if (dsrt_rank(context) == 0) {
    sayFault(0);
    std::raise(SIGSTOP);
    return;
  }
  for (int i = 0; i < 20 && !dsrt_failed(context); ++i)
    usleep(20000);
}

/// What rank 1 does wrong. False: it takes no further part. `pair` is a group of ranks 0 and 1.
bool misbehave(dsrt_context *context, dsrt_group pair) {
  sayFault();
  if (fault == "suspended") {
    awaitContinuation();
    (void)sum(context);
  } else if (fault == "killed" || fault == "stuck-and-killed") {
    if (threads)
      return false; // a thread that has ended
    std::raise(SIGKILL);
  } else if (fault == "hung") {
    if (threads)
      return false; // the test must end, so the hung thread may not hold it
    while (true)
      pause();
  } else if (fault == "slow") {
    outlast(static_cast<double>(timeoutMs) * 2.5e-3);
    (void)sum(context);
  } else if (fault == "sizes") {
    (void)sum(context, 999);
  } else if (fault == "dtype") {
    (void)sum(context, 1024, DSRT_I32);
  } else if (fault == "group") {
    (void)sum(context, 1024, DSRT_F32, pair);
  } else if (fault == "order") {
    (void)dsrt_barrier(context, DSRT_WORLD);
  } else if (fault == "vendor-error" || fault.compare(0, 7, "inside-") == 0) {
    (void)sum(context); // the library has been told to fail
  } else if (fault == "lost") {
    cutConnections();
    usleep(200000);
    (void)sum(context);
  }
  return true;
}

struct MeshGroups {
  dsrt_group dp = DSRT_WORLD, tp = DSRT_WORLD;
};

bool makeMesh(dsrt_context *context, MeshGroups &groups) {
  const char *names[] = {"dp", "tp"};
  const int32_t sizes[] = {2, 2};
  const int32_t rank = dsrt_rank(context);
  const int32_t row[] = {rank / 2 * 2, rank / 2 * 2 + 1}, column[] = {rank % 2, rank % 2 + 2};
  return dsrt_name_axes(context, 2, names, sizes) == DSRT_OK &&
         dsrt_group_create(context, 2, row, &groups.tp) == DSRT_OK &&
         dsrt_group_create(context, 2, column, &groups.dp) == DSRT_OK;
}

void exchangeAndSum(dsrt_context *context, const MeshGroups &groups, bool sums = true) {
  std::vector<float> from(1024, 1.0f), to(1024);
  const void *in = from.data();
  void *out = to.data();
  const int64_t elements = 512;
  if (dsrt_all_to_all(context, 1, &in, &out, &elements, DSRT_F32, groups.tp) == DSRT_OK && sums)
    (void)sum(context, 1024, DSRT_F32, groups.dp);
}

int runOnMesh(dsrt_context *context) {
  MeshGroups groups;
  if (!makeMesh(context, groups))
    return 2;
  for (int i = 0; i < 2; ++i)
    exchangeAndSum(context, groups);
  bool leaves = false;
  if (dsrt_rank(context) == guilty) {
    usleep(300000); // the others are in their calls
    sayFault();
    if (fault == "axis-killed" && !threads)
      std::raise(SIGKILL);
    while (fault == "axis-hung" && !threads)
      pause();
    if (fault == "axis-slow")
      outlast(static_cast<double>(timeoutMs) * 2.5e-3);
    leaves = fault != "axis-slow"; // a thread
  }
  if (leaves)
    return 0;
  exchangeAndSum(context, groups, /*sums=*/dsrt_rank(context) != 2);
  sayEnd(context);
  const bool failed = dsrt_failed(context);
  if (!threads) // as in runRank; rank 2, which is done, would fail when it shuts down alone
    outlast(fault == "axis-slow" || !failed ? 3 : 1);
  return failed;
}

int runRank(dsrt_context *context) {
  if (fault.compare(0, 5, "axis-") == 0)
    return runOnMesh(context);
  for (int i = 0; i < 2; ++i)
    if (sum(context) != DSRT_OK)
      break;
  dsrt_group pair = DSRT_WORLD;
  const int32_t members[] = {0, guilty};
  if (fault == "group" && dsrt_rank(context) <= guilty &&
      dsrt_group_create(context, 2, members, &pair) != DSRT_OK)
    return 2;
  if (fault == "paused")
    pauseRankZero(context);
  const bool healthy = fault == "healthy" || fault == "paused" || fault == "joining";
  if (dsrt_rank(context) == guilty && !healthy) {
    if (!misbehave(context, pair))
      return 0;
  } else {
    (void)sum(context);
  }
  const bool failed = dsrt_failed(context);
  sayEnd(context);
  // The launcher may end the job when the first rank leaves with an error: let the others say
  // theirs.
  if (failed && !threads)
    outlast(fault == "slow" ? 3 : 1);
  return failed;
}

dsrt_options options() {
  dsrt_options result;
  dsrt_options_init(&result);
  result.timeout_ms = timeoutMs;
  return result;
}

int runThreads(const char *backend, int32_t numRanks) {
  threads = true;
  std::vector<dsrt_context *> contexts(static_cast<size_t>(numRanks));
  const dsrt_options with = options();
  if (dsrt_world_create(backend, numRanks, &with, contexts.data()) != DSRT_OK) {
    std::fprintf(stderr, "%s\n", dsrt_last_error(nullptr));
    return 2;
  }
  int result = 0;
  std::vector<std::thread> ranks;
  for (dsrt_context *context : contexts)
    ranks.emplace_back([&, context] {
      const int code = runRank(context);
      std::lock_guard<std::mutex> lock(output);
      result |= code;
    });
  for (std::thread &rank : ranks)
    rank.join();
  for (dsrt_context *context : contexts)
    (void)dsrt_shutdown(context);
  return result;
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: dsrt-fault-rank BACKEND FAULT TIMEOUT_MS [threads N]\n");
    return 2;
  }
  dsrt::test::registerStoreBackend();
  fault = argv[2];
  timeoutMs = std::atoll(argv[3]);
  std::signal(SIGCONT, [](int) { continued = true; });
  if (argc > 5 && std::strcmp(argv[4], "threads") == 0)
    return runThreads(argv[1], std::atoi(argv[5]));
  const dsrt_options with = options();
  dsrt_context *context = nullptr;
  if (dsrt_init(argv[1], &with, &context) != DSRT_OK) {
    std::fprintf(stderr, "%s\n", dsrt_last_error(nullptr));
    return 2;
  }
  const int result = runRank(context);
  (void)dsrt_shutdown(context);
  return result;
}
