//===- Checksum.h - Are bytes as they were written --------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The checksum of ds/Support/Seal.h over tensors and metadata, part by part, since a file need not
// fit into memory.
//
//===----------------------------------------------------------------------===//
#ifndef DS_DATA_CHECKSUM_H
#define DS_DATA_CHECKSUM_H

#include "ds/Data/Safetensors.h"

namespace ds {

/// Computes 32 hexadecimal digits.
class Checksum {
public:
  void add(llvm::StringRef text);
  void add(const TensorBytes &part);
  /// Adds all bytes of an array, in the parts in which a file is read.
  void add(llvm::StringRef name, const Array &array);
  std::string digits() const;

  static constexpr int64_t chunkBytes = int64_t(1) << 20;

private:
  std::string text;
};

/// Stores the checksum of tensors and metadata in the metadata.
void seal(Safetensors &contents);
/// Returns the checksum in the metadata of a sealed file; empty without one.
std::string storedSeal(const std::map<std::string, std::string> &metadata);
/// Fails if a file, or a share of an index, is not as it was sealed; one that was never sealed
/// passes. Reads the whole file.
llvm::Error checkSeal(const SafetensorsFile &file, llvm::StringRef path);

} // namespace ds

#endif // DS_DATA_CHECKSUM_H
