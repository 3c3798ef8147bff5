//===- Values.h - Values of arguments before the first step -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters and states come from a checkpoint or their initialisers, hyper-parameters from --arg,
// random keys from seed and step. No value here depends on the rank.
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

/// The largest number of steps: JSON represents it exactly, and sums of such numbers do not
/// overflow.
constexpr int64_t mostSteps = int64_t(1) << 53;

/// A value per argument slot, the global one of sharded arguments; batch and seed slots are empty.
struct InitialValues {
  std::vector<std::optional<Array>> values;
  std::vector<std::string>
      notInCheckpoint;   // parameters that the checkpoint lacks and an initialiser gave
  int64_t firstStep = 0; // the global step at which a checkpoint was written
};

/// Makes the initial values. `checkpoint` may be null; one tensor of it at a time is in memory
/// beside the values. A parameter with neither a tensor nor ds.init is an error; states default to
/// zeros.
llvm::Expected<InitialValues> initialValues(const Manifest &manifest,
                                            const SafetensorsFile *checkpoint,
                                            llvm::StringRef checkpointPath, uint64_t seed,
                                            const std::map<std::string, double> &arguments,
                                            bool fromRoot = false);

/// Returns the value of an argument with one number in every element, for --arg.
llvm::Expected<Array> filledWith(const ArgumentSpec &argument, double number);

/// Returns the step at which a checkpoint was written; 0 if the file does not state it.
llvm::Expected<int64_t> stepOf(const SafetensorsFile &checkpoint, llvm::StringRef path);

/// Checks whether memory suffices for the step on `ranks` ranks of this process and for its initial
/// values, before any is allocated: `stepBytes` for each rank, and `sharedBytes` once. With
/// `keepsInitial`, initial values stay after ranks have copied them.
llvm::Error checkStepMemory(const Manifest &manifest, int64_t stepBytes, int64_t sharedBytes,
                            int64_t ranks, bool keepsInitial);

/// Fills a random key: word 0 is the run's seed, the last word the global step; a key of one word
/// mixes both.
void writeSeed(const ArgumentSpec &argument, uint64_t seed, int64_t step, void *target);

/// Returns the metadata of a checkpoint after `nextStep` steps.
std::map<std::string, std::string> checkpointMetadata(uint64_t seed, int64_t nextStep);

/// Returns parameters and states as a checkpoint; `valueOf` returns the global value of an argument
/// slot.
Safetensors makeCheckpoint(const Manifest &manifest, uint64_t seed, int64_t nextStep,
                           const std::function<Array(unsigned)> &valueOf);

} // namespace ds

#endif // DS_RUN_RANKS_VALUES_H
