//===- Train.cpp - A training of all ranks of a process ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Train/Train.h"

#include "Loop.h"
#include "ds/Run/Ranks/Interrupt.h"

#include <unistd.h>

namespace ds {

using llvm::Error;
using llvm::Expected;

Expected<TrainingEnd> train(const Training &training) {
  TrainingEnd end = TrainingEnd::finished;
  Error written = Error::success();
  const CarriedFacts &carried = training.carried;
  training.report.beginTraining(training.metrics.names(),
                                training.epochs ? carried.ofEpoch : carried.ofTraining);
  World &world = training.world;
  std::shared_ptr<SharedMemory> shared = training.step.makeShared();
  Watchdog watchdog(
      world.firstRank(), world.numRanks() > 1 ? world.numLocalRanks() : 0, world.timeoutMs(),
      {[&](int64_t rank) { return activityOf(training, rank); },
       [](const std::string &sentence) { tell(sentence, interruptRequested); }, [] { _exit(1); }});
  // The last rank of the process to copy a value frees it; a check needs all initial values.
  std::vector<InitialValues> shares(world.numLocalRanks(), training.initial);
  if (training.checkSteps == 0)
    training.initial.values.clear();
  RunTimes times(world, training.trace);
  std::optional<int64_t> saved;
  Error error = training.world.run([&](int64_t rank, dsrt_context *context) -> Error {
    Loop loop(training, std::move(shares[rank - world.firstRank()]), rank, context, shared,
              watchdog);
    if (Error error = loop.run(times))
      return error;
    if (rank == training.world.firstRank())
      end = loop.end();
    if (rank == 0) {
      llvm::consumeError(std::move(written));
      written = loop.write();
      saved = loop.savedStep();
    }
    return Error::success();
  });
  if (error) {
    llvm::consumeError(std::move(written));
    logLast(training.report, watchdog, world.firstRank());
  } else if (!(error = training.world.agree(std::move(written)))) {
    error = times.tell(training.report, training.step.manifest(), training.profile);
  }
  // Reported last, because readers of the report take the outcome from its last line.
  if (saved)
    training.report.fact("saved", "saved '" + training.save + "'",
                         llvm::json::Object{{"file", training.save}, {"step", *saved}});
  return error ? Expected<TrainingEnd>(std::move(error)) : end;
}

} // namespace ds
