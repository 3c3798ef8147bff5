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

#include "llvm/Support/MathExtras.h"

#include <unistd.h>

namespace ds {

using llvm::Error;
using llvm::Expected;

void Training::count(const RunOptions &options, int64_t perEpoch, CheckpointWriter &writer) {
  epochs = options.steps ? 0 : options.epochs.value_or(1);
  steps = options.steps.value_or(epochs * perEpoch);
  schedules.stepsPerEpoch = perEpoch;
  schedules.total = initial.firstStep - begin + steps;
  auto stepsOf = [&](int64_t count, bool isEpochs) -> int64_t {
    return std::min<uint64_t>(llvm::SaturatingMultiply<uint64_t>(count, isEpochs ? perEpoch : 1),
                              mostSteps);
  };
  saveEvery = stepsOf(options.saveEvery.value_or(0), options.saveEveryEpochs);
  if (saveEvery > 0)
    checkpoints = &writer;
  if (evalEvery > 0)
    evalEvery =
        options.evalEvery ? stepsOf(*options.evalEvery, options.evalEveryEpochs) : stepsPerEpoch();
  if (begin >= steps)
    report.fact("note", "nothing is left to do: " + std::to_string(begin) + " of " +
                            std::to_string(steps) + " steps are done");
}

int exitCodeOf(TrainingEnd end) {
  switch (end) {
  case TrainingEnd::finished:
    return 0;
  case TrainingEnd::interrupted:
    return exitInterrupted;
  case TrainingEnd::requeue:
  case TrainingEnd::moved:
  case TrainingEnd::left:
    return exitRequeue;
  case TrainingEnd::different:
  case TrainingEnd::notFinite:
    return 1;
  }
  llvm_unreachable("all ends are handled");
}

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
       [](const std::string &sentence) { tell(sentence, interruptRequested); },
       [&] {
         if (!training.moves) // else the others go on without it, and it may join them
           _exit(1);
       }});
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
  } else if (!(error = training.world.agree(std::move(written))) && end != TrainingEnd::moved &&
             end != TrainingEnd::left) {
    error = times.tell(training.report, training.step.manifest(), training.profile);
  }
  // Reported last, because readers of the report take the outcome from its last line.
  if (saved)
    training.report.fact("saved", "saved '" + training.save + "'",
                         llvm::json::Object{{"file", training.save}, {"step", *saved}});
  return error ? Expected<TrainingEnd>(std::move(error)) : end;
}

} // namespace ds
