//===- Samples.h - Small sound files of every format, as bytes --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Built from the formats' descriptions, not with the project's writers.
//
//===----------------------------------------------------------------------===//
#ifndef DS_UNITTESTS_DATA_SAMPLES_H
#define DS_UNITTESTS_DATA_SAMPLES_H

#include <cstdint>
#include <cstring>
#include <string>
#include <zlib.h>

namespace ds {

inline std::string bigEndian(uint32_t value) {
  return {char(value >> 24), char(value >> 16), char(value >> 8), char(value)};
}

inline std::string littleEndian(uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i)
    text += char(value >> (8 * i));
  return text;
}

template <typename T> std::string rawBytes(const std::initializer_list<T> &values) {
  return {reinterpret_cast<const char *>(values.begin()), values.size() * sizeof(T)};
}

/// zlib's deflate with `windowBits`: 31 makes gzip, -15 a bare stream as in a zip.
inline std::string compress(const std::string &bytes, int windowBits) {
  z_stream stream = {};
  deflateInit2(&stream, 9, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY);
  std::string packed(bytes.size() + 1000, '\0');
  stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(bytes.data()));
  stream.avail_in = bytes.size();
  stream.next_out = reinterpret_cast<Bytef *>(packed.data());
  stream.avail_out = packed.size();
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}
inline std::string gzip(const std::string &bytes) { return compress(bytes, 31); }

/// u8 2x3: 1 2 3 / 4 5 255.
inline std::string sampleIdx() {
  return std::string("\0\0\x08\2", 4) + bigEndian(2) + bigEndian(3) + "\1\2\3\4\5\xff";
}

inline std::string npy(const std::string &dictionary, const std::string &data, int version = 1) {
  std::string text = dictionary;
  int prefix = version == 1 ? 10 : 12;
  while ((prefix + text.size() + 1) % 64)
    text += ' ';
  text += '\n';
  return "\x93NUMPY" + std::string{char(version), '\0'} +
         littleEndian(text.size(), version == 1 ? 2 : 4) + text + data;
}

/// f32 2x3: 0 1 2 / 3 4 5.
inline std::string sampleNpy(int version = 1) {
  return npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }",
             rawBytes<float>({0, 1, 2, 3, 4, 5}), version);
}

/// A zip with one member, stored or deflated.
inline std::string zip(const std::string &name, const std::string &bytes, bool deflated) {
  std::string packed = deflated ? compress(bytes, -15) : bytes;
  uint32_t crc = crc32(0, reinterpret_cast<const Bytef *>(bytes.data()), bytes.size());
  std::string common =
      littleEndian(20, 2) + littleEndian(0, 2) + littleEndian(deflated ? 8 : 0, 2) +
      littleEndian(0x00210000, 4) + littleEndian(crc, 4) + littleEndian(packed.size(), 4) +
      littleEndian(bytes.size(), 4) + littleEndian(name.size(), 2) + littleEndian(0, 2);
  std::string local = "PK\3\4" + common + name + packed;
  std::string central = "PK\1\2" + littleEndian(20, 2) + common + littleEndian(0, 2) +
                        littleEndian(0, 2) + littleEndian(0, 2) + littleEndian(0, 4) +
                        littleEndian(0, 4) + name;
  return local + central + "PK\5\6" + littleEndian(0, 4) + littleEndian(1, 2) + littleEndian(1, 2) +
         littleEndian(central.size(), 4) + littleEndian(local.size(), 4) + littleEndian(0, 2);
}

inline std::string safetensors(const std::string &header, const std::string &data) {
  return littleEndian(header.size(), 8) + header + data;
}

/// w: f32 2x2 = 1 2 3 4; b: i64 1 = 7.
inline std::string sampleSafetensors() {
  return safetensors(R"({"__metadata__":{"ds.step":"3"},)"
                     R"("b":{"dtype":"I64","shape":[1],"data_offsets":[0,8]},)"
                     R"("w":{"dtype":"F32","shape":[2,2],"data_offsets":[8,24]}})",
                     rawBytes<int64_t>({7}) + rawBytes<float>({1, 2, 3, 4}));
}

} // namespace ds

#endif // DS_UNITTESTS_DATA_SAMPLES_H
