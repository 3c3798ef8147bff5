//===- Inputs.cpp - Initial values and samples of a training ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Feed/Inputs.h"

#include "InitialInputs.h"

#include "ds/Data/Checksum.h"
#include "ds/Data/DataSpec.h"
#include "ds/Run/Feed/Facts.h"
#include "ds/Run/Feed/OutOfRange.h"
#include "ds/Support/UserError.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FormatVariadic.h"

namespace ds {

using llvm::Error;
using llvm::Expected;
using llvm::Twine;

const char *textOf(LastBatch lastBatch) {
  switch (lastBatch) {
  case LastBatch::drop:
    return "drop";
  case LastBatch::wrap:
    return "wrap";
  case LastBatch::pad:
    return "pad";
  }
  llvm_unreachable("all kinds are handled");
}

/// Returns the samples that a rank holds, by the layout of their entries; none if it does not hold
/// all entries of each.
static std::optional<ShardLayout> samplesOf(const ArgumentSpec &argument) {
  const ShardLayout *held = alongFirstAxis(argument.shards);
  if (!held)
    return std::nullopt;
  ShardLayout layout = *held;
  int64_t &digit = argument.apart ? layout.a : layout.b;
  if (argument.entries == 0 || digit % argument.entries != 0)
    return std::nullopt;
  digit /= argument.entries;
  return layout;
}

/// Loads samples as they are in the files: global ones, even if axes of the mesh shard each sample.
static Expected<Dataset> loadData(llvm::StringRef spec, llvm::ArrayRef<DataSource> arrays,
                                  const Manifest &manifest, const RanksHere &ranks, OnIndex onIndex,
                                  Report &report) {
  auto sources = spec.empty() ? Expected<std::vector<DataSource>>(std::vector<DataSource>())
                              : parseDataSpec(spec);
  if (!sources)
    return sources.takeError();
  llvm::append_range(*sources, arrays);
  std::vector<ArgumentSpec> columns;
  for (const ArgumentSpec &argument : manifest.arguments)
    if (argument.role == ArgumentRole::batch) {
      columns.push_back(argument);
      columns.back().shape = wholeShape(manifest, argument, ranks.total);
      if (argument.entries == 0) // for each rank separately
        columns.back().shape[*argument.batchDim] = argument.shape[*argument.batchDim];
    }
  for (const ArgumentSpec &argument : columns)
    if (argument.entries > 1 && alongFirstAxis(argument.shards) && !samplesOf(argument)) {
      std::string text = "'" + argument.name + "' has " + std::to_string(argument.entries) +
                         " rows for each sample, which the step reads in another order than those "
                         "of a file, one sample after another; if they lie apart in both, mark it "
                         "with ds.apart";
      report.fact("warning", "warning: " + text, llvm::json::Object{{"warning", text}});
    }
  auto data = Dataset::load(*sources, columns, Look::whenUsed);
  if (data)
    for (const std::string &note : data->describeRawBytes())
      report.fact("note", "note: " + note);
  if (data)
    if (Error error = checkIndices(*data, columns, onIndex, report))
      return error;
  return data;
}

/// Loads the files of the ranks of this process. A check compares with one device, which takes the
/// samples of all ranks.
static Error loadFiles(const RunOptions &options, llvm::ArrayRef<DataSource> arrays,
                       const Manifest &manifest, const RanksHere &ranks, Report &report,
                       std::vector<std::optional<Dataset>> &files) {
  bool named = namesRank(options.data);
  int64_t total = ranks.totalOfSamples();
  files.resize(named ? total : 1);
  for (int64_t rank = 0; rank < static_cast<int64_t>(files.size()); ++rank) {
    bool checks = options.checkSteps && ranks.first == 0;
    if (named && !ranks.areHere(rank) && !checks)
      continue;
    auto spec = specOfRank(options.data, rank, total);
    if (!spec)
      return spec.takeError();
    if (Error error =
            loadData(*spec, arrays, manifest, ranks, options.onIndex, report).moveInto(files[rank]))
      return error;
  }
  return Error::success();
}

/// Returns a state whose rows continue in the next step with the rows of its batch; null if there
/// is none.
static const ArgumentSpec *findStateOfSamples(const Manifest &manifest) {
  auto found = llvm::find_if(manifest.arguments, [](const ArgumentSpec &argument) {
    return argument.isCarried() && argument.batchDim;
  });
  return found == manifest.arguments.end() ? nullptr : &*found;
}

static void reportData(int64_t samples, const Manifest &manifest, const ShardPlan &plan,
                       const Sampler &sampler, Report &report) {
  int64_t dropped = sampler.droppedSamples(), padding = sampler.paddingRows();
  std::string line =
      llvm::formatv("{0}, {1} steps per epoch", plan.describe(samples), sampler.stepsPerEpoch());
  if (dropped)
    line += llvm::formatv("; the last {0} samples of each epoch do not fill a step and are "
                          "dropped (--last-batch=wrap keeps them)",
                          dropped);
  if (padding)
    line += llvm::formatv("; {0} rows of padding fill the last one and weigh 0", padding);
  const ArgumentSpec *state = findStateOfSamples(manifest);
  if (state)
    line += "; in the order of the files, because '" + state->name +
            "' goes on from row to row of the next step";
  llvm::json::Object object{{"samples", samples},
                            {"steps_per_epoch", sampler.stepsPerEpoch()},
                            {"dropped", dropped},
                            {"padding", padding}};
  if (plan.ownFiles)
    object["own_files"] = true;
  if (state)
    object["in_order"] = true;
  report.fact("data", line, std::move(object));
}

static bool hasWeight(const Manifest &manifest) {
  return llvm::any_of(manifest.arguments,
                      [](const ArgumentSpec &argument) { return argument.isWeight; });
}

static LastBatch lastBatchOf(const RunOptions &options, const Manifest &manifest) {
  return options.lastBatch.value_or(hasWeight(manifest) ? LastBatch::pad : LastBatch::drop);
}

/// Refuses batch arguments that are replicated: these have the same samples on every rank.
static Error checkWholeArguments(const Manifest &manifest) {
  for (const ArgumentSpec &argument : manifest.arguments)
    if (argument.role == ArgumentRole::batch && argument.entries == 0)
      return userError("every rank takes all of '" + argument.name +
                       "' in each step, so ranks cannot read samples of their own; give all ranks "
                       "the same files");
  return Error::success();
}

/// Finds the samples of a rank. In `global` semantics the rows that a rank holds in a step are its
/// own samples, in every batch argument, and in no others.
static Error findOwnRows(const Manifest &manifest, std::optional<ShardLayout> &layout) {
  const ArgumentSpec *first = nullptr;
  for (const ArgumentSpec &argument : manifest.arguments) {
    if (argument.role != ArgumentRole::batch)
      continue;
    std::optional<ShardLayout> rows = samplesOf(argument);
    if (!alongFirstAxis(argument.shards))
      return userError("every rank needs all samples of '" + argument.name +
                       "' in each step, so ranks cannot read samples of their own; give all ranks "
                       "the same files");
    if (!rows || (first && (layout->a != rows->a || layout->b != rows->b)))
      return userError("a rank holds other rows of '" + argument.name + "' than of '" +
                       (first ? first : &argument)->name +
                       "', so ranks cannot read samples of their own; give all ranks "
                       "the same files");
    first = &argument;
    layout = rows;
  }
  return Error::success();
}

static Expected<std::unique_ptr<Sampler>>
makeSampler(const RunOptions &options, const Manifest &manifest, const BatchFacts &facts,
            const RanksHere &ranks, int64_t samples, const ShardPlan &plan) {
  bool weighs = hasWeight(manifest);
  SamplerOptions order;
  order.samples = samples;
  order.numShards = plan.numShards;
  order.shards = plan.shards(samples);
  if (!order.shards.empty())
    if (Error error = checkWholeArguments(manifest))
      return error;
  if (manifest.global && !order.shards.empty())
    if (Error error = findOwnRows(manifest, order.layout))
      return error;
  order.rowsPerStep = facts.rowsPerStep;
  order.numRanks = ranks.totalOfSamples();
  order.global = manifest.global;
  order.lastBatch = lastBatchOf(options, manifest);
  order.seed = options.seed;
  order.shuffle = !findStateOfSamples(manifest);
  if (order.lastBatch == LastBatch::pad && !weighs)
    return userError("--last-batch=pad needs a weight per sample, so that padding does not count: "
                     "mark a batch argument of one float per sample with ds.weight and divide by "
                     "the sum of the weights, or give drop or wrap");
  auto sampler = std::make_unique<Sampler>(order);
  if (sampler->stepsPerEpoch() == 0)
    return userError("the data has " + Twine(samples) + " samples" +
                     (plan.ownFiles ? " on each rank" : "") + ", but one step takes " +
                     Twine(facts.rowsPerStep) + (plan.ownFiles ? " of all ranks together" : "") +
                     "; --last-batch=wrap would repeat some");
  if (auto rank = sampler->rankWithoutSamples())
    return userError(
        "with " + Twine(samples) + " samples rank " + Twine(*rank * ranks.sharing) +
        " would take a step of padding alone, whose weights sum to 0; run fewer ranks, "
        "or give --last-batch=drop or wrap");
  if (options.epochs.value_or(1) > mostSteps / sampler->stepsPerEpoch())
    return userError("--epochs " + Twine(*options.epochs) + " of " +
                     Twine(sampler->stepsPerEpoch()) + " steps each are more than 2^53 steps");
  return sampler;
}

Expected<Inputs> Inputs::load(const RunOptions &options, const Manifest &manifest,
                              const RanksHere &ranks, const Config &config, Report &report,
                              const MemoryCheckpoint *memory) {
  Inputs inputs;
  if (options.resume || options.saveEvery || memory)
    if (Error error = checkIsWhole(manifest, ranks.total))
      return error;
  bool fromRoot = config.parameterBroadcast() && ranks.first > 0;
  if (memory && !memory->isEmpty() && !fromRoot) {
    inputs.found = FoundCheckpoint{"the copy in memory",
                                   SafetensorsFile(memory->contents(manifest, ranks.total))};
    inputs.foundMetadata = inputs.found->contents.metadata();
  }
  if (Error error = loadInitial(options, manifest, ranks, fromRoot, report, inputs))
    return error;
  if (!options.data.empty())
    if (Error error = loadFiles(options, {}, manifest, ranks, report, inputs.files))
      return error;
  return inputs;
}

Expected<Inputs> Inputs::loadSamples(const RunOptions &options, std::vector<DataSource> arrays,
                                     const Manifest &manifest, const RanksHere &ranks,
                                     Report &report) {
  Inputs inputs;
  if (Error error = loadFiles(options, arrays, manifest, ranks, report, inputs.files))
    return error;
  return inputs;
}

int64_t Inputs::samples() const {
  for (const std::optional<Dataset> &dataset : files)
    if (dataset)
      return dataset->samples();
  return 0;
}

std::string Inputs::fingerprints(const RanksHere &ranks) const {
  std::string text;
  for (auto [reader, dataset] : llvm::enumerate(files))
    if (dataset && (files.size() == 1 || ranks.areHere(reader)))
      text += std::to_string(files.size() == 1 ? ranks.first / ranks.sharing : reader) + " " +
              dataset->fingerprint() + "\n";
  return text;
}

/// Returns one word for the data of all ranks: their own files, or those of rank 0, which all
/// share.
static std::string dataFact(llvm::ArrayRef<std::string> fingerprints, bool ownFiles) {
  std::map<int64_t, std::string> byReader;
  for (const std::string &text : fingerprints)
    for (llvm::StringRef line : llvm::split(text, '\n')) {
      int64_t reader;
      auto [number, sum] = line.split(' ');
      if (!number.getAsInteger(10, reader))
        byReader.emplace(reader, sum.str());
    }
  if (byReader.empty() || !ownFiles)
    return byReader.empty() ? "" : byReader.begin()->second;
  Checksum all;
  for (const auto &item : byReader)
    all.add(item.second);
  return all.digits();
}

FilesOfRank Inputs::describeFiles(const Config &config, const RanksHere &ranks) const {
  // Files named by {rank} are compared only between ranks that share samples.
  if (files.size() > 1 && (ranks.sharing == 1 || ranks.count > 1))
    return {"", config.shardId()};
  const std::optional<Dataset> &own =
      files.size() == 1 ? files.front() : files[ranks.first / ranks.sharing];
  return {own->contentHash(), config.shardId(), own->arrayHashes()};
}

Error Inputs::divide(World &world, const RunOptions &options, const Config &config,
                     const Manifest &manifest, const BatchFacts &facts, const StepHashes &hashes,
                     Report &report) {
  const RanksHere ranks = RanksHere::of(world, manifest);
  auto texts = world.gather(describeFiles(config, ranks).toText());
  if (!texts)
    return texts.takeError();
  std::vector<FilesOfRank> byRank;
  for (const std::string &text : *texts)
    byRank.push_back(FilesOfRank::fromText(text));
  auto plan = planShards(byRank, world.numRanks(), manifest.otherRanks(), namesRank(options.data),
                         config.numShards());
  if (!plan)
    return world.agree(plan.takeError());
  if (Error error = checkSharedSamples(manifest, plan->numShards))
    return world.agree(std::move(error));
  std::vector<std::string> sums;
  if (options.resume || options.saveEvery) {
    if (Error error = world.gather(fingerprints(ranks)).moveInto(sums))
      return error;
  }
  return world.agree(arrange(options, manifest, facts, ranks, *plan, hashes, sums, report));
}

Error Inputs::arrange(const RunOptions &options, const Manifest &manifest, const BatchFacts &batch,
                      const RanksHere &ranks, const ShardPlan &plan, const StepHashes &hashes,
                      llvm::ArrayRef<std::string> fingerprints, Report &report) {
  if (files.empty())
    return Error::success();
  int64_t each = samples();
  if (plan.ownFiles && files.size() == 1) {
    if (options.checkSteps)
      return userError(
          "--check compares with one device, which needs the samples of all ranks, but "
          "each rank reads its own files: name them by rank, as in x=part-{rank}.npy, "
          "where rank 0 can read them all, or leave --check out");
    std::optional<Dataset> own = std::move(files.front());
    files.clear();
    files.resize(ranks.totalOfSamples());
    files[ranks.first / ranks.sharing] = std::move(own);
  }
  if (plan.ownFiles) {
    if (Error error = Dataset::join(std::move(files)).moveInto(data))
      return error;
  } else {
    data = std::move(*files.front());
  }
  if (Error error = makeSampler(options, manifest, batch, ranks, each, plan).moveInto(sampler))
    return error;
  facts = {{"ds.seed", std::to_string(options.seed)},
           {"ds.ranks", std::to_string(ranks.total)},
           {"ds.mesh", manifest.mesh()},
           {"ds.layouts", layoutsHash(manifest)},
           {"ds.rows_per_step", std::to_string(batch.rowsPerStep)},
           {"ds.samples", plan.fact(each)},
           {"ds.data", dataFact(fingerprints, plan.ownFiles)},
           {"ds.last_batch", textOf(lastBatchOf(options, manifest))},
           {"ds.step_hash", hashes.distributed},
           {"ds.written_hash", hashes.written}};
  if (found)
    if (Error error = checkFacts(*found, facts, manifest.global, report))
      return error;
  found.reset(); // closes its file
  reportData(each, manifest, plan, *sampler, report);
  return Error::success();
}

} // namespace ds
