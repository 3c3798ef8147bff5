//===- ByteStream.cpp - Bytes of a plain or gzip file in order --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// zlib does the inflating and checks the checksum and length at the end of each member.
//
//===----------------------------------------------------------------------===//
#include "ds/Data/ByteStream.h"

#include "llvm/ADT/Twine.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <zlib.h>

namespace ds {

using llvm::Twine;

struct ByteStream::Impl {
  std::string path;
  FileBytes file;
  bool compressed = false;
  bool finished = false;
  int64_t position = 0; // of the next byte of the file that was not consumed
  z_stream inflater = {};

  ~Impl() {
    if (compressed)
      inflateEnd(&inflater);
  }

  int64_t remaining() const { return static_cast<int64_t>(file->getBufferSize()) - position; }
  const uint8_t *next() const {
    return reinterpret_cast<const uint8_t *>(file->getBufferStart()) + position;
  }

  llvm::Expected<int64_t> readPlain(uint8_t *bytes, int64_t count) {
    count = std::min(count, remaining());
    if (count)
      memcpy(bytes, next(), count);
    position += count;
    return count;
  }

  llvm::Expected<int64_t> readCompressed(uint8_t *bytes, int64_t count) {
    constexpr int64_t chunk = std::numeric_limits<int32_t>::max();
    int64_t produced = 0;
    while (produced < count && !finished) {
      uInt input = std::min(remaining(), chunk);
      uInt output = std::min(count - produced, chunk);
      inflater.next_in = const_cast<uint8_t *>(next());
      inflater.avail_in = input;
      inflater.next_out = bytes + produced;
      inflater.avail_out = output;
      int status = inflate(&inflater, Z_NO_FLUSH);
      position += input - inflater.avail_in;
      produced += output - inflater.avail_out;
      if (status == Z_STREAM_END) {
        // Padding after the last member is no member.
        finished = remaining() < 2 || next()[0] != 0x1f || next()[1] != 0x8b;
        inflateReset(&inflater);
      } else if (status == Z_BUF_ERROR ||
                 (status == Z_OK && remaining() == 0 && inflater.avail_out != 0)) {
        return readError(path, "the gzip stream ends early, after " + Twine(file->getBufferSize()) +
                                   " bytes of the file");
      } else if (status != Z_OK) {
        return readError(path, Twine("the gzip stream is damaged near byte ") + Twine(position) +
                                   (inflater.msg ? Twine(": ") + inflater.msg : Twine("")));
      }
    }
    return produced;
  }
};

ByteStream::ByteStream(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
ByteStream::~ByteStream() = default;

llvm::Expected<std::unique_ptr<ByteStream>> ByteStream::open(llvm::StringRef path) {
  auto file = openFile(path);
  if (!file)
    return file.takeError();
  auto impl = std::make_unique<Impl>();
  impl->path = path.str();
  impl->file = std::move(*file);
  if (impl->remaining() >= 2 && impl->next()[0] == 0x1f && impl->next()[1] == 0x8b) {
    constexpr int gzipOnly = 16;
    if (inflateInit2(&impl->inflater, MAX_WBITS + gzipOnly) != Z_OK)
      return readError(path, "zlib cannot be initialised");
    impl->compressed = true;
  }
  return std::unique_ptr<ByteStream>(new ByteStream(std::move(impl)));
}

llvm::Expected<int64_t> ByteStream::read(uint8_t *bytes, int64_t count) {
  return impl->compressed ? impl->readCompressed(bytes, count) : impl->readPlain(bytes, count);
}

int64_t ByteStream::upperBound() const {
  if (!impl->compressed)
    return impl->remaining();
  // Deflate cannot expand by more than 1032; what is buffered inside zlib is at most one window.
  constexpr int64_t largestRatio = 1032, window = 65536;
  return impl->remaining() * largestRatio + window;
}

const std::string &ByteStream::path() const { return impl->path; }

} // namespace ds
