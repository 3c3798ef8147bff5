//===- Checkpoints.h - Numbered files of a training -------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --save w.safetensors --save-every 100steps writes w-000000000100.safetensors, w-000000000200..
// beside it, keeps the newest, and goes on from the newest with --resume. A file gets its name when
// it is whole and on the disk, so each that has a name can be gone on from.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_FEED_CHECKPOINTS_H
#define DS_RUN_FEED_CHECKPOINTS_H

#include "ds/Data/Safetensors.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <thread>

namespace ds {

/// The checkpoint after `step` steps, beside `save`.
std::string checkpointPath(llvm::StringRef save, int64_t step);

/// The numbered checkpoints beside `save`, by step; `save` itself is none.
std::map<int64_t, std::string> findCheckpoints(llvm::StringRef save);

/// Fails where there are some: a training that begins would be gone on from them.
llvm::Error checkNoEarlier(llvm::StringRef save);

/// A checkpoint that was found and understood.
struct FoundCheckpoint {
  std::string path;
  SafetensorsFile contents;
};

/// The newest whole one of `save` and its checkpoints, by the step that is written in it; none if
/// there is no file. `passOver` is told about each newer one that cannot be read, or is not what
/// was written; where none is whole, that is an error: the training would begin again.
llvm::Expected<std::optional<FoundCheckpoint>>
findNewest(llvm::StringRef save, llvm::function_ref<void(const std::string &)> passOver);

/// Writes values and what tells about them with a checksum of it all. A numbered checkpoint has the
/// permissions of `save`, if that is there.
llvm::Error writeCheckpoint(llvm::StringRef path, Safetensors contents,
                            std::optional<unsigned> mode = std::nullopt);

/// Writes checkpoints on a thread of its own, one at a time; on the caller's where there is none.
class CheckpointWriter {
public:
  CheckpointWriter(std::string save, int64_t keep) : save(std::move(save)), keep(keep) {}
  ~CheckpointWriter();

  /// Takes over a copy of what the training holds after `step` steps. Waits for the one before, and
  /// fails if that could not be written.
  llvm::Error start(int64_t step, Safetensors contents);
  /// Waits until nothing is under way. A failure stays.
  llvm::Error finish();
  /// The newest file that is whole; empty if this run has written none.
  const std::string &newest() const { return written; }

private:
  void write(int64_t step, Safetensors contents);
  void removeOld(int64_t step);

  std::string save;
  int64_t keep;
  std::thread thread;
  std::string path, written; // under way; done
  std::string problem;       // what the thread met; read after join
};

/// What there is to go on from, for messages; `checkpoints` may be null.
std::string describeNewest(CheckpointWriter *checkpoints);

} // namespace ds

#endif // DS_RUN_FEED_CHECKPOINTS_H
