//===- Train.cpp - The training loop ----------------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Order within a step: load the rank's rows, run, exchange metrics and the request to stop, then
// what rank 0 does beside. Others may already wait for rank 0 in the next step's first collective
// meanwhile. At the end they wait until it has written the files: a job that lost its checkpoint
// ends with an error on every rank.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Train/Train.h"

#include "ds/Data/Npy.h"
#include "ds/Run/Feed/Loader.h"
#include "ds/Run/Ranks/Interrupt.h"
#include "ds/Run/Ranks/Replicas.h"
#include "ds/Run/Ranks/RunTimes.h"
#include "ds/Run/Ranks/Watchdog.h"
#include "ds/Run/Report/Output.h"
#include "ds/Run/Train/FreeSteps.h"

#include "llvm/Support/FormatVariadic.h"

#include <unistd.h>

namespace ds {

using llvm::Error;
using llvm::Expected;

namespace {
/// One rank's walk through the training.
class Loop {
public:
  Loop(const Training &training, InitialValues initial, int64_t rank, dsrt_context *context,
       std::shared_ptr<SharedMemory> shared, Watchdog &watchdog)
      : training(training), initial(std::move(initial)), numRanks(training.world.numRanks()),
        rank(training.step, rank, numRanks, context, std::move(shared)), isRoot(rank == 0),
        carried(isRoot ? training.carried : CarriedFacts()), watchdog(watchdog),
        alone(FreeSteps::of(training, this->rank)) {}
  ~Loop() { watchdog.leave(rank.rank()); }

  Error run(RunTimes &times) {
    rank.set(std::move(initial));
    if (training.data)
      loader.emplace(rank, *training.data, *training.sampler, training.world,
                     training.initial.firstStep - training.begin + training.steps);
    times.follow(rank, training.profile);
    if (training.mayStopEarly && training.begin > 0 && training.begin < training.steps)
      if (Error error = agreeToStop()) // it may have ended before
        return error;
    if (training.checkSteps > 0 || training.begin >= training.steps || ended)
      if (Error error = rank.collect())
        return error;
    if (isRoot && training.checker)
      training.checker->begin(rank);
    for (int64_t i = training.begin; i < training.steps && !stop && !notFinite && !ended; ++i)
      if (Error error = runStep(i))
        return error;
    times.take(rank);
    // A training that is shorter than the check.
    if (nextStep > 0 && !judged)
      if (Error error = judgeCheck())
        return error;
    if (isRoot && endsUnevaluated()) {
      doing("evaluates after");
      training.judge->evaluate(rank, {stepsTrained(), /*endsEpoch=*/true, /*evaluates=*/true});
    }
    if (!training.save.empty())
      if (Error error = rank.collect())
        return error;
    if (alone)
      alone->leave();
    return gatherResults();
  }

  /// Rank 0's files.
  Error write() {
    doing("writes the files after");
    if (!results.empty())
      if (Error error = writeNpz(training.dump, results))
        return error;
    if (training.checkpoints)
      if (Error error = training.checkpoints->finish())
        return error;
    if (training.save.empty() || stop.different || notFinite)
      return Error::success();
    auto checkpoint = copyOfValues();
    if (!checkpoint)
      return checkpoint.takeError();
    if (std::string what = firstDiverged(training.metrics.names(), firstMetrics, lastMetrics);
        !what.empty())
      tell("ds-run: warning: " + what +
               ", so the training diverges: lower the learning rate, or "
               "scale the data (x=FILE:scale=1/255)",
           interruptRequested);
    if (Error error = writeCheckpoint(training.save, std::move(*checkpoint)))
      return error;
    saved = stepsTrained();
    return Error::success();
  }

  /// Behind which step the parameters were saved; none if they were not.
  std::optional<int64_t> savedStep() const { return saved; }

  TrainingEnd end() const {
    return stop.different      ? TrainingEnd::different
           : notFinite         ? TrainingEnd::notFinite
           : !stop.interrupted ? TrainingEnd::finished
           : stop.requeue      ? TrainingEnd::requeue
                               : TrainingEnd::interrupted;
  }

private:
  Error runStep(int64_t index) {
    int64_t step = training.initial.firstStep - training.begin + index;
    nextStep = step + 1;
    doing("loads the samples of");
    auto loaded = loader->load(step);
    if (!loaded)
      return loaded.takeError();
    const StepRows rows = std::move(*loaded);
    rank.writeSeeds(training.seed, step);
    rank.writeSchedules(training.schedules, step);
    doing("computes");
    if (Error error = rank.run())
      return error;
    if (!alone)
      return meet(index, step, rows);
    auto report = [&](int64_t done, std::vector<double> metrics) {
      lastMetrics = std::move(metrics);
      return besideStep(done, step - index + done);
    };
    return alone->endStep(index, report, [&] { return meet(index, step, rows); });
  }

  /// What ranks do together behind a step.
  Error meet(int64_t index, int64_t step, const StepRows &rows) {
    stop = {interruptRequested(), false, requeueRequested()};
    // All ranks learn how long each of them has waited.
    waits.exposed = {static_cast<double>(rank.lastTime().exchange.exposed) * 1e-9};
    waits.seconds = static_cast<double>(rank.lastTime().ns) * 1e-9;
    auto metrics = training.metrics.exchange(
        rank.context(), stop, [&](unsigned slot) { return rank.instance().readResult(slot); },
        &waits.exposed);
    if (numRanks == 1)
      waits.exposed.clear();
    if (!metrics)
      return metrics.takeError();
    lastMetrics = std::move(*metrics);
    judgeMetrics();
    if (training.checkReplicas > 0 && nextStep % training.checkReplicas == 0)
      if (Error error = compareReplicas(rank, training.step.manifest(), numRanks, nextStep))
        return error;
    bool epochEnds = (index + 1) % training.stepsPerEpoch() == 0;
    bool saves = training.savesAt(index + 1), evaluates = training.evaluatesAt(index + 1);
    if (index < training.checkSteps || epochEnds || saves || evaluates)
      if (Error error = rank.collect())
        return error;
    if (isRoot)
      if (Checker *checker = training.checker; checker && !checker->finished())
        checker->compareStep(rank, *training.data, rows, training.seed, step);
    if (index + 1 == training.checkSteps)
      if (Error error = judgeCheck())
        return error;
    if (isRoot)
      if (Error error = besideStep(index, step))
        return error;
    // What made a metric infinite is not kept.
    if (isRoot && saves && !notFinite) {
      doing("writes the checkpoint after");
      auto values = copyOfValues();
      if (!values)
        return values.takeError();
      if (Error error = training.checkpoints->start(nextStep, std::move(*values)))
        return error;
    }
    if (index + 1 == training.steps || stop || notFinite)
      return Error::success();
    if (training.mayStopEarly && (epochEnds || evaluates))
      if (Error error = agreeToStop())
        return error;
    return training.answers && epochEnds && !ended ? ask() : Error::success();
  }

  /// All ranks learn that rank 0 has seen nothing get better.
  Error agreeToStop() {
    auto ends =
        training.metrics.any(rank.context(), isRoot && training.judge->endsTraining(),
                             [&](unsigned slot) { return rank.instance().readResult(slot); });
    if (!ends)
      return ends.takeError();
    ended = *ends;
    if (isRoot && ended)
      training.judge->reportEnd(stepsTrained());
    return Error::success();
  }

  /// Of this training, also where none was left to do.
  int64_t stepsTrained() const { return std::max(nextStep, training.initial.firstStep); }

  /// Whether the training ended, or had ended before, without an evaluation of what it ended with.
  bool endsUnevaluated() const {
    const int64_t done = stepsTrained() - training.initial.firstStep + training.begin;
    return training.evalEvery > 0 &&
           (training.begin >= training.steps || (ended && !training.evaluatesAt(done)));
  }

  void doing(const char *what) { watchdog.enter(rank.rank(), what, nextStep); }

  /// Another program says how the training goes on.
  Error ask() {
    if (isRoot) {
      doing("writes the values after");
      auto values = copyOfValues();
      if (!values)
        return values.takeError();
      if (Error error = writeCheckpoint(training.save, std::move(*values)))
        return error;
      training.report.fact("waiting",
                           "waiting for a line of standard input after '" + training.save + "'",
                           llvm::json::Object{{"file", training.save}, {"step", nextStep}});
    }
    auto next = awaitAnswer(rank, training.step.manifest(), *training.answers, training.seed, [] {
      return requeueRequested()     ? Steered::requeue
             : interruptRequested() ? Steered::interrupted
                                    : Steered::goOn;
    });
    if (!next)
      return next.takeError();
    stop = {*next == Steered::interrupted || *next == Steered::requeue, false,
            *next == Steered::requeue};
    ended = *next == Steered::end;
    return Error::success();
  }

  /// Parameters and states as they are between two steps, if they may be kept.
  Expected<Safetensors> copyOfValues() {
    auto checkpoint = rank.checkpoint(training.seed, stepsTrained());
    if (!checkpoint)
      return checkpoint;
    std::string what = firstNotKept(*checkpoint, carried.mayBeInfinite, training.step.manifest());
    if (!what.empty()) {
      what += " after step " + std::to_string(nextStep);
      if (training.onNan == OnNan::stop)
        return llvm::createStringError(what + ", so the values are not saved; " +
                                       describeNewest(training.checkpoints));
      if (!std::exchange(warned, true))
        tell("ds-run: warning: " + what, interruptRequested);
    }
    checkpoint->metadata.insert(training.facts.begin(), training.facts.end());
    carried.addTo(checkpoint->metadata, /*sums=*/!training.facts.empty());
    if (training.judge && !training.facts.empty())
      training.judge->addTo(checkpoint->metadata);
    return checkpoint;
  }

  /// All ranks see the same metrics, so they end alike.
  void judgeMetrics() {
    std::string what = firstNotFinite(training.metrics.names(), lastMetrics);
    if (what.empty() || warned)
      return;
    what += " after step " + std::to_string(nextStep);
    notFinite = training.onNan == OnNan::stop;
    warned = true;
    if (!isRoot)
      return;
    training.report.fact("not_finite", "",
                         llvm::json::Object{{"message", what}, {"stops", notFinite}});
    if (!notFinite)
      return tell("ds-run: warning: " + what, interruptRequested);
    tell("ds-run: error: " + what + ", so the training stops and does not save its values; " +
             describeNewest(training.checkpoints),
         interruptRequested);
  }

  /// All ranks learn what rank 0 found.
  Error judgeCheck() {
    judged = true;
    if (training.checkSteps == 0)
      return Error::success();
    auto differs =
        training.metrics.any(rank.context(), isRoot && !training.checker->isEqual(),
                             [&](unsigned slot) { return rank.instance().readResult(slot); });
    if (!differs)
      return differs.takeError();
    stop.different = *differs;
    if (isRoot)
      reportCheck(training.report, *training.checker, numRanks);
    return Error::success();
  }

  /// What rank 0 does while the others go on.
  Error besideStep(int64_t index, int64_t step) {
    int64_t perEpoch = training.stepsPerEpoch();
    doing("reports");
    if (index == training.begin)
      firstMetrics = lastMetrics;
    Progress progress;
    progress.epoch = index / perEpoch;
    progress.epochs = training.epochs;
    progress.step = index % perEpoch + 1;
    progress.steps = perEpoch;
    progress.globalStep = step + 1;
    progress.samples = training.rowsPerStep;
    training.report.step(progress, lastMetrics, training.schedules.at(step), waits);
    carried.ofTraining.add(lastMetrics);
    carried.ofEpoch.add(lastMetrics);
    bool whole = (training.epochs ? carried.ofEpoch : carried.ofTraining).steps == progress.step;
    if ((index + 1) % training.sampler->stepsPerEpoch() == 0)
      carried.ofEpoch.clear();
    const JudgedStep judged{step + 1, progress.step == perEpoch, training.evaluatesAt(index + 1)};
    std::map<std::string, double> metrics;
    if (judged.endsEpoch || stop || notFinite)
      for (auto [name, mean] :
           llvm::zip(training.metrics.names(), training.report.endEpoch(progress)))
        if (whole) // the mean of some of its steps is not compared with those of others
          metrics[name] = mean;
    if (stop || notFinite || !(judged.endsEpoch || judged.evaluates))
      return Error::success();
    doing(judged.evaluates ? "evaluates after" : "judges the metrics of");
    return training.judge->judge(rank, judged, std::move(metrics), [&] {
      doing("writes the best values after");
      return copyOfValues();
    });
  }

  Error gatherResults() {
    if (training.dump.empty() || nextStep == 0)
      return Error::success();
    return ds::gatherResults(rank, training.step.manifest(), nextStep, lastMetrics)
        .moveInto(results);
  }

  const Training &training;
  InitialValues initial; // shared with the other ranks of the process
  int64_t numRanks;
  Rank rank;
  std::optional<Loader> loader;
  bool isRoot, judged = false, warned = false, ended = false, notFinite = false;
  StopRequest stop; // of all ranks, as of the last step
  int64_t nextStep = 0;
  std::optional<int64_t> saved;
  std::vector<double> firstMetrics, lastMetrics;
  NamedArrays results;
  StepWaits waits;      // of the last step
  CarriedFacts carried; // rank 0's
  Watchdog &watchdog;
  std::optional<FreeSteps> alone; // of update = asynchronous
};
} // namespace

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
  // The last rank of the process that has copied a value frees it; a check begins with all again.
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
  // Last, because who reads the report takes how it ended from its end.
  if (saved)
    training.report.fact("saved", "saved '" + training.save + "'",
                         llvm::json::Object{{"file", training.save}, {"step", *saved}});
  return error ? Expected<TrainingEnd>(std::move(error)) : end;
}

} // namespace ds
