//===- Loop.cpp - The training loop of one rank -----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A step loads the rank's rows, runs, exchanges metrics and requests to stop, and then rank 0 does
// its own work. Other ranks may already wait for rank 0 in the next step's first collective. At the
// end, all ranks wait until rank 0 has written the files: a job that lost its checkpoint ends with
// an error on every rank.
//
//===----------------------------------------------------------------------===//
#include "Loop.h"

#include "ds/Run/Ranks/Interrupt.h"
#include "ds/Run/Ranks/Replicas.h"

namespace ds {

using llvm::Error;

Error Loop::run(RunTimes &times) {
  rank.set(std::move(initial));
  if (training.data)
    loader.emplace(rank, *training.data, *training.sampler, training.world,
                   training.initial.firstStep - training.begin + training.steps);
  times.follow(rank, training.profile);
  if (training.mayStopEarly && training.begin > 0 && training.begin < training.steps)
    if (Error error = agreeToStop()) // an earlier run may have ended it
      return error;
  if (training.checkSteps > 0 || training.begin >= training.steps || ended)
    if (Error error = rank.collect())
      return error;
  if (isRoot && training.checker)
    training.checker->begin(rank);
  for (int64_t i = training.begin; i < training.steps && !ends(); ++i)
    if (Error error = runStep(i))
      return error;
  if (running && !notFinite)
    if (Error error = endRunning())
      return error;
  times.take(rank);
  // A training may be shorter than the check.
  if (nextStep > 0 && !judged)
    if (Error error = judgeCheck())
      return error;
  if (isRoot && endsUnevaluated()) {
    doing("evaluates after");
    training.judge->evaluate(rank, {stepsTrained(), /*endsEpoch=*/true, /*evaluates=*/true});
  }
  if (Error error = completeSave())
    return error;
  if (stop.moved)
    return Error::success();
  if (!training.save.empty() && !notFinite)
    if (Error error = rank.collect())
      return error;
  if (alone)
    alone->leave();
  return gatherResults();
}

Error Loop::runStep(int64_t index) {
  int64_t step = training.initial.firstStep - training.begin + index;
  nextStep = step + 1;
  doing("loads the samples of");
  auto loaded = loader->load(step);
  if (!loaded)
    return loaded.takeError();
  const std::shared_ptr<const StepRows> rows = std::move(*loaded);
  rank.writeSeeds(training.seed, step);
  rank.writeSchedules(training.schedules, step);
  doing("computes");
  if (!alone)
    return runAhead({index, step, rows});
  if (Error error = rank.run())
    return error;
  auto report = [&](int64_t done, std::vector<double> metrics) {
    lastMetrics = std::move(metrics);
    return besideStep(done, step - index + done);
  };
  return alone->endStep(index, report, [&] { return meet(index, step, *rows); });
}

Error Loop::runAhead(Step next) {
  if (Error error = rank.runAhead())
    return error;
  if (running) {
    const Step before = *std::exchange(running, std::nullopt);
    if (Error error = meet(before.index, before.step, *before.rows, /*isFollowed=*/true))
      return error;
    nextStep = next.step + 1;
  }
  running = std::move(next);
  // Steps after a metric that is not finite are ignored.
  if (notFinite || (rank.isRunning() && !isSeen(running->index)))
    return Error::success();
  return endRunning();
}

Error Loop::endRunning() {
  doing("computes");
  if (Error error = rank.finish())
    return error;
  const Step last = *std::exchange(running, std::nullopt);
  return meet(last.index, last.step, *last.rows);
}

bool Loop::isSeen(int64_t index) const {
  const int64_t done = training.initial.firstStep - training.begin + index + 1;
  return index < training.checkSteps || training.meetsAt(index + 1) ||
         (training.checkReplicas > 0 && done % training.checkReplicas == 0) ||
         !training.dump.empty() || !training.profile.empty() || training.trace.isAsked();
}

Error Loop::meet(int64_t index, int64_t step, const StepRows &rows, bool isFollowed) {
  nextStep = step + 1;
  StopRequest asked = {interruptRequested() || stopsNext, false, requeueRequested()};
  // All ranks learn the waiting time of each rank.
  std::vector<double> facts = {static_cast<double>(rank.lastTime().exchange.exposed) * 1e-9};
  waits.seconds = static_cast<double>(rank.lastTime().ns) * 1e-9;
  askToMove(asked, facts);
  bool saves = training.savesAt(index + 1), savesShare = saves && training.snapshot;
  if (savesShare)
    if (Error error = finishSave())
      return error;
  auto metrics = exchangeMetrics(
      asked, [&](unsigned slot) { return rank.instance().readMetric(slot); }, facts);
  if (!metrics)
    return metrics.takeError();
  if (training.moves)
    decideMove(asked, takeColumn(facts, 2), index + 1 == training.steps);
  (isFollowed ? stopsNext : stop) = asked;
  waits.exposed = numRanks == 1 ? std::vector<double>() : std::move(facts);
  lastMetrics = std::move(*metrics);
  if (Error error = judgeMetrics())
    return error;
  if (training.checkReplicas > 0 && nextStep % training.checkReplicas == 0)
    if (Error error = compareReplicas(rank, training.step.manifest(), numRanks, nextStep))
      return error;
  bool epochEnds = (index + 1) % training.stepsPerEpoch() == 0;
  bool evaluates = training.evaluatesAt(index + 1);
  if (index < training.checkSteps || epochEnds || (saves && !savesShare) || evaluates)
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
  // Values that made a metric infinite are not kept.
  if (saves && !notFinite && (isRoot || savesShare))
    if (Error error = save())
      return error;
  if (training.moves && !notFinite)
    if (Error error = keepValues(index))
      return error;
  if (index + 1 == training.steps || stop || notFinite)
    return Error::success();
  return training.mayStopEarly && (epochEnds || evaluates) ? agreeToStop() : Error::success();
}

Error Loop::agreeToStop() {
  auto ends = training.metrics.any(rank.context(), isRoot && training.judge->endsTraining(),
                                   [&](unsigned slot) { return rank.instance().readResult(slot); });
  if (!ends)
    return ends.takeError();
  ended = *ends;
  if (isRoot && ended)
    training.judge->reportEnd(stepsTrained());
  return Error::success();
}

Error Loop::judgeMetrics() {
  std::string what = firstNotFinite(training.metrics.names(), lastMetrics);
  if (what.empty() || warned)
    return Error::success();
  what += " after step " + std::to_string(nextStep);
  notFinite = training.onNan == OnNan::stop;
  warned = true;
  if (notFinite)
    if (Error error = completeSave())
      return error;
  if (!isRoot)
    return Error::success();
  training.report.fact("not_finite", "",
                       llvm::json::Object{{"message", what}, {"stops", notFinite}});
  if (!notFinite)
    tell("ds-run: warning: " + what, interruptRequested);
  else
    tell("ds-run: error: " + what + ", so the training stops and does not save its values; " +
             describeNewest(training.checkpoints),
         interruptRequested);
  return Error::success();
}

Error Loop::judgeCheck() {
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

Error Loop::besideStep(int64_t index, int64_t step) {
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
  const bool whole = addToSums(index);
  const JudgedStep judged{step + 1, progress.step == perEpoch, training.evaluatesAt(index + 1)};
  std::map<std::string, double> metrics;
  if (judged.endsEpoch || stop.isEnd() || notFinite)
    for (auto [name, mean] :
         llvm::zip(training.metrics.names(), training.report.endEpoch(progress)))
      if (whole) // a mean over some of its steps is not comparable to others
        metrics[name] = mean;
  if (stop.isEnd() || notFinite || !(judged.endsEpoch || judged.evaluates))
    return Error::success();
  doing(judged.evaluates ? "evaluates after" : "judges the metrics of");
  return training.judge->judge(rank, judged, std::move(metrics), [&] {
    doing("writes the best values after");
    return copyOfValues();
  });
}

bool Loop::endsUnevaluated() const {
  const int64_t done = stepsTrained() - training.initial.firstStep + training.begin;
  return training.evalEvery > 0 &&
         (training.begin >= training.steps || (ended && !training.evaluatesAt(done)));
}

TrainingEnd Loop::end() const {
  return stop.different      ? TrainingEnd::different
         : notFinite         ? TrainingEnd::notFinite
         : stop.moved        ? (leaves ? TrainingEnd::left : TrainingEnd::moved)
         : !stop.interrupted ? TrainingEnd::finished
         : stop.requeue      ? TrainingEnd::requeue
                             : TrainingEnd::interrupted;
}

} // namespace ds
