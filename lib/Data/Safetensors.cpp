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
struct Entry {
  std::string name;
  DataType type;
  std::vector<int64_t> shape;
  uint64_t begin, end;
};
} // namespace

/// Reads `{"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}`; `size` bytes of data exist.
static Expected<Entry> parseEntry(StringRef path, StringRef name, const json::Value &value,
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
  Entry entry;
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

Expected<Safetensors> readSafetensors(StringRef path) {
  auto file = openFile(path);
  if (!file)
    return file.takeError();
  StringRef bytes = (*file)->getBuffer();
  if (bytes.size() < 8)
    return readError(path, "not a safetensors file: expected at least 8 bytes, got " +
                               Twine(bytes.size()));
  uint64_t length = llvm::support::endian::read64le(bytes.data());
  if (length > bytes.size() - 8 || length > largestHeader)
    return readError(path, "the safetensors header claims " + Twine(length) + " bytes, " +
                               (length > bytes.size() - 8
                                    ? "the file has " + std::to_string(bytes.size() - 8)
                                    : "the format allows " + std::to_string(largestHeader)));
  StringRef text = bytes.substr(8, length), data = bytes.drop_front(8 + length);
  if (!isShallow(text))
    return readError(path, "the safetensors header nests deeper than the format does");
  auto header = json::parse(text);
  if (!header)
    return readError(path,
                     "the safetensors header is no JSON: " + llvm::toString(header.takeError()));
  const json::Object *object = header->getAsObject();
  if (!object)
    return readError(path, "the safetensors header is no JSON object");

  Safetensors contents;
  std::vector<Entry> entries;
  for (const auto &[key, value] : *object) {
    if (StringRef(key) == metadataKey) {
      if (Error error = parseMetadata(path, value, contents))
        return error;
      continue;
    }
    auto entry = parseEntry(path, key, value, data.size());
    if (!entry)
      return entry.takeError();
    entries.push_back(std::move(*entry));
  }
  std::sort(entries.begin(), entries.end(), [](const Entry &a, const Entry &b) {
    return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
  });
  uint64_t covered = 0;
  for (const Entry &entry : entries) {
    if (entry.begin != covered)
      return readError(path, "tensor '" + Twine(entry.name) + "' begins at byte " +
                                 Twine(entry.begin) + ", expected " + Twine(covered) +
                                 (entry.begin < covered ? " (it overlaps the one before)"
                                                        : " (there is a hole before it)"));
    covered = entry.end;
  }
  if (covered != data.size())
    return readError(path, "the tensors cover " + Twine(covered) + " of " + Twine(data.size()) +
                               " bytes of data");

  for (Entry &entry : entries) {
    const auto *source = reinterpret_cast<const uint8_t *>(data.data()) + entry.begin;
    Array array;
    if (reinterpret_cast<uintptr_t>(source) % byteSize(entry.type) == 0) {
      array.type = entry.type;
      array.shape = std::move(entry.shape);
      array.data = source;
      array.owner = *file;
    } else {
      if (Error error = checkMemory("tensor '" + entry.name + "', which is not aligned,",
                                    entry.end - entry.begin))
        return readError(path, llvm::toString(std::move(error)));
      array = Array::copy(entry.type, entry.shape, source);
    }
    contents.tensors[entry.name] = std::move(array);
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
