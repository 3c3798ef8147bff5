//===- Npy.cpp - NumPy's .npy -----------------------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Magic, version, header length, then a Python dictionary with exactly the keys descr,
// fortran_order and shape, then the data. The dictionary is parsed as a literal; no other Python is
// understood.
//
//===----------------------------------------------------------------------===//
#include "ds/Data/Npy.h"

#include "ds/Data/ByteStream.h"
#include "ds/Data/FileMap.h"
#include "ds/Support/Memory.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"

#include <algorithm>
#include <cstring>

namespace ds {

using llvm::ArrayRef;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

/// Limit for a header of version 2 or 3 in a compressed file.
static constexpr uint64_t longestHeader = uint64_t(1) << 20;

namespace {
struct Header {
  std::string descr;
  bool fortranOrder = false;
  std::vector<int64_t> shape;
};

/// Parses `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }`.
class HeaderParser {
public:
  explicit HeaderParser(StringRef text) : text(text) {}

  std::optional<Header> parse() {
    Header header;
    bool descr = false, order = false, shape = false;
    if (!consume('{'))
      return std::nullopt;
    while (!consume('}')) {
      std::string key;
      if (!parseString(key) || !consume(':'))
        return std::nullopt;
      bool *seen = key == "descr" ? &descr : key == "fortran_order" ? &order : &shape;
      if (*seen || (seen == &shape && key != "shape"))
        return std::nullopt;
      *seen = true;
      bool ok = seen == &descr   ? parseString(header.descr)
                : seen == &order ? parseBool(header.fortranOrder)
                                 : parseTuple(header.shape);
      if (!ok)
        return std::nullopt;
      if (!consume(',') && !text.ltrim().starts_with("}"))
        return std::nullopt;
    }
    text = text.ltrim();
    if (!descr || !order || !shape || !text.empty())
      return std::nullopt;
    return header;
  }

private:
  bool consume(char c) {
    text = text.ltrim();
    return text.consume_front(StringRef(&c, 1));
  }
  bool parseString(std::string &value) {
    text = text.ltrim();
    if (text.empty() || (text[0] != '\'' && text[0] != '"'))
      return false;
    size_t end = text.find(text[0], 1);
    if (end == StringRef::npos)
      return false;
    value = text.slice(1, end).str();
    text = text.drop_front(end + 1);
    return true;
  }
  bool parseBool(bool &value) {
    text = text.ltrim();
    value = text.consume_front("True");
    return value || text.consume_front("False");
  }
  bool parseTuple(std::vector<int64_t> &shape) {
    // NumPy itself allows 32 dimensions.
    constexpr size_t mostDimensions = 32;
    if (!consume('('))
      return false;
    while (!consume(')')) {
      int64_t size;
      text = text.ltrim();
      if (text.consumeInteger(10, size) || shape.size() == mostDimensions)
        return false;
      text.consume_front("L"); // Python 2
      shape.push_back(size);
      if (!consume(',') && !text.ltrim().starts_with(")"))
        return false;
    }
    return true;
  }

  StringRef text;
};
} // namespace

static std::optional<DataType> typeOfDescr(StringRef descr) {
  if (!descr.empty() && StringRef("<>|=").contains(descr[0]))
    descr = descr.drop_front();
  if (descr == "bfloat16")
    return DataType::bf16;
  return findDataType([&](DataType type) { return descr == StringRef(toNpy(type)).drop_front(); });
}

/// Copies `source`, whose FIRST dimension is the densest, into row-major order.
static void copyFortranOrder(ArrayRef<int64_t> shape, int64_t size, const uint8_t *source,
                             uint8_t *target) {
  size_t rank = shape.size();
  std::vector<int64_t> stride(rank), index(rank, 0);
  int64_t total = 1;
  for (size_t d = 0; d < rank; ++d) {
    stride[d] = total;
    total *= shape[d];
  }
  int64_t offset = 0;
  for (int64_t i = 0; i < total; ++i) {
    memcpy(target + i * size, source + offset * size, size);
    for (size_t d = rank; d-- > 0;) {
      offset += stride[d];
      if (++index[d] < shape[d])
        break;
      offset -= stride[d] * shape[d];
      index[d] = 0;
    }
  }
}

namespace {
/// The part of a file before the elements.
struct Prefix {
  DataType type;
  bool bigEndian;
  bool fortranOrder;
  std::vector<int64_t> shape;
  size_t bytes; // of magic, version and header
};
} // namespace

/// Parses the header at the beginning of `bytes`.
static Expected<Prefix> parsePrefix(StringRef name, ArrayRef<uint8_t> bytes) {
  constexpr char magic[] = "\x93NUMPY";
  if (bytes.size() < 10 || memcmp(bytes.data(), magic, 6) != 0)
    return readError(name, "not an .npy file: it does not start with \\x93NUMPY and a version");
  uint8_t version = bytes[6];
  if (version < 1 || version > 3)
    return readError(name,
                     "unknown .npy version " + Twine(unsigned(version)) + ", expected 1, 2 or 3");
  size_t prefix = version == 1 ? 10 : 12;
  if (bytes.size() < prefix)
    return readError(name, "the .npy header ends early");
  uint64_t length = version == 1 ? llvm::support::endian::read16le(&bytes[8])
                                 : llvm::support::endian::read32le(&bytes[8]);
  if (length > bytes.size() - prefix)
    return readError(name, "the .npy header ends early: expected " + Twine(length) +
                               " bytes, got " + Twine(bytes.size() - prefix));
  StringRef text(reinterpret_cast<const char *>(bytes.data()) + prefix, length);
  std::optional<Header> header = HeaderParser(text).parse();
  if (!header)
    return readError(name, "the .npy header is not a dictionary of a plain descr, fortran_order "
                           "and shape");
  std::optional<DataType> type = typeOfDescr(header->descr);
  if (!type)
    return readError(name, "elements of type '" + header->descr +
                               "' are not supported, expected f2, f4, f8, i1 to i8, u1 to u8, b1 "
                               "or V2 (bfloat16)");
  return Prefix{*type, header->descr[0] == '>', header->fortranOrder, std::move(header->shape),
                prefix + length};
}

Expected<Array> parseNpy(StringRef name, ArrayRef<uint8_t> bytes,
                         std::shared_ptr<const void> owner) {
  auto header = parsePrefix(name, bytes);
  if (!header)
    return header.takeError();
  DataType type = header->type;
  std::optional<int64_t> expected = checkedByteSize(header->shape, type);
  uint64_t got = bytes.size() - header->bytes;
  if (!expected || uint64_t(*expected) != got)
    return readError(name, "the header promises " + shapeToString(header->shape) + " elements of " +
                               toString(type) +
                               (expected ? ", " + std::to_string(*expected) + " bytes" : "") +
                               ", but " + Twine(got) + " bytes follow");

  const uint8_t *data = bytes.data() + header->bytes;
  int64_t size = byteSize(type);
  bool swap = size > 1 && header->bigEndian;
  bool aligned = reinterpret_cast<uintptr_t>(data) % size == 0;
  if (!swap && !header->fortranOrder && aligned) {
    Array array;
    array.type = type;
    array.shape = header->shape;
    array.data = data;
    array.owner = std::move(owner);
    return array;
  }
  if (llvm::Error error = checkMemory("its array in the order of rows", *expected))
    return readError(name, llvm::toString(std::move(error)));
  uint8_t *target = nullptr;
  Array array = Array::allocate(type, header->shape, &target);
  if (*expected == 0)
    return array;
  if (header->fortranOrder)
    copyFortranOrder(header->shape, size, data, target);
  else
    memcpy(target, data, *expected);
  if (swap)
    for (int64_t i = 0; i < *expected; i += size)
      std::reverse(target + i, target + i + size);
  return array;
}

/// Maps an array that needs no copy.
static Expected<Array> mapNpy(StringRef path) {
  auto map = FileMap::open(path);
  if (!map)
    return map.takeError();
  auto array = parseNpy(path, (*map)->bytes(), *map);
  if (array && array->owner == *map)
    array->mapped = map->get();
  return array;
}

Expected<Array> readNpy(StringRef path) {
  uint64_t bytes;
  if (!llvm::sys::fs::file_size(path, bytes) && bytes >= FileMap::leastBytes)
    return mapNpy(path);
  auto file = openFile(path);
  if (!file)
    return file.takeError();
  StringRef text = (*file)->getBuffer();
  return parseNpy(path, ArrayRef(reinterpret_cast<const uint8_t *>(text.data()), text.size()),
                  *file);
}

Expected<Array> readNpyGz(StringRef path) {
  auto stream = ByteStream::open(path);
  if (!stream)
    return stream.takeError();
  // Reads as much as the header states, which may be more than the file has.
  std::vector<uint8_t> start(12);
  auto readMore = [&](size_t from) -> llvm::Error {
    auto got = (*stream)->read(start.data() + from, start.size() - from);
    if (!got)
      return got.takeError();
    start.resize(from + *got);
    return llvm::Error::success();
  };
  if (llvm::Error error = readMore(0))
    return error;
  if (start.size() == 12) {
    start.resize(start[6] == 1 ? 10 + llvm::support::endian::read16le(&start[8])
                               : 12 + std::min<uint64_t>(llvm::support::endian::read32le(&start[8]),
                                                         longestHeader));
    if (start.size() > 12)
      if (llvm::Error error = readMore(12))
        return error;
  }
  auto prefix = parsePrefix(path, start);
  if (!prefix)
    return prefix.takeError();
  std::optional<int64_t> bytes = checkedByteSize(prefix->shape, prefix->type);
  if (!bytes || *bytes > (*stream)->upperBound())
    return readError(path, "the header promises " + shapeToString(prefix->shape) + " elements of " +
                               toString(prefix->type) + ", more than the file holds");
  size_t served = 0;
  // One byte more, so that a file that is too long is detected.
  auto contents = readAsTheyCome(
      path,
      "its array of " + shapeToString(prefix->shape) + " elements of " + toString(prefix->type),
      int64_t(start.size()) + *bytes + 1, [&](uint8_t *to, int64_t count) -> Expected<int64_t> {
        int64_t ready = std::min<int64_t>(count, start.size() - served);
        std::copy_n(start.data() + served, ready, to);
        served += ready;
        auto got = (*stream)->read(to + ready, count - ready);
        if (!got)
          return got.takeError();
        return ready + *got;
      });
  if (!contents)
    return contents.takeError();
  return parseNpy(path, ArrayRef(contents->data.get(), static_cast<size_t>(contents->size)),
                  contents->data);
}

std::string npyHeader(const Array &array) {
  std::string text =
      std::string("{'descr': '") + toNpy(array.type) + "', 'fortran_order': False, 'shape': (";
  for (int64_t size : array.shape)
    text += std::to_string(size) + ", ";
  text += "), }";
  // A version 2 header has room for any shape, but every reader knows version 1, and shapes are
  // short.
  std::string header = "\x93NUMPY";
  header += '\x01';
  header += '\x00';
  size_t padding = 63 - (header.size() + 2 + text.size()) % 64;
  text += std::string(padding, ' ') + "\n";
  header += char(text.size() & 0xff);
  header += char(text.size() >> 8);
  return header + text;
}

} // namespace ds
