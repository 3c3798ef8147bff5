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
#ifndef DS_RUN_FEED_INPUTS_H
#define DS_RUN_FEED_INPUTS_H

#include "ds/Data/Dataset.h"
#include "ds/Data/Sampler.h"
#include "ds/Dialect/IR/Config.h"
#include "ds/Run/Feed/Checkpoints.h"
#include "ds/Run/Options/Options.h"
#include "ds/Run/Ranks/Batch.h"
#include "ds/Run/Ranks/Shards.h"
#include "ds/Run/Ranks/Values.h"
#include "ds/Run/Ranks/World.h"
#include "ds/Run/Report/Report.h"

#include <memory>
#include <optional>

namespace ds {

/// The word that --last-batch has for it.
const char *textOf(LastBatch lastBatch);

/// Of the step that ranks run, and of the one that was written.
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

  /// The same along the first axis of the mesh, which divides the samples.
  int64_t totalOfSamples() const { return total / sharing; }
  bool areHere(int64_t ofSamples) const {
    return (ofSamples + 1) * sharing > first && ofSamples * sharing < first + count;
  }
};

struct Inputs {
  InitialValues initial;
  /// Of the files of --data: one for all, or, where they are named by {rank}, one per rank along
  /// the first axis, of which those of ranks elsewhere may be missing. Empty without --data.
  std::vector<std::optional<Dataset>> files;
  std::optional<Dataset> data; // what the training draws from
  std::unique_ptr<Sampler> sampler;
  int64_t done = 0; // steps of this training that --resume has found done
  /// What a checkpoint says about the training that wrote it, by metadata key.
  std::map<std::string, std::string> facts;
  std::optional<FoundCheckpoint> found; // by --resume
  /// What `found` says, which is closed before the first step.
  std::map<std::string, std::string> foundMetadata;

  static llvm::Expected<Inputs> load(const RunOptions &options, const Manifest &manifest,
                                     const RanksHere &ranks, const Config &config, Report &report);
  /// The samples alone: those of --data, and `arrays` in memory.
  static llvm::Expected<Inputs> loadSamples(const RunOptions &options,
                                            std::vector<DataSource> arrays,
                                            const Manifest &manifest, const RanksHere &ranks,
                                            Report &report);

  int64_t samples() const; // of one rank's files
  /// "0 1a..", a line for each set of files that is here: who reads them, and their fingerprint.
  std::string fingerprints(const RanksHere &ranks) const;
  /// What the ranks tell one another about their files.
  FilesOfRank describeFiles(const Config &config, const RanksHere &ranks) const;

  /// All ranks learn what each of them reads, and the rest is filled. Collective over processes.
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
