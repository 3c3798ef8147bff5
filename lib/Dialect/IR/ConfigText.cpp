//===- ConfigText.cpp - configurations as users write them ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   assignments  key=value,key=value
//   value        word | 'text' | "text" | [value, ..] | (value, ..) | {name: value, ..}
//
// Inside a dictionary '=' may replace ':', so that the output of MLIR, YAML, JSON and Python is
// read.
//
//===----------------------------------------------------------------------===//

#include "ConfigKeys.h"
#include "ds/Dialect/IR/Sizes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace ds;
using namespace ds::detail;

json::Value ds::configScalar(StringRef text) {
  if (text == "true" || text == "True")
    return true;
  if (text == "false" || text == "False")
    return false;
  if (text == "null" || text == "None")
    return nullptr;
  int64_t number;
  if (!text.getAsInteger(10, number))
    return number;
  return text.str();
}

namespace {
/// Reads one value; every method returns none if the text ends or is malformed.
class ValueReader {
public:
  explicit ValueReader(StringRef text) : rest(text) {}

  std::optional<json::Value> readAll() {
    std::optional<json::Value> value = read();
    skipBlanks();
    return rest.empty() ? std::move(value) : std::nullopt;
  }

private:
  static constexpr int deepest = 8;

  void skipBlanks() { rest = rest.ltrim(); }
  bool take(char c) {
    skipBlanks();
    return rest.consume_front(StringRef(&c, 1));
  }

  std::optional<json::Value> read() {
    if (depth == deepest)
      return std::nullopt;
    ++depth;
    llvm::scope_exit leave([&] { --depth; });
    if (take('['))
      return readList(']');
    if (take('('))
      return readList(')');
    if (take('{'))
      return readDictionary();
    if (rest.starts_with("'") || rest.starts_with("\"")) {
      std::optional<std::string> text = readQuoted();
      return text ? std::optional<json::Value>(*text) : std::nullopt;
    }
    StringRef word = readBare(",]})");
    return word.empty() ? std::nullopt : std::optional(configScalar(word));
  }

  std::optional<std::string> readQuoted() {
    size_t end = rest.find(rest.front(), 1);
    if (end == StringRef::npos)
      return std::nullopt;
    StringRef text = rest.slice(1, end);
    rest = rest.drop_front(end + 1);
    return text.str();
  }

  StringRef readBare(StringRef ends) {
    size_t end = std::min(rest.find_first_of(ends), rest.size());
    StringRef word = rest.take_front(end).trim();
    rest = rest.drop_front(end);
    return word;
  }

  std::optional<json::Value> readList(char close) {
    json::Array items;
    while (!take(close)) {
      std::optional<json::Value> item = read();
      if (!item)
        return std::nullopt;
      items.push_back(std::move(*item));
      skipBlanks();
      if (!take(',') && !rest.starts_with(StringRef(&close, 1)))
        return std::nullopt;
    }
    return items;
  }

  std::optional<json::Value> readDictionary() {
    json::Object entries;
    while (!take('}')) {
      skipBlanks();
      bool quoted = rest.starts_with("'") || rest.starts_with("\"");
      std::optional<std::string> name = quoted ? readQuoted() : readBare(":=,{}[]").str();
      if (!name || name->empty() || (!take(':') && !take('=')))
        return std::nullopt;
      std::optional<json::Value> value = read();
      if (!value || !entries.try_emplace(*name, std::move(*value)).second)
        return std::nullopt;
      skipBlanks();
      if (!take(',') && !rest.starts_with("}"))
        return std::nullopt;
    }
    return entries;
  }

  StringRef rest;
  int depth = 0;
};
} // namespace

/// Returns the end of the value at the start of `text`: the first comma outside brackets and
/// quotes.
static size_t endOfValue(StringRef text) {
  int depth = 0;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (quote)
      quote = c == quote ? 0 : quote;
    else if (c == '"' || c == '\'')
      quote = c;
    else if (StringRef("[({").contains(c))
      ++depth;
    else if (StringRef("])}").contains(c))
      --depth;
    else if (c == ',' && depth <= 0)
      return i;
  }
  return text.size();
}

static StringRef unquoted(StringRef text) {
  for (char quote : {'"', '\''})
    if (text.size() >= 2 && text.front() == quote && text.back() == quote)
      return text.drop_front().drop_back();
  return text;
}

Error Config::setFromText(StringRef name, StringRef text) {
  text = text.trim();
  if (name == "parallel_optimizer_config") { // a dictionary of keys, not a key itself
    std::optional<json::Value> data = ValueReader(text).readAll();
    return setFromData(name, data ? *data : json::Value(text.str()));
  }
  Expected<const Key *> key = findKey(name);
  if (!key)
    return key.takeError();
  std::string quoted = "'" + text.str() + "'";
  KeyKind kind = (*key)->kind;
  if (kind == KeyKind::Update || kind == KeyKind::Compression) { // its items hold parentheses
    StringRef items = text;
    if (items.consume_front("[") && items.consume_back("]"))
      text = items;
    return setFromData(name, unquoted(text).str());
  }
  bool isData = !text.empty() && StringRef("[({").contains(text.front());
  if (isData) {
    std::optional<json::Value> data = ValueReader(text).readAll();
    if (!data || (kind == KeyKind::Indices && !data->getAsArray()))
      return mustBe(**key, quoted);
    return setFromData(name, *data);
  }
  json::Value scalar = configScalar(text);
  if ((kind == KeyKind::Flag && !scalar.getAsBoolean()) ||
      (kind == KeyKind::Number && !scalar.getAsInteger()) || kind == KeyKind::Indices)
    return mustBe(**key, quoted);
  if (kind == KeyKind::Flag || kind == KeyKind::Number)
    return setFromData(name, scalar);
  return setFromData(name, unquoted(text).str());
}

Error Config::setFromText(StringRef assignments) {
  Config given;
  while (!assignments.trim().empty()) {
    auto [name, rest] = assignments.split('=');
    if (name.size() == assignments.size())
      return createStringError("expected key=value, got '" + assignments + "'");
    name = name.trim();
    size_t end = endOfValue(rest);
    if (given.isSet(name))
      return createStringError("configuration key '" + name + "' is given twice");
    if (Error error = given.setFromText(name, rest.take_front(end)))
      return error;
    assignments = rest.drop_front(std::min(end + 1, rest.size()));
  }
  overrideWith(given);
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Sizes of dimensions
//===----------------------------------------------------------------------===//

std::vector<DimensionSize> ds::sizesOf(const Config &config) {
  std::vector<DimensionSize> sizes;
  std::optional<ConfigValue> text = cantFail(config.get("sizes"));
  if (!text)
    return sizes;
  std::vector<MeshAxis> parsed = *meshAxes(std::get<std::string>(*text));
  for (MeshAxis &dim : parsed)
    sizes.push_back({std::move(dim.name), dim.size});
  return sizes;
}

std::string ds::toText(ArrayRef<DimensionSize> sizes) {
  return join(
      map_range(sizes,
                [](const DimensionSize &dim) { return dim.name + "=" + std::to_string(dim.size); }),
      ",");
}

Expected<ConfigValue> ds::detail::checkSizes(const Key &key, const std::vector<MeshAxis> &sizes) {
  for (auto [i, dim] : enumerate(sizes)) {
    if (any_of(ArrayRef(sizes).take_front(i),
               [&](const MeshAxis &other) { return other.name == dim.name; }))
      return createStringError("'" + key.name + "' names '" + dim.name + "' twice");
    if (dim.size < 1)
      return createStringError("'" + dim.name + "' of '" + key.name + "' must be 1 or more, got " +
                               Twine(dim.size));
  }
  return ConfigValue(ds::toText(sizes));
}
