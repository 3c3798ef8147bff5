//===- Threads.cpp - Denormals, waiting, and the clock ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Threads.h"
#include "dsrt/dsrt.h"

#include <chrono>
#include <sched.h>
#include <thread>

namespace dsrt {

uint64_t now() {
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                   std::chrono::steady_clock::now().time_since_epoch())
                                   .count());
}

int32_t availableCores() {
#if defined(__linux__)
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    return CPU_COUNT(&set);
#endif
  unsigned cores = std::thread::hardware_concurrency();
  return cores ? static_cast<int32_t>(cores) : 1;
}

// The control register of floating point, and the bits that flush denormal results and inputs.
#if defined(__x86_64__)
static constexpr uint64_t flushBits = 0x8000 | 0x0040; // FTZ, DAZ
static uint64_t readControl() { return __builtin_ia32_stmxcsr(); }
static void writeControl(uint64_t value) { __builtin_ia32_ldmxcsr(static_cast<unsigned>(value)); }
#elif defined(__aarch64__)
static constexpr uint64_t flushBits = uint64_t(1) << 24; // FZ
static uint64_t readControl() {
  uint64_t value;
  asm volatile("mrs %0, fpcr" : "=r"(value));
  return value;
}
static void writeControl(uint64_t value) { asm volatile("msr fpcr, %0" : : "r"(value)); }
#else
static constexpr uint64_t flushBits = 0;
static uint64_t readControl() { return 0; }
static void writeControl(uint64_t) {}
#endif

FlushDenormalsScope::FlushDenormalsScope() : saved(readControl()) {
  writeControl(saved | flushBits);
}
FlushDenormalsScope::~FlushDenormalsScope() { writeControl(saved); }

extern "C" void dsrt_flush_denormals(void) { writeControl(readControl() | flushBits); }

} // namespace dsrt
