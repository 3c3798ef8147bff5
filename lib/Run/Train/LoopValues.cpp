//===- LoopValues.cpp - The results of a training loop ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Loop.h"

#include "ds/Data/Npy.h"
#include "ds/Run/Ranks/Interrupt.h"

#include "llvm/ADT/STLExtras.h"

#include <ctime>

namespace ds {

using llvm::Error;
using llvm::Expected;

Error Loop::write() {
  doing("writes the files after");
  if (!results.empty())
    if (Error error = writeNpz(training.dump, results))
      return error;
  if (training.checkpoints)
    if (Error error = training.checkpoints->finish())
      return error;
  if (training.save.empty() || stop.different || notFinite || stop.moved)
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

Expected<Safetensors> Loop::copyOfValues() {
  if (training.lock)
    if (Error error = training.lock->check())
      return error;
  auto checkpoint = rank.checkpoint(training.seed, stepsTrained());
  if (!checkpoint)
    return checkpoint;
  std::string what = firstNotKept(*checkpoint, carried.mayBeInfinite, training.step.manifest());
  if (Error error = refuse(std::move(what)))
    return error;
  addFacts(checkpoint->metadata);
  return checkpoint;
}

Error Loop::refuse(std::string what) {
  if (what.empty())
    return Error::success();
  what += " after step " + std::to_string(nextStep);
  if (training.onNan == OnNan::stop)
    return llvm::createStringError(what + ", so the values are not saved; " +
                                   describeNewest(training.checkpoints));
  if (!std::exchange(warned, true))
    tell("ds-run: warning: " + what, interruptRequested);
  return Error::success();
}

void Loop::addFacts(std::map<std::string, std::string> &metadata) const {
  metadata.insert(training.facts.begin(), training.facts.end());
  carried.addTo(metadata, /*sums=*/!training.facts.empty());
  if (training.judge && !training.facts.empty())
    training.judge->addTo(metadata);
}

static int64_t nowOf(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return now.tv_sec * int64_t(1'000'000'000) + now.tv_nsec;
}

Error BlockedTime::add(llvm::function_ref<Error()> work) {
  const int64_t begin = nowOf(CLOCK_MONOTONIC), cpuBegin = nowOf(CLOCK_THREAD_CPUTIME_ID);
  Error error = work();
  ns += nowOf(CLOCK_MONOTONIC) - begin;
  cpuNs += nowOf(CLOCK_THREAD_CPUTIME_ID) - cpuBegin;
  return error;
}

Error Loop::save() {
  auto work = [&]() -> Error {
    if (training.snapshot)
      return saveShare();
    doing("writes the checkpoint after");
    auto values = copyOfValues();
    if (!values)
      return values.takeError();
    return training.checkpoints->start(nextStep, std::move(*values));
  };
  if (Error error = blocked.add(work))
    return error;
  const BlockedTime time = std::exchange(blocked, BlockedTime());
  if (isRoot)
    training.report.logOnly("checkpoint", llvm::json::Object{{"step", nextStep},
                                                             {"blocked_ms", time.ns / 1e6},
                                                             {"cpu_ms", time.cpuNs / 1e6}});
  return Error::success();
}

Error Loop::finishSave() {
  doing("waits for the checkpoint before that after");
  if (Error error = blocked.add([&] { return training.snapshot->finish(rank.rank()); }))
    return error;
  return training.lock && isRoot ? training.lock->check() : Error::success();
}

Error Loop::saveShare() {
  doing("copies the values of the checkpoint after");
  if (isRoot) {
    auto metadata = checkpointMetadata(training.seed, nextStep);
    addFacts(metadata);
    training.snapshot->describe(std::move(metadata));
  }
  pendingShares = nextStep;
  return training.snapshot->add(rank, nextStep, [&](const std::string &name, const Array &array) {
    return refuse(notKept(name, array, carried.mayBeInfinite, training.step.manifest()));
  });
}

std::vector<double> takeColumn(std::vector<double> &rows, size_t columns) {
  std::vector<double> others, last;
  for (auto [i, value] : llvm::enumerate(rows))
    (i % columns == columns - 1 ? last : others).push_back(value);
  rows = std::move(others);
  return last;
}

Expected<std::vector<double>> Loop::exchangeMetrics(StopRequest &asked,
                                                    llvm::function_ref<HostView(unsigned)> resultOf,
                                                    std::vector<double> &facts) {
  if (training.snapshot)
    facts.push_back(static_cast<double>(training.snapshot->doneStep()));
  const size_t columns = facts.size();
  auto metrics = training.metrics.exchange(rank.context(), asked, resultOf, &facts);
  if (!metrics || !training.snapshot)
    return metrics;
  const std::vector<double> doneSteps = takeColumn(facts, columns);
  if (pendingShares > 0) {
    auto isComplete = training.snapshot->complete(rank.rank(), pendingShares, doneSteps);
    if (!isComplete)
      return isComplete.takeError();
    if (*isComplete)
      pendingShares = 0;
  }
  return metrics;
}

Error Loop::completeSave() {
  if (pendingShares == 0)
    return Error::success();
  if (Error error = finishSave())
    return error;
  StopRequest none;
  std::vector<double> facts = {0};
  auto metrics =
      exchangeMetrics(none, [&](unsigned slot) { return rank.instance().readResult(slot); }, facts);
  return metrics.takeError();
}

Error Loop::gatherResults() {
  if (training.dump.empty() || nextStep == 0)
    return Error::success();
  return ds::gatherResults(rank, training.step.manifest(), nextStep, lastMetrics).moveInto(results);
}

} // namespace ds
