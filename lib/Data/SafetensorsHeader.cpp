//===- SafetensorsHeader.cpp - Header of a safetensors file -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every number of the header is checked against the file before it is used: the header's length,
// each tensor's bytes against its shape, and all tensors in order of offset against each other.
// Nesting is bounded before the JSON parser, which recurses, sees the text; the parser keeps the
// last of two equal keys, so duplicates are searched for in the text. Elements of a type that ds
// does not know are no error of the file: reading that tensor reports it.
//
//===----------------------------------------------------------------------===//
#include "SafetensorsHeader.h"

#include "ds/Support/Nesting.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Endian.h"

#include <algorithm>
#include <tuple>

namespace ds {

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;
namespace json = llvm::json;

std::string nameInSafetensors(DataType type) { return StringRef(toString(type)).upper(); }

static std::optional<DataType> typeOfName(StringRef name) {
  return findDataType([&](DataType type) { return name == nameInSafetensors(type); });
}

std::optional<std::string> keyTwice(StringRef text) {
  struct Level {
    bool isObject;
    llvm::StringSet<> keys;
  };
  std::vector<Level> levels;
  bool atKey = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '{' || c == '[') {
      levels.push_back({c == '{', {}});
      atKey = c == '{';
    } else if (c == '}' || c == ']') {
      levels.pop_back();
      atKey = false;
    } else if (c == ',') {
      atKey = !levels.empty() && levels.back().isObject;
    } else if (c == '"') {
      size_t begin = i++;
      while (text[i] != '"')
        i += text[i] == '\\' ? 2 : 1;
      if (!atKey)
        continue;
      atKey = false;
      json::Value key = llvm::cantFail(json::parse(text.slice(begin, i + 1)));
      if (!levels.back().keys.insert(*key.getAsString()).second)
        return key.getAsString()->str();
    }
  }
  return std::nullopt;
}

/// Names the likely format of a file that is not a safetensors file; empty if unknown.
static StringRef otherFormat(StringRef start) {
  if (start.starts_with("PK\x03\x04"))
    return "it is a zip archive, as PyTorch's .pt and .npz files are";
  if (start.starts_with("\x93NUMPY"))
    return "it is an .npy file";
  if (start.starts_with("\x1f\x8b"))
    return "it is compressed by gzip";
  if (start.starts_with("\x89HDF"))
    return "it is an HDF5 file";
  if (start.size() > 1 && start[0] == '\x80' && start[1] >= 2 && start[1] <= 5)
    return "it is a pickle of Python";
  if (start.ltrim().starts_with("{") || start.ltrim().starts_with("["))
    return "it is JSON, but no index of a checkpoint in several files";
  return "";
}

/// Parses `{"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}`; `size` bytes of data exist.
static Expected<SafetensorsEntry> parseEntry(StringRef path, StringRef name,
                                             const json::Value &value, uint64_t size) {
  auto fail = [&](const Twine &what) { return readError(path, "tensor '" + name + "': " + what); };
  const json::Object *object = value.getAsObject();
  if (!object)
    return fail("expected an object");
  auto dtype = object->getString("dtype");
  const json::Array *shape = object->getArray("shape");
  const json::Array *offsets = object->getArray("data_offsets");
  if (!dtype || !shape || !offsets || object->size() != 3)
    return fail("expected exactly dtype, shape and data_offsets");
  SafetensorsEntry entry;
  entry.name = name.str();
  entry.type = typeOfName(*dtype);
  entry.typeName = dtype->str();
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
  if (!entry.type)
    return entry;
  std::optional<int64_t> expected = checkedByteSize(entry.shape, *entry.type);
  if (!expected || uint64_t(*expected) != *end - *begin)
    return fail("data_offsets span " + Twine(*end - *begin) + " bytes, expected " +
                (expected ? Twine(*expected) : Twine("an impossible number")) + " for " +
                shapeToString(entry.shape) + " of " + toString(*entry.type));
  return entry;
}

static Error parseMetadata(StringRef path, const json::Value &value,
                           std::map<std::string, std::string> &metadata) {
  const json::Object *object = value.getAsObject();
  if (!object)
    return readError(path, "__metadata__ is no object");
  for (const auto &[key, text] : *object) {
    auto string = text.getAsString();
    if (!string)
      return readError(path, "__metadata__ '" + StringRef(key) + "' is no string");
    metadata[key.str()] = string->str();
  }
  return Error::success();
}

/// Reads the text of a file's header, which is preceded by its length.
static Expected<std::string> readText(InputFile &file) {
  StringRef path = file.path();
  if (file.size() < 8)
    return readError(path, "not a safetensors file: expected at least 8 bytes, got " +
                               Twine(file.size()));
  uint8_t bytes[8];
  if (Error error = file.read(bytes, sizeof bytes))
    return error;
  uint64_t length = llvm::support::endian::read64le(bytes), rest = file.size() - 8;
  if (length > rest || length > largestSafetensorsHeader) {
    StringRef other = otherFormat(StringRef(reinterpret_cast<char *>(bytes), sizeof bytes));
    if (!other.empty())
      return readError(path, "not a safetensors file: " + other);
    return readError(path, "the safetensors header claims " + Twine(length) + " bytes, " +
                               (length > rest ? "the file has " + std::to_string(rest)
                                              : "the format allows " +
                                                    std::to_string(largestSafetensorsHeader)));
  }
  std::string text(length, '\0');
  if (Error error = file.read(reinterpret_cast<uint8_t *>(text.data()), length))
    return error;
  if (!isShallowJson(text, deepestSafetensorsJson))
    return readError(path, "the safetensors header nests deeper than the format does");
  return text;
}

/// Checks that the tensors cover `size` bytes of data without holes and overlaps.
static Error checkCover(StringRef path, std::vector<SafetensorsEntry> &entries, uint64_t size) {
  std::sort(entries.begin(), entries.end(),
            [](const SafetensorsEntry &a, const SafetensorsEntry &b) {
              return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
            });
  uint64_t covered = 0;
  for (const SafetensorsEntry &entry : entries) {
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

Expected<SafetensorsHeader> readSafetensorsHeader(InputFile &file) {
  StringRef path = file.path();
  auto text = readText(file);
  if (!text)
    return text.takeError();
  auto parsed = json::parse(*text);
  if (!parsed)
    return readError(path,
                     "the safetensors header is no JSON: " + llvm::toString(parsed.takeError()));
  const json::Object *object = parsed->getAsObject();
  if (!object)
    return readError(path, "the safetensors header is no JSON object");
  if (std::optional<std::string> twice = keyTwice(*text))
    return readError(path, "'" + *twice + "' stands twice in the safetensors header");
  SafetensorsHeader header;
  header.start = 8 + text->size();
  uint64_t size = file.size() - header.start;
  for (const auto &[key, value] : *object) {
    if (StringRef(key) == metadataKey) {
      if (Error error = parseMetadata(path, value, header.metadata))
        return error;
      continue;
    }
    auto entry = parseEntry(path, key, value, size);
    if (!entry)
      return entry.takeError();
    header.entries.push_back(std::move(*entry));
  }
  if (Error error = checkCover(path, header.entries, size))
    return error;
  return header;
}

} // namespace ds
