//===- ByteSize.h - Bytes of an array, without overflow ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one place where sizes from outside are multiplied: those of a tensor in a step and of an
// array in a file. After this check, products of sizes fit: with at most 2^48 bytes in one array
// and 4096 ranks, all ranks together have at most 2^60.
//
//===----------------------------------------------------------------------===//
#ifndef DS_PLAN_BYTESIZE_H
#define DS_PLAN_BYTESIZE_H

#include <cstdint>
#include <optional>

namespace ds {

/// 256 TiB: more than a process can address on today's machines.
constexpr int64_t largestArrayBytes = int64_t(1) << 48;

/// Returns the bytes of an array of these sizes; none if a size is negative, or if an array of the
/// non-zero sizes would exceed the largest, since strides are computed from them.
template <typename Sizes>
std::optional<int64_t> checkedByteSize(const Sizes &sizes, int64_t elementBytes) {
  int64_t bytes = elementBytes;
  bool empty = false;
  for (int64_t size : sizes) {
    if (size < 0 || (size > 0 && bytes > largestArrayBytes / size))
      return std::nullopt;
    empty |= size == 0;
    if (size > 0)
      bytes *= size;
  }
  return empty ? 0 : bytes;
}

} // namespace ds

#endif // DS_PLAN_BYTESIZE_H
