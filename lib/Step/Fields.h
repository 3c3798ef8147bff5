//===- Fields.h - Values to bytes and back ----------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One list of fields for each type serves reading and writing, so that the two cannot differ.
// Numbers are little-endian; a list follows its length, which is bounded by the remaining bytes.
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_STEP_FIELDS_H
#define DS_LIB_STEP_FIELDS_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace ds {

class FieldWriter {
public:
  static constexpr bool isReader = false;
  std::string bytes;

  void number(uint64_t &value, unsigned count) {
    for (unsigned i = 0; i < count; ++i)
      bytes.push_back(static_cast<char>(value >> (8 * i)));
  }
  void text(std::string &value) { bytes += value; }
};

/// Bytes that do not match the fields set the error state, and all later values are zero or empty.
class FieldReader {
public:
  static constexpr bool isReader = true;
  explicit FieldReader(std::string_view bytes) : left(bytes) {}
  std::string_view left;
  bool isGood = true;

  void number(uint64_t &value, unsigned count) {
    std::string_view taken = take(count);
    value = 0;
    for (size_t i = 0; i < taken.size(); ++i)
      value |= static_cast<uint64_t>(static_cast<unsigned char>(taken[i])) << (8 * i);
  }
  /// Reads into a text that has its length already.
  void text(std::string &value) { value.assign(take(value.size())); }

private:
  std::string_view take(size_t count) {
    isGood = isGood && count <= left.size();
    std::string_view taken = isGood ? left.substr(0, count) : std::string_view();
    left.remove_prefix(taken.size());
    return taken;
  }
};

template <typename Archive, typename Number,
          std::enable_if_t<std::is_integral_v<Number> || std::is_enum_v<Number>, int> = 0>
void fields(Archive &archive, Number &value) {
  auto raw = static_cast<uint64_t>(value);
  archive.number(raw, sizeof(Number));
  if constexpr (Archive::isReader)
    value = static_cast<Number>(raw);
}

template <typename Archive> void fields(Archive &archive, bool &value) {
  uint64_t raw = value;
  archive.number(raw, 1);
  if constexpr (Archive::isReader) {
    archive.isGood = archive.isGood && raw <= 1;
    value = raw == 1;
  }
}

/// Reads or writes the length of a list, each of whose entries takes at least one byte.
template <typename Archive> size_t lengthField(Archive &archive, size_t length) {
  uint64_t count = length;
  archive.number(count, 8);
  if constexpr (Archive::isReader) {
    archive.isGood = archive.isGood && count <= archive.left.size();
    if (!archive.isGood)
      return 0;
  }
  return count;
}

template <typename Archive> void fields(Archive &archive, std::string &value) {
  value.resize(lengthField(archive, value.size()));
  archive.text(value);
}

// Declared before they use one another; those of structs are found by their namespace.
template <typename Archive, typename T> void fields(Archive &archive, std::optional<T> &value);
template <typename Archive, typename T> void fields(Archive &archive, std::vector<T> &value);

template <typename Archive, typename First, typename Second>
void fields(Archive &archive, std::pair<First, Second> &value) {
  fields(archive, value.first);
  fields(archive, value.second);
}

template <typename Archive, typename T> void fields(Archive &archive, std::optional<T> &value) {
  bool isSet = value.has_value();
  fields(archive, isSet);
  if constexpr (Archive::isReader)
    value = isSet ? std::optional<T>(T()) : std::nullopt;
  if (value)
    fields(archive, *value);
}

template <typename Archive, typename T> void fields(Archive &archive, std::vector<T> &value) {
  value.resize(lengthField(archive, value.size()));
  for (T &each : value)
    fields(archive, each);
}

template <typename Archive, typename... T> void allFields(Archive &archive, T &...values) {
  (fields(archive, values), ...);
}

} // namespace ds

#endif // DS_LIB_STEP_FIELDS_H
