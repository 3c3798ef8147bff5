//===- ConfigKeys.cpp - the table of configuration keys ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table comes from ConfigKeys.td: kind, default, range, and the values that are built. Values
// are checked against their row when they are written.
//
//===----------------------------------------------------------------------===//

#include "ConfigKeys.h"
#include "ds/Dialect/IR/UpdateMode.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace ds;
using namespace ds::detail;

static constexpr int64_t maxMebibytes = 1 << 20;
static constexpr int64_t dayMs = 24 * 3600 * 1000;

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

namespace {
/// A row in the form that TableGen writes.
struct KeyRow {
  StringRef name, kind, fallback, words, range;
  bool hole;
  StringRef built;
  bool nothing;
  StringRef effect, instead, test;
};

#define GET_KeyRows_IMPL
#include "ds/Dialect/IR/ConfigKeys.inc"
} // namespace

static KeyKind kindOf(StringRef name) {
  return StringSwitch<KeyKind>(name)
      .Case("Flag", KeyKind::Flag)
      .Case("Number", KeyKind::Number)
      .Case("Word", KeyKind::Word)
      .Case("Text", KeyKind::Text)
      .Case("Indices", KeyKind::Indices)
      .Case("Fusion", KeyKind::Fusion)
      .Case("Mesh", KeyKind::Mesh)
      .Case("Sizes", KeyKind::Sizes)
      .Case("Update", KeyKind::Update)
      .Case("Compression", KeyKind::Compression)
      .Case("Duration", KeyKind::Duration);
}

static std::vector<StringRef> wordsOf(StringRef text) {
  SmallVector<StringRef> words;
  text.split(words, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  return {words.begin(), words.end()};
}

static int64_t numberOf(StringRef text) {
  int64_t number = 0;
  text.getAsInteger(10, number);
  return number;
}

static Key makeKey(const KeyRow &row) {
  Key key;
  key.name = row.name;
  key.kind = kindOf(row.kind);
  if (!row.fallback.empty()) {
    if (key.kind == KeyKind::Flag)
      key.fallback.emplace(row.fallback == "true");
    else if (key.kind == KeyKind::Number)
      key.fallback.emplace(numberOf(row.fallback));
    else
      key.fallback.emplace(row.fallback.str());
  }
  key.words = wordsOf(row.words);
  key.least = numberOf(row.range.split(' ').first);
  key.most = numberOf(row.range.split(' ').second);
  if (row.hole)
    key.hole = {0, 1};
  key.built = wordsOf(row.built);
  key.nothingBuilt = row.nothing;
  key.effect = row.effect;
  key.instead = row.instead;
  key.test = row.test;
  return key;
}

ArrayRef<Key> ds::detail::keyTable() {
  static const std::vector<Key> table = [] {
    std::vector<Key> keys;
    for (const KeyRow &row : KeyRows)
      keys.push_back(makeKey(row));
    llvm::sort(keys, [](const Key &a, const Key &b) { return a.name < b.name; });
    return keys;
  }();
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

std::vector<KeyDescription> ds::describeKeys() {
  std::vector<KeyDescription> rows;
  for (const Key &key : keyTable()) {
    KeyDescription &row = rows.emplace_back();
    row.name = key.name;
    row.values = expectation(key);
    if (key.fallback) {
      auto *text = std::get_if<std::string>(&*key.fallback);
      row.fallback = text ? *text : toText(*key.fallback);
    }
    row.built = key.nothingBuilt ? "nothing" : key.built.empty() ? "all" : join(key.built, ", ");
    row.effect = key.effect;
    row.instead = key.instead;
  }
  return rows;
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

std::string ds::detail::expectation(const Key &key) {
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
    return "all, none, index, auto, planned, ddp, size:MB or size:MB:firstMB with MB in [1, "
           "1048576]";
  case KeyKind::Mesh:
    return "a list of axes and their sizes such as [dp=2, tp=4]";
  case KeyKind::Sizes:
    return "a list of dimensions and their sizes such as [batch=64, x.1=28]";
  case KeyKind::Update:
    return "gradient, accumulate=K, average_parameters=H, delayed=S or asynchronous=S";
  case KeyKind::Compression:
    return "none, f16, bf16, power_sgd(RANK) or top_k(COUNT or FRACTION), and error_feedback "
           "after one of these";
  case KeyKind::Duration:
    return "a time in [1ms, 86400s] such as 500ms or 30s";
  }
  llvm_unreachable("all kinds are handled");
}

Error ds::detail::mustBe(const Key &key, StringRef given) {
  std::string text = ("'" + key.name + "' must be " + expectation(key) + ", got " + given).str();
  if (key.built.empty() && !key.instead.empty()) // a word that is no value here has another place
    text += "; " + key.instead.str();
  return createStringError(text);
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

static bool areSizes(StringRef text, size_t most) {
  SmallVector<StringRef> sizes;
  text.split(sizes, ':');
  return sizes.size() <= most && all_of(sizes, [](StringRef size) {
           int64_t megabytes;
           return !size.getAsInteger(10, megabytes) && megabytes >= 1 && megabytes <= maxMebibytes;
         });
}

/// True if the text is a policy for all-reduces.
static bool isFusion(StringRef text) {
  if (is_contained({"all", "none", "index", "auto", "planned", "ddp"}, text))
    return true;
  if (text.consume_front("index:")) { // the form that a dictionary with mode index takes
    SmallVector<StringRef> items;
    text.split(items, ':');
    int64_t last = -1, item;
    return all_of(items, [&](StringRef word) {
      bool good = !word.getAsInteger(10, item) && item > last;
      last = item;
      return good;
    });
  }
  return text.consume_front("size:") && areSizes(text, 2);
}

static SmallVector<StringRef> partsOf(StringRef fusion) {
  SmallVector<StringRef> parts;
  fusion.split(parts, ';');
  return parts;
}

std::optional<StringRef> ds::detail::fusionPart(StringRef fusion, StringRef collective) {
  for (StringRef part : partsOf(fusion)) {
    bool named = part.contains('=');
    if (named ? part.split('=').first == collective : collective.empty())
      return named ? part.split('=').second : part;
  }
  return std::nullopt;
}

/// Checks all-reduces first, without a name; then the other collectives, each at most once.
static Expected<ConfigValue> checkFusion(const Key &key, StringRef text) {
  SmallVector<StringRef> seen;
  for (auto [i, part] : enumerate(partsOf(text))) {
    auto [name, mode] = part.split('=');
    if (!part.contains('=')) {
      if (i > 0 || !isFusion(part))
        return mustBe(key, "'" + text.str() + "'");
      continue;
    }
    if (!is_contained({"allgather", "reducescatter"}, name))
      return createStringError("'" + key.name + "' holds '" + name +
                               "', expected 'allgather' or 'reducescatter' before '='");
    StringRef size = mode;
    bool good = is_contained({"all", "none", "auto"}, mode) ||
                (size.consume_front("size:") && areSizes(size, 1));
    if (!good)
      return createStringError("'" + name + "' of '" + key.name +
                               "' must be all, none, auto or size:MB with MB in [1, " +
                               Twine(maxMebibytes) + "], got '" + mode + "'");
    if (is_contained(seen, name))
      return createStringError("'" + key.name + "' holds '" + name + "' twice");
    seen.push_back(name);
  }
  return ConfigValue(text.str());
}

std::optional<std::vector<MeshAxis>> ds::detail::meshAxes(StringRef text) {
  std::vector<MeshAxis> axes;
  SmallVector<StringRef> items;
  text.split(items, ',');
  for (StringRef item : items) {
    auto [name, size] = item.split('=');
    MeshAxis &axis = axes.emplace_back(MeshAxis{name.trim().str(), 0});
    if (axis.name.empty() || size.trim().getAsInteger(10, axis.size))
      return std::nullopt;
  }
  return axes;
}

static Expected<ConfigValue> checkMesh(const Key &key, const std::vector<MeshAxis> &axes) {
  constexpr int64_t mostRanks = 4096;
  int64_t ranks = 1;
  for (auto [i, axis] : enumerate(axes)) {
    if (any_of(ArrayRef(axes).take_front(i),
               [&](const MeshAxis &other) { return other.name == axis.name; }))
      return createStringError("'" + key.name + "' names axis '" + axis.name + "' twice");
    if (axis.size < 1 || axis.size > mostRanks / ranks)
      return createStringError("axis '" + axis.name + "' of '" + key.name +
                               "' must have 1 rank or more, and all axes together " +
                               Twine(mostRanks) + " at most, got " + Twine(axis.size));
    ranks *= axis.size;
  }
  return ConfigValue(ds::toText(axes));
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

/// Writes a parsed mode in its one normal form.
template <typename T> static Expected<ConfigValue> inOneForm(Expected<T> parsed) {
  if (!parsed)
    return parsed.takeError();
  return ConfigValue(ds::toText(*parsed));
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
    if (text)
      return checkFusion(key, *text);
    break;
  case KeyKind::Mesh:
    if (text && meshAxes(*text))
      return checkMesh(key, *meshAxes(*text));
    break;
  case KeyKind::Sizes:
    if (text && meshAxes(*text))
      return checkSizes(key, *meshAxes(*text));
    break;
  case KeyKind::Update:
    if (text)
      return inOneForm(parseUpdateMode(*text));
    break;
  case KeyKind::Compression:
    if (text)
      return inOneForm(parseGradientCompression(*text));
    break;
  case KeyKind::Duration: {
    // A bare number counts seconds, as in every other time that a user writes.
    std::string time = number ? std::to_string(*number) + "s" : text ? *text : "";
    if (milliseconds(time))
      return ConfigValue(llvm::isDigit(time.back()) ? time + "s" : time);
    break;
  }
  }
  return mustBe(key, toText(value));
}
