//===- Inputs.h - What a training starts with and is fed with ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Initial values, the samples, and their order; everything that can be wrong with them is found
// here.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_INPUTS_H
#define DS_RUN_INPUTS_H

#include "ds/Data/Dataset.h"
#include "ds/Data/Sampler.h"
#include "ds/Run/Batch.h"
#include "ds/Run/Options.h"
#include "ds/Run/Report.h"
#include "ds/Run/Values.h"

#include <memory>
#include <optional>

namespace ds {

/// The word that --last-batch has for it.
const char *textOf(LastBatch lastBatch);

/// Of the step that ranks run, and of the one that was written.
struct StepHashes {
  std::string distributed, written;
};

struct Inputs {
  InitialValues initial;
  std::optional<Dataset> data; // none without --data
  std::unique_ptr<Sampler> sampler;
  int64_t done = 0; // steps of this training that --resume has found done
  /// What a checkpoint says about the training that wrote it, by metadata key.
  std::map<std::string, std::string> facts;

  static llvm::Expected<Inputs> load(const RunOptions &options, const Manifest &manifest,
                                     const BatchFacts &facts, int64_t numRanks,
                                     const StepHashes &hashes, Report &report);
};

} // namespace ds

#endif // DS_RUN_INPUTS_H
