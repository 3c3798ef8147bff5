//===- Region.cpp - Device memory and who touched it ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Region.h"

#include <cstring>
#include <new>
#include <sys/mman.h>

namespace fake::ptx {

// One mapping without reserve for all shadows: what no kernel touches takes no memory.
Region::Region(uint64_t begin, size_t bytes, char *data, bool writable)
    : begin(begin), end(begin + bytes), data(data), writable(writable) {
  const size_t padded = (bytes / granule + 1) * granule;
  mapped = padded * 17 + padded / granule;
  void *memory = mmap(nullptr, mapped, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    throw std::bad_alloc();
  writer = static_cast<uint32_t *>(memory);
  reader = writer + padded;
  writtenBy = reader + padded;
  readBy = writtenBy + padded;
  written = reinterpret_cast<uint8_t *>(readBy + padded);
  touchedGranule = written + padded;
}

Region::~Region() { munmap(writer, mapped); }

void Region::define(size_t offset, size_t bytes, bool isWritten) {
  std::memset(written + offset, isWritten, bytes);
}

void Region::defineLike(size_t offset, const Region &other, size_t from, size_t bytes) {
  std::memmove(written + offset, other.written + from, bytes);
}

void Region::endLaunch() {
  for (size_t index : touched) {
    std::memset(writer + index * granule, 0, granule * sizeof *writer);
    std::memset(reader + index * granule, 0, granule * sizeof *reader);
    touchedGranule[index] = 0;
  }
  touched.clear();
}

} // namespace fake::ptx
