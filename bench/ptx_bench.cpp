//===- ptx_bench.cpp - Speed of the interpreter of PTX ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints how many instructions of threads it executes in a second of processor time, with all its
// checks: on an
// elementwise kernel with wide accesses, on a row reduction with shuffles, on a reduction through
// shared memory, and on a kernel of a single thread, where nothing is shared among threads.
//
//===----------------------------------------------------------------------===//
#include "ptx/PtxFixture.h"

#include <algorithm>
#include <cstdio>
#include <ctime>

using namespace fake::ptx;

namespace {

const char *const place = "mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x;\n"
                          "mad.lo.s32 %r3, %r1, %r2, %r0;\n";

struct Measured {
  const char *name;
  std::string body;
  Dim grid, block;
};

double processorTime() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void measure(const Measured &row) {
  auto module = Module::parse(kernelText(2, place + row.body));
  TestMemory memory;
  const uint64_t in = memory.add(std::vector<float>(1 << 20, 1.5f)), out = memory.add(4 << 20);
  const Launch launch{row.grid, row.block, {argument(in), argument(out)}};
  uint64_t executed = 0;
  double seconds = 0, best = 0;
  while (seconds < 1) {
    const double start = processorTime();
    const uint64_t count = run(*module->kernel("k"), launch, memory);
    const double took = processorTime() - start;
    seconds += took;
    executed += count;
    best = std::max(best, static_cast<double>(count) / took);
  }
  std::printf("{\"kernel\": \"%s\", \"million_thread_instructions_per_second\": %.0f, "
              "\"best\": %.0f}\n",
              row.name, static_cast<double>(executed) / seconds / 1e6, best / 1e6);
}

} // namespace

int main() {
  std::string chain;
  for (int value = 4; value < 8; ++value)
    for (int times = 0; times < 8; ++times)
      chain += "fma.rn.f32 %r" + std::to_string(value) + ", %r" + std::to_string(value) +
               ", 0f3F800001, 0f3A000000;\n";
  measure({"flat, 4 wide",
           "mul.wide.u32 %d2, %r3, 16; add.s64 %d3, %d0, %d2; add.s64 %d4, %d1, %d2;\n"
           "ld.global.nc.v4.b32 {%r4, %r5, %r6, %r7}, [%d3];\n" +
               chain + "st.global.v4.b32 [%d4], {%r4, %r5, %r6, %r7};",
           {1024, 1, 1},
           {256, 1, 1}});
  measure({"memory alone",
           "mul.wide.u32 %d2, %r3, 4; add.s64 %d3, %d0, %d2; add.s64 %d4, %d1, %d2;\n"
           "ld.global.nc.b32 %r4, [%d3]; st.global.b32 [%d4], %r4;",
           {4096, 1, 1},
           {256, 1, 1}});
  std::string butterfly;
  for (int step = 16; step; step /= 2)
    butterfly += "shfl.sync.bfly.b32 %r7, %r5, " + std::to_string(step) +
                 ", 31, -1; add.rn.f32 %r5, %r5, %r7;\n";
  measure({"row, a warp each",
           "shr.u32 %r4, %r3, 5; and.b32 %r6, %r0, 31; mad.lo.s32 %r8, %r4, 512, %r6;\n"
           "mov.b32 %r5, 0f00000000; mov.b32 %r9, 0;\n"
           "$loop: add.s32 %r10, %r8, %r9; mul.wide.u32 %d2, %r10, 4; add.s64 %d3, %d0, %d2;\n"
           "ld.global.nc.b32 %r11, [%d3]; add.rn.f32 %r5, %r5, %r11; add.s32 %r9, %r9, 32;\n"
           "setp.lt.u32 %p0, %r9, 512; @%p0 bra $loop;\n" +
               butterfly +
               "setp.ne.u32 %p1, %r6, 0; @%p1 bra $end; mul.wide.u32 %d4, %r4, 4;\n"
               "add.s64 %d5, %d1, %d4; st.global.b32 [%d5], %r5;\n$end:",
           {256, 1, 1},
           {256, 1, 1}});
  measure({"shared memory",
           ".shared .align 4 .b8 a[1024]; mov.u32 %r4, a; shl.b32 %r5, %r0, 2;\n"
           "add.s32 %r6, %r4, %r5; xor.b32 %r7, %r5, 1020; add.s32 %r8, %r4, %r7;\n"
           "st.shared.b32 [%r6], %r0; bar.sync 0; ld.shared.b32 %r9, [%r8];\n"
           "bar.sync 0; st.shared.b32 [%r6], %r9; bar.sync 0; ld.shared.b32 %r10, [%r8];",
           {4096, 1, 1},
           {256, 1, 1}});
  measure({"one thread",
           "mov.b32 %r4, 0; mov.b32 %r5, 0f00000000; mov.b64 %d2, %d0;\n"
           "$loop: ld.global.nc.b32 %r6, [%d2]; add.rn.f32 %r5, %r5, %r6; add.s64 %d2, %d2, 4;\n"
           "add.s32 %r4, %r4, 1; setp.lt.u32 %p0, %r4, 100000; @%p0 bra $loop;\n"
           "st.global.b32 [%d1], %r5;",
           {1, 1, 1},
           {1, 1, 1}});
}
