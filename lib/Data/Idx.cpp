//===- Idx.cpp - The IDX format of MNIST and its relatives ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The header states how many bytes must follow; it is trusted only as far as the file can hold
// them.
//
//===----------------------------------------------------------------------===//
#include "ds/Data/Idx.h"

#include "ds/Data/ByteStream.h"
#include "ds/Support/Memory.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Endian.h"

#include <algorithm>
#include <cstring>

namespace ds {

using llvm::Twine;

static std::optional<DataType> typeOfCode(uint8_t code) {
  switch (code) {
  case 0x08:
    return DataType::u8;
  case 0x09:
    return DataType::i8;
  case 0x0b:
    return DataType::i16;
  case 0x0c:
    return DataType::i32;
  case 0x0d:
    return DataType::f32;
  case 0x0e:
    return DataType::f64;
  default:
    return std::nullopt;
  }
}

llvm::Expected<Array> readIdx(llvm::StringRef path) {
  auto stream = ByteStream::open(path);
  if (!stream)
    return stream.takeError();
  auto endsEarly = [&](const char *part, int64_t expected, int64_t got) {
    return readError(path, Twine("the IDX ") + part + " ends early: expected " + Twine(expected) +
                               " bytes, got " + Twine(got));
  };
  auto readFully = [&](uint8_t *bytes, int64_t count, const char *part) -> llvm::Error {
    auto got = (*stream)->read(bytes, count);
    if (!got)
      return got.takeError();
    if (*got != count)
      return endsEarly(part, count, *got);
    return llvm::Error::success();
  };

  uint8_t magic[4];
  if (llvm::Error error = readFully(magic, 4, "magic"))
    return error;
  if (memcmp(magic, "\x93NUM", sizeof magic) == 0)
    return readError(path, "it holds an .npy file that gzip has compressed: name it .npy.gz");
  if (magic[0] != 0 || magic[1] != 0)
    return readError(path, "not an IDX file: expected it to start with 00 00, got " +
                               llvm::toHex(llvm::ArrayRef<uint8_t>(magic, 2)));
  std::optional<DataType> type = typeOfCode(magic[2]);
  if (!type)
    return readError(path, "unknown IDX element type 0x" +
                               llvm::toHex(llvm::ArrayRef<uint8_t>(magic[2])) +
                               ", expected 08, 09, 0B, 0C, 0D or 0E");

  std::vector<int64_t> shape(magic[3]);
  std::vector<uint8_t> sizes(4 * shape.size());
  if (llvm::Error error = readFully(sizes.data(), sizes.size(), "header"))
    return error;
  for (size_t i = 0; i < shape.size(); ++i)
    shape[i] = llvm::support::endian::read32be(&sizes[4 * i]);
  std::optional<int64_t> bytes = checkedByteSize(shape, *type);
  if (!bytes || *bytes > (*stream)->upperBound())
    return readError(path, "the header promises " + shapeToString(shape) + " elements of " +
                               toString(*type) + ", more than the file holds");

  auto contents = readAsTheyCome(
      path, "its array of " + shapeToString(shape) + " elements of " + toString(*type), *bytes,
      [&](uint8_t *to, int64_t count) { return (*stream)->read(to, count); });
  if (!contents)
    return contents.takeError();
  if (contents->size != *bytes)
    return endsEarly("data", *bytes, contents->size);
  uint8_t *data = contents->data.get();
  Array array;
  array.type = *type;
  array.shape = std::move(shape);
  array.data = data;
  array.owner = std::move(contents->data);
  uint8_t extra;
  auto more = (*stream)->read(&extra, 1);
  if (!more)
    return more.takeError();
  if (*more != 0)
    return readError(path, "there are bytes after the " + Twine(*bytes) +
                               " that the header promises (" + shapeToString(array.shape) + ")");

  if (int64_t size = byteSize(*type); size > 1 && llvm::endianness::native != llvm::endianness::big)
    for (int64_t i = 0; i < *bytes; i += size)
      std::reverse(data + i, data + i + size);
  return array;
}

} // namespace ds
