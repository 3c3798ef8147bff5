//===- CpuMemory.h - Memory that the ranks of a process share ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_TARGET_CPU_CPUMEMORY_H
#define DS_LIB_TARGET_CPU_CPUMEMORY_H

#include "CpuStep.h"

#include <memory>
#include <mutex>

namespace ds {

inline constexpr size_t slotAlignment = 64;
inline constexpr size_t hugePage = size_t(2) << 20;

/// Returns the bytes that a slot takes.
size_t slotBytes(size_t bytes);
template <typename Spec> size_t slotBytesOf(const Spec &spec) {
  return slotBytes(elementCount(spec.shape) * byteSize(spec.type));
}

struct FreeMemory {
  void operator()(char *memory) const { std::free(memory); }
};
using Memory = std::unique_ptr<char, FreeMemory>;

/// Allocates untouched pages for `bytes`, which are a multiple of `hugePage`; ends the process if
/// there are none.
Memory allocatePages(size_t bytes);
/// Zeroes memory; whole pages of it are the system's own zeroes until they are written.
void zeroUntouched(char *first, char *last);

/// Shared arguments, and the arenas of all ranks, since each reads those of others: none may be
/// freed before the last rank has left, even after a failure.
class CpuSharedMemory final : public SharedMemory {
public:
  explicit CpuSharedMemory(const CpuStep &step);

  char *argument(unsigned slot) const { return arguments[slot]; } // null: each rank has its own
  char *arena(int64_t rank) const { return arenas[rank].get(); }
  /// All ranks write the same values in the same order; the first one to come writes.
  void write(int64_t rank, unsigned slot, llvm::function_ref<void(char *)> fill);

private:
  Memory values;
  std::vector<char *> arguments;
  std::vector<Memory> arenas;
  std::mutex mutex;
  std::vector<int64_t> written;            // how often, by slot
  std::vector<std::vector<int64_t>> asked; // by rank and slot
};

} // namespace ds

#endif // DS_LIB_TARGET_CPU_CPUMEMORY_H
