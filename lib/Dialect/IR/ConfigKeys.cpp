//===- ConfigKeys.cpp - the table of configuration keys ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every fact about a key is in its line: kind, default, range, and which of its values are built.
// Values are checked against the line where they are written.
//
//===----------------------------------------------------------------------===//

#include "ConfigKeys.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace ds;
using namespace ds::detail;

static ConfigValue word(StringRef text) { return text.str(); }

static constexpr int64_t maxRanks = 4096;
static constexpr int64_t maxMebibytes = 1 << 20;
static constexpr int64_t dayMs = 24 * 3600 * 1000;

ArrayRef<Key> ds::detail::keyTable() {
  using K = KeyKind;
  static const std::vector<StringRef> none = {"(none)"};
  static const std::vector<StringRef> searchModes = {"recursive_programming", "dynamic_programming",
                                                     "sharding_propagation"};
  static const std::vector<Key> table = {
      // clang-format off
      {"all_reduce_fusion_config", K::Indices, {}},
      {"auto_parallel_search_mode", K::Word, word("recursive_programming"), searchModes, 0, 0, none},
      {"batch", K::Word, word("local"), {"local", "global"}},
      {"comm_fusion", K::Fusion, {}, {}, 0, 0, {"all", "none", "index", "size", "ddp"}},
      {"communi_parallel_mode", K::Word, word("all_group_parallel"),
       {"all_group_parallel", "same_server_group_parallel", "no_group_parallel"}, 0, 0, {"all_group_parallel"}},
      {"cross_batch", K::Flag, false, {}, 0, 0, {"false"}},
      {"dataset_strategy", K::Word, word("data_parallel"), {"data_parallel", "full_batch"}, 0, 0, {"data_parallel"}},
      {"decorrelate_seeds", K::Flag, false},
      {"deterministic", K::Flag, true},
      {"device_num", K::Number, {}, {}, 1, maxRanks},
      {"enable_parallel_optimizer", K::Flag, false, {}, 0, 0, {"false"}},
      {"force_fp32_communication", K::Flag, false, {}, 0, 0, {"false"}},
      {"full_batch", K::Flag, false, {}, 0, 0, {"false"}},
      {"fusion_order", K::Word, word("ready"), {"ready", "parameter"}},
      {"global_rank", K::Number, {}, {}, 0, maxRanks - 1},
      {"grad_accumulation_step", K::Number, int64_t(1), {}, 1, INT32_MAX, {"1"}},
      {"gradient_accumulation_shard", K::Flag, false, {}, 0, 0, {"false"}},
      {"gradient_fp32_sync", K::Flag, true},
      {"gradients_mean", K::Flag, false},
      {"largest_message", K::Number, {}, {}, 1, maxMebibytes},
      {"local_state", K::Word, word("mean"), {"mean", "rank0", "per_rank"}},
      {"loss_repeated_mean", K::Flag, true, {}, 0, 0, {"true"}},
      {"mindspore_inclusive", K::Flag, false},
      {"optimizer_level", K::Word, word("level1"), {"level1", "level2", "level3"}, 0, 0, {"level1"}},
      {"optimizer_weight_shard_size", K::Number, int64_t(-1), {}, -1, maxRanks, {"-1"}, {{0, 1}}},
      {"parallel_mode", K::Word, word("data_parallel"),
       {"stand_alone", "data_parallel", "hybrid_parallel", "semi_auto_parallel", "auto_parallel"}, 0, 0,
       {"stand_alone", "data_parallel"}},
      {"parallel_optimizer_threshold", K::Number, int64_t(64), {}, 0, INT32_MAX, {"64"}},
      {"parameter_broadcast", K::Flag, false, {}, 0, 0, {"false"}},
      {"pipeline_stages", K::Number, int64_t(1), {}, 1, maxRanks, {"1"}},
      {"search_mode", K::Word, word("recursive_programming"), searchModes, 0, 0, none},
      {"strategy_ckpt_load_file", K::Text, {}, {}, 0, 0, none},
      {"strategy_ckpt_save_file", K::Text, {}, {}, 0, 0, none},
      {"sync_metrics", K::Flag, false},
      {"timeout", K::Duration, word("600s")},
      {"wire_type", K::Word, word("auto"), {"auto", "f32", "f16", "bf16"}, 0, 0, {"auto"}},
      // clang-format on
  };
  return table;
}

ArrayRef<StringRef> ds::configKeys() {
  static const std::vector<StringRef> names = [] {
    std::vector<StringRef> names;
    for (const Key &key : keyTable())
      names.push_back(key.name);
    return names;
  }();
  return names;
}

std::optional<StringRef> ds::nearest(StringRef word, ArrayRef<StringRef> known) {
  unsigned allowed = std::max<size_t>(2, word.size() / 3);
  std::optional<StringRef> best;
  for (StringRef candidate : known) {
    unsigned distance = word.edit_distance(candidate, /*AllowReplacements=*/true, allowed);
    if (distance > allowed)
      continue;
    allowed = distance == 0 ? 0 : distance - 1;
    best = candidate;
  }
  return best;
}

Expected<const Key *> ds::detail::findKey(StringRef name) {
  for (const Key &key : keyTable())
    if (key.name == name)
      return &key;
  if (std::optional<StringRef> near = nearest(name, configKeys()))
    return createStringError("unknown configuration key '" + name + "', did you mean '" + *near +
                             "'?");
  return createStringError("unknown configuration key '" + name + "', expected one of " +
                           join(configKeys(), ", "));
}

static std::string expectation(const Key &key) {
  switch (key.kind) {
  case KeyKind::Flag:
    return "true or false";
  case KeyKind::Number:
    if (key.hole)
      return formatv("{0} or in [{1}, {2}]", key.least, key.hole->second + 1, key.most);
    return formatv("an integer in [{0}, {1}]", key.least, key.most);
  case KeyKind::Word:
    return "one of " + join(key.words, ", ");
  case KeyKind::Text:
    return "a text that is not empty";
  case KeyKind::Indices:
    return "a list of integers";
  case KeyKind::Fusion:
    return "all, none, index, auto, ddp, size:MB or size:MB:firstMB with MB in [1, 1048576]";
  case KeyKind::Duration:
    return "a time in [1ms, 86400s] such as 500ms or 30s";
  }
  llvm_unreachable("all kinds are handled");
}

Error ds::detail::mustBe(const Key &key, StringRef given) {
  return createStringError("'" + key.name + "' must be " + expectation(key) + ", got " + given);
}

static Expected<ConfigValue> checkIndices(const Key &key, std::vector<int64_t> indices) {
  auto bad = [&](const Twine &why) { return createStringError("'" + key.name + "' must " + why); };
  if (indices.empty())
    return bad("not be empty");
  for (size_t i = 0; i < indices.size(); ++i) {
    if (indices[i] < 0)
      return bad("not hold negative indices, got " + Twine(indices[i]));
    if (i > 0 && indices[i] == indices[i - 1])
      return bad("not hold an index twice, got " + Twine(indices[i]));
    if (i > 0 && indices[i] < indices[i - 1])
      return bad("be in ascending order, got " + Twine(indices[i]) + " after " +
                 Twine(indices[i - 1]));
  }
  return ConfigValue(std::move(indices));
}

static bool isFusion(StringRef text) {
  if (is_contained({"all", "none", "index", "auto", "ddp"}, text))
    return true;
  if (!text.consume_front("size:"))
    return false;
  SmallVector<StringRef> sizes;
  text.split(sizes, ':');
  return sizes.size() <= 2 && all_of(sizes, [](StringRef size) {
           int64_t megabytes;
           return !size.getAsInteger(10, megabytes) && megabytes >= 1 && megabytes <= maxMebibytes;
         });
}

std::optional<int64_t> ds::detail::milliseconds(StringRef text) {
  int64_t unit = 1000, count;
  if (text.consume_back("ms"))
    unit = 1;
  else
    text.consume_back("s");
  if (text.getAsInteger(10, count) || count < 1 || count > dayMs / unit)
    return std::nullopt;
  return count * unit;
}

Expected<ConfigValue> ds::detail::check(const Key &key, ConfigValue value) {
  auto *number = std::get_if<int64_t>(&value);
  auto *text = std::get_if<std::string>(&value);
  auto *list = std::get_if<std::vector<int64_t>>(&value);
  switch (key.kind) {
  case KeyKind::Flag:
    if (std::holds_alternative<bool>(value))
      return value;
    break;
  case KeyKind::Number:
    if (number && *number >= key.least && *number <= key.most &&
        !(key.hole && *number >= key.hole->first && *number <= key.hole->second))
      return value;
    break;
  case KeyKind::Word:
    if (text && is_contained(key.words, *text))
      return value;
    break;
  case KeyKind::Text:
    if (text && !text->empty())
      return value;
    break;
  case KeyKind::Indices:
    if (list)
      return checkIndices(key, *list);
    break;
  case KeyKind::Fusion:
    if (text && isFusion(*text))
      return value;
    break;
  case KeyKind::Duration: {
    // A bare number counts seconds, as wherever else a user writes a time.
    std::string time = number ? std::to_string(*number) + "s" : text ? *text : "";
    if (milliseconds(time))
      return ConfigValue(llvm::isDigit(time.back()) ? time + "s" : time);
    break;
  }
  }
  return mustBe(key, toText(value));
}
