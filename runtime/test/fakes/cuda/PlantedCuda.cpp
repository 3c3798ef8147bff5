//===- PlantedCuda.cpp - The fake driver with a mistake in it ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For scripts/check-ptx-mutations, in the place of libfake_cuda.so, of which it has all that it
// does not say otherwise:
//   DS_PLANTED_PTX=FILE     the first module is what the file holds; a file that is missing gets
//   the
//                           text
//   DS_PLANTED_LAUNCH=WHAT  the first launch has a `block` more, or `threads` twice as many; or
//   each
//                           has half of its threads (`half`)
//   DS_PLANTED_BUFFER=N     allocation N, from 1 on, is 4 bytes short
//   DS_PLANTED_WAITS=WHOSE  no event is waited for by streams of the highest priority (`side`), or
//   by
//                           all others (`own`)
//   DS_PLANTED_WAITS=host   the host finds every event reached
//   DS_PLANTED_ORDER=FILE   gets a line for each graph that is queued, `queue 2`, and for each that
//                           the host begins to wait for, `wait 1`; 0 is what comes before them
//   DS_PLANTED_DIGEST=FILE  gets a number for all bytes that the host has read from the device
//
//===----------------------------------------------------------------------===//
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

/// The fake driver's function of the same name.
template <typename F> F *next(const char *name) {
  return reinterpret_cast<F *>(dlsym(RTLD_NEXT, name));
}

std::string setting(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

/// What was queued to be read, and the sum so far; of one rank.
struct Reads {
  std::vector<std::pair<const void *, size_t>> queued;
  uint64_t sum = 0xcbf29ce484222325;

  void add() {
    for (auto [data, bytes] : queued)
      for (size_t i = 0; i < bytes; ++i)
        sum = (sum ^ static_cast<const uint8_t *>(data)[i]) * 0x100000001b3; // FNV-1a
    queued.clear();
    if (const std::string file = setting("DS_PLANTED_DIGEST"); !file.empty())
      std::ofstream(file) << sum << "\n";
  }
} reads;

/// Of graphs, by the events behind them.
struct Order {
  std::mutex mutex;
  std::map<void *, int> behind;
  std::set<int> awaited;
  int queued = 0;

  void tell(const char *what, int graph) {
    if (const std::string file = setting("DS_PLANTED_ORDER"); !file.empty())
      std::ofstream(file, std::ios::app) << what << ' ' << graph << '\n';
  }
} order;

struct Sides {
  std::mutex mutex;
  std::set<void *> streams;
} sides;

} // namespace

EXPORT int cuModuleLoadDataEx(void **out, const void *image, unsigned count, const int *options,
                              void *const *values) {
  auto *load =
      next<int(void **, const void *, unsigned, const int *, void *const *)>("cuModuleLoadDataEx");
  static std::atomic<bool> isFirst{true};
  const std::string file = setting("DS_PLANTED_PTX");
  if (file.empty() || !isFirst.exchange(false))
    return load(out, image, count, options, values);
  if (std::ifstream there(file); there) {
    const std::string text((std::istreambuf_iterator<char>(there)), {});
    return load(out, text.c_str(), count, options, values);
  }
  std::ofstream(file) << static_cast<const char *>(image);
  return load(out, image, count, options, values);
}

EXPORT int cuLaunchKernel(void *function, unsigned gridX, unsigned gridY, unsigned gridZ,
                          unsigned blockX, unsigned blockY, unsigned blockZ, unsigned shared,
                          void *stream, void **parameters, void **extra) {
  static std::atomic<bool> isFirst{true};
  const std::string plant = setting("DS_PLANTED_LAUNCH");
  if (plant == "half" && blockX > 1)
    blockX /= 2;
  if (!plant.empty() && isFirst.exchange(false)) {
    gridX += plant == "block";
    if (plant == "threads")
      blockX *= 2;
  }
  return next<int(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                  void *, void **, void **)>("cuLaunchKernel")(
      function, gridX, gridY, gridZ, blockX, blockY, blockZ, shared, stream, parameters, extra);
}

EXPORT int cuMemAlloc_v2(unsigned long long *out, size_t bytes) {
  static std::atomic<size_t> allocations{0};
  const std::string number = setting("DS_PLANTED_BUFFER");
  if (++allocations == std::strtoull(number.c_str(), nullptr, 10) && bytes > 4)
    bytes -= 4;
  return next<int(unsigned long long *, size_t)>("cuMemAlloc_v2")(out, bytes);
}

EXPORT int cuStreamCreateWithPriority(void **stream, unsigned flags, int priority) {
  const int result =
      next<int(void **, unsigned, int)>("cuStreamCreateWithPriority")(stream, flags, priority);
  std::lock_guard<std::mutex> lock(sides.mutex);
  if (result == 0 && priority < 0)
    sides.streams.insert(*stream);
  return result;
}

EXPORT int cuStreamCreate(void **stream, unsigned flags) {
  return cuStreamCreateWithPriority(stream, flags, 0);
}

EXPORT int cuStreamWaitEvent(void *stream, void *event, unsigned flags) {
  const std::string whose = setting("DS_PLANTED_WAITS");
  std::unique_lock<std::mutex> lock(sides.mutex);
  const bool isSide = sides.streams.count(stream) != 0;
  lock.unlock();
  if (whose == (isSide ? "side" : "own"))
    return 0;
  return next<int(void *, void *, unsigned)>("cuStreamWaitEvent")(stream, event, flags);
}

EXPORT int cuGraphLaunch(void *executable, void *stream) {
  {
    std::lock_guard<std::mutex> lock(order.mutex);
    order.tell("queue", ++order.queued);
  }
  return next<int(void *, void *)>("cuGraphLaunch")(executable, stream);
}

EXPORT int cuEventRecord(void *event, void *stream) {
  {
    std::lock_guard<std::mutex> lock(order.mutex);
    order.behind[event] = order.queued;
  }
  return next<int(void *, void *)>("cuEventRecord")(event, stream);
}

EXPORT int cuEventQuery(void *event) {
  {
    std::lock_guard<std::mutex> lock(order.mutex);
    if (const int graph = order.behind[event]; order.awaited.insert(graph).second)
      order.tell("wait", graph);
  }
  return setting("DS_PLANTED_WAITS") == "host" ? 0 : next<int(void *)>("cuEventQuery")(event);
}

EXPORT int cuMemcpyDtoHAsync_v2(void *to, unsigned long long from, size_t bytes, void *stream) {
  reads.queued.emplace_back(to, bytes);
  return next<int(void *, unsigned long long, size_t, void *)>("cuMemcpyDtoHAsync_v2")(
      to, from, bytes, stream);
}

EXPORT int cuStreamSynchronize(void *stream) {
  const int result = next<int(void *)>("cuStreamSynchronize")(stream);
  reads.add();
  return result;
}
