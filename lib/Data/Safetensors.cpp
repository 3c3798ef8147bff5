//===- Safetensors.cpp - The safetensors checkpoint format ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A checkpoint in several files is read through its index, in the form that transformers writes:
// {"weight_map": {"w": "model-00001-of-00002.safetensors", ..}}. Only names of files in the same
// folder are allowed.
//
//===----------------------------------------------------------------------===//
#include "ds/Data/Safetensors.h"

#include "SafetensorsHeader.h"

#include "ds/Support/Memory.h"
#include "ds/Support/Nesting.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

namespace ds {

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;
namespace json = llvm::json;

/// Returns the index of a checkpoint in several files, if the file is one: JSON begins with a
/// bracket, which, read as the length of a header, exceeds every file.
static Expected<std::optional<json::Value>> readIndex(StringRef path) {
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
  const json::Object *object = parsed->getAsObject();
  if (!object || !object->getObject("weight_map"))
    return std::nullopt;
  return std::optional(std::move(*parsed));
}

Expected<SafetensorsFile> SafetensorsFile::openIndex(StringRef path, const json::Object &files) {
  SafetensorsFile all;
  std::map<std::string, SafetensorsFile> opened;
  for (const auto &[name, value] : files) {
    std::optional<StringRef> file = value.getAsString();
    if (!file || file->empty() || llvm::sys::path::filename(*file) != *file || *file == "..")
      return readError(path, "'" + StringRef(name) +
                                 "' is in no file of the index's folder, expected a file's name");
    auto at = opened.find(file->str());
    if (at == opened.end()) {
      llvm::SmallString<128> full(llvm::sys::path::parent_path(path));
      llvm::sys::path::append(full, *file);
      auto part = openOne(full);
      if (!part)
        return part.takeError();
      at = opened.emplace(file->str(), std::move(*part)).first;
    }
    auto entry = at->second.entries.find(StringRef(name).str());
    if (entry == at->second.entries.end())
      return readError(path, "'" + *file + "' does not hold '" + StringRef(name) +
                                 "', which the index says it does");
    all.entries.insert(*entry);
  }
  return all;
}

Expected<SafetensorsFile> SafetensorsFile::open(StringRef path) {
  auto index = readIndex(path);
  if (!index)
    return index.takeError();
  return *index ? openIndex(path, *(*index)->getAsObject()->getObject("weight_map"))
                : openOne(path);
}

Expected<SafetensorsFile> SafetensorsFile::openOne(StringRef path) {
  auto opened = InputFile::open(path);
  if (!opened)
    return opened.takeError();
  auto header = readSafetensorsHeader(*opened);
  if (!header)
    return header.takeError();
  SafetensorsFile found;
  found.held.metadata = std::move(header->metadata);
  auto file = std::make_shared<const InputFile>(std::move(*opened));
  for (SafetensorsEntry &entry : header->entries)
    found.entries[entry.name] = {file,
                                 entry.type,
                                 std::move(entry.typeName),
                                 std::move(entry.shape),
                                 header->start + int64_t(entry.begin),
                                 header->start + int64_t(entry.end)};
  return found;
}
SafetensorsFile::SafetensorsFile(Safetensors contents) : held(std::move(contents)) {}

std::vector<std::string> SafetensorsFile::names() const {
  std::vector<std::string> names;
  for (const auto &item : entries)
    names.push_back(item.first);
  for (const auto &item : held.tensors)
    names.push_back(item.first);
  return names;
}

bool SafetensorsFile::holds(const std::string &name) const {
  return entries.count(name) || held.tensors.count(name);
}

const std::vector<int64_t> &SafetensorsFile::shapeOf(const std::string &name) const {
  auto found = entries.find(name);
  return found == entries.end() ? held.tensors.at(name).shape : found->second.shape;
}

Expected<Array> SafetensorsFile::read(const std::string &name) const {
  auto found = entries.find(name);
  if (found == entries.end())
    return held.tensors.at(name);
  const Entry &entry = found->second;
  StringRef path = entry.file->path();
  if (!entry.type)
    return readError(path, "tensor '" + name + "': elements of type '" + entry.typeName +
                               "' are not supported");
  int64_t size = entry.end - entry.begin;
  if (Error error = checkMemory("tensor '" + name + "'", size))
    return readError(path, llvm::toString(std::move(error)));
  uint8_t *bytes = nullptr;
  Array array = Array::allocate(*entry.type, entry.shape, &bytes);
  if (Error error = entry.file->readAt(entry.begin, bytes, size))
    return error;
  return array;
}

Error SafetensorsFile::visit(llvm::function_ref<void(TensorBytes)> chunk, int64_t most) const {
  for (const auto &[name, array] : held.tensors)
    for (int64_t at = 0, size = array.bytes(); at == 0 || at < size; at += most)
      chunk({name, toString(array.type), array.shape,
             llvm::ArrayRef(array.data + at, static_cast<size_t>(std::min(most, size - at)))});
  std::vector<uint8_t> buffer;
  for (const auto &[name, entry] : entries) {
    std::string type = entry.type ? toString(*entry.type) : entry.typeName;
    for (int64_t at = 0, size = entry.end - entry.begin; at == 0 || at < size; at += most) {
      int64_t count = std::min(most, size - at);
      buffer.resize(std::max<size_t>(buffer.size(), count));
      if (Error error = entry.file->readAt(entry.begin + at, buffer.data(), count))
        return error;
      chunk({name, type, entry.shape, llvm::ArrayRef(buffer).take_front(count)});
    }
  }
  return Error::success();
}

Expected<Safetensors> readSafetensors(StringRef path) {
  auto file = SafetensorsFile::open(path);
  if (!file)
    return file.takeError();
  Safetensors contents;
  contents.metadata = file->metadata();
  for (const std::string &name : file->names()) {
    if (Error error = file->read(name).moveInto(contents.tensors[name]))
      return error;
  }
  return contents;
}

Error writeSafetensors(StringRef path, const Safetensors &contents, std::optional<unsigned> mode) {
  // Widest elements first keeps every tensor aligned; ties keep the map's order.
  std::vector<const std::pair<const std::string, Array> *> order;
  for (const auto &item : contents.tensors)
    order.push_back(&item);
  std::stable_sort(order.begin(), order.end(), [](const auto *a, const auto *b) {
    return byteSize(a->second.type) > byteSize(b->second.type);
  });

  std::string header;
  llvm::raw_string_ostream stream(header);
  json::OStream writer(stream);
  writer.objectBegin();
  if (!contents.metadata.empty()) {
    writer.attributeBegin(metadataKey);
    writer.objectBegin();
    for (const auto &[key, value] : contents.metadata)
      writer.attribute(json::fixUTF8(key), json::fixUTF8(value));
    writer.objectEnd();
    writer.attributeEnd();
  }
  int64_t offset = 0;
  for (const auto *item : order) {
    const Array &array = item->second;
    writer.attributeBegin(json::fixUTF8(item->first));
    writer.objectBegin();
    writer.attribute("dtype", nameInSafetensors(array.type));
    writer.attributeArray("shape", [&] {
      for (int64_t size : array.shape)
        writer.value(size);
    });
    writer.attributeArray("data_offsets", [&] {
      writer.value(offset);
      writer.value(offset += array.bytes());
    });
    writer.objectEnd();
    writer.attributeEnd();
  }
  writer.objectEnd();
  header.append((8 - header.size() % 8) % 8, ' ');
  if (header.size() > largestSafetensorsHeader)
    return writeError(path, "the header would take " + Twine(header.size()) +
                                " bytes, the format allows " + Twine(largestSafetensorsHeader));

  auto write = [&](llvm::raw_ostream &out) {
    char length[8];
    llvm::support::endian::write64le(length, header.size());
    out.write(length, sizeof(length));
    out << header;
    for (const auto *item : order)
      out.write(reinterpret_cast<const char *>(item->second.data), item->second.bytes());
  };
  return writeFileAtomically(path, write, mode);
}

} // namespace ds
