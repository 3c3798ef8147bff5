//===- Values.cpp - Values of arguments before the first step ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All arguments are checked before an error is reported, so that a message lists everything that is
// missing.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Ranks/Values.h"

#include "ds/Data/Convert.h"
#include "ds/Data/Initializers.h"
#include "ds/Data/Random.h"
#include "ds/Run/Ranks/Batch.h"
#include "ds/Support/Memory.h"
#include "ds/Support/Suggestion.h"
#include "ds/Support/UserError.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

#include <cstring>

namespace ds {

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

static constexpr const char *stepKey = "ds.step";

static std::string quoted(const std::vector<std::string> &names) {
  return "'" + llvm::join(names, "', '") + "'";
}

Expected<Array> filledWith(const ArgumentSpec &argument, double number) {
  Array value = Array::copy(DataType::f64, {1}, &number);
  auto converted = convertArray(value, argument.type);
  if (!converted)
    return userError("--arg " + argument.name + ": " + llvm::toString(converted.takeError()));
  uint8_t *bytes = nullptr;
  Array array = Array::allocate(converted->type, argument.shape, &bytes);
  int64_t size = byteSize(argument.type);
  for (int64_t i = 0; i < array.elements(); ++i)
    memcpy(bytes + i * size, converted->data, size);
  return array;
}

static Expected<Array> fromCheckpoint(const ArgumentSpec &argument,
                                      const std::vector<int64_t> &shape,
                                      const SafetensorsFile &checkpoint, StringRef path) {
  if (const std::vector<int64_t> &stored = checkpoint.shapeOf(argument.name); stored != shape)
    return userError("'" + argument.name + "' in '" + path + "' has shape " +
                     shapeToString(stored) + ", expected " + shapeToString(shape));
  auto tensor = checkpoint.read(argument.name);
  if (!tensor)
    return tensor.takeError();
  auto converted = convertArray(*tensor, argument.type);
  if (!converted)
    return userError("'" + argument.name + "' in '" + path +
                     "': " + llvm::toString(converted.takeError()));
  return converted;
}

/// Returns a value of the right shape that another rank's value overwrites.
static Array zeros(const ArgumentSpec &argument, const std::vector<int64_t> &shape) {
  uint8_t *bytes = nullptr;
  Array array = Array::allocate(toDataType(argument.type), shape, &bytes);
  if (array.bytes())
    memset(bytes, 0, array.bytes());
  return array;
}

Expected<int64_t> stepOf(const SafetensorsFile &checkpoint, StringRef path) {
  auto found = checkpoint.metadata().find(stepKey);
  if (found == checkpoint.metadata().end())
    return 0;
  int64_t step;
  if (StringRef(found->second).getAsInteger(10, step) || step < 0 || step > mostSteps)
    return userError("ds.step in '" + path + "' is '" + found->second +
                     "', expected a number of steps from 0 to 2^53");
  return step;
}

Expected<InitialValues> initialValues(const Manifest &manifest, const SafetensorsFile *checkpoint,
                                      StringRef path, uint64_t seed,
                                      const std::map<std::string, double> &arguments,
                                      bool fromRoot) {
  InitialValues result;
  result.values.resize(manifest.arguments.size());
  std::vector<std::string> unset, uninitialised, hyperparameters;
  for (size_t slot = 0; slot < manifest.arguments.size(); ++slot) {
    const ArgumentSpec &argument = manifest.arguments[slot];
    auto set = [&](Expected<Array> value) -> Error {
      if (!value)
        return value.takeError();
      result.values[slot] = std::move(*value);
      return Error::success();
    };
    Error error = Error::success();
    switch (argument.role) {
    case ArgumentRole::batch:
    case ArgumentRole::seed:
      break;
    case ArgumentRole::hyperparameter: {
      hyperparameters.push_back(argument.name);
      auto found = arguments.find(argument.name);
      if (found == arguments.end())
        unset.push_back(argument.name);
      else
        error = set(filledWith(argument, found->second));
      break;
    }
    case ArgumentRole::parameter:
    case ArgumentRole::state: {
      std::vector<int64_t> shape = wholeShape(manifest, argument, manifest.numRanks);
      if (fromRoot && argument.isShared()) {
        error = set(zeros(argument, shape));
        break;
      }
      if (checkpoint && checkpoint->holds(argument.name)) {
        error = set(fromCheckpoint(argument, shape, *checkpoint, path));
        break;
      }
      std::string initializer = argument.init;
      if (initializer.empty() && argument.role == ArgumentRole::state)
        initializer = "zeros";
      if (initializer.empty()) {
        uninitialised.push_back(argument.name);
        break;
      }
      if (checkpoint && argument.role == ArgumentRole::parameter)
        result.notInCheckpoint.push_back(argument.name);
      error = set(initialValue(initializer, argument.name, argument.type, shape, seed));
      break;
    }
    }
    if (error)
      return error;
  }
  for (const auto &item : arguments)
    if (!llvm::is_contained(hyperparameters, item.first))
      return userError("--arg gives '" + item.first + "', which is no argument without a role" +
                       (hyperparameters.empty()
                            ? std::string(" (the step has none)")
                            : " (the step has " + quoted(hyperparameters) + ")" +
                                  suggestion(item.first, hyperparameters)));
  if (!unset.empty())
    return userError("no value for " + quoted(unset) + ": give --arg NAME=NUMBER for each");
  if (!uninitialised.empty())
    return userError("no initial value for " + quoted(uninitialised) + ": " +
                     (checkpoint
                          ? "'" + path.str() + "' does not hold it and the step has no ds.init"
                          : "give --init FILE, or ds.init in the step"));
  if (checkpoint) {
    if (Error error = stepOf(*checkpoint, path).moveInto(result.firstStep))
      return error;
  }
  return result;
}

namespace {
/// Bytes of initial values before ranks copy them, of each rank's part, and of the largest value in
/// double precision, in which an initialiser may compute it.
struct InitialBytes {
  int64_t whole = 0, held = 0, largest = 0;
};
} // namespace

static InitialBytes initialBytes(const Manifest &manifest) {
  InitialBytes bytes;
  for (const ArgumentSpec &argument : manifest.arguments) {
    if (argument.role == ArgumentRole::batch || argument.role == ArgumentRole::seed)
      continue;
    int64_t elements = elementCount(wholeShape(manifest, argument, manifest.numRanks));
    bytes.whole += elements * byteSize(argument.type);
    bytes.held += elementCount(argument.shape) * byteSize(argument.type);
    bytes.largest = std::max(bytes.largest, elements * int64_t(sizeof(double)));
  }
  return bytes;
}

Error checkStepMemory(const Manifest &manifest, int64_t stepBytes, int64_t sharedBytes,
                      int64_t ranks, bool keepsInitial) {
  InitialBytes initial = initialBytes(manifest);
  // A value is freed when all ranks have copied it, so only the excess over their copies is added.
  int64_t held = ranks * initial.held - (ranks - 1) * sharedBytes;
  int64_t beside = keepsInitial ? initial.whole : std::max<int64_t>(0, initial.whole - held);
  return checkMemory("the step on " + Twine(ranks) + (ranks == 1 ? " rank" : " ranks") +
                         " of this process",
                     ranks * stepBytes + sharedBytes + beside + initial.largest);
}

void writeSeed(const ArgumentSpec &argument, uint64_t seed, int64_t step, void *target) {
  int64_t size = byteSize(argument.type), words = elementCount(argument.shape);
  memset(target, 0, words * size);
  auto write = [&](int64_t word, uint64_t value) {
    // Little endian: the low bytes come first, so a narrow word keeps the low bits.
    memcpy(static_cast<char *>(target) + word * size, &value, size);
  };
  if (words == 1)
    return write(0, RandomStream(seed, static_cast<uint64_t>(step)).next());
  write(0, seed);
  write(words - 1, step);
}

std::map<std::string, std::string> checkpointMetadata(uint64_t seed, int64_t nextStep) {
  return {{"format", "ds"}, {stepKey, std::to_string(nextStep)}, {"ds.seed", std::to_string(seed)}};
}

Safetensors makeCheckpoint(const Manifest &manifest, uint64_t seed, int64_t nextStep,
                           const std::function<Array(unsigned)> &valueOf) {
  Safetensors checkpoint;
  checkpoint.metadata = checkpointMetadata(seed, nextStep);
  for (size_t slot = 0; slot < manifest.arguments.size(); ++slot) {
    const ArgumentSpec &argument = manifest.arguments[slot];
    if (!argument.isCarried())
      continue;
    Array value = valueOf(slot);
    checkpoint.tensors[argument.name] = Array::copy(value.type, value.shape, value.data);
  }
  return checkpoint;
}

} // namespace ds
