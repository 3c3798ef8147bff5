//===- Array.h - A dense array read from or written to a file ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One host array: element type, shape, row-major little-endian bytes. The bytes are shared with
// their owner, so an array can be a view of a file's bytes, and copying an array copies no data.
//
//===----------------------------------------------------------------------===//
#ifndef DS_DATA_ARRAY_H
#define DS_DATA_ARRAY_H

#include "ds/Data/DataType.h"

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ds {

class FileMap;

/// Returns the bytes of an array of that shape; none if no such array can exist (ByteSize.h), since
/// headers may be wrong.
std::optional<int64_t> checkedByteSize(llvm::ArrayRef<int64_t> shape, DataType type);
/// Returns `60000x28x28`, or `scalar`: for messages.
std::string shapeToString(llvm::ArrayRef<int64_t> shape);

struct Array {
  DataType type = DataType::f32;
  std::vector<int64_t> shape;
  const uint8_t *data = nullptr;
  std::shared_ptr<const void> owner;
  const FileMap *mapped = nullptr; // owner of the bytes, if they are in a file

  int64_t elements() const { return elementCount(shape); }
  int64_t bytes() const { return elements() * byteSize(type); }

  /// Makes an array with memory of its own; `bytes`, if not null, receives the writable memory.
  static Array allocate(DataType type, llvm::ArrayRef<int64_t> shape, uint8_t **bytes);
  /// Makes an array with a copy of `source`.
  static Array copy(DataType type, llvm::ArrayRef<int64_t> shape, const void *source);
  /// Makes an array on memory that `owner` points to, and may own.
  static Array view(DataType type, llvm::ArrayRef<int64_t> shape,
                    std::shared_ptr<const void> owner);
};

/// The arrays of one file by name. Ordered, so that files are written the same way on every run.
using NamedArrays = std::map<std::string, Array>;

} // namespace ds

#endif // DS_DATA_ARRAY_H
