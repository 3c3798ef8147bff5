//===- Checkpoints.h - Numbered files of a training -------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --save w.safetensors --save-every 100steps writes w-000000000100.safetensors, w-000000000200..
// beside it, keeps the newest ones, and continues from the newest with --resume. A file gets its
// name once it is complete and on the disk, so a training can continue from each file with such a
// name.
//
// Where processes write shares, w-000000000100-00001-of-00002.safetensors.., the checkpoint is
// their index, w-000000000100.safetensors.index.json: rank 0 writes it once all shares are on the
// disk, so shares without an index are no checkpoint.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_FEED_CHECKPOINTS_H
#define DS_RUN_FEED_CHECKPOINTS_H

#include "ds/Data/Safetensors.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace ds {

/// Returns the path of the checkpoint after `step` steps, beside `save`.
std::string checkpointPath(llvm::StringRef save, int64_t step);

/// Returns the path of the index of its shares, and that of share `number` of `count`, from 0 on.
std::string indexPath(llvm::StringRef save, int64_t step);
std::string sharePath(llvm::StringRef save, int64_t step, int64_t number, int64_t count);

/// Returns the numbered checkpoints beside `save`, by step, without `save` itself.
std::multimap<int64_t, std::string> findCheckpoints(llvm::StringRef save);

/// Fails if there are such checkpoints: a later --resume of a new training would continue from
/// them.
llvm::Error checkNoEarlier(llvm::StringRef save);

/// A checkpoint that was found and parsed.
struct FoundCheckpoint {
  std::string path;
  SafetensorsFile contents;
};

/// Returns the newest undamaged file among `save` and its checkpoints, by the step stored in it;
/// none if there is no file. `passOver` is called for each newer file that cannot be read or whose
/// contents do not match its seal. It is an error if all are damaged: the training would start
/// anew.
llvm::Expected<std::optional<FoundCheckpoint>>
findNewest(llvm::StringRef save, llvm::function_ref<void(const std::string &)> passOver);

/// Writes values and metadata with a checksum over both. A numbered checkpoint has the permissions
/// of `save`, if that exists.
llvm::Error writeCheckpoint(llvm::StringRef path, Safetensors contents,
                            std::optional<unsigned> mode = std::nullopt);

/// Writes checkpoints on a thread of its own, one at a time; on the caller's thread if none can be
/// started. The process of rank 0 writes whole files or the index of shares, other processes write
/// their shares.
class CheckpointWriter {
public:
  CheckpointWriter(std::string save, int64_t keep) : save(std::move(save)), keep(keep) {}
  ~CheckpointWriter();

  /// Takes over a copy of the training's values after `step` steps. Waits for the checkpoint
  /// before, and fails if that could not be written.
  llvm::Error start(int64_t step, Safetensors contents);
  /// The same with share `number` of `count`.
  llvm::Error startShare(int64_t step, int64_t number, int64_t count, Safetensors contents);
  /// Completes a checkpoint whose shares, of the number of files given, are all on the disk: their
  /// sizes and checksums are added to the index.
  llvm::Error startIndex(int64_t step, std::vector<std::string> files, SafetensorsIndex index,
                         int64_t bytes);
  /// Waits until no write is pending. A failure stays.
  llvm::Error finish();
  /// Returns the newest step whose file, of those that this process writes, is on the disk; 0 for
  /// none.
  int64_t doneStep() const { return done; }
  /// Returns the newest complete checkpoint; empty if this run has written none.
  std::string newest() const;
  /// Called where another process has completed a checkpoint.
  void noteNewest(int64_t step);

private:
  llvm::Error launch(int64_t step, std::string target, std::function<llvm::Error()> write);
  llvm::Error finishLocked();
  void removeOld(int64_t step, int64_t shares = 0);

  std::string save;
  int64_t keep;
  mutable std::mutex mutex; // ranks of a process call from their threads
  std::thread thread;
  std::string pending, written; // checkpoints: being written, empty for a share; the newest
  std::string problem;          // the thread's error; read after join
  std::atomic<int64_t> done = 0;
};

/// Describes the checkpoint to continue from, for messages; `checkpoints` may be null.
std::string describeNewest(CheckpointWriter *checkpoints);

} // namespace ds

#endif // DS_RUN_FEED_CHECKPOINTS_H
