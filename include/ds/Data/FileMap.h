//===- FileMap.h - A file read in place -------------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A large file is mapped, so the system reads only the pages in use. The file may change after it
// was opened, so `check` is called before each use.
//
//===----------------------------------------------------------------------===//
#ifndef DS_DATA_FILEMAP_H
#define DS_DATA_FILEMAP_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <ctime>
#include <memory>
#include <string>

namespace ds {

class FileMap {
public:
  /// Smaller files are read into memory.
  static constexpr int64_t leastBytes = int64_t(64) << 20;

  /// Opens a regular file.
  static llvm::Expected<std::shared_ptr<const FileMap>> open(llvm::StringRef path);
  ~FileMap();
  FileMap(const FileMap &) = delete;

  llvm::ArrayRef<uint8_t> bytes() const { return {memory, static_cast<size_t>(length)}; }
  /// Returns an error if the file has another length than at opening, or was written to since.
  llvm::Error check() const;

private:
  FileMap() = default;
  std::string path;
  int descriptor = -1;
  const uint8_t *memory = nullptr;
  int64_t length = 0;
  timespec written = {};
};

} // namespace ds

#endif // DS_DATA_FILEMAP_H
