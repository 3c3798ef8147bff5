//===- CpuMemory.cpp - Memory that the ranks of a process share -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CpuMemory.h"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"

#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace ds {

size_t slotBytes(size_t bytes) { return llvm::alignTo(std::max<size_t>(bytes, 1), slotAlignment); }

Memory allocatePages(size_t bytes) {
  Memory memory(static_cast<char *>(std::aligned_alloc(hugePage, bytes)));
  if (!memory)
    llvm::report_bad_alloc_error("no memory for the step");
  // Only a hint: large arenas walk fewer page tables.
  (void)madvise(memory.get(), bytes, MADV_HUGEPAGE);
  return memory;
}

void zeroUntouched(char *first, char *last) {
  size_t page = sysconf(_SC_PAGESIZE);
  auto *low = reinterpret_cast<char *>(llvm::alignTo(reinterpret_cast<uintptr_t>(first), page));
  auto *high = reinterpret_cast<char *>(llvm::alignDown(reinterpret_cast<uintptr_t>(last), page));
  if (low >= high || madvise(low, high - low, MADV_DONTNEED) != 0)
    low = high = last;
  std::memset(first, 0, low - first);
  std::memset(high, 0, last - high);
}

CpuSharedMemory::CpuSharedMemory(const CpuStep &step) {
  const Manifest &manifest = step.manifest();
  size_t total = step.sharedBytes();
  values = allocatePages(total);
  zeroUntouched(values.get(), values.get() + total);
  char *next = values.get();
  arguments.resize(manifest.arguments.size());
  for (unsigned slot : step.executable.sharedArguments) {
    arguments[slot] = next;
    next += slotBytesOf(manifest.arguments[slot]);
  }
  // Each rank touches its own arena first.
  for (int64_t rank = 0; rank < manifest.numRanks; ++rank)
    arenas.push_back(allocatePages(llvm::alignTo(slotBytes(step.executable.arenaBytes), hugePage)));
  written.resize(manifest.arguments.size());
  asked.assign(manifest.numRanks, written);
}

void CpuSharedMemory::write(int64_t rank, unsigned slot, llvm::function_ref<void(char *)> fill) {
  std::lock_guard<std::mutex> lock(mutex);
  if (++asked[rank][slot] <= written[slot])
    return;
  ++written[slot];
  fill(arguments[slot]);
}

} // namespace ds
