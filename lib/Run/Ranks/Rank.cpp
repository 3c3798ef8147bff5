//===- Rank.cpp - One rank's memory and its place among the others --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each sharded result travels as bytes in one all-gather, and is brought into sample order by the
// same rows that the step was fed with.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Ranks/Rank.h"

#include "ds/Data/Convert.h"
#include "ds/Run/Ranks/Batch.h"
#include "ds/Run/Ranks/World.h"

#include "llvm/ADT/STLExtras.h"

#include <chrono>
#include <cstring>
#include <numeric>

namespace ds {

using llvm::Error;
using llvm::Expected;

Rank::Rank(const CompiledStep &step, int64_t rank, int64_t numRanks, dsrt_context *context,
           std::shared_ptr<SharedMemory> shared)
    : manifest(step.manifest()), memory(step.instantiate(std::move(shared), rank)), number(rank),
      numRanks(numRanks), runtime(context) {
  memory->join(context);
}

void Rank::set(InitialValues values) {
  for (unsigned slot = 0; slot < values.values.size(); ++slot)
    if (auto &value = values.values[slot]) {
      setWhole(slot, *value);
      value.reset();
    }
}

void Rank::setWhole(unsigned slot, const Array &whole) {
  const ArgumentSpec &argument = manifest.arguments[slot];
  if (argument.role == ArgumentRole::batch || argument.isSharded()) {
    Positions positions = positionsOf(manifest, argument, number, numRanks, whole.shape);
    memory->write(slot, [&](char *bytes) {
      takePart(whole.shape, positions, byteSize(argument.type), whole.data, bytes);
    });
  } else if (whole.bytes()) {
    memory->write(slot, [&](char *bytes) { memcpy(bytes, whole.data, whole.bytes()); });
  }
}

/// Returns the entry of the data that belongs to a position of a step's batch.
static DataEntry entryOf(const ArgumentSpec &argument, int64_t row, const StepRows &rows) {
  int64_t samples = rows.samples.size();
  if (argument.entries == 0)
    return {0, row};
  if (argument.apart)
    return {rows.samples[row % samples], row / samples};
  return {rows.samples[row / argument.entries], row % argument.entries};
}

/// Loads complete rows from the data; of dimensions that are sharded along other axes, the rank
/// takes its part.
static void loadRows(const Dataset &data, const ArgumentSpec &argument,
                     const std::vector<DataEntry> &entries, std::vector<int64_t> whole,
                     Positions positions, char *bytes) {
  whole[*argument.batchDim] = entries.size();
  if (whole == argument.shape)
    return data.gatherEntries(argument.name, entries, bytes);
  std::iota(positions[*argument.batchDim].begin(), positions[*argument.batchDim].end(), 0);
  std::vector<uint8_t> rows(elementCount(whole) * byteSize(argument.type));
  data.gatherEntries(argument.name, entries, rows.data());
  takePart(whole, positions, byteSize(argument.type), rows.data(), bytes);
}

Error Rank::check(const Dataset &data, const StepRows &rows) const {
  for (const ArgumentSpec &argument : manifest.arguments) {
    if (argument.role != ArgumentRole::batch)
      continue;
    std::vector<int64_t> whole = wholeShape(manifest, argument, numRanks);
    Positions positions = positionsOf(manifest, argument, number, numRanks, whole);
    std::vector<DataEntry> own;
    for (int64_t row : positions[*argument.batchDim])
      own.push_back(entryOf(argument, row, rows));
    if (Error error = data.checkRows(argument, own))
      return error;
  }
  return Error::success();
}

void Rank::loadSlot(const Dataset &data, const StepRows &rows, unsigned slot, char *bytes) const {
  const ArgumentSpec &argument = manifest.arguments[slot];
  std::vector<int64_t> whole = wholeShape(manifest, argument, numRanks);
  Positions positions = positionsOf(manifest, argument, number, numRanks, whole);
  const std::vector<int64_t> mine = positions[*argument.batchDim];
  std::vector<DataEntry> own;
  for (int64_t row : mine)
    own.push_back(entryOf(argument, row, rows));
  loadRows(data, argument, own, whole, std::move(positions), bytes);
  int64_t size = byteSize(argument.type);
  if (argument.isWeight)
    for (auto [i, row] : llvm::enumerate(mine))
      if (!rows.counts[row])
        memset(bytes + i * size, 0, size);
}

void Rank::load(const Dataset &data, const StepRows &rows) {
  for (unsigned slot = 0; slot < manifest.arguments.size(); ++slot)
    if (manifest.arguments[slot].role == ArgumentRole::batch)
      memory->write(slot, [&](char *bytes) { loadSlot(data, rows, slot, bytes); });
}

int64_t Rank::prepareSpares() {
  int64_t bytes = 0;
  for (auto [slot, argument] : llvm::enumerate(manifest.arguments))
    if (argument.role == ArgumentRole::batch)
      if (char *spare = memory->spareMemory(slot)) {
        spares[slot] = spare;
        bytes += elementCount(argument.shape) * byteSize(argument.type);
      }
  return bytes;
}

void Rank::loadSpares(const Dataset &data, const StepRows &rows) {
  for (auto [slot, spare] : spares) {
    loadSlot(data, rows, slot, spare);
    memory->sendSpare(slot);
  }
}

void Rank::returnSpares() {
  for (auto [slot, spare] : spares)
    if (areSwapped && memory->argumentMemory(slot)) {
      const ArgumentSpec &argument = manifest.arguments[slot];
      memcpy(spare, memory->readArgument(slot).get(),
             elementCount(argument.shape) * byteSize(argument.type));
      memory->swapSpare(slot);
    }
  areSwapped = false;
  spares.clear();
}

void Rank::takeSpares(const Dataset &data, const StepRows &rows) {
  areSwapped = !areSwapped;
  for (unsigned slot = 0; slot < manifest.arguments.size(); ++slot) {
    if (manifest.arguments[slot].role != ArgumentRole::batch)
      continue;
    if (auto spare = spares.find(slot); spare != spares.end()) {
      memory->swapSpare(slot);
      spare->second = memory->spareMemory(slot);
    } else {
      memory->write(slot, [&](char *bytes) { loadSlot(data, rows, slot, bytes); });
    }
  }
}

void Rank::writeSeeds(uint64_t seed, int64_t step) {
  for (unsigned slot = 0; slot < manifest.arguments.size(); ++slot)
    if (manifest.arguments[slot].role == ArgumentRole::seed)
      memory->write(slot,
                    [&](char *bytes) { writeSeed(manifest.arguments[slot], seed, step, bytes); });
}

void Rank::writeSchedules(const Schedules &schedules, int64_t step) {
  if (schedules.byName.empty())
    return;
  for (unsigned slot = 0; slot < manifest.arguments.size(); ++slot) {
    const ArgumentSpec &argument = manifest.arguments[slot];
    auto found = schedules.byName.find(argument.name);
    if (argument.role != ArgumentRole::hyperparameter || found == schedules.byName.end())
      continue;
    double number = found->second.at(step, schedules.stepsPerEpoch, schedules.total);
    Array value = llvm::cantFail(filledWith(argument, number)); // checked before the training
    memory->write(slot, [&](char *bytes) { memcpy(bytes, value.data, value.bytes()); });
  }
}

Error Rank::finish() {
  memory->finish();
  return contextError(runtime);
}

Error Rank::runAs(void (StepInstance::*way)(dsrt_context *, llvm::function_ref<void()>)) {
  auto nothing = [] {};
  collected.clear(); // of the step before
  if (!runtime) {
    (*memory.*way)(runtime, nothing);
    return contextError(runtime);
  }
  using Clock = std::chrono::steady_clock;
  const ExchangeTimes before = exchangeTimes(runtime);
  if (events)
    events->begin();
  const Clock::time_point begin = Clock::now();
  (*memory.*way)(runtime, nothing);
  const Clock::time_point end = Clock::now();
  const std::chrono::nanoseconds took = end - begin;
  if (events)
    events->end(std::chrono::nanoseconds(begin.time_since_epoch()).count(),
                std::chrono::nanoseconds(end.time_since_epoch()).count());
  const ExchangeTimes after = exchangeTimes(runtime);
  last = {static_cast<uint64_t>(took.count()),
          {after.exposed - before.exposed, after.link - before.link, after.bytes - before.bytes}};
  stepTimes.add(last);
  return contextError(runtime);
}

template <typename Spec> Expected<Array> Rank::assemble(const Spec &spec, const HostView &mine) {
  std::vector<int64_t> whole = wholeShape(manifest, spec, numRanks);
  uint8_t *target = nullptr;
  Array array = Array::allocate(toDataType(spec.type), whole, &target);
  int64_t bytes = elementCount(spec.shape) * byteSize(spec.type);
  std::vector<uint8_t> all(bytes * numRanks);
  const void *input = mine.get();
  void *output = all.data();
  dsrt_all_gather(runtime, 1, &input, &output, &bytes, DSRT_U8, DSRT_WORLD);
  if (Error error = contextError(runtime))
    return error;
  for (int64_t rank = 0; rank < numRanks; ++rank)
    putPart(whole, positionsOf(manifest, spec, rank, numRanks, whole), byteSize(spec.type),
            all.data() + rank * bytes, target);
  return array;
}

Error Rank::collect() {
  for (unsigned slot = 0; slot < manifest.arguments.size(); ++slot) {
    const ArgumentSpec &argument = manifest.arguments[slot];
    if (!argument.isSharded())
      continue;
    auto array = assemble(argument, memory->readArgument(slot));
    if (!array)
      return array.takeError();
    if (number == 0)
      collected[slot] = std::move(*array);
  }
  return Error::success();
}

Array Rank::whole(unsigned slot) {
  const ArgumentSpec &argument = manifest.arguments[slot];
  if (argument.isSharded())
    return collected.at(slot);
  return Array::view(toDataType(argument.type), argument.shape, memory->readArgument(slot));
}

Array Rank::copyOfArgument(unsigned slot) const {
  const ArgumentSpec &argument = manifest.arguments[slot];
  HostView view = memory->readArgument(slot);
  if (memory->onDevice()) // the view is a copy
    return Array::view(toDataType(argument.type), argument.shape, std::move(view));
  return Array::copy(toDataType(argument.type), argument.shape, view.get());
}

Expected<Safetensors> Rank::checkpoint(uint64_t seed, int64_t nextStep) {
  Safetensors values =
      makeCheckpoint(manifest, seed, nextStep, [&](unsigned slot) { return whole(slot); });
  if (Error error = contextError(runtime)) // if a device cannot copy
    return error;
  return values;
}

Expected<Array> Rank::gatherArgument(unsigned slot) {
  const ArgumentSpec &argument = manifest.arguments[slot];
  if (wholeShape(manifest, argument, numRanks) == argument.shape) {
    Array array = whole(slot);
    if (Error error = contextError(runtime)) // if a device cannot copy
      return error;
    return array;
  }
  return assemble(argument, memory->readArgument(slot));
}

Expected<Array> Rank::gather(unsigned slot) {
  const ResultSpec &result = manifest.results[slot];
  if (wholeShape(manifest, result, numRanks) == result.shape) {
    HostView view = memory->readResult(slot);
    if (Error error = contextError(runtime))
      return error;
    return Array::copy(toDataType(result.type), result.shape, view.get());
  }
  return assemble(result, memory->readResult(slot));
}

std::map<unsigned, Array> metricArrays(const Manifest &manifest, llvm::ArrayRef<double> values) {
  std::map<unsigned, Array> arrays;
  size_t next = 0;
  for (unsigned slot = 0; slot < manifest.results.size(); ++slot) {
    const ResultSpec &result = manifest.results[slot];
    if (!result.isMetric || elementCount(result.shape) != 1)
      continue;
    // A mean of integers need not be an integer: it stays a double then.
    Array wide = Array::copy(DataType::f64, result.shape, &values[next++]);
    auto narrow = convertArray(wide, result.type);
    if (!narrow)
      llvm::consumeError(narrow.takeError());
    arrays[slot] = narrow ? std::move(*narrow) : wide;
  }
  return arrays;
}

Expected<std::map<std::string, Array>> gatherResults(Rank &rank, const Manifest &manifest,
                                                     int64_t step, llvm::ArrayRef<double> metrics) {
  std::map<std::string, Array> results;
  const std::string prefix = "step" + std::to_string(step) + "_res";
  std::map<unsigned, Array> combined = metricArrays(manifest, metrics);
  for (unsigned slot = 0; slot < manifest.results.size(); ++slot) {
    auto array = rank.gather(slot);
    if (!array)
      return array.takeError();
    const bool isCombined = combined.count(slot) && !manifest.global;
    results[prefix + std::to_string(slot)] = isCombined ? combined[slot] : std::move(*array);
  }
  return results;
}

} // namespace ds
