//===- Data.cpp - Steps on the samples of files and arrays ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The readers, the order of the samples and their division among ranks are those of ds-run, so
// training in the caller's process gives the same bits.
//
//===----------------------------------------------------------------------===//
#include "DataHandle.h"

#include "ds/Data/DataSpec.h"
#include "ds/Run/Ranks/Agreement.h"
#include "ds/Support/UserError.h"

#include <algorithm>
#include <cstring>
#include <map>

using namespace ds;
using namespace ds::capi;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

bool ToContext::write(std::string text, Need) {
  auto line = llvm::json::parse(text);
  if (!line)
    llvm::consumeError(line.takeError());
  else if (auto warning = line->getAsObject()->getString("warning"))
    context->tell(DS_WARNING, *warning);
  return true;
}

Expected<Array> ds::capi::arrayOf(const ds_array &given, int64_t i) {
  if (!given.name || !given.type || (given.num_dimensions && !given.shape) ||
      given.num_dimensions < 0)
    return misuse("array " + Twine(i) + " has no name, type or shape");
  std::optional<DataType> type =
      findDataType([&](DataType each) { return llvm::StringRef(toString(each)) == given.type; });
  llvm::ArrayRef shape(given.shape, given.num_dimensions);
  if (!type || !checkedByteSize(shape, *type))
    return userError("the array for '" + Twine(given.name) + "' has the type '" + given.type +
                     "' and the shape " + shapeToString(shape) + ", which no data has");
  if (!given.data)
    return misuse("the array for '" + Twine(given.name) + "' has no memory: its data is null");
  // The caller owns the memory.
  return Array::view(*type, shape, std::shared_ptr<const void>(given.data, [](const void *) {}));
}

static Expected<std::vector<DataSource>> arraysOf(const ds_data_options &options) {
  std::vector<DataSource> sources;
  for (int64_t i = 0; i < options.num_arrays; ++i) {
    auto array = arrayOf(options.arrays[i], i);
    if (!array)
      return array.takeError();
    DataSource &source = sources.emplace_back();
    source.argument = options.arrays[i].name;
    source.file = "an array";
    source.array = std::move(*array);
  }
  return sources;
}

static Error open(ds_data &data, const ds_program &program, const ds_data_options &given) {
  ds_instance &instance = *data.instance;
  World &world = *instance.world->world;
  const Manifest &manifest = *instance.manifest;
  RunOptions options;
  options.data = given.files ? given.files : "";
  options.seed = data.seed = given.seed;
  options.resume = given.for_saves;
  options.onIndex = static_cast<OnIndex>(instance.options.on_index);
  if (given.last_batch)
    options.lastBatch = static_cast<LastBatch>(given.last_batch - DS_LAST_DROP);
  ToContext sink(instance.context);
  Report report(sink, ReportStyle::json, /*showsProgress=*/false);
  auto facts = batchFacts(manifest, world.numRanks());
  auto load = [&]() -> Error {
    if (!facts)
      return facts.takeError();
    auto arrays = arraysOf(given);
    if (!arrays)
      return arrays.takeError();
    if (Error error = Inputs::loadSamples(options, std::move(*arrays), manifest,
                                          RanksHere::of(world, manifest), report)
                          .moveInto(data.inputs))
      return error;
    return Error::success();
  };
  if (Error error = world.agree(load()))
    return error;
  StartRecord record{{"the seed of the data", std::to_string(options.seed)},
                     {"last_batch", std::to_string(given.last_batch)},
                     {"the number of samples", std::to_string(data.inputs.samples())}};
  if (Error error = agreeOnStart(world, record))
    return error;
  StepHashes hashes;
  if (given.for_saves)
    hashes = {instance.stepHash, program.writtenHash()};
  if (Error error =
          data.inputs.divide(world, options, program.config(), manifest, *facts, hashes, report))
    return error;
  for (const std::unique_ptr<Rank> &rank : instance.ranks)
    data.loaders[rank.get()] =
        std::make_unique<Loader>(*rank, *data.inputs.data, *data.inputs.sampler, world, mostSteps);
  ++instance.openData;
  return Error::success();
}

/// Runs one step; every rank loads its own rows.
static Error run(ds_data &data, int64_t step, double *metrics, StopRequest &stop) {
  ds_instance &instance = *data.instance;
  std::vector<double> found;
  Error error = instance.timed([&](Rank &rank) -> Error {
    if (Error unfit = data.loaders.at(&rank)->load(step).takeError())
      return unfit;
    rank.writeSeeds(data.seed, step);
    rank.instance().run(rank.context());
    if (Error failed = contextError(rank.context()))
      return failed;
    StopRequest mine = stop;
    auto values = instance.metrics->exchange(
        rank.context(), mine, [&](unsigned slot) { return rank.instance().readResult(slot); });
    if (!values)
      return values.takeError();
    if (&rank == instance.ranks.front().get()) {
      found = std::move(*values);
      stop = mine;
    }
    return Error::success();
  });
  if (!error && metrics)
    llvm::copy(found, metrics);
  return error;
}

extern "C" {

void ds_data_options_init_sized(ds_data_options *options, uint32_t struct_size) {
  ds_data_options defaults = {};
  defaults.struct_size = struct_size;
  memcpy(options, &defaults, std::min<size_t>(struct_size, sizeof defaults));
}

ds_status ds_data_create(const ds_program *program, ds_instance *instance,
                         const ds_data_options *options, ds_data **out_data) {
  if (out_data)
    *out_data = nullptr;
  if (!program || !instance || !options || !out_data)
    return refuse(program ? program->context : nullptr,
                  "ds_data_create takes a program, an instance of it, and options");
  if (Error error = checkSize(options->struct_size, offsetof(ds_data_options, files),
                              alignof(ds_data_options), "ds_data_options_init to set it"))
    return fail(program->context, std::move(error));
  ds_data_options given;
  ds_data_options_init(&given);
  memcpy(&given, options, std::min<size_t>(options->struct_size, sizeof given));
  if (given.last_batch < DS_LAST_AS_STEP || given.last_batch > DS_LAST_PAD ||
      given.num_arrays < 0 || (given.num_arrays && !given.arrays))
    return refuse(program->context, "an option of the data is out of range");
  return guarded(program->context, [&]() -> Error {
    auto made = std::make_unique<ds_data>();
    made->instance = instance;
    if (Error error = open(*made, *program, given))
      return error;
    *out_data = made.release();
    return Error::success();
  });
}

void ds_data_destroy(ds_data *data) { delete data; }
int64_t ds_data_steps_per_epoch(const ds_data *data) {
  return data ? data->inputs.sampler->stepsPerEpoch() : 0;
}

ds_status ds_data_run(ds_data *data, int64_t step, double *metrics, int32_t num_metrics,
                      int32_t *stop) {
  if (!data)
    return DS_INVALID_ARGUMENT;
  const int64_t there = data->instance->metrics->names().size();
  if (step < 0 || (metrics && num_metrics != there))
    return refuse(data->instance->context, "a step on data counts from 0 and has " + Twine(there) +
                                               " metrics, got step " + Twine(step) +
                                               " and room for " + Twine(num_metrics));
  return guarded(data->instance->context, [&]() -> Error {
    StopRequest asked;
    asked.interrupted = stop && *stop;
    Error error = run(*data, step, metrics, asked);
    if (stop)
      *stop = asked.interrupted;
    return error;
  });
}

} // extern "C"
