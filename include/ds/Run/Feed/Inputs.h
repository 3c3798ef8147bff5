//===- Inputs.h - Initial values and samples of a training ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Initial values, the samples, and their order. All mistakes in them are found here.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_FEED_INPUTS_H
#define DS_RUN_FEED_INPUTS_H

#include "ds/Data/Dataset.h"
#include "ds/Data/Sampler.h"
#include "ds/Dialect/IR/Config.h"
#include "ds/Run/Feed/Checkpoints.h"
#include "ds/Run/Feed/MemoryCheckpoint.h"
#include "ds/Run/Options/Options.h"
#include "ds/Run/Ranks/Batch.h"
#include "ds/Run/Ranks/Shards.h"
#include "ds/Run/Ranks/Values.h"
#include "ds/Run/Ranks/World.h"
#include "ds/Run/Report/Report.h"

#include <memory>
#include <optional>

namespace ds {

/// Returns the value of --last-batch for the policy.
const char *textOf(LastBatch lastBatch);

/// Hashes of the step that ranks run, and of the original step.
struct StepHashes {
  std::string distributed, written;
};

/// The ranks of a run, and those of this process.
struct RanksHere {
  int64_t total = 1, first = 0, count = 1;
  int64_t sharing = 1; // neighbours that take the same samples

  static RanksHere of(const World &world, const Manifest &manifest) {
    return {world.numRanks(), world.firstRank(), world.numLocalRanks(), manifest.otherRanks()};
  }

  /// Counts along the first axis of the mesh, which shards the samples.
  int64_t totalOfSamples() const { return total / sharing; }
  bool areHere(int64_t ofSamples) const {
    return (ofSamples + 1) * sharing > first && ofSamples * sharing < first + count;
  }
};

struct Inputs {
  InitialValues initial;
  /// The files of --data: one set for all ranks, or, if {rank} is in their names, one per rank
  /// along the first axis, where those of ranks elsewhere may be missing. Empty without --data.
  std::vector<std::optional<Dataset>> files;
  std::optional<Dataset> data; // the source of the training's samples
  std::unique_ptr<Sampler> sampler;
  int64_t done = 0; // steps that --resume has found done
  /// The metadata that checkpoints of this training get, by key.
  std::map<std::string, std::string> facts;
  std::optional<FoundCheckpoint> found; // by --resume
  /// The metadata of `found`, which is closed before the first step.
  std::map<std::string, std::string> foundMetadata;

  /// `memory`, if not null, may have a copy of the values, which then goes before files; the inputs
  /// use its memory.
  static llvm::Expected<Inputs> load(const RunOptions &options, const Manifest &manifest,
                                     const RanksHere &ranks, const Config &config, Report &report,
                                     const MemoryCheckpoint *memory = nullptr);
  /// Loads the samples alone: those of --data, and `arrays` in memory.
  static llvm::Expected<Inputs> loadSamples(const RunOptions &options,
                                            std::vector<DataSource> arrays,
                                            const Manifest &manifest, const RanksHere &ranks,
                                            Report &report);

  int64_t samples() const; // of one rank's files
  /// Returns "0 1a..", a line for each set of files in this process: the rank that reads them, and
  /// their fingerprint.
  std::string fingerprints(const RanksHere &ranks) const;
  /// Returns what this rank announces to others about its files.
  FilesOfRank describeFiles(const Config &config, const RanksHere &ranks) const;

  /// Exchanges which rank reads which samples, and fills the other members. Collective over
  /// processes.
  llvm::Error divide(World &world, const RunOptions &options, const Config &config,
                     const Manifest &manifest, const BatchFacts &facts, const StepHashes &hashes,
                     Report &report);

private:
  llvm::Error arrange(const RunOptions &options, const Manifest &manifest, const BatchFacts &facts,
                      const RanksHere &ranks, const ShardPlan &plan, const StepHashes &hashes,
                      llvm::ArrayRef<std::string> fingerprints, Report &report);
};

} // namespace ds

#endif // DS_RUN_FEED_INPUTS_H
