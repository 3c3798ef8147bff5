//===- LoopMoves.cpp - A training whose processes come and go -------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks exchange after every step whether a process leaves or waits, so all of them end their
// world after the same step.
//
//===----------------------------------------------------------------------===//
#include "Loop.h"

#include "ds/Run/Ranks/Interrupt.h"
#include "ds/Support/UserError.h"

#include "llvm/Support/FormatVariadic.h"

#include <numeric>

namespace ds {

llvm::Error Moves::share(World &world, const Manifest &manifest, const RunOptions &options) {
  if (llvm::Error error = values.share(world, manifest, options.keepCopies))
    return error;
  isLost = values.lostStep() >= 0 && !options.saveEvery;
  if (!isLost)
    return llvm::Error::success();
  return world.agree(userError(
      "the values after step " + std::to_string(values.lostStep()) +
      " are lost: the processes that had some of their shards ended at once (--keep-copies sets "
      "how many may), and there is no checkpoint (--save-every)"));
}

void Moves::outlive(const World *world, llvm::Error error) {
  if (world)
    world->nameLate(*member);
  goesOn = true;
  why = llvm::toString(std::move(error));
}

llvm::Error Moves::endWorld(World &world, const Manifest &manifest, const RunOptions &options,
                            TrainingEnd end) {
  // A process that leaves takes its shards along.
  if (someLeave)
    if (llvm::Error error = share(world, manifest, options))
      return error;
  goesOn = end == TrainingEnd::moved;
  if (goesOn)
    why = "a process has left or joined";
  if (end == TrainingEnd::left)
    tell("ds-run: this process leaves after step " + std::to_string(values.step()) +
             ", and the others go on",
         interruptRequested);
  return llvm::Error::success();
}

void Loop::askToMove(StopRequest &asked, std::vector<double> &facts) {
  if (!training.moves)
    return;
  Member &member = *training.moves->member;
  const bool speaks = keepsValues(); // for its process
  leaves = leaveRequested();
  facts.push_back(speaks && leaves ? 1 : 0);
  asked.moved = isRoot && member.isAwaited();
  // Without its roster a world cannot be followed by another one.
  if (speaks && member.isRosterLost())
    asked.interrupted = asked.requeue = true;
}

void Loop::decideMove(StopRequest &asked, llvm::ArrayRef<double> leaving, bool isLast) {
  const auto leavers = static_cast<int64_t>(std::accumulate(leaving.begin(), leaving.end(), 0.0));
  asked.moved |= leavers > 0;
  const int64_t left = training.world.numProcesses() - leavers;
  if (leavers > 0 && left < training.moves->leastProcesses)
    asked.interrupted = asked.requeue = true;
  if (isLast || asked.interrupted)
    asked.moved = false;
  leaves &= asked.moved;
  if (keepsValues())
    training.moves->someLeave = asked.moved && leavers > 0;
}

bool Loop::addToSums(int64_t index) {
  carried.ofTraining.add(lastMetrics);
  carried.ofEpoch.add(lastMetrics);
  const bool areWhole = (training.epochs ? carried.ofEpoch : carried.ofTraining).steps ==
                        index % training.stepsPerEpoch() + 1;
  if ((index + 1) % training.sampler->stepsPerEpoch() == 0)
    carried.ofEpoch.clear();
  return areWhole;
}

llvm::Error Loop::keepValues(int64_t index) {
  doing("copies the values in memory after");
  Moves &moves = *training.moves;
  std::optional<MemoryCheckpoint::Metadata> metadata;
  if (keepsValues()) {
    if (!isRoot)
      addToSums(index);
    metadata = checkpointMetadata(training.seed, nextStep);
    metadata->insert(moves.facts.begin(), moves.facts.end());
    carried.addTo(*metadata, /*sums=*/true);
  }
  if (llvm::Error error =
          moves.values.keep(rank, training.step.manifest(), nextStep, std::move(metadata)))
    return error;
  if (!keepsValues())
    return llvm::Error::success();
  const Moves::Clock::time_point now = Moves::Clock::now();
  const bool isKnown = moves.lastStep != Moves::Clock::time_point(); // this process had a step
  if (!std::exchange(moves.isMeasured, true) && isRoot && moves.hasMoved() && isKnown) {
    const double seconds = std::chrono::duration<double>(now - moves.lastStep).count();
    training.report.fact("moved_in",
                         llvm::formatv("step {0} ended {1:f2} s after the last step that this "
                                       "process has seen end",
                                       nextStep, seconds)
                             .str(),
                         llvm::json::Object{{"step", nextStep}, {"seconds", seconds}});
  }
  moves.lastStep = now;
  return llvm::Error::success();
}

} // namespace ds
