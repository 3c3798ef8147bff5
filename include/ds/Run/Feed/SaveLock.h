//===- SaveLock.h - One training for each --save ----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two jobs with the same --save would continue from each other's checkpoints. The lock belongs to
// the kernel, so it ends with the process, however that ends; the file shows the second job which
// process holds it. A killed process leaves the file, which locks nothing. A removed file locks
// nothing either, so its name is checked before each write. Children of fork do not hold the lock:
// workers that load data may outlive a killed training.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_FEED_SAVELOCK_H
#define DS_RUN_FEED_SAVELOCK_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>
#include <vector>

namespace ds {

class SaveLock {
public:
  /// Locks `save`, and its target if it is a link. Fails if another job has the lock; if it
  /// `waits`, after a moment in which a job that is ending may release it. Calls `warn` if the file
  /// system has no locks.
  static llvm::Expected<std::unique_ptr<SaveLock>>
  take(llvm::StringRef save, llvm::function_ref<void(const std::string &)> warn, bool waits = true);
  ~SaveLock();

  /// Returns what the lock's file holds of this process: another one that reads the same there sees
  /// the same folder.
  std::string holder() const { return owner; }
  /// Returns what the lock's file of `save` holds of its holder; empty if it cannot be read.
  static std::string holderOf(llvm::StringRef save);

  /// Fails if the lock's file was removed or replaced: another job may write the same files.
  llvm::Error check() const;

private:
  struct Held {
    std::string path;
    int descriptor;
  };
  SaveLock();
  llvm::Error add(llvm::StringRef save, llvm::function_ref<void(const std::string &)> warn,
                  bool waits);

  const int process;
  const std::string owner;
  std::vector<Held> held;
};

} // namespace ds

#endif // DS_RUN_FEED_SAVELOCK_H
