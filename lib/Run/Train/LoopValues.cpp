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

#include "llvm/Support/FormatVariadic.h"

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

Expected<Safetensors> Loop::copyOfValues() {
  if (training.lock)
    if (Error error = training.lock->check())
      return error;
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

Error Loop::gatherResults() {
  if (training.dump.empty() || nextStep == 0)
    return Error::success();
  return ds::gatherResults(rank, training.step.manifest(), nextStep, lastMetrics).moveInto(results);
}

} // namespace ds
