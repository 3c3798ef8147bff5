//===- SafetensorsIndex.cpp - A checkpoint in several files ---------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts cover their tensor if no two of them overlap and they have as many elements as it, which
// Safetensors.cpp counts: their sizes are those of the tensors in the files.
//
//===----------------------------------------------------------------------===//
#include "ds/Data/SafetensorsIndex.h"

#include "SafetensorsHeader.h"

#include "ds/Support/Nesting.h"
#include "ds/Support/Seal.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Path.h"

namespace ds {

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;
namespace json = llvm::json;

static constexpr const char *filesKey = "weight_map", *sharesKey = "shares",
                            *shardedKey = "sharded";

static bool isName(std::optional<StringRef> file) {
  return file && !file->empty() && llvm::sys::path::filename(*file) == *file && *file != ".." &&
         *file != ".";
}

/// Reads `[[0, 4], [8, 12]]` of a dimension of `size`.
static std::optional<std::vector<PositionRun>> readRuns(const json::Value &value, int64_t size) {
  const json::Array *list = value.getAsArray();
  if (!list)
    return std::nullopt;
  std::vector<PositionRun> runs;
  for (const json::Value &item : *list) {
    const json::Array *pair = item.getAsArray();
    auto number = [&](size_t i) { return (*pair)[i].getAsInteger().value_or(-1); };
    if (!pair || pair->size() != 2)
      return std::nullopt;
    const PositionRun run{number(0), number(1)};
    if (run.begin < (runs.empty() ? 0 : runs.back().end) || run.end <= run.begin || run.end > size)
      return std::nullopt;
    runs.push_back(run);
  }
  return runs;
}

static std::optional<SafetensorsIndex::Part> readPart(const json::Value &value,
                                                      const std::vector<int64_t> &shape) {
  const json::Object *object = value.getAsObject();
  const json::Array *at = object ? object->getArray("at") : nullptr;
  auto text = [&](const char *key) { return object->getString(key); };
  if (!at || at->size() != shape.size() || !isName(text("file")) || !text("name"))
    return std::nullopt;
  SafetensorsIndex::Part part{text("file")->str(), text("name")->str(), {}};
  for (auto [size, item] : llvm::zip(shape, *at)) {
    auto runs = readRuns(item, size);
    if (!runs)
      return std::nullopt;
    part.at.push_back(std::move(*runs));
  }
  return part;
}

static std::optional<SafetensorsIndex::Sharded> readSharded(const json::Value &value) {
  const json::Object *object = value.getAsObject();
  const json::Array *shape = object ? object->getArray("shape") : nullptr;
  const json::Array *parts = object ? object->getArray("parts") : nullptr;
  if (!shape || !parts)
    return std::nullopt;
  SafetensorsIndex::Sharded sharded;
  for (const json::Value &size : *shape) {
    sharded.shape.push_back(size.getAsInteger().value_or(-1));
    if (sharded.shape.back() < 0)
      return std::nullopt;
  }
  for (const json::Value &item : *parts) {
    auto part = readPart(item, sharded.shape);
    if (!part || llvm::any_of(sharded.parts, [&](const SafetensorsIndex::Part &other) {
          return overlap(part->at, other.at);
        }))
      return std::nullopt;
    sharded.parts.push_back(std::move(*part));
  }
  return sharded;
}

static std::optional<SafetensorsIndex::Share> readShare(const json::Value &value) {
  const json::Object *object = value.getAsObject();
  auto bytes = object ? object->getInteger("bytes") : std::nullopt;
  auto checksum = object ? object->getString("checksum") : std::nullopt;
  if (!bytes || *bytes < 0 || !checksum)
    return std::nullopt;
  return SafetensorsIndex::Share{*bytes, checksum->str()};
}

/// Reads the members of an index, which have all been checked to be objects.
static Expected<SafetensorsIndex> readMembers(StringRef path, const json::Object &object) {
  SafetensorsIndex index;
  auto each = [&](const char *member, const char *expected, auto read) -> Error {
    if (const json::Object *members = object.getObject(member))
      for (const auto &[name, value] : *members)
        if (!read(name.str(), value))
          return readError(path, "'" + StringRef(name) + "' " + expected);
    return Error::success();
  };
  Error error = each("metadata", "", [&](const std::string &name, const json::Value &value) {
    if (auto text = value.getAsString()) // total_size is a number
      index.metadata[name] = text->str();
    return true;
  });
  if (!error)
    error = each(filesKey, "is in no file of the index's folder, expected a file's name",
                 [&](const std::string &name, const json::Value &value) {
                   auto file = value.getAsString();
                   index.files[name] = file.value_or("").str();
                   return isName(file);
                 });
  if (!error)
    error = each(sharesKey,
                 "among its shares has no bytes and checksum, or is no name in the index's folder",
                 [&](const std::string &name, const json::Value &value) {
                   auto share = readShare(value);
                   if (share)
                     index.shares[name] = std::move(*share);
                   return share && isName(StringRef(name));
                 });
  if (!error)
    error = each(shardedKey, "is in no parts that lie apart from each other within its shape",
                 [&](const std::string &name, const json::Value &value) {
                   auto sharded = readSharded(value);
                   if (sharded)
                     index.sharded[name] = std::move(*sharded);
                   return sharded && !index.files.count(name);
                 });
  if (error)
    return error;
  return index;
}

/// JSON begins with a bracket, which, read as the length of a safetensors header, exceeds every
/// file.
Expected<std::optional<SafetensorsIndex>> readSafetensorsIndex(StringRef path) {
  auto start = firstBytes(path, 8);
  if (!start)
    return start.takeError();
  if (!StringRef(*start).ltrim().starts_with("{") || StringRef(*start).contains('\0'))
    return std::nullopt;
  auto text = openText(path);
  if (!text)
    return text.takeError();
  StringRef contents = (*text)->getBuffer();
  if (!isShallowJson(contents, deepestSafetensorsJson))
    return readError(path, "its JSON nests deeper than an index of a checkpoint does");
  auto parsed = json::parse(contents);
  if (!parsed)
    return readError(path, "its JSON is damaged: " + llvm::toString(parsed.takeError()));
  if (std::optional<std::string> twice = keyTwice(contents))
    return readError(path, "'" + *twice + "' stands twice in the index");
  json::Object *object = parsed->getAsObject();
  if (!object || !object->getObject(filesKey))
    return std::nullopt;
  if (Error error = unsealJson(*object))
    return readError(path, "it " + llvm::toString(std::move(error)));
  auto index = readMembers(path, *object);
  if (!index)
    return index.takeError();
  return std::optional(std::move(*index));
}

static json::Object textsOf(const std::map<std::string, std::string> &texts) {
  json::Object object;
  for (const auto &[name, text] : texts)
    object[json::fixUTF8(name)] = json::fixUTF8(text);
  return object;
}

static json::Object toJson(const SafetensorsIndex::Part &part) {
  json::Array at;
  for (const std::vector<PositionRun> &dim : part.at) {
    json::Array runs;
    for (const PositionRun &run : dim)
      runs.push_back(json::Array{run.begin, run.end});
    at.push_back(std::move(runs));
  }
  return json::Object{
      {"file", part.file}, {"name", json::fixUTF8(part.name)}, {"at", std::move(at)}};
}

Error writeSafetensorsIndex(StringRef path, const SafetensorsIndex &index, int64_t bytes,
                            std::optional<unsigned> mode) {
  json::Object metadata = textsOf(index.metadata), shares, sharded;
  metadata["total_size"] = bytes;
  for (const auto &[file, share] : index.shares)
    shares[file] = json::Object{{"bytes", share.bytes}, {"checksum", share.checksum}};
  for (const auto &[name, tensor] : index.sharded) {
    json::Array parts;
    for (const SafetensorsIndex::Part &part : tensor.parts)
      parts.push_back(toJson(part));
    sharded[json::fixUTF8(name)] =
        json::Object{{"shape", json::Array(tensor.shape)}, {"parts", std::move(parts)}};
  }
  json::Object members{{"metadata", std::move(metadata)},
                       {filesKey, textsOf(index.files)},
                       {sharesKey, std::move(shares)},
                       {shardedKey, std::move(sharded)}};
  return writeSealedJson(path, std::move(members), mode);
}

} // namespace ds
