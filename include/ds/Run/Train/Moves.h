//===- Moves.h - What stays when ranks move ---------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A run with --min-processes outlives its world: everything is made anew in the next one but this.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_TRAIN_MOVES_H
#define DS_RUN_TRAIN_MOVES_H

#include "ds/Run/Feed/MemoryCheckpoint.h"
#include "ds/Run/Options/Options.h"
#include "ds/Run/Ranks/Member.h"

#include <chrono>
#include <optional>

namespace ds {

enum class TrainingEnd;

struct Moves {
  std::unique_ptr<Member> member;
  int64_t leastProcesses = 1;
  MemoryCheckpoint values;
  MemoryCheckpoint::Metadata facts; // of this run, for `values`
  /// Out: the run has ended with its world, and goes on in the next one.
  bool goesOn = false;
  bool someLeave = false; // at the end of the world, all of whose processes are there
  bool isLost = false;    // what the training has computed
  std::string why;        // the last world ended, one clause
  /// When the newest step was done; none while no world has ended since.
  using Clock = std::chrono::steady_clock;
  Clock::time_point lastStep;
  bool isMeasured = false; // the seconds from `lastStep` to the next step's end

  /// Gives this process the newest values, if others have them. Fails if they are in no memory and
  /// in no checkpoint. Collective over processes.
  llvm::Error share(World &world, const Manifest &manifest, const RunOptions &options);

  /// Takes the failure of a world, null if it never was, after which the next one goes on.
  void outlive(const World *world, llvm::Error error);
  /// Takes the end of a training in a world whose ranks may have moved, or left this process.
  /// Collective over processes.
  llvm::Error endWorld(World &world, const Manifest &manifest, const RunOptions &options,
                       TrainingEnd end);

  /// True if the world was made for a training that has begun already.
  bool hasMoved() const { return member->generation() > 1; }
};

} // namespace ds

#endif // DS_RUN_TRAIN_MOVES_H
