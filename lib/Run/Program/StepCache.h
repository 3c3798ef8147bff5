//===- StepCache.h - Compiled steps that stay on disk -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file for each step, named by a hash of all that its code follows from. A file appears whole or
// not at all, whoever writes beside. One that is damaged, that was written under another name, or
// that somebody else owns or can write, is as good as none. The least recently used go where all
// together are larger than the limit.
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
  /// In DS_CACHE_DIR, which may be `off`, else in ds of XDG_CACHE_HOME or of ~/.cache; of at most
  /// DS_CACHE_SIZE MiB, or 1024. What cannot be made or written is not there; `warning` is set
  /// where somebody else could write it, or where a variable is wrong.
  static StepCache open(std::string &warning);
  explicit StepCache(std::string folder, uint64_t limitBytes)
      : folder(std::move(folder)), limitBytes(limitBytes) {}

  bool isOff() const { return folder.empty(); }
  std::optional<std::string> find(llvm::StringRef key) const;
  void keep(llvm::StringRef key, llvm::StringRef bytes) const;

  /// Ranks of one host compile a step once: who wants the turn while another has it waits until
  /// that one is done, dead, or as late as the timeout says.
  class Turn {
  public:
    ~Turn();

  private:
    friend class StepCache;
    int file = -1;
    std::string path;
  };
  std::unique_ptr<Turn> waitForTurn(llvm::StringRef key, int64_t timeoutMs) const;

private:
  std::string pathOf(llvm::StringRef key, llvm::StringRef ending) const;
  void trim() const;

  std::string folder;
  uint64_t limitBytes;
};

} // namespace ds

#endif // DS_LIB_RUN_PROGRAM_STEPCACHE_H
