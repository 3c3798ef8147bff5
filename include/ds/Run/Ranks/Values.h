//===- Values.h - What the arguments hold before the first step --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters and states from a checkpoint or their initialisers, hyper-parameters from --arg,
// random keys from seed and step. The same on every rank: nothing here depends on the rank.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_RANKS_VALUES_H
#define DS_RUN_RANKS_VALUES_H

#include "ds/Data/Safetensors.h"
#include "ds/Step/Manifest.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <functional>

namespace ds {

/// Steps are counted in numbers that JSON can say and that can be added without a second thought.
constexpr int64_t mostSteps = int64_t(1) << 53;

/// A value per argument slot, whole where ranks divide it; batch and seed slots stay empty.
struct InitialValues {
  std::vector<std::optional<Array>> values;
  std::vector<std::string>
      notInCheckpoint;   // parameters that the checkpoint lacks and an initialiser gave
  int64_t firstStep = 0; // the global step at which a checkpoint was written
};

/// `checkpoint` may be null; of it one tensor at a time is read beside the values that are made. A
/// parameter with neither a tensor nor ds.init is an error; states default to zeros.
llvm::Expected<InitialValues> initialValues(const Manifest &manifest,
                                            const SafetensorsFile *checkpoint,
                                            llvm::StringRef checkpointPath, uint64_t seed,
                                            const std::map<std::string, double> &arguments,
                                            bool fromRoot = false);

/// The value of an argument that holds one number in every element, as --arg gives it.
llvm::Expected<Array> filledWith(const ArgumentSpec &argument, double number);

/// The step at which a checkpoint was written; 0 where it does not say.
llvm::Expected<int64_t> stepOf(const SafetensorsFile &checkpoint, llvm::StringRef path);

/// Whether there is memory for the step on so many ranks of this process and for its initial
/// values, asked before any of it is taken: `stepBytes` each, and `sharedBytes` once.
/// `keepsInitial`: they stay when ranks have them.
llvm::Error checkStepMemory(const Manifest &manifest, int64_t stepBytes, int64_t sharedBytes,
                            int64_t ranks, bool keepsInitial);

/// Fills a random key: word 0 is the run's seed, the last word the global step; a key of one word
/// mixes both.
void writeSeed(const ArgumentSpec &argument, uint64_t seed, int64_t step, void *target);

/// Parameters and states as a checkpoint; `valueOf` gives the whole value of an argument slot.
Safetensors makeCheckpoint(const Manifest &manifest, uint64_t seed, int64_t nextStep,
                           const std::function<Array(unsigned)> &valueOf);

} // namespace ds

#endif // DS_RUN_RANKS_VALUES_H
