//===- Run.cpp - One run from its options to its exit code -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All mistakes are found before the first step: in the command line, module, data, initial values,
// destinations. Under a launcher the processes agree on the outcome, so that a mistake is reported
// once and no process waits for one that left.
//
//===----------------------------------------------------------------------===//
#include "Program/Execute.h"

#include "ds/Run/Command/Probe.h"
#include "ds/Run/Command/StartRecord.h"
#include "ds/Run/Feed/Inputs.h"
#include "ds/Run/Feed/OutOfRange.h"
#include "ds/Run/Feed/SaveLock.h"
#include "ds/Run/Program/AsynchronousProgram.h"
#include "ds/Run/Program/OpenKeys.h"
#include "ds/Run/Program/Program.h"
#include "ds/Run/Ranks/Batch.h"
#include "ds/Run/Ranks/Interrupt.h"
#include "ds/Run/Report/Output.h"
#include "ds/Run/Report/Page.h"
#include "ds/Run/Train/Replay.h"
#include "ds/Run/Train/Train.h"
#include "ds/Support/File.h"
#include "ds/Support/UserError.h"
#include "ds/Target/All/Targets.h"
#include "ds/Target/DeviceVariables.h"

#include "llvm/ADT/StringExtras.h"

namespace ds {

using llvm::Error;
using llvm::Expected;

namespace {
/// The stages of a run; each fills what the next ones need.
class Run {
public:
  Run(const RunOptions &options, const Embedding &embedding, Output &output, Moves *moves)
      : options(options), embedding(embedding), moves(moves),
        wasMember(moves && !moves->values.isEmpty()),
        report(output, styleOf(options), options.progress != ProgressForm::none) {}

  Expected<int> execute() {
    Expected<int> code = stages();
    if (moves && !code && outlives()) {
      moves->outlive(world.get(), code.takeError());
      return 0;
    }
    if (code && moves && moves->goesOn)
      return code;
    if (code) {
      report.end(*code, "");
      Error error = page ? page->write(report) : Error::success();
      return error ? Expected<int>(std::move(error)) : std::move(code);
    }
    return llvm::handleErrors(code.takeError(), [&](std::unique_ptr<llvm::ErrorInfoBase> error) {
      report.end(1, error->message());
      if (page)
        llvm::consumeError(page->write(report)); // report the first error
      return Error(std::move(error));
    });
  }

private:
  Expected<int> stages() {
    if (!options.probeLink.empty())
      return probeLink(options, report);
    if (Error error = loadProgram())
      return error;
    if (Error error = world ? world->agree(countRanks()) : countRanks())
      return error;
    if (Error error = makeRanks(program->config(), options, numRanks, world))
      return error;
    if (Error error = world->agree(prepare()))
      return error;
    if (options.printConfig)
      return showSettings(report, *program, numRanks, options.ranks.has_value());
    if (Error error = world->agree(compile()))
      return error;
    if (Error error = checkExactly(*program, *world, numRanks, options, report))
      return error;
    if (!options.replay.empty())
      return executeReplay();
    return options.data.empty() && options.eval.empty() ? Expected<int>(0) : executeTraining();
  }

  /// Reads the step and joins the launcher's world, if there is one. An error of the step is
  /// reported after joining, once.
  Error loadProgram() {
    auto loaded =
        Program::load(options.step, options.entry, options.config, options.targetCpu, embedding);
    WorldOptions worldOptions;
    Error loadError = Error::success();
    if (loaded) {
      program = std::move(*loaded);
      if (options.checkLaunches)
        setenv(kCheckLaunchesVariable, "1", /*overwrite=*/1);
      loadError = program->setDevice(options.device, options.noGraph);
      listDevices(program->devices());
      worldOptions = worldOptionsOf(program->config(), options);
      worldOptions.member = moves ? moves->member.get() : nullptr;
    } else {
      loadError = loaded.takeError();
    }
    auto joined = World::join(options.backend, worldOptions);
    if (!joined) {
      // Return one error: the step's, if there is one.
      if (loadError) {
        llvm::consumeError(joined.takeError());
        return loadError;
      }
      return joined.takeError();
    }
    world = std::move(*joined);
    if (hasMoved()) {
      report.silence(); // the first world has reported the start
      options.resume |= options.saveEvery.has_value();
    }
    return world ? world->agree(std::move(loadError)) : std::move(loadError);
  }

  Error countRanks() {
    return ds::countRanks(program->config(), options, world.get()).moveInto(numRanks);
  }

  Error prepare() {
    const Config &config = program->config();
    if (!world->hasRoot())
      report.silence();
    if (Error error = checkGlobalRank(config, world->firstRank(), world->numLocalRanks()))
      return error;
    if (world->hasRoot() && options.saveEvery && !options.resume)
      if (Error error = checkNoEarlier(options.save))
        return error;
    if (world->hasRoot())
      for (const std::string &file : {options.save, options.dumpResults, options.profile,
                                      options.trace, options.report, options.recordOrder})
        if (!file.empty())
          if (Error error = checkWritable(file))
            return error;
    if (!world->hasRoot())
      return Error::success();
    if (!options.printConfig)
      if (Error error = keepLog(report, options.logDir, options.report).moveInto(page))
        return error;
    return takeLock();
  }

  Error takeLock() {
    if (options.save.empty() || options.printConfig)
      return Error::success();
    auto warn = [](const std::string &why) { tell("ds-run: warning: " + why, interruptRequested); };
    // A process that was left out because it does not answer still has it; others have released it.
    Error error = SaveLock::take(options.save, warn, /*waits=*/!hasMoved()).moveInto(lock);
    if (!error || !hasMoved())
      return error;
    warn(llvm::toString(std::move(error)) + "; this training goes on");
    return Error::success();
  }

  /// True if the training goes on in another world after an error: it has lost a process, or a new
  /// process cannot start as the others did.
  bool outlives() const {
    const bool isRefused = hasMoved() && wasMember && !trains && !moves->member->isAlone();
    return !moves->isLost && (isRefused || (world && world->hasLostProcess()));
  }

  bool hasMoved() const { return moves && moves->hasMoved(); }

  /// Compiles the step and the programs that it is compared or evaluated with.
  Error compile() {
    if (Error error = fillOpenKeys(*program, *world, options))
      return error;
    auto compiled = compileForRanks(*program, embedding, *world, options, numRanks, asynchronous);
    if (world->hasRoot() && !hasMoved()) {
      if (const std::string crowded = world->describeCrowding(); !crowded.empty())
        tell("ds-run: warning: " + crowded, interruptRequested);
      for (const std::string &warning : program->takeWarnings())
        tell(warning, interruptRequested);
    }
    if (!compiled)
      return compiled.takeError();
    step = std::move(*compiled);
    if (moves && asynchronous)
      return userError("--min-processes needs ranks that meet after each step, so "
                       "update=asynchronous cannot be given with it");
    if (Error error = world->nameAxes(step->manifest().axes))
      return error;
    auto found = batchFacts(step->manifest(), numRanks);
    if (!found)
      return userError("'" + options.step + "': " + llvm::toString(found.takeError()));
    facts = *found;
    if (Error error = checkUpdates(step->manifest()))
      return userError("'" + options.step + "': " + llvm::toString(std::move(error)));
    if (Error error = checkStepMemory(step->manifest(), step->hostMemoryBytes(),
                                      step->sharedBytes(), world->numLocalRanks(),
                                      /*keepsInitial=*/options.checkSteps.value_or(0) > 0))
      return error;
    metrics.emplace(step->manifest(), numRanks, program->config().syncMetrics());
    reportStart(report, *program, *step, *world, facts, numRanks);
    if (page)
      logCollectives(report, *program);
    return Error::success();
  }

  Expected<int> executeReplay() {
    if (!options.arguments.empty())
      return userError("--replay takes everything from its recording, so --arg cannot be given "
                       "with it");
    auto recording = readRecording(options.replay, step->manifest(), numRanks);
    Error unusable = recording ? checkIndices(*recording, step->manifest(), options.onIndex, report)
                               : recording.takeError();
    if (Error error = world->agree(std::move(unusable)))
      return error;
    StartRecord record = describeStart(options, *program, step->manifest());
    record.emplace_back("the recording", "one with hash " + contentHash(*recording));
    if (Error error = agreeOnStart(*world, record))
      return error;
    auto equal = replay({*world, *step, *recording, *metrics, report,
                         [&] { return program->compilePerturbed(numRanks); }, options.tolerance,
                         options.dumpResults});
    if (!equal)
      return equal.takeError();
    return *equal ? 0 : 1;
  }

  Expected<int> executeTraining() {
    if (Error error = moves ? moves->share(*world, step->manifest(), options) : Error::success())
      return error;
    if (Error error = world->agree(loadInputs()))
      return error;
    if (Error error = agreeOnRun())
      return error;
    if (Error error = divideData())
      return error;
    if (Error error = agreeOnValues())
      return error;
    Training training{*world,
                      *step,
                      inputs.initial,
                      *metrics,
                      report,
                      inputs.data ? &*inputs.data : nullptr,
                      inputs.sampler.get(),
                      checker.get(),
                      options.checkSteps.value_or(0),
                      options.checkReplicas.value_or(0),
                      judge.get(),
                      /*evalEvery=*/options.eval.empty() ? 0 : 1,
                      options.seed,
                      facts.rowsPerStep,
                      /*epochs=*/0,
                      inputs.done,
                      /*steps=*/0,
                      options.save,
                      options.dumpResults,
                      options.profile,
                      {},
                      /*carried=*/{},
                      /*checkpoints=*/nullptr,
                      /*saveEvery=*/0,
                      {options.schedules},
                      options.onNan,
                      options.isTraced()
                          ? TraceRequest{options.trace, options.profileTable,
                                         !options.report.empty(), step->libraryCalls()}
                          : TraceRequest(),
                      !options.earlyStopping.metric.empty(),
                      lock.get()};
    CheckpointWriter checkpoints(options.save, options.keep);
    if (inputs.sampler)
      training.count(options, inputs.sampler->stepsPerEpoch(), checkpoints);
    if (world->hasRoot() || moves) {
      training.carried = CarriedFacts::from(inputs.foundMetadata, metrics->names().size(),
                                            inputs.done, training.schedules.stepsPerEpoch);
      if (judge && (options.resume || hasMoved()))
        judge->restore(inputs.foundMetadata);
      training.carried.mayBeInfinite.merge(notFiniteNames(step->manifest(), inputs.initial));
    }
    // A file of values alone has no facts: it is the same however they were computed, such as with
    // or without fused collectives.
    if (options.resume || training.checkpoints)
      training.facts = inputs.facts;
    if (moves)
      moves->facts = inputs.facts;
    if ((training.asynchronous = asynchronous))
      if (Error error = prepareOrder(*asynchronous, options, *world, training.begin, training.steps,
                                     [&](int64_t done) { return training.meetsAt(done); }))
        return error;
    std::unique_ptr<Snapshot> snapshot;
    if (!asynchronous && inputs.sampler) // ranks that run free have their values on rank 0
      if (Error error = Snapshot::create(options, step->manifest(), *world, lock.get(), checkpoints,
                                         training.carried)
                            .moveInto(snapshot))
        return error;
    training.snapshot = snapshot.get();
    training.moves = moves;
    if (hasMoved() && world->hasRoot())
      reportMove(report, *moves, *world, inputs.initial.firstStep, styleOf(options));
    limitSaving(options.saveWithin, world->hasRoot());
    catchInterrupts();
    trains = true;
    auto end = train(training);
    endedInTime();
    if (!end)
      return end.takeError();
    if (moves)
      if (Error error = moves->endWorld(*world, step->manifest(), options, *end))
        return error;
    if (*end == TrainingEnd::interrupted || *end == TrainingEnd::requeue)
      report.fact("interrupted", "stopped after the current step");
    return exitCodeOf(*end);
  }

  RanksHere ranksHere() const { return RanksHere::of(*world, step->manifest()); }

  /// Checks, before any training, that all ranks train the same.
  Error agreeOnRun() {
    StartRecord record = describeStart(options, *program, step->manifest());
    record.emplace_back("the number of samples", std::to_string(inputs.samples()));
    return agreeOnStart(*world, record);
  }

  Error agreeOnValues() {
    if (program->config().parameterBroadcast()) {
      // The other ranks may lack the file from which rank 0 continues.
      if (Error error = world->broadcast({&inputs.done}, {sizeof inputs.done}))
        return error;
      return broadcastInitialValues(*world, step->manifest(), inputs.initial);
    }
    StartRecord record;
    addInitialValues(step->manifest(), inputs.initial, record);
    return agreeOnStart(*world, record);
  }

  /// Informs all ranks of the samples that each of them reads.
  Error divideData() {
    if (inputs.files.empty())
      return Error::success();
    return inputs.divide(*world, options, program->config(), step->manifest(), facts,
                         {program->stepHash(), program->writtenHash()}, report);
  }

  Error loadInputs() {
    if (Error error = Inputs::load(options, step->manifest(), ranksHere(), program->config(),
                                   report, moves ? &moves->values : nullptr)
                          .moveInto(inputs))
      return error;
    if (!world->hasRoot())
      return Error::success();
    if (options.checkSteps)
      if (Error error = prepareCheck())
        return error;
    return Judge::create(options, embedding, step->manifest(), numRanks, metrics->names(), report)
        .moveInto(judge);
  }

  Error prepareCheck() {
    auto reference = program->compileReference(numRanks);
    if (!reference)
      return reference.takeError();
    checker = Checker::create(step->manifest(), std::move(*reference), *options.checkSteps,
                              options.tolerance);
    return Error::success();
  }

  RunOptions options;
  const Embedding &embedding;
  Moves *const moves;   // null: the processes stay
  const bool wasMember; // of an earlier world, and has seen a step of it
  bool trains = false;
  Report report;
  std::unique_ptr<Program> program;
  std::unique_ptr<World> world;
  int64_t numRanks = 1;
  std::unique_ptr<SaveLock> lock; // of --save, by rank 0
  std::unique_ptr<Page> page;     // of --report, by rank 0
  std::unique_ptr<CompiledStep> step;
  AsynchronousStep *asynchronous = nullptr; // `step`, if its ranks run free
  BatchFacts facts;
  std::optional<Metrics> metrics;
  Inputs inputs;
  std::unique_ptr<Checker> checker;
  std::unique_ptr<Judge> judge;
};
} // namespace

Expected<int> execute(const RunOptions &options, const Embedding &embedding, Output &output,
                      Moves *moves) {
  return Run(options, embedding, output, moves).execute();
}

} // namespace ds
