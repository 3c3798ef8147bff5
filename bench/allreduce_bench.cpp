//===- allreduce_bench.cpp - Speed of all_reduce beside the machine's bound -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// allreduce_bench [--backend NAME] [--ranks N] [--bytes LIST] [--seconds S] [--json]
// Ranks are threads, or under a launcher the processes that it started. One line per size:
//   {"backend", "ranks", "bytes", "us_min", "algbw_GBps", "bound_us", "bound_fraction"}
// and "device_us_min", the same with device buffers, on backends that stage host buffers.
// f32 sum, in place. Before each call every rank writes its own buffer, as a backward pass does.
//
// The bound is measured in the same run, call by call in turns with all_reduce: the same ranks read
// and write the same bytes, each once, in the simplest loop there is (x += 1): rank k goes over the
// k-th share of every buffer where ranks are threads, over its own buffer where they are processes,
// and then they meet, because an all_reduce is over when the last rank is. No all_reduce can move
// fewer bytes. us_min and bound_us are the best of all turns; the time of one turn is the slowest
// rank's. On a machine that others use, the ratio of two minima is chance while a single lucky turn
// makes one of them: turns go on until five came within 5 % of either, for at most ten times the
// seconds asked for.
//
//===----------------------------------------------------------------------===//
#include "StandardStreams.h"
#include "dsrt/dsrt.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/mman.h>
#include <thread>
#include <vector>

namespace {

struct Settings {
  std::string backend = "local";
  int32_t ranks = 0; // 0: as many as the launcher started, or 2
  std::vector<int64_t> bytes;
  double seconds = 1; // per size
  bool json = false;
};

[[noreturn]] void fail(const std::string &why) {
  std::fprintf(stderr, "allreduce_bench: %s\n", why.c_str());
  std::exit(1);
}

double now() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

/// Memory as training programs have it: page-aligned, in large pages where the system has them.
float *allocate(int64_t bytes) {
  const size_t whole = (static_cast<size_t>(bytes) + (1 << 21) - 1) >> 21 << 21;
  void *data = std::aligned_alloc(1 << 21, whole);
  if (!data)
    fail("no memory for " + std::to_string(bytes) + " bytes");
  (void)madvise(data, whole, MADV_HUGEPAGE);
  std::memset(data, 0, whole);
  return static_cast<float *>(data);
}

/// Meets by the runtime itself, then leaves together as closely as it can.
void meet(dsrt_context *context) {
  if (dsrt_barrier(context, DSRT_WORLD) != DSRT_OK)
    fail(dsrt_last_error(context));
}

/// In f32, which every backend compares.
double slowest(dsrt_context *context, double mine) {
  float time = static_cast<float>(mine);
  void *data = &time;
  const int64_t one = 1;
  if (dsrt_all_reduce(context, 1, &data, &one, DSRT_F32, DSRT_MAX, DSRT_WORLD) != DSRT_OK)
    fail(dsrt_last_error(context));
  return time;
}

bool hasDevice(const dsrt_context *context) {
  dsrt_capabilities capabilities = {};
  capabilities.struct_size = sizeof capabilities;
  return dsrt_get_capabilities(context, &capabilities) == DSRT_OK && capabilities.device;
}

#if defined(__x86_64__)
#define FOR_EVERY_CORE __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define FOR_EVERY_CORE
#endif

FOR_EVERY_CORE void addOne(float *data, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    data[i] += 1.0f;
}

FOR_EVERY_CORE void addOneToTwo(float *__restrict a, float *__restrict b, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    a[i] += 1.0f;
    b[i] += 1.0f;
  }
}

/// One after the other, or two at a time: whichever this machine likes better is the bound.
void addOneToAll(const std::vector<float *> &buffers, int64_t from, int64_t n, bool pairs) {
  size_t b = 0;
  for (; pairs && b + 1 < buffers.size(); b += 2)
    addOneToTwo(buffers[b] + from, buffers[b + 1] + from, n);
  for (; b < buffers.size(); ++b)
    addOne(buffers[b] + from, n);
}

/// The smallest of many times, and whether others have confirmed it.
class Minimum {
public:
  void add(double time) {
    if (time < smallest.back()) {
      smallest.back() = time;
      std::sort(smallest.begin(), smallest.end());
    }
  }
  double value() const { return smallest.front(); }
  bool isConfirmed() const { return smallest.back() < 1.05 * smallest.front(); }

private:
  std::vector<double> smallest = std::vector<double>(5, 1e30);
};

struct Result {
  Minimum best, bound;
  double onDevice = 0; // of a backend that stages host buffers: the same without staging

  /// Every rank sees the same times, so all stop at the same turn.
  bool isEnough(double elapsed, double seconds) const {
    return elapsed > 10 * seconds ||
           (elapsed > seconds && best.isConfirmed() && bound.isConfirmed());
  }
};

/// The best time of an all_reduce of device memory.
double measureOnDevice(dsrt_context *context, const float *values, int64_t n) {
  void *data = nullptr;
  if (dsrt_memory_alloc(context, n * 4, &data) != DSRT_OK)
    fail(dsrt_last_error(context));
  double best = 1e30;
  for (int turn = -3; turn < 12; ++turn) {
    if (dsrt_memory_copy(context, data, values, n * 4) != DSRT_OK)
      fail(dsrt_last_error(context));
    meet(context);
    double t = now();
    if (dsrt_all_reduce(context, 1, &data, &n, DSRT_F32, DSRT_SUM, DSRT_WORLD) != DSRT_OK)
      fail(dsrt_last_error(context));
    t = slowest(context, now() - t);
    if (turn >= 0)
      best = std::min(best, t);
  }
  (void)dsrt_memory_free(context, data);
  return best;
}

/// One rank's part; `buffers` are those of all ranks in this process.
Result measure(dsrt_context *context, const Settings &settings, const std::vector<float *> &buffers,
               int64_t bytes) {
  const int32_t rank = dsrt_rank(context), ranks = dsrt_num_ranks(context);
  const bool threads = buffers.size() > 1;
  float *mine = buffers[threads ? rank : 0];
  const int64_t n = bytes / 4;
  const int64_t share = ((n + ranks - 1) / ranks + 15) / 16 * 16;
  const int64_t from = std::min(n, rank * share), to = std::min(n, from + share);
  Result result;
  const double begin = now();
  const int fewest = bytes > (16 << 20) ? 4 : 12, most = 200000;
  for (int turn = -3;
       turn < fewest ||
       (turn < most && !result.isEnough(slowest(context, now() - begin), settings.seconds));
       ++turn) {
    std::fill_n(mine, n, static_cast<float>(rank + 1));
    meet(context);
    double t = now();
    if (threads) {
      addOneToAll(buffers, from, to - from, turn % 2 != 0);
    } else {
      addOne(mine, n);
    }
    meet(context);
    t = slowest(context, now() - t);
    if (turn >= 0)
      result.bound.add(t);

    std::fill_n(mine, n, static_cast<float>(rank + 1));
    void *data = mine;
    meet(context);
    t = now();
    if (dsrt_all_reduce(context, 1, &data, &n, DSRT_F32, DSRT_SUM, DSRT_WORLD) != DSRT_OK)
      fail(dsrt_last_error(context));
    t = slowest(context, now() - t);
    const float expected = static_cast<float>(ranks) * static_cast<float>(ranks + 1) / 2;
    if (n > 0 && (mine[0] != expected || mine[n - 1] != expected || mine[n / 2] != expected))
      fail("wrong sum");
    if (turn >= 0)
      result.best.add(t);
  }
  if (hasDevice(context))
    result.onDevice = measureOnDevice(context, mine, n);
  return result;
}

void print(const Settings &settings, int32_t ranks, int64_t bytes, const Result &result) {
  const double best = result.best.value(), bound = result.bound.value();
  const double gigabytes = static_cast<double>(bytes) / best / 1e9;
  char number[64] = {};
  if (result.onDevice > 0)
    std::snprintf(number, sizeof number,
                  settings.json ? ", \"device_us_min\": %.2f" : ", %.1f us without staging",
                  result.onDevice * 1e6);
  const std::string device = number;
  if (settings.json)
    std::printf("{\"backend\": \"%s\", \"ranks\": %d, \"bytes\": %lld, \"us_min\": %.2f, "
                "\"algbw_GBps\": %.3f, \"bound_us\": %.2f, \"bound_fraction\": %.3f%s}\n",
                settings.backend.c_str(), ranks, static_cast<long long>(bytes), best * 1e6,
                gigabytes, bound * 1e6, bound / best, device.c_str());
  else
    std::printf("%-6s %2d ranks %10lld bytes %10.1f us %8.3f GB/s, %3.0f %% of the bound%s\n",
                settings.backend.c_str(), ranks, static_cast<long long>(bytes), best * 1e6,
                gigabytes, 100 * bound / best, device.c_str());
  std::fflush(stdout);
}

void runRank(dsrt_context *context, const Settings &settings, const std::vector<float *> &buffers) {
  dsrt_flush_denormals();
  for (int64_t bytes : settings.bytes) {
    const Result result = measure(context, settings, buffers, bytes);
    if (dsrt_rank(context) == 0)
      print(settings, dsrt_num_ranks(context), bytes, result);
  }
}

int64_t parseBytes(const std::string &word) {
  char *end = nullptr;
  const double number = std::strtod(word.c_str(), &end);
  const std::string unit = end;
  const int64_t scale = unit == "" || unit == "B" ? 1
                        : unit == "KiB"           ? 1 << 10
                        : unit == "MiB"           ? 1 << 20
                                                  : 0;
  const double bytes = number * static_cast<double>(scale);
  if (end == word.c_str() || !(bytes >= 4) || bytes > 1e11)
    fail("'" + word + "' is no size; expected a number of B, KiB or MiB, at least 4 B");
  return static_cast<int64_t>(bytes) / 4 * 4;
}

Settings parse(int argc, char **argv) {
  Settings settings;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    auto value = [&]() -> std::string {
      if (++i == argc)
        fail(option + " needs a value");
      return argv[i];
    };
    if (option == "--backend") {
      settings.backend = value();
    } else if (option == "--ranks") {
      settings.ranks = std::atoi(value().c_str());
      if (settings.ranks < 1)
        fail("--ranks needs a number of 1 or more");
    } else if (option == "--seconds") {
      settings.seconds = std::atof(value().c_str());
    } else if (option == "--json") {
      settings.json = true;
    } else if (option == "--bytes") {
      std::string list = value();
      for (size_t at = 0; at <= list.size();) {
        const size_t end = std::min(list.find(',', at), list.size());
        settings.bytes.push_back(parseBytes(list.substr(at, end - at)));
        at = end + 1;
      }
    } else {
      fail("unknown option '" + option +
           "'; expected --backend NAME, --ranks N, --bytes 4KiB,1MiB,..., --seconds S or "
           "--json");
    }
  }
  if (settings.bytes.empty())
    for (int64_t bytes = 4096; bytes <= int64_t(256) << 20; bytes *= 4)
      settings.bytes.push_back(bytes);
  return settings;
}

} // namespace

int main(int argc, char **argv) {
  dsrt::openStandardStreams();
  Settings settings = parse(argc, argv);
  dsrt_options options;
  dsrt_options_init(&options);
  const int64_t largest = *std::max_element(settings.bytes.begin(), settings.bytes.end());
  std::vector<dsrt_context *> contexts(1);
  dsrt_status status = dsrt_init(settings.backend.c_str(), &options, contexts.data());
  if (status == DSRT_OK && dsrt_num_ranks(contexts[0]) == 1 && settings.ranks != 1) {
    // Nobody has launched us: the ranks are threads.
    (void)dsrt_shutdown(contexts[0]);
    contexts.assign(static_cast<size_t>(settings.ranks ? settings.ranks : 2), nullptr);
    status = dsrt_world_create(settings.backend.c_str(), static_cast<int32_t>(contexts.size()),
                               &options, contexts.data());
  }
  if (status != DSRT_OK)
    fail(dsrt_last_error(nullptr));
  if (settings.ranks && dsrt_num_ranks(contexts[0]) != settings.ranks)
    fail("--ranks is " + std::to_string(settings.ranks) + ", but the world has " +
         std::to_string(dsrt_num_ranks(contexts[0])));

  std::vector<float *> buffers;
  for (size_t r = 0; r < contexts.size(); ++r)
    buffers.push_back(allocate(largest));
  std::vector<std::thread> ranks;
  for (dsrt_context *context : contexts)
    ranks.emplace_back([&, context] { runRank(context, settings, buffers); });
  for (std::thread &rank : ranks)
    rank.join();
  for (float *buffer : buffers)
    std::free(buffer);
  for (dsrt_context *context : contexts)
    if (dsrt_shutdown(context) != DSRT_OK)
      fail(dsrt_last_error(nullptr));
  return dsrt::closeStandardStreams("allreduce_bench", 0);
}
