//===- StepCache.h - Compiled steps that stay on disk -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file for each step, named by a hash of all inputs of its code. A file appears complete or not
// at all, even if several processes write it. A damaged file, a file written under another name,
// and a file that another user owns or may write are ignored. The least recently used files are
// removed when all together exceed the limit.
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_RUN_PROGRAM_STEPCACHE_H
#define DS_LIB_RUN_PROGRAM_STEPCACHE_H

#include "llvm/ADT/StringRef.h"

#include <memory>
#include <optional>
#include <string>

namespace ds {

class StepCache {
public:
  /// Opens the cache in DS_CACHE_DIR, which may be `off`, else in ds of XDG_CACHE_HOME or of
  /// ~/.cache; its limit is DS_CACHE_SIZE MiB, or 1024. The cache is off if its folder cannot be
  /// created. It is off and `warning` is set if another user could write it, or if a variable is
  /// wrong.
  static StepCache open(std::string &warning);
  explicit StepCache(std::string folder, uint64_t limitBytes)
      : folder(std::move(folder)), limitBytes(limitBytes) {}

  bool isOff() const { return folder.empty(); }
  std::optional<std::string> find(llvm::StringRef key) const;
  void keep(llvm::StringRef key, llvm::StringRef bytes) const;

  /// Ranks of one host compile a step once: a rank that wants a turn waits until the rank that has
  /// it is done or dead, or until the timeout.
  class Turn {
  public:
    ~Turn();

  private:
    friend class StepCache;
    int file = -1;
    std::string path;
  };
  /// The time that a rank waits for another rank of its host that compiles the same program.
  static constexpr int64_t turnMs = 10 * 60 * 1000;
  std::unique_ptr<Turn> waitForTurn(llvm::StringRef key, int64_t timeoutMs) const;

private:
  std::string pathOf(llvm::StringRef key, llvm::StringRef ending) const;
  void trim() const;

  std::string folder;
  uint64_t limitBytes;
};

} // namespace ds

#endif // DS_LIB_RUN_PROGRAM_STEPCACHE_H
