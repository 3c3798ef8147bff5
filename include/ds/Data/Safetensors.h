//===- Safetensors.h - The safetensors checkpoint format --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A 64-bit header length, a JSON header (name -> dtype, shape, offsets; optional __metadata__),
// then the data. Reading is strict: the tensors must cover the data exactly, without holes or
// overlaps, and every name is unique. A checkpoint in several files is read through its index.
//
//===----------------------------------------------------------------------===//
#ifndef DS_DATA_SAFETENSORS_H
#define DS_DATA_SAFETENSORS_H

#include "ds/Data/Array.h"
#include "ds/Data/SafetensorsIndex.h"
#include "ds/Support/File.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace ds {

struct Safetensors {
  NamedArrays tensors;
  std::map<std::string, std::string> metadata;
};

/// Bytes of one tensor, or a part of them.
struct TensorBytes {
  llvm::StringRef name, type;
  llvm::ArrayRef<int64_t> shape;
  llvm::ArrayRef<uint8_t> bytes;
};

/// An open file whose header has been checked. Its tensors are read one at a time, so that the
/// checkpoint need not be in memory beside the values made from it. Copies share the file.
class SafetensorsFile {
public:
  static llvm::Expected<SafetensorsFile> open(llvm::StringRef path);
  /// Behaves as if the contents had been read from a file.
  explicit SafetensorsFile(Safetensors contents);

  const std::map<std::string, std::string> &metadata() const { return held.metadata; }
  std::vector<std::string> names() const;
  bool holds(const std::string &name) const;
  /// The shape of a tensor in the file.
  const std::vector<int64_t> &shapeOf(const std::string &name) const;
  llvm::Expected<Array> read(const std::string &name) const;
  /// Visits all tensors in order of their names, a tensor in parts of up to `most` bytes, at least
  /// one.
  llvm::Error visit(llvm::function_ref<void(TensorBytes)> chunk, int64_t most) const;

  /// A file of an index that states checksums.
  struct Share {
    std::shared_ptr<const SafetensorsFile> contents;
    std::string path, checksum, index;
  };
  llvm::ArrayRef<Share> sharesOfIndex() const { return shares; }

private:
  struct Stored {
    std::shared_ptr<const InputFile> file;
    int64_t begin, end; // in the file
    PositionRuns runs;  // in the tensor; none: all of it
  };
  struct Entry {
    std::optional<DataType> type; // none: a type of the format that ds does not know
    std::string typeName;
    std::vector<int64_t> shape;
    std::vector<Stored> at; // at least one
  };
  SafetensorsFile() = default;
  static llvm::Expected<SafetensorsFile> openOne(llvm::StringRef path);
  static llvm::Expected<SafetensorsFile> openIndex(llvm::StringRef path, SafetensorsIndex index);
  std::map<std::string, Entry> entries;
  std::vector<Share> shares;
  Safetensors held; // without a file all contents, else the metadata
};

/// Reads all of a file.
llvm::Expected<Safetensors> readSafetensors(llvm::StringRef path);
/// Writes like writeFileAtomically: the destination holds the old file or the whole new one.
llvm::Error writeSafetensors(llvm::StringRef path, const Safetensors &contents,
                             std::optional<unsigned> mode = std::nullopt);

} // namespace ds

#endif // DS_DATA_SAFETENSORS_H
