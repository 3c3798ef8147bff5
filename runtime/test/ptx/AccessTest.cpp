//===- AccessTest.cpp - Memory, and ways through a kernel -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "PtxFixture.h"

#include <gtest/gtest.h>

using namespace fake::ptx;

namespace {

// Each instruction that reads or writes memory, in all its widths.
TEST(Opcodes, memory) {
  TestMemory memory;
  const uint64_t in = memory.add<uint64_t>({0x8182838485868788, 0x1112131415161718, 3, 4});
  const uint64_t out = memory.add(96);
  EXPECT_EQ(launch(kernelText(2, R"(
      ld.global.b8 %h0, [%d0];        st.global.b16 [%d1], %h0;
      ld.global.s8 %r0, [%d0+1];      st.global.b32 [%d1+4], %r0;
      ld.global.nc.u16 %r1, [%d0+2];  st.global.b32 [%d1+8], %r1;
      ld.global.s16 %d2, [%d0+2];     st.global.b64 [%d1+16], %d2;
      ld.global.s32 %d3, [%d0+4];     st.global.b64 [%d1+24], %d3;
      ld.global.nc.v4.b32 {%r2, %r3, %r4, %r5}, [%d0];
      st.global.v4.b32 [%d1+32], {%r5, %r4, %r3, %r2};
      ld.global.v2.b64 {%d4, %d5}, [%d0+16]; st.global.v2.b64 [%d1+48], {%d5, %d4};
      ld.global.v2.b16 {%h1, %h2}, [%d0]; st.global.v2.b16 [%d1+64], {%h2, %h1};
      ld.global.v4.b8 {%h3, %h4, %h5, %h6}, [%d0]; st.global.v4.b8 [%d1+68], {%h6, %h5, %h4, %h3};
      ld.param.b32 %r6, [p0]; st.global.b32 [%d1+72], %r6;
      add.s64 %d6, %d1, 100; st.global.b8 [%d6+-24], %r0;
  )"),
                   {}, {}, {in, out}, memory),
            "");
  std::vector<uint8_t> bytes = memory.read<uint8_t>(out);
  auto at = [&](size_t offset, size_t size) {
    uint64_t value = 0;
    std::memcpy(&value, &bytes[offset], size);
    return value;
  };
  EXPECT_EQ(at(0, 2), 0x88u);
  EXPECT_EQ(at(4, 4), 0xffffff87u);
  EXPECT_EQ(at(8, 4), 0x8586u);
  EXPECT_EQ(at(16, 8), 0xffffffffffff8586u);
  EXPECT_EQ(at(24, 8), 0xffffffff81828384u);
  EXPECT_EQ(at(32, 4), 0x11121314u);
  EXPECT_EQ(at(44, 4), 0x85868788u);
  EXPECT_EQ(at(48, 8), 4u);
  EXPECT_EQ(at(56, 8), 3u);
  EXPECT_EQ(at(64, 4), 0x87888586u);
  EXPECT_EQ(at(68, 4), 0x88878685u);
  EXPECT_EQ(at(72, 4), in & 0xffffffff);
  EXPECT_EQ(at(76, 1), 0x87u);
}

// Constants of a module.
TEST(Opcodes, globals) {
  TestMemory memory;
  const uint64_t out = memory.add(8);
  const std::string text = ".version 8.0\n.target sm_90\n.address_size 64\n"
                           ".const .align 4 .b32 table[2] = {7, 0f3F800000};\n"
                           ".entry k(.param .u64 p0) { .reg .b64 %d<3>; .reg .b32 %r<2>;\n"
                           "ld.param.b64 %d0, [p0]; mov.b64 %d1, table;\n"
                           "ld.const.b32 %r0, [%d1]; ld.const.b32 %r1, [table+4];\n"
                           "st.global.v2.b32 [%d0], {%r0, %r1}; }";
  EXPECT_EQ(launch(text, {}, {}, {out}, memory), "");
  EXPECT_EQ(memory.read<uint32_t>(out), (std::vector<uint32_t>{7, 0x3f800000}));
}

//===----------------------------------------------------------------------===//
// Between threads.
//===----------------------------------------------------------------------===//

/// A shuffle of each thread's number plus 100 among 64 threads; plus 1000 where it is out of range.
std::vector<uint32_t> shuffled(const std::string &operands) {
  TestMemory memory;
  const uint64_t out = memory.add(64 * 4);
  EXPECT_EQ(launch(kernelText(1, "mov.u32 %r0, %tid.x; add.s32 %r1, %r0, 100;\n"
                                 "shfl.sync." +
                                     operands +
                                     ";\n@!%p0 add.s32 %r2, %r2, 1000;\n"
                                     "mul.wide.u32 %d1, %r0, 4; add.s64 %d1, %d0, %d1;\n"
                                     "st.global.b32 [%d1], %r2;"),
                   {}, {64, 1, 1}, {out}, memory),
            "");
  return memory.read<uint32_t>(out);
}

TEST(Opcodes, shuffles) {
  std::vector<uint32_t> up = shuffled("up.b32 %r2|%p0, %r1, 1, 0, -1"),
                        down = shuffled("down.b32 %r2|%p0, %r1, 2, 31, -1"),
                        butterfly = shuffled("bfly.b32 %r2|%p0, %r1, 16, 31, -1"),
                        index = shuffled("idx.b32 %r2|%p0, %r1, 3, 31, -1"),
                        halves = shuffled("down.b32 %r2|%p0, %r1, 8, 0x100f, -1");
  for (uint32_t thread = 0; thread < 64; ++thread) {
    const uint32_t lane = thread % 32, warp = thread - lane;
    EXPECT_EQ(up[thread], lane == 0 ? thread + 1100 : thread + 99);
    EXPECT_EQ(down[thread], lane >= 30 ? thread + 1100 : thread + 102);
    EXPECT_EQ(butterfly[thread], 100 + (thread ^ 16));
    EXPECT_EQ(index[thread], warp + 103);
    EXPECT_EQ(halves[thread], lane % 16 >= 8 ? thread + 1100 : thread + 108);
  }
}

// Threads that loop for different times meet again behind the loop, and then at the barrier.
TEST(Opcodes, ways_join) {
  TestMemory memory;
  const uint64_t out = memory.add(3 * 64 * 4);
  EXPECT_EQ(launch(kernelText(1, R"(
      .shared .align 4 .b32 sums[64];
      mov.u32 %r0, %tid.x; mov.b32 %r1, 0; mov.b32 %r2, 0;
      $loop: add.s32 %r1, %r1, %r2; add.s32 %r2, %r2, 1;
      setp.le.u32 %p0, %r2, %r0; @%p0 bra $loop;
      setp.gt.u32 %p1, %r0, 31; @%p1 bra $high;
      add.s32 %r1, %r1, 5; bra.uni $both;
      $high: add.s32 %r1, %r1, 7;
      $both: shfl.sync.bfly.b32 %r3, %r1, 1, 31, -1;
      mov.u32 %r4, sums; shl.b32 %r5, %r0, 2; add.s32 %r6, %r4, %r5;
      st.shared.b32 [%r6], %r3; bar.sync 0;
      xor.b32 %r7, %r5, 252; add.s32 %r8, %r4, %r7; ld.shared.b32 %r9, [%r8];
      mov.u32 %r10, %ctaid.y; mad.lo.s32 %r11, %r10, 64, %r0; mul.wide.u32 %d1, %r11, 4;
      add.s64 %d2, %d0, %d1; st.global.b32 [%d2], %r9;)"),
                   {1, 3, 1}, {64, 1, 1}, {out}, memory),
            "");
  std::vector<uint32_t> values = memory.read<uint32_t>(out);
  for (uint32_t index = 0; index < values.size(); ++index) {
    const uint32_t other = (63 - index % 64) ^ 1;
    EXPECT_EQ(values[index], other * (other + 1) / 2 + (other > 31 ? 7 : 5)) << index;
  }
}

} // namespace
