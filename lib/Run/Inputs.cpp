//===- Inputs.cpp - What a training starts with and is fed with --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Inputs.h"

#include "ds/Data/DataSpec.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FormatVariadic.h"

namespace ds {

using llvm::Error;
using llvm::Expected;
using llvm::Twine;

static Error mistake(const Twine &what) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), what);
}

static Error loadInitial(const RunOptions &options, const Manifest &manifest, Report &report,
                         InitialValues &initial) {
  std::optional<Safetensors> checkpoint;
  if (!options.init.empty()) {
    auto contents = readSafetensors(options.init);
    if (!contents)
      return contents.takeError();
    checkpoint = std::move(*contents);
  }
  auto values = initialValues(manifest, checkpoint ? &*checkpoint : nullptr, options.init,
                              options.seed, options.arguments);
  if (!values)
    return values.takeError();
  initial = std::move(*values);
  if (!initial.notInCheckpoint.empty())
    report.fact("note", "not in '" + options.init +
                            "', so initialised: " + llvm::join(initial.notInCheckpoint, ", "));
  if (initial.firstStep > 0)
    report.fact("note", "going on from step " + std::to_string(initial.firstStep) + " of '" +
                            options.init + "'");
  return Error::success();
}

static Expected<Dataset> loadData(const RunOptions &options, const Manifest &manifest) {
  auto sources = parseDataSpec(options.data);
  if (!sources)
    return sources.takeError();
  std::vector<ArgumentSpec> columns;
  for (const ArgumentSpec &argument : manifest.arguments)
    if (argument.role == ArgumentRole::batch)
      columns.push_back(argument);
  return Dataset::load(*sources, columns);
}

static void reportData(const Dataset &data, const Sampler &sampler, Report &report) {
  int64_t dropped = sampler.droppedSamples(), padding = sampler.paddingRows();
  std::string line = llvm::formatv("data: {0} samples, {1} steps per epoch", data.samples(),
                                   sampler.stepsPerEpoch());
  if (dropped)
    line += llvm::formatv("; the last {0} samples of each epoch do not fill a step and are "
                          "dropped (--last-batch=wrap keeps them)",
                          dropped);
  if (padding)
    line += llvm::formatv("; {0} rows of padding fill the last one and weigh 0", padding);
  report.fact("data", line,
              llvm::json::Object{{"samples", data.samples()},
                                 {"steps_per_epoch", sampler.stepsPerEpoch()},
                                 {"dropped", dropped},
                                 {"padding", padding}});
}

static Expected<std::unique_ptr<Sampler>> makeSampler(const RunOptions &options,
                                                      const Manifest &manifest,
                                                      const BatchFacts &facts, int64_t numRanks,
                                                      const Dataset &data) {
  bool weighs = llvm::any_of(manifest.arguments,
                             [](const ArgumentSpec &argument) { return argument.isWeight; });
  SamplerOptions order;
  order.samples = data.samples();
  order.rowsPerStep = facts.rowsPerStep;
  order.numRanks = numRanks;
  order.global = manifest.global;
  order.lastBatch = options.lastBatch.value_or(weighs ? LastBatch::pad : LastBatch::drop);
  order.seed = options.seed;
  if (order.lastBatch == LastBatch::pad && !weighs)
    return mistake("--last-batch=pad needs a weight per sample, so that padding does not count: "
                   "mark a batch argument of one float per sample with ds.weight and divide by "
                   "the sum of the weights, or give drop or wrap");
  auto sampler = std::make_unique<Sampler>(order);
  if (sampler->stepsPerEpoch() == 0)
    return mistake("the data has " + Twine(data.samples()) + " samples, but one step takes " +
                   Twine(facts.rowsPerStep) + "; --last-batch=wrap would repeat some");
  if (auto rank = sampler->rankWithoutSamples())
    return mistake("with " + Twine(data.samples()) + " samples rank " + Twine(*rank) +
                   " would take a step of padding alone, whose weights sum to 0; run fewer ranks, "
                   "or give --last-batch=drop or wrap");
  if (options.epochs.value_or(1) > mostSteps / sampler->stepsPerEpoch())
    return mistake("--epochs " + Twine(*options.epochs) + " of " + Twine(sampler->stepsPerEpoch()) +
                   " steps each are more than 2^53 steps");
  return sampler;
}

Expected<Inputs> Inputs::load(const RunOptions &options, const Manifest &manifest,
                              const BatchFacts &facts, int64_t numRanks, Report &report) {
  Inputs inputs;
  if (Error error = loadInitial(options, manifest, report, inputs.initial))
    return error;
  if (options.data.empty())
    return inputs;
  auto data = loadData(options, manifest);
  if (!data)
    return data.takeError();
  inputs.data = std::move(*data);
  auto sampler = makeSampler(options, manifest, facts, numRanks, *inputs.data);
  if (!sampler)
    return sampler.takeError();
  inputs.sampler = std::move(*sampler);
  reportData(*inputs.data, *inputs.sampler, report);
  return inputs;
}

} // namespace ds
