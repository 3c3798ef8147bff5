//===- Region.h - Device memory and who touched it --------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Beside the data of an allocation lie five shadows, an entry for each byte: whether it was ever
// written, which block of the running launch wrote and read it, and which of its threads when.
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_TEST_FAKES_PTX_REGION_H
#define DSRT_TEST_FAKES_PTX_REGION_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fake::ptx {

struct Region {
  /// `data` is where the host finds what the device sees at `begin`; it stays the caller's.
  Region(uint64_t begin, size_t bytes, char *data, bool writable = true);
  ~Region();
  Region(const Region &) = delete;
  Region &operator=(const Region &) = delete;

  const uint64_t begin, end;
  char *const data;
  const bool writable;

  /// The bytes are written, or hold nothing again.
  void define(size_t offset, size_t bytes, bool written = true);
  /// Copies what is known of the bytes of another region, or of this one.
  void defineLike(size_t offset, const Region &other, size_t from, size_t bytes);

  //===--------------------------------------------------------------------===//
  // For the interpreter. Blocks are counted from 1.
  //===--------------------------------------------------------------------===//

  /// 1 where a byte has been written.
  uint8_t *written = nullptr;
  /// The block that wrote a byte in this launch; 0 for none.
  uint32_t *writer = nullptr;
  /// The thread that wrote it, and since which barrier; of no meaning where `writer` is 0.
  uint32_t *writtenBy = nullptr;
  /// The block that read a byte in this launch, or `many`; the bit `constant` if one of them said
  /// that nothing writes it (.nc).
  uint32_t *reader = nullptr;
  /// The thread of that block that read it, since which barrier, and whether others have, too; of
  /// no meaning where `reader` is no block.
  uint32_t *readBy = nullptr;
  static constexpr uint32_t many = 0x7fffffff, constant = 0x80000000;

  /// Before `writer` or `reader` of a byte are set.
  void touch(size_t offset) {
    uint8_t &seen = touchedGranule[offset / granule];
    if (!seen) {
      seen = 1;
      touched.push_back(offset / granule);
    }
  }
  /// Forgets writers and readers.
  void endLaunch();

private:
  static constexpr size_t granule = 256; // at least as large as the widest access
  size_t mapped = 0;
  uint8_t *touchedGranule = nullptr;
  std::vector<size_t> touched;
};

} // namespace fake::ptx

#endif // DSRT_TEST_FAKES_PTX_REGION_H
