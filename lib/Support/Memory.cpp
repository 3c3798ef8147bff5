//===- Memory.cpp - Memory that is available, and needed --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Available memory is the minimum of the kernel's estimate (MemAvailable and swap), the room left
// by the control groups around the process (pages of files do not count: they can be reclaimed),
// and the room left by RLIMIT_AS and RLIMIT_DATA.
//
//===----------------------------------------------------------------------===//
#include "ds/Support/Memory.h"

#include "ds/Support/File.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <new>
#include <sstream>
#include <sys/resource.h>
#include <unistd.h>

namespace ds {

using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

static constexpr int64_t unlimited = std::numeric_limits<int64_t>::max();

/// Reads a file of the system, which is small.
static std::string contentsOf(const std::string &path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Returns the number after `key` in lines of `key number`, or `otherwise`.
static int64_t numberOf(StringRef text, StringRef key, int64_t otherwise) {
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    int64_t number;
    if (line.consume_front(key) && !line.trim(" \t:").split(' ').first.getAsInteger(10, number))
      return number;
    text = rest;
  }
  return otherwise;
}

static int64_t ofMachine() {
  std::string text = contentsOf("/proc/meminfo");
  int64_t available = numberOf(text, "MemAvailable", -1);
  if (available < 0)
    return unlimited; // another system: the amount is unknown
  return (available + numberOf(text, "SwapFree", 0)) * 1024;
}

/// Returns the room that one group leaves; versions 1 and 2 name their files differently.
static int64_t ofGroup(const std::string &folder, const char *limitName, const char *usedName) {
  int64_t limit, used;
  if (StringRef(contentsOf(folder + limitName)).trim().getAsInteger(10, limit) ||
      StringRef(contentsOf(folder + usedName)).trim().getAsInteger(10, used))
    return unlimited; // "max", or no such group
  std::string statistics = contentsOf(folder + "/memory.stat");
  int64_t files =
      numberOf(statistics, "inactive_file ", 0) + numberOf(statistics, "active_file ", 0);
  return std::max<int64_t>(0, limit - std::max<int64_t>(0, used - files));
}

static int64_t ofControlGroups() {
  int64_t least = unlimited;
  std::string text = contentsOf("/proc/self/cgroup");
  for (StringRef rest = text; !rest.empty();) {
    auto [line, more] = rest.split('\n');
    rest = more;
    auto [number, named] = line.split(':');
    auto [controllers, path] = named.split(':');
    bool second = number == "0" && controllers.empty();
    if (!second && !llvm::is_contained(llvm::split(controllers, ','), "memory"))
      continue;
    // The limits of all groups around ours apply. In a container the path may be that of the host.
    for (StringRef group = path == "/" ? "" : path;; group = group.rsplit('/').first) {
      least = std::min(
          least, second ? ofGroup("/sys/fs/cgroup" + group.str(), "/memory.max", "/memory.current")
                        : ofGroup("/sys/fs/cgroup/memory" + group.str(), "/memory.limit_in_bytes",
                                  "/memory.usage_in_bytes"));
      if (group.empty() || !group.contains('/'))
        break;
    }
  }
  return least;
}

static int64_t ofLimits() {
  int64_t least = unlimited;
  // Pages: in all, in memory, shared, code, 0, data.
  std::istringstream pages(contentsOf("/proc/self/statm"));
  int64_t all = 0, ignored, data = 0;
  pages >> all >> ignored >> ignored >> ignored >> ignored >> data;
  for (auto [kind, used] : {std::pair(RLIMIT_AS, all), std::pair(RLIMIT_DATA, data)}) {
    struct rlimit limit;
    if (getrlimit(kind, &limit) == 0 && limit.rlim_cur < uint64_t(unlimited))
      least = std::min(
          least, std::max<int64_t>(0, int64_t(limit.rlim_cur) - used * sysconf(_SC_PAGESIZE)));
  }
  return least;
}

int64_t availableMemory() { return std::min({ofMachine(), ofControlGroups(), ofLimits()}); }

std::string bytesToString(int64_t bytes) {
  const char *units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes < 1024)
    return std::to_string(bytes) + " bytes";
  double value = double(bytes) / 1024;
  size_t unit = 0;
  for (; value >= 1024 && unit + 1 < std::size(units); ++unit)
    value /= 1024;
  return llvm::formatv("{0:f1} {1}", value, units[unit]).str();
}

llvm::Error checkMemory(const Twine &what, int64_t bytes) {
  // If less than this is available, the next small allocation would fail as well.
  constexpr int64_t small = int64_t(1) << 20;
  if (bytes <= small)
    return llvm::Error::success();
  int64_t available = availableMemory();
  if (bytes <= available)
    return llvm::Error::success();
  return llvm::createStringError(std::make_error_code(std::errc::not_enough_memory),
                                 what + " needs " + bytesToString(bytes) + " of memory, but " +
                                     bytesToString(available) + " are available");
}

Expected<BytesRead> readAsTheyCome(StringRef path, const Twine &what, int64_t total,
                                   llvm::function_ref<Expected<int64_t>(uint8_t *, int64_t)> read) {
  constexpr int64_t first = int64_t(1) << 20;
  std::unique_ptr<uint8_t, decltype(&std::free)> bytes(nullptr, std::free);
  int64_t have = 0, room = 0;
  do {
    if (llvm::Error error = checkMemory(what, total - have))
      return readError(path, llvm::toString(std::move(error)));
    room = room > total / 2 ? total : std::min(total, std::max(first, 2 * room));
    // The system moves large blocks without copying them.
    auto *larger = static_cast<uint8_t *>(std::realloc(bytes.get(), std::max<int64_t>(room, 1)));
    if (!larger)
      llvm::report_bad_alloc_error("no memory for what a file holds");
    (void)bytes.release();
    bytes.reset(larger);
    auto got = read(larger + have, room - have);
    if (!got)
      return got.takeError();
    have += *got;
  } while (have == room && have < total);
  return BytesRead{std::shared_ptr<uint8_t>(bytes.release(), std::free), have};
}

void reportOutOfMemory() {
  auto end = [] {
    // No allocation and no destructors, since memory is exhausted.
    static const char text[] = "ds-run: error: out of memory\n";
    static std::atomic_flag isTold = ATOMIC_FLAG_INIT;
    while (isTold.test_and_set()) // by another rank, which ends the process
      ::pause();
    (void)!::write(STDERR_FILENO, text, sizeof text - 1);
    _exit(1);
  };
  std::set_new_handler(+end);
  llvm::install_bad_alloc_error_handler(
      [](void *, const char *, bool) { std::get_new_handler()(); });
}

} // namespace ds
