//===- Replay.h - A recording run on n ranks --------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Feeds each recorded step to the ranks, puts their results together in sample order and compares
// with what the other framework computed. Parameters and states run on from step to step.
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
  /// Compiles the step on one device with a last argument that draws its rounding errors anew (see
  /// PerturbRounding.h), which is asked for where results differ.
  std::function<llvm::Expected<std::unique_ptr<CompiledStep>>()> perturbed;
  Tolerance tolerance;
  std::string dump; // file for all results, or empty
};

/// Whether all recorded results agree, or differ by no more than rounding explains; always true
/// where rank 0 is another process.
llvm::Expected<bool> replay(const ReplayRun &run);

} // namespace ds

#endif // DS_RUN_TRAIN_REPLAY_H
