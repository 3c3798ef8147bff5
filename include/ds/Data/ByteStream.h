//===- ByteStream.h - Bytes of a plain or gzip file in order ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a file front to back and inflates it on the way if it starts with the gzip magic. Several
// gzip members in one file are one stream, as in gzip(1).
//
//===----------------------------------------------------------------------===//
#ifndef DS_DATA_BYTESTREAM_H
#define DS_DATA_BYTESTREAM_H

#include "ds/Support/File.h"

#include <cstdint>
#include <memory>
#include <string>

namespace ds {

class ByteStream {
public:
  static llvm::Expected<std::unique_ptr<ByteStream>> open(llvm::StringRef path);
  ~ByteStream();

  /// Reads up to `count` bytes; less only at the end of the stream. A damaged gzip stream is an
  /// error.
  llvm::Expected<int64_t> read(uint8_t *bytes, int64_t count);
  /// An upper bound of the bytes to come, against headers that promise more than the file can hold.
  int64_t upperBound() const;
  const std::string &path() const;

  struct Impl;

private:
  explicit ByteStream(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace ds

#endif // DS_DATA_BYTESTREAM_H
