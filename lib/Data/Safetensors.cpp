//===- Safetensors.cpp - The safetensors checkpoint format ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every number of the header is checked against the file before it is used: the header's length,
// each tensor's bytes against its shape, and all tensors in order of offset against each other.
// Nesting is bounded before the JSON parser, which recurses, sees the text.
//
//===----------------------------------------------------------------------===//
#include "ds/Data/Safetensors.h"

#include "ds/Data/File.h"
#include "ds/Data/Memory.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

namespace ds {

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;
namespace json = llvm::json;

static constexpr StringRef metadataKey = "__metadata__";
/// The format's own limit for a header.
static constexpr uint64_t largestHeader = 100'000'000;

static std::optional<DataType> typeOfName(StringRef name) {
  return llvm::StringSwitch<std::optional<DataType>>(name)
      .Case("F64", DataType::f64)
      .Case("F32", DataType::f32)
      .Case("F16", DataType::f16)
      .Case("BF16", DataType::bf16)
      .Case("I64", DataType::i64)
      .Case("I32", DataType::i32)
      .Case("I16", DataType::i16)
      .Case("I8", DataType::i8)
      .Case("U64", DataType::u64)
      .Case("U32", DataType::u32)
      .Case("U16", DataType::u16)
      .Case("U8", DataType::u8)
      .Case("BOOL", DataType::boolean)
      .Default(std::nullopt);
}

static std::string nameOfType(DataType type) { return StringRef(toString(type)).upper(); }

/// Whether brackets nest no deeper than the format needs, outside of strings.
static bool isShallow(StringRef text) {
  constexpr int deepest = 8;
  int depth = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (inString) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        inString = false;
    } else if (c == '"') {
      inString = true;
    } else if (c == '{' || c == '[') {
      if (++depth > deepest)
        return false;
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return true;
}

namespace {
struct HeaderEntry {
  std::string name;
  DataType type;
  std::vector<int64_t> shape;
  uint64_t begin, end;
};
} // namespace

/// Reads `{"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}`; `size` bytes of data exist.
static Expected<HeaderEntry> parseEntry(StringRef path, StringRef name, const json::Value &value,
                                        uint64_t size) {
  auto fail = [&](const Twine &what) { return readError(path, "tensor '" + name + "': " + what); };
  const json::Object *object = value.getAsObject();
  if (!object)
    return fail("expected an object");
  auto dtype = object->getString("dtype");
  const json::Array *shape = object->getArray("shape");
  const json::Array *offsets = object->getArray("data_offsets");
  if (!dtype || !shape || !offsets || object->size() != 3)
    return fail("expected exactly dtype, shape and data_offsets");
  HeaderEntry entry;
  entry.name = name.str();
  std::optional<DataType> type = typeOfName(*dtype);
  if (!type)
    return fail("elements of type '" + *dtype + "' are not supported");
  entry.type = *type;
  for (const json::Value &element : *shape) {
    std::optional<int64_t> number = element.getAsInteger();
    if (!number || *number < 0)
      return fail("a size in its shape is no non-negative integer");
    entry.shape.push_back(*number);
  }
  std::optional<uint64_t> begin, end;
  if (offsets->size() == 2) {
    begin = (*offsets)[0].getAsUINT64();
    end = (*offsets)[1].getAsUINT64();
  }
  if (!begin || !end || *begin > *end)
    return fail("data_offsets are not two ascending integers");
  if (*end > size)
    return fail("data_offsets end at byte " + Twine(*end) + " of " + Twine(size));
  entry.begin = *begin;
  entry.end = *end;
  std::optional<int64_t> expected = checkedByteSize(entry.shape, entry.type);
  if (!expected || uint64_t(*expected) != *end - *begin)
    return fail("data_offsets span " + Twine(*end - *begin) + " bytes, expected " +
                (expected ? Twine(*expected) : Twine("an impossible number")) + " for " +
                shapeToString(entry.shape) + " of " + toString(entry.type));
  return entry;
}

static Error parseMetadata(StringRef path, const json::Value &value, Safetensors &contents) {
  const json::Object *object = value.getAsObject();
  if (!object)
    return readError(path, "__metadata__ is no object");
  for (const auto &[key, text] : *object) {
    auto string = text.getAsString();
    if (!string)
      return readError(path, "__metadata__ '" + StringRef(key) + "' is no string");
    contents.metadata[key.str()] = string->str();
  }
  return Error::success();
}

/// The text of the header of a file, whose length stands before it.
static Expected<std::string> readHeader(InputFile &file) {
  StringRef path = file.path();
  if (file.size() < 8)
    return readError(path, "not a safetensors file: expected at least 8 bytes, got " +
                               Twine(file.size()));
  uint8_t bytes[8];
  if (Error error = file.read(bytes, sizeof bytes))
    return error;
  uint64_t length = llvm::support::endian::read64le(bytes), rest = file.size() - 8;
  if (length > rest || length > largestHeader)
    return readError(path,
                     "the safetensors header claims " + Twine(length) + " bytes, " +
                         (length > rest ? "the file has " + std::to_string(rest)
                                        : "the format allows " + std::to_string(largestHeader)));
  std::string text(length, '\0');
  if (Error error = file.read(reinterpret_cast<uint8_t *>(text.data()), length))
    return error;
  if (!isShallow(text))
    return readError(path, "the safetensors header nests deeper than the format does");
  return text;
}

/// Tensors cover `size` bytes of data without holes and overlaps.
static Error checkCover(StringRef path, std::vector<HeaderEntry> &entries, uint64_t size) {
  std::sort(entries.begin(), entries.end(), [](const HeaderEntry &a, const HeaderEntry &b) {
    return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
  });
  uint64_t covered = 0;
  for (const HeaderEntry &entry : entries) {
    if (entry.begin != covered)
      return readError(path, "tensor '" + Twine(entry.name) + "' begins at byte " +
                                 Twine(entry.begin) + ", expected " + Twine(covered) +
                                 (entry.begin < covered ? " (it overlaps the one before)"
                                                        : " (there is a hole before it)"));
    covered = entry.end;
  }
  if (covered != size)
    return readError(path, "the tensors cover " + Twine(covered) + " of " + Twine(size) +
                               " bytes of data");
  return Error::success();
}

Expected<SafetensorsFile> SafetensorsFile::open(StringRef path) {
  auto opened = InputFile::open(path);
  if (!opened)
    return opened.takeError();
  auto text = readHeader(*opened);
  if (!text)
    return text.takeError();
  auto header = json::parse(*text);
  if (!header)
    return readError(path,
                     "the safetensors header is no JSON: " + llvm::toString(header.takeError()));
  const json::Object *object = header->getAsObject();
  if (!object)
    return readError(path, "the safetensors header is no JSON object");

  SafetensorsFile found;
  int64_t start = 8 + text->size();
  uint64_t size = opened->size() - start;
  std::vector<HeaderEntry> entries;
  for (const auto &[key, value] : *object) {
    if (StringRef(key) == metadataKey) {
      if (Error error = parseMetadata(path, value, found.held))
        return error;
      continue;
    }
    auto entry = parseEntry(path, key, value, size);
    if (!entry)
      return entry.takeError();
    entries.push_back(std::move(*entry));
  }
  if (Error error = checkCover(path, entries, size))
    return error;
  for (HeaderEntry &entry : entries)
    found.entries[entry.name] = {entry.type, std::move(entry.shape), start + int64_t(entry.begin),
                                 start + int64_t(entry.end)};
  found.file = std::make_shared<const InputFile>(std::move(*opened));
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
  const auto &[type, shape, begin, end] = found->second;
  if (Error error = checkMemory("tensor '" + name + "'", end - begin))
    return readError(file->path(), llvm::toString(std::move(error)));
  uint8_t *bytes = nullptr;
  Array array = Array::allocate(type, shape, &bytes);
  if (Error error = file->readAt(begin, bytes, end - begin))
    return error;
  return array;
}

Expected<Safetensors> readSafetensors(StringRef path) {
  auto file = SafetensorsFile::open(path);
  if (!file)
    return file.takeError();
  Safetensors contents;
  contents.metadata = file->metadata();
  for (const std::string &name : file->names()) {
    auto array = file->read(name);
    if (!array)
      return array.takeError();
    contents.tensors[name] = std::move(*array);
  }
  return contents;
}

Error writeSafetensors(StringRef path, const Safetensors &contents) {
  // Widest elements first keeps every tensor aligned; the map's order does the rest.
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
    writer.attribute("dtype", nameOfType(array.type));
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
  if (header.size() > largestHeader)
    return writeError(path, "the header would take " + Twine(header.size()) +
                                " bytes, the format allows " + Twine(largestHeader));

  return writeFileAtomically(path, [&](llvm::raw_ostream &out) {
    char length[8];
    llvm::support::endian::write64le(length, header.size());
    out.write(length, sizeof(length));
    out << header;
    for (const auto *item : order)
      out.write(reinterpret_cast<const char *>(item->second.data), item->second.bytes());
  });
}

} // namespace ds
