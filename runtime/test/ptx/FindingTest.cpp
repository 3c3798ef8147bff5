//===- FindingTest.cpp - What is found in a kernel --------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "PtxFixture.h"

#include <gtest/gtest.h>

#include <set>

using namespace fake::ptx;

namespace {

/// 64 threads of 2 blocks at parameter 0 or a place of their own, in %r0 (of 128) and %d1.
const char *const each = "mov.u32 %r10, %tid.x; mov.u32 %r11, %ctaid.x;\n"
                         "mad.lo.s32 %r0, %r11, 64, %r10;\n"
                         "mul.wide.u32 %d10, %r0, 4; add.s64 %d1, %d0, %d10;\n";

std::string find(const std::string &body, size_t bytes = 512, Dim grid = {2, 1, 1},
                 Dim block = {64, 1, 1}, bool written = true, uint64_t seed = 0) {
  TestMemory memory;
  const uint64_t buffer = written ? memory.add(std::vector<char>(bytes, 1)) : memory.add(bytes);
  return launch(kernelText(1, each + body), grid, block, {buffer}, memory, seed, 1 << 24);
}

void expectFound(const std::string &found, const std::string &wanted) {
  EXPECT_NE(found.find(wanted), std::string::npos) << "wanted: " << wanted << "\nfound: " << found;
}

TEST(Findings, name_kernel_line_block_and_thread) {
  EXPECT_EQ(find("st.global.b32 [%d1], %r0;", 510),
            "kernel 'k', line 11 'st.global.b32 [%d1], %r0', block (1, 0, 0), thread (63, 0, 0): "
            "writes 4 bytes behind the end of an allocation of 510 bytes, at its byte 508");
}

TEST(Findings, accesses_outside) {
  EXPECT_EQ(find("st.global.b32 [%d1], %r0;"), "");
  expectFound(find("st.global.b32 [%d1], %r0;", 512, {3, 1, 1}),
              "block (2, 0, 0), thread (0, 0, 0): writes 4 bytes outside of every allocation, ");
  expectFound(find("ld.global.b32 %r1, [%d1+-4];"), "reads 4 bytes outside of every allocation");
  // The last three of 15 floats and what lies behind them.
  expectFound(find("ld.global.v4.b32 {%r1, %r2, %r3, %r4}, [%d0+48];", 60),
              "reads 16 bytes behind the end of an allocation of 60 bytes, at its byte 48");
  expectFound(find("ld.param.b64 %d2, [p0+8];"), "reads behind the parameters");
  expectFound(find(".shared .b32 a[4]; mov.u32 %r1, a; ld.shared.b32 %r2, [%r1+16];"),
              "accesses byte 16 of 16 bytes of shared memory");
  expectFound(find(".shared .b32 a[4]; mov.u32 %r1, a; ld.shared.b32 %r2, [%r1+-4];"),
              "of 16 bytes of shared memory");
}

TEST(Findings, misaligned_accesses) {
  expectFound(find("st.global.b32 [%d1+2], %r0;"),
              "an access of 4 bytes at an address that is 2 more than a multiple");
  expectFound(find("ld.global.v4.b32 {%r1, %r2, %r3, %r4}, [%d0+4];"), "an access of 16 bytes");
  expectFound(find("add.s64 %d1, %d0, 1; ld.global.b16 %h0, [%d1];"), "an access of 2 bytes");
}

// One thread writes, its neighbour reads.
const std::string shared = ".shared .align 4 .b8 a[256]; mov.u32 %r1, a; shl.b32 %r2, %r10, 2;\n"
                           "add.s32 %r3, %r1, %r2; xor.b32 %r4, %r2, 4; add.s32 %r5, %r1, %r4;\n";

TEST(Findings, races_in_shared_memory) {
  EXPECT_EQ(find(shared + "st.shared.b32 [%r3], %r0; bar.sync 0; ld.shared.b32 %r6, [%r5];"), "");
  expectFound(find(shared + "st.shared.b32 [%r3], %r0; ld.shared.b32 %r6, [%r5];"),
              "thread (0, 0, 0): a race in shared memory: reads byte 4, which thread 1 wrote since "
              "the last barrier");
  expectFound(find(shared + "st.shared.b32 [%r3], %r0; bar.sync 0; ld.shared.b32 %r6, [%r5];\n"
                            "st.shared.b32 [%r3], %r6;"),
              "a race in shared memory: writes byte 0, which thread 1 read since");
  expectFound(find(shared + "st.shared.b32 [a], %r0;"),
              "thread (1, 0, 0): a race in shared memory: writes byte 0, which thread 0 wrote");
  // Neighbouring bytes are no race.
  EXPECT_EQ(find(shared + "add.s32 %r6, %r1, %r10; st.shared.b8 [%r6], %r0;"), "");
}

TEST(Findings, races_of_a_block_in_global_memory) {
  const std::string next =
      "xor.b32 %r3, %r0, 1; mul.wide.u32 %d3, %r3, 4; add.s64 %d3, %d0, %d3;\n";
  EXPECT_EQ(find(next + "st.global.b32 [%d1], %r0; bar.sync 0; ld.global.b32 %r6, [%d3];"), "");
  EXPECT_EQ(find(next + "st.global.b32 [%d1], %r0; ld.global.b32 %r6, [%d1];"), "");
  expectFound(find(next + "st.global.b32 [%d1], %r0; ld.global.b32 %r6, [%d3];"),
              "thread (0, 0, 0): a race in an allocation: reads byte");
  // The other way around: a thread writes what another one has read, or may only read afterwards.
  EXPECT_EQ(find(next + "ld.global.b32 %r6, [%d3]; bar.sync 0; st.global.b32 [%d1], %r6;"), "");
  EXPECT_EQ(find(next + "ld.global.b32 %r6, [%d1]; st.global.b32 [%d1], %r6;"), "");
  expectFound(
      find(next + "ld.global.b32 %r6, [%d3]; st.global.b32 [%d1], %r6;"),
      "thread (0, 0, 0): a race in an allocation: writes byte 256, which thread 1 read since "
      "the last barrier");
  // The thread that writes is one of several that read.
  expectFound(find("setp.eq.u32 %p0, %r10, 0; ld.global.b32 %r6, [%d0]; @%p0 st.global.b32 [%d0], "
                   "%r6;",
                   512, {}),
              "thread (0, 0, 0): a race in an allocation: writes byte 0");
}

TEST(Findings, barriers_that_not_all_reach) {
  EXPECT_EQ(find("bar.sync 0; barrier.sync.aligned 0;"), "");
  expectFound(find("setp.lt.u32 %p0, %r10, 32; @%p0 bar.sync 0;"),
              "thread (32, 0, 0): a barrier in a branch that this thread does not take");
  expectFound(find("setp.lt.u32 %p0, %r10, 32; @%p0 bra $a; bar.sync 0; bra.uni $b;\n"
                   "$a: bar.sync 0;\n$b:"),
              "waits at this barrier while thread 32 waits at that of line 11");
  expectFound(find("setp.lt.u32 %p0, %r10, 32; @%p0 ret; bar.sync 0;"),
              "a barrier that 32 of 64 threads reach: the others have returned");
}

TEST(Findings, shuffles_with_absent_threads) {
  expectFound(find("setp.lt.u32 %p0, %r10, 16; @%p0 ret; shfl.sync.bfly.b32 %r1, %r0, 16, 31, -1;"),
              "shuffles with thread 0 of its warp, which is not here");
  expectFound(find("setp.lt.u32 %p0, %r10, 16; @%p0 bra $a;\n"
                   "shfl.sync.bfly.b32 %r1, %r0, 16, 31, 0xffff0000;\n$a:"),
              "thread (16, 0, 0): reads thread 0 of its warp, which is not here");
  expectFound(find("shfl.sync.bfly.b32 %r1, %r0, 1, 31, 1;"),
              "thread (1, 0, 0): shuffles without being named in the mask");
  expectFound(find("shfl.sync.down.b32 %r1, %r0, 1, 31, -1;", 512, {}, {40, 1, 1}),
              "shuffles with thread 8 of its warp, which is not here");
}

TEST(Findings, shuffles_that_some_threads_reach_first) {
  // Thread 0 does what the others leave out, and comes by a jump back, as theirs is.
  EXPECT_EQ(find("mov.b32 %r2, 0; bra.uni $a;\n"
                 "$b: add.s32 %r2, %r2, 1; setp.eq.u32 %p1, %r2, 3; @%p1 bra $c;\n"
                 "$a: shfl.sync.bfly.b32 %r1, %r0, 16, 31, -1; setp.ne.u32 %p0, %r10, 0;\n"
                 "@%p0 bra $b; mov.b32 %r3, %r1; bra.uni $b;\n$c:"),
            "");
  expectFound(find("setp.ne.u32 %p0, %r10, 0; @%p0 bra $a; bar.sync 0;\n"
                   "$a: shfl.sync.bfly.b32 %r1, %r0, 16, 31, -1;"),
              "shuffles with thread 0 of its warp, which is not here");
  expectFound(find("setp.ne.u32 %p0, %r10, 0; @%p0 bra $a;\n"
                   "shfl.sync.bfly.b32 %r1, %r0, 16, 31, -1;\n"
                   "$a: shfl.sync.bfly.b32 %r1, %r0, 8, 31, -1;"),
              "of its warp, which is not here");
}

TEST(Findings, blocks_that_meet_in_memory) {
  expectFound(find("st.global.b32 [%d0], %r11;"), " writes in the same launch");
  expectFound(find("add.s64 %d2, %d0, %d10; xor.b32 %r1, %r0, 64; mul.wide.u32 %d3, %r1, 4;\n"
                   "add.s64 %d4, %d0, %d3; ld.global.b32 %r2, [%d4]; st.global.b32 [%d1], %r2;"),
              "in the same launch");
  expectFound(find("ld.global.b32 %r1, [%d0]; setp.eq.u32 %p0, %r0, 0; @%p0 bra $a; bra $b;\n"
                   "$a: st.global.b32 [%d0], %r1;\n$b:"),
              "in the same launch");
  // Reading together is fine, and so is writing bytes of one word.
  EXPECT_EQ(find("ld.global.b32 %r1, [%d0];"), "");
  EXPECT_EQ(find("mad.lo.s32 %r1, %r11, 55, %r10; cvt.u64.u32 %d3, %r1; add.s64 %d4, %d0, %d3;\n"
                 "st.global.b8 [%d4], %r0;",
                 110, {2, 1, 1}, {55, 1, 1}),
            "");
}

TEST(Findings, constants_that_are_written) {
  expectFound(find("ld.global.nc.b32 %r1, [%d1]; st.global.b32 [%d1], %r1;"),
              "writes what this launch reads as constant (.nc)");
  expectFound(find("st.global.b32 [%d1], %r0; ld.global.nc.b32 %r1, [%d1];"),
              "reads as constant (.nc) what this launch writes");
  const std::string text =
      ".version 8.0\n.target sm_90\n.address_size 64\n.const .b32 c[1] = {7};\n"
      ".entry k() { .reg .b64 %d<2>; mov.b64 %d0, c; st.global.b64 [%d0], %d0; }";
  TestMemory memory;
  expectFound(launch(text, {}, {}, {}, memory), "writes 8 bytes behind the end");
}

TEST(Findings, values_that_nothing_has_written) {
  auto poisoned = [](const std::string &body) {
    return find(body, 512, {1, 1, 1}, {64, 1, 1}, false);
  };
  expectFound(poisoned("ld.global.b32 %r1, [%d1]; add.s32 %r2, %r1, 1; st.global.b32 [%d1], %r2;"),
              "thread (0, 0, 0): stores a value that nothing has written");
  expectFound(poisoned("ld.global.b32 %r1, [%d1]; setp.eq.s32 %p0, %r1, 0; @%p0 bra $a;\n$a:"),
              "depends on a value that nothing has written");
  expectFound(poisoned("ld.global.b64 %d2, [%d0]; ld.global.b32 %r1, [%d2];"),
              "takes as address a value that nothing has written");
  expectFound(poisoned("ld.global.b32 %r1, [%d1]; div.u32 %r2, %r1, 3;"),
              "uses a value that nothing has written");
  expectFound(find("st.global.b32 [%d1], %r7;"), "stores a value that nothing has written");
  expectFound(find(".shared .b32 a[4]; ld.shared.b32 %r1, [a]; st.global.b32 [%d1], %r1;"),
              "stores a value that nothing has written");
  expectFound(find("shfl.sync.idx.b32 %r1, %r7, 0, 31, -1; st.global.b32 [%d1], %r1;"),
              "stores a value that nothing has written");
  // What one branch alone writes.
  expectFound(find("setp.lt.u32 %p0, %r10, 63; @!%p0 bra $a; mov.b32 %r7, 1;\n"
                   "$a: st.global.b32 [%d1], %r7;"),
              "thread (63, 0, 0): stores a value that nothing has written");
  // Another block's shared memory is none of this one's.
  expectFound(find(shared + "setp.ne.u32 %p0, %r11, 0; @%p0 bra $a; st.shared.b32 [%r3], %r0;\n"
                            "$a: ld.shared.b32 %r6, [%r3]; st.global.b32 [%d1], %r6;"),
              "block (1, 0, 0), thread (0, 0, 0): stores a value that nothing has written");
}

// A wide load may read what lies behind 6 bytes, as long as nothing comes of it.
TEST(Findings, padding_may_be_read_and_dropped) {
  TestMemory memory;
  const uint64_t from = memory.add(8), to = memory.add(32);
  memory.find(from)->define(0, 6);
  EXPECT_EQ(launch(kernelText(2, "ld.global.b64 %d2, [%d0]; and.b64 %d3, %d2, 0xffffffffffff;\n"
                                 "st.global.b64 [%d1], %d3; cvt.u32.u64 %r0, %d2;\n"
                                 "st.global.b32 [%d1+8], %r0; mov.b64 {%h0, %h1, %h2, %h3}, %d2;\n"
                                 "st.global.b16 [%d1+12], %h2; shr.u64 %d4, %d2, 16;\n"
                                 "st.global.b32 [%d1+16], %d4;\n"
                                 "mov.b32 %r1, {%h1, %h3}; prmt.b32 %r2, %r1, %r1, 0x1010;\n"
                                 "st.global.b32 [%d1+20], %r2;"),
                   {}, {}, {from, to}, memory),
            "");
  expectFound(launch(kernelText(2, "ld.global.b64 %d2, [%d0]; shr.u64 %d3, %d2, 48;\n"
                                   "st.global.b16 [%d1+14], %d3;"),
                     {}, {}, {from, to}, memory),
              "stores a value that nothing has written");
}

TEST(Findings, divisions_by_zero_and_loops_without_end) {
  expectFound(find("rem.u32 %r1, %r0, %r10;"), "thread (0, 0, 0): divides a whole number by zero");
  expectFound(find("$a: bra.uni $a;"), "no end after 16777216 instructions");
}

TEST(Findings, launches_that_a_device_refuses) {
  TestMemory memory;
  const std::string text = kernelText(1, "", ".maxntid 64, 1, 1\n");
  EXPECT_EQ(launch(text, {}, {64, 1, 1}, {1}, memory), "");
  expectFound(launch(text, {}, {65, 1, 1}, {1}, memory),
              "kernel 'k': started with 65 threads a block, compiled for 64");
  expectFound(launch(kernelText(1, "", ".reqntid 64\n"), {}, {32, 1, 1}, {1}, memory),
              "started with 32 threads");
  expectFound(launch(text, {}, {1025, 1, 1}, {1}, memory), "a block of 1025 x 1 x 1 threads");
  expectFound(launch(text, {}, {1, 1, 65}, {1}, memory), "a block of 1 x 1 x 65 threads");
  expectFound(launch(text, {0, 1, 1}, {}, {1}, memory), "a grid of 0 x 1 x 1 blocks");
  expectFound(launch(text, {1, 65536, 1}, {}, {1}, memory), "a grid of 1 x 65536 x 1 blocks");
  expectFound(launch(text, {}, {}, {1, 2}, memory), "2 arguments for 1 parameters");
}

// Every block fails, so the first one that ran is named.
TEST(Findings, blocks_run_in_random_order) {
  std::set<std::string> places;
  for (uint64_t seed = 0; seed < 20; ++seed)
    places.insert(find("ld.global.b32 %r1, [%d0+2];", 512, {64, 1, 1}, {1, 1, 1}, true, seed));
  EXPECT_GT(places.size(), 10u);
}

} // namespace
