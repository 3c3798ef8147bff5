//===- Safetensors.cpp - The safetensors checkpoint format ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A checkpoint in several files is read through its index (SafetensorsIndex.h).
//
//===----------------------------------------------------------------------===//
#include "ds/Data/Safetensors.h"

#include "SafetensorsHeader.h"

#include "ds/Support/Memory.h"

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

/// Fails if a share has another size than its index lists.
static Error checkShareBytes(StringRef path, int64_t bytes, StringRef index) {
  auto file = InputFile::open(path);
  if (!file)
    return file.takeError();
  if (file->size() == bytes)
    return Error::success();
  return readError(path, "it has " + Twine(file->size()) + " bytes, but '" + index +
                             "' was written with " + Twine(bytes));
}

/// Opens each file of an index once.
Expected<SafetensorsFile> SafetensorsFile::openIndex(StringRef path, SafetensorsIndex index) {
  SafetensorsFile all;
  std::map<std::string, SafetensorsFile> opened;
  auto open = [&](const std::string &file) -> Expected<const SafetensorsFile *> {
    auto at = opened.find(file);
    if (at != opened.end())
      return &at->second;
    llvm::SmallString<128> full(llvm::sys::path::parent_path(path));
    llvm::sys::path::append(full, file);
    auto one = openOne(full);
    if (!one)
      return one.takeError();
    return &opened.emplace(file, std::move(*one)).first->second;
  };
  auto find = [&](const std::string &file, const std::string &name) -> Expected<const Entry *> {
    auto one = open(file);
    if (!one)
      return one.takeError();
    auto entry = (*one)->entries.find(name);
    if (entry == (*one)->entries.end())
      return readError(path,
                       "'" + file + "' does not hold '" + name + "', which the index lists there");
    return &entry->second;
  };
  // A share that was cut off is named as such before its header is read.
  for (const auto &[file, share] : index.shares) {
    llvm::SmallString<128> full(llvm::sys::path::parent_path(path));
    llvm::sys::path::append(full, file);
    if (Error error = checkShareBytes(full, share.bytes, path))
      return error;
    auto one = open(file);
    if (!one)
      return one.takeError();
    all.shares.push_back(
        {std::make_shared<SafetensorsFile>(**one), full.str().str(), share.checksum, path.str()});
  }
  for (const auto &[name, file] : index.files) {
    auto entry = find(file, name);
    if (!entry)
      return entry.takeError();
    all.entries.emplace(name, **entry);
  }
  for (auto &[name, sharded] : index.sharded) {
    Entry whole{{}, "", sharded.shape, {}};
    int64_t elements = 0;
    for (SafetensorsIndex::Part &part : sharded.parts) {
      auto entry = find(part.file, part.name);
      if (!entry)
        return entry.takeError();
      std::vector<int64_t> shape;
      for (const std::vector<PositionRun> &runs : part.at)
        shape.push_back(countOf(runs));
      if (shape != (*entry)->shape || (*entry)->at.size() != 1 ||
          (elements > 0 && (*entry)->typeName != whole.typeName))
        return readError(path, "'" + part.file + "' holds '" + part.name + "' of " +
                                   shapeToString((*entry)->shape) + " " + (*entry)->typeName +
                                   ", expected a part of '" + name + "' of " +
                                   shapeToString(shape) +
                                   (elements > 0 ? " " + whole.typeName : ""));
      whole.type = (*entry)->type;
      whole.typeName = (*entry)->typeName;
      elements += elementCount(shape);
      whole.at.push_back((*entry)->at.front());
      whole.at.back().runs = std::move(part.at);
    }
    if (sharded.parts.empty() || !checkedByteSize(sharded.shape, DataType::i8) ||
        elements != elementCount(sharded.shape))
      return readError(path, "the parts of '" + name + "' have " + Twine(elements) +
                                 " elements, expected those of " + shapeToString(sharded.shape));
    all.entries.emplace(name, std::move(whole));
  }
  all.held.metadata = std::move(index.metadata);
  return all;
}

Expected<SafetensorsFile> SafetensorsFile::open(StringRef path) {
  auto index = readSafetensorsIndex(path);
  if (!index)
    return index.takeError();
  return *index ? openIndex(path, std::move(**index)) : openOne(path);
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
    found.entries[entry.name] = {
        entry.type,
        std::move(entry.typeName),
        std::move(entry.shape),
        {{file, header->start + int64_t(entry.begin), header->start + int64_t(entry.end), {}}}};
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
  StringRef path = entry.at.front().file->path();
  if (!entry.type)
    return readError(path, "tensor '" + name + "': elements of type '" + entry.typeName +
                               "' are not supported");
  const int64_t size = elementCount(entry.shape) * byteSize(*entry.type);
  if (Error error = checkMemory("tensor '" + name + "'", size))
    return readError(path, llvm::toString(std::move(error)));
  uint8_t *bytes = nullptr;
  Array array = Array::allocate(*entry.type, entry.shape, &bytes);
  std::vector<uint8_t> buffer;
  for (const Stored &stored : entry.at) {
    const int64_t count = stored.end - stored.begin;
    const bool isPart = !stored.runs.empty() && count > 0;
    if (isPart)
      buffer.resize(count);
    if (Error error = stored.file->readAt(stored.begin, isPart ? buffer.data() : bytes, count))
      return error;
    if (isPart)
      putPart(entry.shape, positionsOf(stored.runs), byteSize(*entry.type), buffer.data(), bytes);
  }
  return array;
}

static void visitArray(llvm::StringRef name, const Array &array,
                       llvm::function_ref<void(TensorBytes)> chunk, int64_t most) {
  for (int64_t at = 0, size = array.bytes(); at == 0 || at < size; at += most)
    chunk({name, toString(array.type), array.shape,
           llvm::ArrayRef(array.data + at, static_cast<size_t>(std::min(most, size - at)))});
}

Error SafetensorsFile::visit(llvm::function_ref<void(TensorBytes)> chunk, int64_t most) const {
  for (const auto &[name, array] : held.tensors)
    visitArray(name, array, chunk, most);
  std::vector<uint8_t> buffer;
  for (const auto &[name, entry] : entries) {
    if (entry.at.front().runs.size()) { // of a sharded tensor
      auto array = read(name);
      if (!array)
        return array.takeError();
      visitArray(name, *array, chunk, most);
      continue;
    }
    const Stored &stored = entry.at.front();
    std::string type = entry.type ? toString(*entry.type) : entry.typeName;
    for (int64_t at = 0, size = stored.end - stored.begin; at == 0 || at < size; at += most) {
      int64_t count = std::min(most, size - at);
      buffer.resize(std::max<size_t>(buffer.size(), count));
      if (Error error = stored.file->readAt(stored.begin + at, buffer.data(), count))
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
