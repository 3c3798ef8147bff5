//===- Replay.h - A recording run on n ranks --------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Feeds each recorded step to the ranks, gathers their results in sample order, and compares them
// with those of the other framework. Parameters and states continue from step to step.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_TRAIN_REPLAY_H
#define DS_RUN_TRAIN_REPLAY_H

#include "ds/Run/Ranks/Recording.h"
#include "ds/Run/Ranks/World.h"
#include "ds/Run/Report/Compare.h"
#include "ds/Run/Report/Report.h"
#include "ds/Run/Train/Metrics.h"

#include "ds/Target/CompiledStep.h"

#include <functional>

namespace ds {

struct ReplayRun {
  World &world;
  const CompiledStep &step;
  const std::vector<RecordedStep> &recording;
  const Metrics &metrics;
  Report &report;
  /// Compiles the step for one device with a last argument that selects other rounding errors (see
  /// PerturbRounding.h). It is called if results differ.
  std::function<llvm::Expected<std::unique_ptr<CompiledStep>>()> perturbed;
  Tolerance tolerance;
  std::string dump; // file for all results, or empty
};

/// Returns whether all recorded results agree, or differ by no more than rounding explains; always
/// true if rank 0 is in another process.
llvm::Expected<bool> replay(const ReplayRun &run);

} // namespace ds

#endif // DS_RUN_TRAIN_REPLAY_H
