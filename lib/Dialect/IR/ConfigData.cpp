//===- ConfigData.cpp - values from dictionaries and lists ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes, files and command lines bring the same data: scalars, lists, and the field's
// dictionary of 'comm_fusion', whose normal form is one word such as 'size:25'.
//
//===----------------------------------------------------------------------===//

#include "ConfigKeys.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace ds;
using namespace ds::detail;

std::string ds::detail::dataText(const json::Value &data) {
  std::vector<std::string> items;
  switch (data.kind()) {
  case json::Value::Null:
    return "None";
  case json::Value::Boolean:
    return *data.getAsBoolean() ? "true" : "false";
  case json::Value::Number:
    return std::to_string(data.getAsInteger().value_or(0));
  case json::Value::String:
    return data.getAsString()->str();
  case json::Value::Array:
    for (const json::Value &item : *data.getAsArray())
      items.push_back(dataText(item));
    return "[" + join(items, ", ") + "]";
  case json::Value::Object:
    for (const auto &[name, item] : *data.getAsObject())
      items.push_back(StringRef(name).str() + ": " + dataText(item));
    llvm::sort(items);
    return "{" + join(items, ", ") + "}";
  }
  llvm_unreachable("all kinds are handled");
}

static std::optional<std::vector<int64_t>> integersOf(const json::Value &data) {
  const json::Array *array = data.getAsArray();
  if (!array)
    return std::nullopt;
  std::vector<int64_t> integers;
  for (const json::Value &item : *array) {
    std::optional<int64_t> integer = item.getAsInteger();
    if (!integer)
      return std::nullopt;
    integers.push_back(*integer);
  }
  return integers;
}

//===----------------------------------------------------------------------===//
// The dictionary of comm_fusion
//===----------------------------------------------------------------------===//

/// Returns {mode: size, config: 25} as 'size:25'. `collective` is empty for all-reduces.
static Expected<std::string> modeOf(const json::Object &entry, StringRef collective = "") {
  for (const auto &[name, value] : entry)
    if (!is_contained({"mode", "config"}, StringRef(name)))
      return createStringError("'comm_fusion' holds '" + StringRef(name) +
                               "', expected 'mode' and 'config'");
  const json::Value *given = entry.get("mode"), *config = entry.get("config");
  if (!given)
    return createStringError("'comm_fusion' needs a 'mode' beside 'config'");
  std::string mode = dataText(*given);
  if (mode == "size") {
    if (!config || !config->getAsInteger())
      return createStringError("'comm_fusion' with mode size needs an integer of MiB as 'config', "
                               "got " +
                               (config ? "'" + dataText(*config) + "'" : "nothing"));
    return "size:" + dataText(*config);
  }
  if (mode == "index" && collective.empty()) {
    std::optional<std::vector<int64_t>> indices = config ? integersOf(*config) : std::nullopt;
    if (!indices)
      return createStringError("'comm_fusion' with mode index needs a list of integers as "
                               "'config', got " +
                               (config ? "'" + dataText(*config) + "'" : "nothing"));
    Expected<ConfigValue> checked = check(**findKey("all_reduce_fusion_config"), *indices);
    if (!checked)
      return checked.takeError();
    std::string text = mode;
    for (int64_t index : *indices)
      text += ":" + std::to_string(index);
    return text;
  }
  if (!collective.empty() && !is_contained({"auto", "all", "none"}, mode))
    return createStringError("'mode' of '" + collective +
                             "' of 'comm_fusion' must be auto or size, got '" + mode + "'");
  if (!is_contained({"auto", "all", "none", "ddp"}, mode))
    return createStringError("'mode' of 'comm_fusion' must be auto, size or index, got '" + mode +
                             "'");
  return mode;
}

static Expected<const json::Object *> entryOf(const json::Value &data, StringRef collective) {
  if (const json::Object *entry = data.getAsObject())
    return entry;
  return createStringError("'" + collective +
                           "' of 'comm_fusion' must be a dictionary with 'mode' and 'config', "
                           "got '" +
                           dataText(data) + "'");
}

/// Parses {openstate: true, allreduce: {..}, allgather: {..}}, or the entry of all-reduces alone.
static Expected<std::string> fusionOf(const json::Object &fusion) {
  static constexpr const char *others[] = {"allgather", "reducescatter"};
  const json::Value *allReduce = fusion.get("allreduce"), *open = fusion.get("openstate");
  bool named = any_of(others, [&](StringRef name) { return fusion.get(name) != nullptr; });
  if (!allReduce && !open && !named)
    return modeOf(fusion);
  for (const auto &[name, value] : fusion)
    if (!is_contained({"openstate", "allreduce", "allgather", "reducescatter"}, StringRef(name)))
      return createStringError("'comm_fusion' holds '" + StringRef(name) +
                               "', expected 'openstate', 'allreduce', 'allgather' and "
                               "'reducescatter'");
  if (open && !open->getAsBoolean())
    return createStringError("'openstate' of 'comm_fusion' must be true or false, got '" +
                             dataText(*open) + "'");
  if (open && !*open->getAsBoolean())
    return "none";
  std::vector<std::string> parts;
  if (allReduce) {
    Expected<const json::Object *> entry = entryOf(*allReduce, "allreduce");
    if (!entry)
      return entry.takeError();
    Expected<std::string> mode = modeOf(**entry);
    if (!mode)
      return mode.takeError();
    parts.push_back(*mode);
  }
  for (StringRef name : others)
    if (const json::Value *given = fusion.get(name)) {
      Expected<const json::Object *> entry = entryOf(*given, name);
      if (!entry)
        return entry.takeError();
      Expected<std::string> mode = modeOf(**entry, name);
      if (!mode)
        return mode.takeError();
      parts.push_back((name + "=" + *mode).str());
    }
  return parts.empty() ? "all" : join(parts, ";");
}

//===----------------------------------------------------------------------===//
// Data of any kind
//===----------------------------------------------------------------------===//

/// Reads 'DATA_PARALLEL' and 'ParallelMode.DATA_PARALLEL', the two ways in which scripts of the
/// field write a word.
static std::string wordOf(const Key &key, StringRef text) {
  std::string word =
      text.rsplit('.').second.empty() ? text.lower() : text.rsplit('.').second.lower();
  return is_contained(key.words, word) ? word : text.str();
}

/// The field's dictionary of keys that are rows of the table by themselves.
static constexpr StringLiteral parallelOptimizer = "parallel_optimizer_config";

static Error setParallelOptimizer(Config &config, const json::Value &data) {
  const json::Object *entries = data.getAsObject();
  if (!entries)
    return createStringError("'" + parallelOptimizer + "' must be a dictionary, got '" +
                             dataText(data) + "'");
  for (const auto &[name, value] : *entries) {
    if (!is_contained({"gradient_accumulation_shard", "parallel_optimizer_threshold",
                       "optimizer_weight_shard_size", "optimizer_level"},
                      StringRef(name)))
      return createStringError("'" + parallelOptimizer + "' holds '" + StringRef(name) +
                               "', expected 'gradient_accumulation_shard', "
                               "'parallel_optimizer_threshold', 'optimizer_weight_shard_size' or "
                               "'optimizer_level'");
    if (Error error = config.setFromData(name, value))
      return error;
  }
  return Error::success();
}

Error Config::setFromData(StringRef name, const json::Value &data) {
  if (name == parallelOptimizer)
    return setParallelOptimizer(*this, data);
  Expected<const Key *> found = findKey(name);
  if (!found)
    return found.takeError();
  const Key &key = **found;
  if (const json::Object *dictionary = data.getAsObject();
      dictionary && key.kind == KeyKind::Fusion) {
    Expected<std::string> fusion = fusionOf(*dictionary);
    return fusion ? set(name, std::move(*fusion)) : fusion.takeError();
  }
  if (const json::Array *axes = data.getAsArray();
      axes && (key.kind == KeyKind::Mesh || key.kind == KeyKind::Sizes)) {
    std::vector<std::string> items;
    for (const json::Value &axis : *axes)
      items.push_back(dataText(axis));
    std::string text = join(items, ",");
    return meshAxes(text) ? set(name, text) : mustBe(key, "'" + dataText(data) + "'");
  }
  bool hasItems = key.kind == KeyKind::Update || key.kind == KeyKind::Compression;
  if (const json::Array *items = data.getAsArray(); items && hasItems) {
    std::vector<std::string> texts;
    for (const json::Value &item : *items)
      texts.push_back(dataText(item));
    return set(name, join(texts, ","));
  }
  if (std::optional<StringRef> text = data.getAsString())
    return set(name, key.kind == KeyKind::Word ? wordOf(key, *text) : text->str());
  if (std::optional<bool> flag = data.getAsBoolean())
    return set(name, *flag);
  if (std::optional<int64_t> number = data.getAsInteger())
    return set(name, *number);
  if (std::optional<std::vector<int64_t>> integers = integersOf(data))
    return set(name, std::move(*integers));
  return mustBe(key, "'" + dataText(data) + "'");
}
