//===- StepCache.cpp - Compiled steps that stay on disk ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "StepCache.h"

#include "ds/Run/Ranks/Interrupt.h"
#include "ds/Support/File.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

using llvm::StringRef;

namespace ds {
namespace {

constexpr uint64_t defaultLimitMiB = 1024;
/// Files that a dead process has left are removed after an hour.
constexpr time_t leftoverSeconds = 3600;

std::string folderFromEnvironment() {
  if (const char *given = std::getenv("DS_CACHE_DIR"))
    return StringRef(given) == "off" ? "" : given;
  // By the XDG base directory specification, a relative path is ignored.
  if (const char *base = std::getenv("XDG_CACHE_HOME"); base && base[0] == '/')
    return std::string(base) + "/ds";
  if (const char *home = std::getenv("HOME"); home && home[0] == '/')
    return std::string(home) + "/.cache/ds";
  return "";
}

/// True if no other user may write the folder, because its contents are executed.
bool isMine(const struct stat &found) {
  return S_ISDIR(found.st_mode) && found.st_uid == geteuid() &&
         (found.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

} // namespace

StepCache StepCache::open(std::string &warning) {
  std::string folder = folderFromEnvironment();
  uint64_t limitMiB = defaultLimitMiB;
  if (const char *given = std::getenv("DS_CACHE_SIZE"))
    if (StringRef(given).getAsInteger(10, limitMiB) || limitMiB > (uint64_t(1) << 40)) {
      warning = std::string("compiled steps are not kept: DS_CACHE_SIZE is '") + given +
                "', expected a number of MiB";
      return StepCache("", 0);
    }
  struct stat found = {};
  if (folder.empty() || limitMiB == 0 ||
      (stat(folder.c_str(), &found) != 0 &&
       (llvm::sys::fs::create_directories(folder, /*IgnoreExisting=*/true,
                                          llvm::sys::fs::perms::owner_all) ||
        stat(folder.c_str(), &found) != 0)))
    return StepCache("", 0);
  if (!isMine(found)) {
    warning = "compiled steps are not kept in '" + folder +
              "': expected a folder of this user that no other user can write (chmod go-w); "
              "DS_CACHE_DIR names another one, or off";
    return StepCache("", 0);
  }
  return StepCache(folder, limitMiB << 20);
}

std::string StepCache::pathOf(StringRef key, StringRef ending) const {
  return (folder + "/" + key + ending).str();
}

std::optional<std::string> StepCache::find(StringRef key) const {
  if (isOff())
    return std::nullopt;
  std::string path = pathOf(key, ".step");
  auto file = InputFile::openOwn(path);
  auto bytes = file ? readAll(std::move(*file)) : file.takeError();
  if (!bytes) { // a failure counts as a missing file: the step is compiled again, and rewritten
    llvm::consumeError(bytes.takeError());
    return std::nullopt;
  }
  (void)utimensat(AT_FDCWD, path.c_str(), nullptr, 0); // marks it as used now
  return (*bytes)->getBuffer().str();
}

void StepCache::keep(StringRef key, StringRef bytes) const {
  if (isOff() || bytes.size() > limitBytes)
    return;
  // A full disk must not end a training.
  llvm::consumeError(writeFileAtomically(
      pathOf(key, ".step"), [&](llvm::raw_ostream &stream) { stream << bytes; }, /*mode=*/0600));
  trim();
}

void StepCache::trim() const {
  struct Kept {
    std::string path;
    struct timespec used;
    uint64_t bytes;
  };
  std::vector<Kept> kept;
  uint64_t all = 0;
  time_t now = time(nullptr);
  std::error_code code;
  for (llvm::sys::fs::directory_iterator at(folder, code), end; !code && at != end;
       at.increment(code)) {
    StringRef path = at->path(), ending = llvm::sys::path::extension(path);
    struct stat found = {};
    if (lstat(at->path().c_str(), &found) != 0 || !S_ISREG(found.st_mode))
      continue;
    if ((ending.starts_with(".tmp-") || ending == ".turn") &&
        found.st_mtime + leftoverSeconds < now)
      (void)llvm::sys::fs::remove(path);
    if (ending != ".step")
      continue;
    all += found.st_size;
    kept.push_back({path.str(), found.st_mtim, static_cast<uint64_t>(found.st_size)});
  }
  std::sort(kept.begin(), kept.end(), [](const Kept &x, const Kept &y) {
    return std::make_pair(x.used.tv_sec, x.used.tv_nsec) <
           std::make_pair(y.used.tv_sec, y.used.tv_nsec);
  });
  for (const Kept &oldest : kept) {
    if (all <= limitBytes)
      return;
    (void)llvm::sys::fs::remove(oldest.path);
    all -= oldest.bytes;
  }
}

StepCache::Turn::~Turn() {
  if (file < 0)
    return;
  (void)unlink(path.c_str()); // waiting ranks have it open, and search the cache next
  (void)close(file);
}

std::unique_ptr<StepCache::Turn> StepCache::waitForTurn(StringRef key, int64_t timeoutMs) const {
  auto turn = std::make_unique<Turn>();
  if (isOff())
    return turn;
  turn->path = pathOf(key, ".turn");
  int file = ::open(turn->path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0)
    return turn;
  auto last = std::chrono::steady_clock::now() + std::chrono::milliseconds(timeoutMs);
  // The system releases the lock of a process that dies.
  while (flock(file, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK || interruptRequested() || std::chrono::steady_clock::now() > last) {
      (void)close(file);
      return turn;
    }
    usleep(2000);
  }
  turn->file = file;
  return turn;
}

} // namespace ds
