//===- ByteStream.cpp - Bytes of a plain or gzip file in order --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// zlib inflates, and checks the checksum and length at the end of each member.
//
//===----------------------------------------------------------------------===//
#include "ds/Data/ByteStream.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <limits>
#include <vector>
#include <zlib.h>

namespace ds {

using llvm::Twine;

struct ByteStream::Impl {
  InputFile file;
  bool compressed = false;
  bool finished = false;
  int64_t position = 0; // of the next byte of the file that was not consumed
  z_stream inflater = {};
  std::vector<uint8_t> buffer; // bytes of the file from `position` on, `ahead` of them
  size_t start = 0, ahead = 0;

  explicit Impl(InputFile file) : file(std::move(file)), buffer(size_t(1) << 18) {}
  ~Impl() {
    if (compressed)
      inflateEnd(&inflater);
  }

  int64_t remaining() const { return file.size() - position; }
  const uint8_t *next() const { return buffer.data() + start; }

  void consume(size_t count) {
    start += count;
    ahead -= count;
    position += count;
  }

  /// Buffers `wanted` bytes, or all that remain.
  llvm::Error fill(size_t wanted) {
    if (ahead >= std::min<uint64_t>(wanted, remaining()))
      return llvm::Error::success();
    std::copy_n(next(), ahead, buffer.data());
    start = 0;
    int64_t more = std::min<int64_t>(buffer.size() - ahead, remaining() - ahead);
    if (llvm::Error error = file.read(buffer.data() + ahead, more))
      return error;
    ahead += more;
    return llvm::Error::success();
  }

  llvm::Expected<int64_t> readPlain(uint8_t *bytes, int64_t count) {
    count = std::min(count, remaining());
    int64_t ready = std::min<int64_t>(count, ahead);
    std::copy_n(next(), ready, bytes);
    consume(ready);
    if (llvm::Error error = file.read(bytes + ready, count - ready))
      return error;
    position += count - ready;
    return count;
  }

  llvm::Expected<int64_t> readCompressed(uint8_t *bytes, int64_t count) {
    constexpr int64_t chunk = std::numeric_limits<int32_t>::max();
    int64_t produced = 0;
    while (produced < count && !finished) {
      if (llvm::Error error = fill(1))
        return error;
      uInt output = std::min(count - produced, chunk);
      inflater.next_in = const_cast<uint8_t *>(next());
      inflater.avail_in = ahead;
      inflater.next_out = bytes + produced;
      inflater.avail_out = output;
      int status = inflate(&inflater, Z_NO_FLUSH);
      consume(ahead - inflater.avail_in);
      produced += output - inflater.avail_out;
      if (status == Z_STREAM_END) {
        if (llvm::Error error = fill(2))
          return error;
        // Padding after the last member is not a member.
        finished = ahead < 2 || next()[0] != 0x1f || next()[1] != 0x8b;
        inflateReset(&inflater);
      } else if ((status == Z_BUF_ERROR || status == Z_OK) && remaining() == 0 &&
                 inflater.avail_out != 0) {
        return readError(file.path(), "the gzip stream ends early, after " + Twine(file.size()) +
                                          " bytes of the file");
      } else if (status != Z_OK && status != Z_BUF_ERROR) {
        return readError(file.path(), Twine("the gzip stream is damaged near byte ") +
                                          Twine(position) +
                                          (inflater.msg ? Twine(": ") + inflater.msg : Twine("")));
      }
    }
    return produced;
  }
};

ByteStream::ByteStream(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
ByteStream::~ByteStream() = default;

llvm::Expected<std::unique_ptr<ByteStream>> ByteStream::open(llvm::StringRef path) {
  auto file = InputFile::open(path);
  if (!file)
    return file.takeError();
  auto impl = std::make_unique<Impl>(std::move(*file));
  if (llvm::Error error = impl->fill(2))
    return error;
  if (impl->ahead >= 2 && impl->next()[0] == 0x1f && impl->next()[1] == 0x8b) {
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
  // Deflate cannot expand by more than 1032; zlib buffers at most one window.
  constexpr uint64_t largestRatio = 1032, window = 65536;
  return std::min<uint64_t>(
      llvm::SaturatingMultiplyAdd<uint64_t>(impl->remaining(), largestRatio, window),
      std::numeric_limits<int64_t>::max());
}

const std::string &ByteStream::path() const { return impl->file.path(); }

} // namespace ds
