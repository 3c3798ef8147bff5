//===- SafetensorsHeader.h - Header of a safetensors file -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_DATA_SAFETENSORSHEADER_H
#define DS_LIB_DATA_SAFETENSORSHEADER_H

#include "ds/Data/Array.h"
#include "ds/Support/File.h"

#include "llvm/Support/JSON.h"

#include <map>
#include <optional>

namespace ds {

inline constexpr llvm::StringRef metadataKey = "__metadata__";
/// The format's own limit for a header.
inline constexpr uint64_t largestSafetensorsHeader = 100'000'000;

struct SafetensorsEntry {
  std::string name;
  std::optional<DataType> type; // none: a type of the format that ds does not know
  std::string typeName;
  std::vector<int64_t> shape;
  uint64_t begin, end; // relative to the end of the header
};

struct SafetensorsHeader {
  std::vector<SafetensorsEntry> entries; // in order of their bytes
  std::map<std::string, std::string> metadata;
  int64_t start; // of the tensors in the file
};

/// Returns `F32`, `BOOL`: the type's name in a header.
std::string nameInSafetensors(DataType type);

/// Reads and checks the header of a file that has just been opened.
llvm::Expected<SafetensorsHeader> readSafetensorsHeader(InputFile &file);

/// No header, and no index of a checkpoint, nests deeper.
inline constexpr int deepestSafetensorsJson = 8;
/// Returns a key that an object of this JSON text has twice.
std::optional<std::string> keyTwice(llvm::StringRef text);

} // namespace ds

#endif // DS_LIB_DATA_SAFETENSORSHEADER_H
