//===- Recording.cpp - A recorded run of another framework ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Other names are refused: a misspelt array would silently not be compared otherwise.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Ranks/Recording.h"

#include "ds/Data/Convert.h"
#include "ds/Data/Npy.h"
#include "ds/Run/Ranks/Agreement.h"
#include "ds/Run/Ranks/Batch.h"
#include "ds/Support/File.h"

#include "llvm/ADT/Twine.h"

namespace ds {

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace {
struct Key {
  int64_t step;
  bool isArgument;
  unsigned slot;
};
} // namespace

/// Parses `step2_arg13`.
static std::optional<Key> parseKey(StringRef name) {
  Key key;
  if (!name.consume_front("step") || name.consumeInteger(10, key.step) || key.step < 1)
    return std::nullopt;
  key.isArgument = name.consume_front("_arg");
  if (!key.isArgument && !name.consume_front("_res"))
    return std::nullopt;
  if (name.getAsInteger(10, key.slot))
    return std::nullopt;
  return key;
}

static Error checkShape(StringRef path, StringRef name, const Array &array,
                        const std::vector<int64_t> &expected, StringRef label) {
  if (array.shape == expected)
    return Error::success();
  return readError(path, "'" + name + "' (" + label + ") has shape " + shapeToString(array.shape) +
                             ", expected " + shapeToString(expected));
}

/// True for arguments that the recorded step must have itself.
static bool isInput(const ArgumentSpec &argument, bool firstStep) {
  return firstStep || argument.role == ArgumentRole::batch || argument.role == ArgumentRole::seed;
}

Expected<std::vector<RecordedStep>> readRecording(StringRef path, const Manifest &manifest,
                                                  int64_t numRanks) {
  auto reader = NpzReader::open(path);
  if (!reader)
    return reader.takeError();
  std::map<int64_t, RecordedStep> steps;
  for (const std::string &name : (*reader)->names()) {
    std::optional<Key> key = parseKey(name);
    if (!key)
      return readError(path, "'" + Twine(name) +
                                 "' is no array of a recording, expected stepK_argI "
                                 "or stepK_resI");
    size_t count = key->isArgument ? manifest.arguments.size() : manifest.results.size();
    if (key->slot >= count)
      return readError(path, "'" + Twine(name) + "' is beyond the step's " + Twine(count) +
                                 (key->isArgument ? " arguments" : " results"));
    auto array = (*reader)->read(name);
    if (!array)
      return array.takeError();
    RecordedStep &step = steps[key->step];
    if (!key->isArgument) {
      const ResultSpec &result = manifest.results[key->slot];
      if (Error error =
              checkShape(path, name, *array, wholeShape(manifest, result, numRanks), result.name))
        return error;
      step.results[key->slot] = std::move(*array);
      continue;
    }
    const ArgumentSpec &argument = manifest.arguments[key->slot];
    if (Error error =
            checkShape(path, name, *array, wholeShape(manifest, argument, numRanks), argument.name))
      return error;
    auto converted = convertArray(*array, argument.type);
    if (!converted)
      return readError(path, "'" + name + "' (" + argument.name +
                                 "): " + llvm::toString(converted.takeError()));
    step.arguments[key->slot] = std::move(*converted);
  }

  std::vector<RecordedStep> recording;
  for (int64_t number = 1;; ++number) {
    auto found = steps.find(number);
    std::string missing;
    bool any = false;
    for (unsigned slot = 0; slot < manifest.arguments.size(); ++slot) {
      if (!isInput(manifest.arguments[slot], number == 1))
        continue;
      if (found != steps.end() && found->second.arguments.count(slot))
        any = true;
      else
        missing += (missing.empty() ? "" : ", ") + ("step" + std::to_string(number) + "_arg") +
                   std::to_string(slot) + " (" + manifest.arguments[slot].name + ")";
    }
    if (!missing.empty() && number > 1 && !any)
      break; // there are no more inputs
    if (!missing.empty())
      return readError(path, "the recording lacks " + missing);
    if (found == steps.end())
      break; // a step without inputs ends after the last recorded step
    recording.push_back(std::move(found->second));
  }
  return recording;
}

std::string contentHash(llvm::ArrayRef<RecordedStep> recording) {
  NamedArrays all;
  for (size_t step = 0; step < recording.size(); ++step)
    for (auto [kind, values] : {std::pair("argument", &recording[step].arguments),
                                std::pair("result", &recording[step].results)})
      for (const auto &[slot, array] : *values)
        all[std::to_string(step) + kind + std::to_string(slot)] = array;
  return contentHash(all);
}

} // namespace ds
