//===- OpcodeTest.cpp - Every instruction against known bits ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operands are %h0.. (16 bits), %r0.. (32), %d0.. (64) and %p0.. with the row's inputs, cut to
// their size; the result is number 7 of one of these. Expected bits are by hand, or those that
// LLVM's constant folder makes of the same operation.
//
//===----------------------------------------------------------------------===//
#include "PtxFixture.h"

#include <gtest/gtest.h>

using namespace fake::ptx;

namespace {

struct Row {
  const char *code;
  std::vector<uint64_t> inputs;
  uint64_t expected;
};

/// What the code leaves in register 7, extended by zeros.
uint64_t evaluate(const std::string &code, const std::vector<uint64_t> &inputs) {
  std::string body;
  for (size_t index = 0; index < inputs.size(); ++index) {
    const std::string n = std::to_string(index), at = std::to_string(8 * index);
    body += "ld.global.b64 %d" + n + ", [%d18+" + at + "];\ncvt.u16.u64 %h" + n + ", %d" + n +
            ";\ncvt.u32.u64 %r" + n + ", %d" + n + ";\nsetp.ne.b64 %p" + n + ", %d" + n + ", 0;\n";
  }
  body = "mov.b64 %d18, %d0; mov.b64 %d19, %d1;\n" + body + code + "\n";
  if (code.find("%h7") != std::string::npos)
    body += "cvt.u64.u16 %d7, %h7;";
  else if (code.find("%r7") != std::string::npos)
    body += "cvt.u64.u32 %d7, %r7;";
  else if (code.find("%p7") != std::string::npos)
    body += "selp.b64 %d7, 1, 0, %p7;";
  body += "st.global.b64 [%d19], %d7;";
  TestMemory memory;
  const uint64_t from = memory.add(inputs), to = memory.add(8);
  EXPECT_EQ(launch(kernelText(2, body), {}, {}, {from, to}, memory), "") << code;
  return memory.read<uint64_t>(to)[0];
}

void check(const std::vector<Row> &rows) {
  for (const Row &row : rows) {
    std::string inputs;
    for (uint64_t input : row.inputs)
      inputs += " " + std::to_string(input);
    EXPECT_EQ(evaluate(row.code, row.inputs), row.expected) << std::hex << row.code << inputs;
  }
}

constexpr uint64_t all64 = ~uint64_t(0);

TEST(Opcodes, integers) {
  check({{"add.s16 %h7, %h0, %h1;", {0xffff, 2}, 1},
         {"add.u32 %r7, %r0, %r1;", {0xffffffff, 2}, 1},
         {"add.s64 %d7, %d0, %d1;", {all64, 2}, 1},
         {"add.s32 %r7, %r0, -3;", {1}, 0xfffffffe},
         {"sub.s16 %h7, %h0, %h1;", {1, 2}, 0xffff},
         {"sub.s32 %r7, 783, %r0;", {784}, 0xffffffff},
         {"sub.u64 %d7, %d0, %d1;", {1, 3}, all64 - 1},
         {"mul.lo.s16 %h7, %h0, %h1;", {0xffff, 0xffff}, 1},
         {"mul.lo.s32 %r7, %r0, %r1;", {0x10001, 0x10001}, 0x20001},
         {"mul.lo.s64 %d7, %d0, %d1;", {uint64_t(1) << 63, 3}, uint64_t(1) << 63},
         {"mul.hi.u32 %r7, %r0, 5478275;", {784}, 1},
         {"mul.hi.u32 %r7, %r0, %r1;", {0xffffffff, 0xffffffff}, 0xfffffffe},
         {"mul.hi.s32 %r7, %r0, %r1;", {0xffffffff, 5}, 0xffffffff},
         {"mul.hi.u16 %h7, %h0, %h1;", {0xffff, 0xffff}, 0xfffe},
         {"mul.hi.u64 %d7, %d0, %d1;", {all64, all64}, all64 - 1},
         {"mul.hi.s64 %d7, %d0, %d1;", {all64, 7}, all64},
         {"mul.wide.u32 %d7, %r0, 4;", {0xffffffff}, 0x3fffffffc},
         {"mul.wide.s32 %d7, %r0, 4;", {0xffffffff}, all64 - 3},
         {"mul.wide.u16 %r7, %h0, %h1;", {0xffff, 0xffff}, 0xfffe0001},
         {"mul.wide.s16 %r7, %h0, %h1;", {0xffff, 2}, 0xfffffffe},
         {"mad.lo.s32 %r7, %r0, %r1, %r2;", {3, 0xffffffff, 1}, 0xfffffffe},
         {"mad.lo.u64 %d7, %d0, %d1, %d2;", {3, 5, all64}, 14},
         {"mad.hi.u32 %r7, %r0, %r1, %r2;", {0x80000000, 2, 7}, 8},
         {"mad.wide.u32 %d7, %r0, %r1, %d2;", {0xffffffff, 2, 1}, 0x1ffffffff},
         {"mad.wide.s32 %d7, %r0, %r1, %d2;", {0xffffffff, 2, 1}, all64},
         {"div.s32 %r7, %r0, %r1;", {0xfffffff9, 2}, 0xfffffffd},
         {"div.s32 %r7, %r0, %r1;", {0x80000000, 0xffffffff}, 0x80000000},
         {"div.u32 %r7, %r0, %r1;", {0xfffffff9, 2}, 0x7ffffffc},
         {"div.u16 %h7, %h0, %h1;", {0xffff, 10}, 6553},
         {"div.s64 %d7, %d0, %d1;", {all64, 2}, 0},
         {"rem.s32 %r7, %r0, %r1;", {0xfffffff9, 4}, 0xfffffffd},
         {"rem.s32 %r7, %r0, %r1;", {0x80000000, 0xffffffff}, 0},
         {"rem.u64 %d7, %d0, %d1;", {all64, 10}, 5},
         {"min.s32 %r7, %r0, %r1;", {0xffffffff, 1}, 0xffffffff},
         {"min.u32 %r7, %r0, %r1;", {0xffffffff, 1}, 1},
         {"max.s16 %h7, %h0, %h1;", {0xffff, 1}, 1},
         {"max.u64 %d7, %d0, %d1;", {all64, 1}, all64},
         {"neg.s32 %r7, %r0;", {0x80000000}, 0x80000000},
         {"neg.s16 %h7, %h0;", {1}, 0xffff},
         {"abs.s32 %r7, %r0;", {0xfffffffb}, 5},
         {"abs.s64 %d7, %d0;", {all64}, 1},
         {"abs.s32 %r7, %r0;", {0x80000000}, 0x80000000}});
}

TEST(Opcodes, bits) {
  check({{"and.b32 %r7, %r0, 224;", {0xff}, 0xe0},
         {"and.b64 %d7, %d0, %d1;", {all64, 0x8000000000000001}, 0x8000000000000001},
         {"or.b16 %h7, %h0, %h1;", {0xf0, 0xf}, 0xff},
         {"xor.b32 %r7, %r0, -1;", {0xf}, 0xfffffff0},
         {"not.b32 %r7, %r0;", {0xf}, 0xfffffff0},
         {"not.b16 %h7, %h0;", {0}, 0xffff},
         {"and.pred %p7, %p0, %p1;", {1, 0}, 0},
         {"or.pred %p7, %p0, %p1;", {1, 0}, 1},
         {"xor.pred %p7, %p0, %p1;", {1, 1}, 0},
         {"not.pred %p7, %p0;", {1}, 0},
         {"not.pred %p7, %p0;", {0}, 1},
         {"shl.b32 %r7, %r0, 31;", {3}, 0x80000000},
         {"shl.b32 %r7, %r0, 32;", {3}, 0},
         {"shl.b16 %h7, %h0, %r1;", {3, 15}, 0x8000},
         {"shl.b64 %d7, %d0, %r1;", {1, 63}, uint64_t(1) << 63},
         {"shr.u32 %r7, %r0, 5;", {0xffffffff}, 0x7ffffff},
         {"shr.u32 %r7, %r0, %r1;", {0xffffffff, 32}, 0},
         {"shr.s32 %r7, %r0, %r1;", {0x80000000, 100}, 0xffffffff},
         {"shr.s32 %r7, %r0, 4;", {0x80000000}, 0xf8000000},
         {"shr.b16 %h7, %h0, 8;", {0xabcd}, 0xab},
         {"shr.s64 %d7, %d0, 63;", {all64}, all64},
         {"shf.l.wrap.b32 %r7, %r0, %r1, %r2;", {0x80000000, 1, 1}, 3},
         {"shf.r.wrap.b32 %r7, %r0, %r1, %r2;", {0x80000000, 1, 33}, 0xc0000000},
         {"shf.l.clamp.b32 %r7, %r0, %r1, %r2;", {5, 1, 40}, 5},
         {"shf.r.clamp.b32 %r7, %r0, %r1, %r2;", {5, 9, 40}, 9},
         {"clz.b32 %r7, %r0;", {1}, 31},
         {"clz.b32 %r7, %r0;", {0}, 32},
         {"clz.b64 %r7, %d0;", {0}, 64},
         {"clz.b64 %r7, %d0;", {uint64_t(1) << 40}, 23},
         {"popc.b32 %r7, %r0;", {0xf0f0}, 8},
         {"popc.b64 %r7, %d0;", {all64}, 64},
         {"brev.b32 %r7, %r0;", {1}, 0x80000000},
         {"brev.b64 %d7, %d0;", {2}, uint64_t(1) << 62},
         {"bfe.u32 %r7, %r0, 8, 8;", {0xabcdef01}, 0xef},
         {"bfe.s32 %r7, %r0, 8, 8;", {0xabcdef01}, 0xffffffef},
         {"bfe.s32 %r7, %r0, 24, 16;", {0x80000000}, 0xffffff80},
         {"bfe.u64 %d7, %d0, 60, 8;", {all64}, 15},
         {"bfe.u32 %r7, %r0, 8, 0;", {all64}, 0},
         {"bfi.b32 %r7, %r0, %r1, 8, 4;", {0xab, 0xffffffff}, 0xfffffbff},
         {"bfi.b64 %d7, %d0, %d1, 32, 32;", {0x12345678, 0x9}, 0x1234567800000009},
         {"prmt.b32 %r7, %r0, %r1, 0x7531;", {0x33221100, 0x77665544}, 0x77553311},
         {"prmt.b32 %r7, %r0, %r1, 0x0008;", {0x33221180, 0}, 0x808080ff},
         {"mov.b32 %r7, %r0;", {5}, 5},
         {"mov.b32 %r7, 0f3F800000;", {}, 0x3f800000},
         {"mov.b64 %d7, 0d3FF0000000000000;", {}, 0x3ff0000000000000},
         {"mov.b64 %d7, -1;", {}, all64},
         {"mov.b16 %h7, 0x3C00;", {}, 0x3c00},
         {"mov.pred %p7, %p0;", {1}, 1},
         {"mov.b32 %r7, {%h0, %h1};", {0x1111, 0x2222}, 0x22221111},
         {"mov.b64 %d7, {%r0, %r1};", {1, 2}, 0x200000001},
         {"mov.b64 %d7, {%h0, %h1, %h0, %h1};", {1, 2}, 0x0002000100020001},
         {"mov.b64 {_, %r7}, %d0;", {0x0000000500000007}, 5},
         {"mov.b32 {%h7, %h6}, %r0;", {0x00050007}, 7},
         {"cvta.to.global.u64 %d7, %d0;", {77}, 77},
         {"selp.b32 %r7, %r0, %r1, %p2;", {5, 6, 1}, 5},
         {"selp.b32 %r7, %r0, %r1, %p2;", {5, 6, 0}, 6},
         {"selp.b64 %d7, -1, 0, %p0;", {1}, all64},
         {"selp.f32 %r7, 0f3F800000, 0f00000000, %p0;", {1}, 0x3f800000},
         {"selp.b16 %h7, %h0, %h1, %p2;", {5, 6, 1}, 5},
         {"mov.u32 %r7, %ntid.x;", {}, 1},
         {"mov.u32 %r7, %nctaid.y;", {}, 1},
         {"mov.u32 %r7, %laneid;", {}, 0}});
}

// 0x3dcccccd is 0.1f, 0x3e4ccccd 0.2f, 0x7fffffff what a device makes of no number.
TEST(Opcodes, floats) {
  check(
      {{"add.rn.f32 %r7, %r0, %r1;", {0x3dcccccd, 0x3e4ccccd}, 0x3e99999a},
       {"add.rn.f32 %r7, %r0, 0fCB40007F;", {0x4b400001}, 0xc2fc0000},
       {"add.rn.f32 %r7, %r0, %r1;", {0x7f800000, 0xff800000}, 0x7fffffff},
       {"add.rn.f32 %r7, %r0, %r1;", {0x00000001, 0x00000001}, 0x00000002},
       {"add.rn.ftz.f32 %r7, %r0, %r1;", {0x00000001, 0x80000001}, 0},
       {"add.rn.ftz.f32 %r7, %r0, %r1;", {0x80000001, 0x80000001}, 0x80000000},
       {"add.rn.ftz.f32 %r7, %r0, %r1;", {0x00ffffff, 0x80800000}, 0},
       {"add.rn.f64 %d7, %d0, %d1;", {0x3fb999999999999a, 0x3fc999999999999a}, 0x3fd3333333333334},
       {"add.rn.f16 %h7, %h0, %h1;", {0x2e66, 0x3266}, 0x34cc},
       {"add.rn.f16 %h7, %h0, %h1;", {0x7bff, 0x7bff}, 0x7c00},
       {"add.rn.bf16 %h7, %h0, %h1;", {0x3f80, 0x3b80}, 0x3f80}, // 1 + 2^-8: a tie, to even
       {"add.rn.bf16 %h7, %h0, %h1;", {0x3f81, 0x3b80}, 0x3f82},
       {"sub.rn.f32 %r7, %r0, %r1;", {0x3f800000, 0x3f800000}, 0},
       {"sub.rn.f64 %d7, %d0, %d1;", {0x3ff0000000000000, 0x4000000000000000}, 0xbff0000000000000},
       {"sub.rn.f16 %h7, %h0, %h1;", {0x3c00, 0x3c00}, 0},
       {"mul.rn.f32 %r7, %r0, %r1;", {0x3dcccccd, 0x3dcccccd}, 0x3c23d70b},
       {"mul.rn.ftz.f32 %r7, %r0, %r1;", {0x20000000, 0x9f000000}, 0x80000000},
       {"mul.rn.f32 %r7, %r0, %r1;", {0x20000000, 0x9f000000}, 0x80200000},
       {"mul.rn.f64 %d7, %d0, %d1;", {0x3ff8000000000000, 0x4000000000000000}, 0x4008000000000000},
       {"mul.rn.f16 %h7, %h0, %h1;", {0x3555, 0x4200}, 0x3c00}, // 1/3 * 3
       {"mul.rn.bf16 %h7, %h0, %h1;", {0x3eab, 0x4040}, 0x3f80},
       {"div.rn.f32 %r7, %r0, %r1;", {0x3f800000, 0x40400000}, 0x3eaaaaab},
       {"div.rn.f32 %r7, %r0, %r1;", {0x3f800000, 0x80000000}, 0xff800000},
       {"div.rn.f32 %r7, %r0, %r1;", {0, 0}, 0x7fffffff},
       {"div.rn.f64 %d7, %d0, %d1;", {0x3ff0000000000000, 0x4008000000000000}, 0x3fd5555555555555},
       {"rcp.rn.f32 %r7, %r0;", {0x40400000}, 0x3eaaaaab},
       {"rcp.rn.f64 %d7, %d0;", {0x4008000000000000}, 0x3fd5555555555555},
       {"sqrt.rn.f32 %r7, %r0;", {0x40000000}, 0x3fb504f3},
       {"sqrt.rn.f32 %r7, %r0;", {0xbf800000}, 0x7fffffff},
       {"sqrt.rn.f64 %d7, %d0;", {0x4000000000000000}, 0x3ff6a09e667f3bcd},
       // (1 + 2^-12)^2 - (1 + 2^-11) = 2^-24, which a product that is rounded first loses.
       {"fma.rn.f32 %r7, %r0, %r0, %r1;", {0x3f800800, 0xbf801000}, 0x33800000},
       {"fma.rn.f64 %d7, %d0, %d0, %d1;",
        {0x3ff0000000000001, 0xbff0000000000002},
        0x3970000000000000},
       // 1.5 * (1 + 2^-10) lies 2^-11 below a tie of f16 unless the sum is made first.
       {"fma.rn.f16 %h7, %h0, %h1, %h2;", {0x3e00, 0x3c01, 0x0001}, 0x3e02},
       {"fma.rn.f16 %h7, %h0, %h1, %h2;", {0x3e00, 0x3c01, 0x8001}, 0x3e01},
       {"fma.rn.f16 %h7, %h0, %h1, %h2;", {0x3e00, 0x3c01, 0}, 0x3e02},
       {"fma.rn.bf16 %h7, %h0, %h1, %h2;", {0x3fc0, 0x3f81, 0x0080}, 0x3fc2},
       {"fma.rn.bf16 %h7, %h0, %h1, %h2;", {0x3fc0, 0x3f81, 0x8080}, 0x3fc1},
       {"min.f32 %r7, %r0, %r1;", {0x7fc00000, 0x3f800000}, 0x3f800000},
       {"min.NaN.f32 %r7, %r0, %r1;", {0x7fc00000, 0x3f800000}, 0x7fffffff},
       {"min.f32 %r7, %r0, %r1;", {0, 0x80000000}, 0x80000000},
       {"max.f32 %r7, %r0, %r1;", {0x80000000, 0}, 0},
       {"max.NaN.f32 %r7, %r0, %r1;", {0xff800000, 0x3f800000}, 0x3f800000},
       {"max.NaN.f32 %r7, %r0, %r1;", {0x3f800000, 0x7fc00000}, 0x7fffffff},
       {"max.ftz.f32 %r7, %r0, %r1;", {1, 0x80000000}, 0},
       {"max.f64 %d7, %d0, %d1;", {0x3ff0000000000000, 0x4000000000000000}, 0x4000000000000000},
       {"max.NaN.bf16 %h7, %h0, %h1;", {0x3f80, 0x7fc0}, 0x7fff},
       {"min.f16 %h7, %h0, %h1;", {0x3c00, 0xc000}, 0xc000},
       {"neg.f32 %r7, %r0;", {0}, 0x80000000},
       {"neg.ftz.f32 %r7, %r0;", {1}, 0x80000000},
       {"neg.f64 %d7, %d0;", {0x3ff0000000000000}, 0xbff0000000000000},
       {"neg.f16 %h7, %h0;", {0x3c00}, 0xbc00},
       {"abs.f32 %r7, %r0;", {0xbf800000}, 0x3f800000},
       {"abs.ftz.f32 %r7, %r0;", {0x80000001}, 0},
       {"abs.f64 %d7, %d0;", {0xbff0000000000000}, 0x3ff0000000000000},
       {"abs.bf16 %h7, %h0;", {0xbf80}, 0x3f80},
       {"copysign.f32 %r7, %r0, %r1;", {0x80000000, 0x3f800000}, 0xbf800000},
       {"copysign.f64 %d7, %d0, %d1;", {0, 0xbff0000000000000}, 0x3ff0000000000000}});
}

TEST(Opcodes, predicates) {
  check({{"setp.lt.s32 %p7, %r0, %r1;", {0xffffffff, 0}, 1},
         {"setp.lt.u32 %p7, %r0, %r1;", {0xffffffff, 0}, 0},
         {"setp.lo.u32 %p7, %r0, %r1;", {0, 0xffffffff}, 1},
         {"setp.ls.u32 %p7, %r0, %r1;", {2, 2}, 1},
         {"setp.hi.u32 %p7, %r0, %r1;", {2, 2}, 0},
         {"setp.hs.u64 %p7, %d0, %d1;", {2, 2}, 1},
         {"setp.gt.s16 %p7, %h0, %h1;", {1, 0xffff}, 1},
         {"setp.le.s64 %p7, %d0, 0;", {all64}, 1},
         {"setp.ge.u16 %p7, %h0, %h1;", {1, 0xffff}, 0},
         {"setp.eq.b32 %p7, %r0, 224;", {224}, 1},
         {"setp.ne.b64 %p7, %d0, %d1;", {1, 1}, 0},
         {"setp.eq.f32 %p7, %r0, %r1;", {0, 0x80000000}, 1},
         {"setp.ne.f32 %p7, %r0, %r1;", {0x7fc00000, 0}, 0},
         {"setp.neu.f32 %p7, %r0, %r1;", {0x7fc00000, 0}, 1},
         {"setp.equ.f32 %p7, %r0, %r1;", {0x7fc00000, 0}, 1},
         {"setp.lt.f32 %p7, %r0, %r1;", {0xbf800000, 0x3f800000}, 1},
         {"setp.ltu.f32 %p7, %r0, %r1;", {0x7fc00000, 0x3f800000}, 1},
         {"setp.le.f32 %p7, %r0, %r1;", {0x7fc00000, 0x7fc00000}, 0},
         {"setp.leu.f32 %p7, %r0, %r1;", {0x40000000, 0x3f800000}, 0},
         {"setp.gt.ftz.f32 %p7, %r0, %r1;", {1, 0}, 0},
         {"setp.gt.f32 %p7, %r0, %r1;", {1, 0}, 1},
         {"setp.gtu.f64 %p7, %d0, %d1;", {0x3ff0000000000000, 0x4000000000000000}, 0},
         {"setp.ge.f64 %p7, %d0, %d1;", {0x4000000000000000, 0x4000000000000000}, 1},
         {"setp.geu.f16 %p7, %h0, %h1;", {0x3c00, 0x4000}, 0},
         {"setp.num.f32 %p7, %r0, %r1;", {0x3f800000, 0x7f800000}, 1},
         {"setp.nan.bf16 %p7, %h0, %h1;", {0x3f80, 0x7fc0}, 1},
         {"setp.lt.and.s32 %p7, %r0, %r1, %p2;", {1, 2, 1}, 1},
         {"setp.lt.and.s32 %p7, %r0, %r1, %p2;", {1, 2, 0}, 0},
         {"setp.lt.or.s32 %p7, %r0, %r1, %p2;", {3, 2, 1}, 1},
         {"setp.lt.xor.s32 %p7, %r0, %r1, %p2;", {1, 2, 1}, 0},
         {"setp.lt.s32 %p6|%p7, %r0, %r1;", {1, 2}, 0},
         {"setp.lt.and.s32 %p6|%p7, %r0, %r1, %p2;", {3, 2, 1}, 1},
         {"testp.finite.f32 %p7, %r0;", {0x7f800000}, 0},
         {"testp.infinite.f32 %p7, %r0;", {0xff800000}, 1},
         {"testp.number.f64 %p7, %d0;", {0x7ff8000000000000}, 0},
         {"testp.notanumber.f32 %p7, %r0;", {0x7fc00000}, 1},
         {"testp.normal.f32 %p7, %r0;", {1}, 0},
         {"testp.subnormal.f32 %p7, %r0;", {1}, 1}});
}

TEST(Opcodes, conversions) {
  check({{"cvt.u64.u32 %d7, %r0;", {0xffffffff}, 0xffffffff},
         {"cvt.s64.s32 %d7, %r0;", {0xffffffff}, all64},
         {"cvt.u32.u16 %r7, %h0;", {0xffff}, 0xffff},
         {"cvt.s32.s16 %r7, %h0;", {0xffff}, 0xffffffff},
         {"cvt.s32.s8 %r7, %r0;", {0x180}, 0xffffff80},
         {"cvt.u32.u8 %r7, %h0;", {0x180}, 0x80},
         {"cvt.u16.u64 %h7, %d0;", {0x123456789}, 0x6789},
         {"cvt.s8.s32 %h7, %r0;", {0x180}, 0xff80},
         {"cvt.u16.u32 %r7, %r0;", {0x12345}, 0x2345},
         {"cvt.sat.s8.s32 %r7, %r0;", {0x180}, 0x7f},
         {"cvt.sat.u8.s32 %r7, %r0;", {0xffffffff}, 0},
         {"cvt.sat.s16.s64 %h7, %d0;", {uint64_t(1) << 63}, 0x8000},
         {"cvt.rn.f32.s32 %r7, %r0;", {16777217}, 0x4b800000},
         {"cvt.rn.f32.u32 %r7, %r0;", {0xffffffff}, 0x4f800000},
         {"cvt.rn.f32.s64 %r7, %d0;", {0xffdfffffbfffffff}, 0xda000001}, // -(2^53 + 2^30 + 1)
         {"cvt.rn.f32.u64 %r7, %d0;", {0x4000004000000000}, 0x5e800000}, // a tie, to even
         {"cvt.rn.f32.u64 %r7, %d0;", {0x4000004000000001}, 0x5e800001},
         {"cvt.rn.f32.u64 %r7, %d0;", {all64}, 0x5f800000},
         {"cvt.rn.f64.s32 %d7, %r0;", {0xffffffff}, 0xbff0000000000000},
         {"cvt.rn.f64.u64 %d7, %d0;", {(uint64_t(1) << 53) + 1}, 0x4340000000000000},
         {"cvt.rn.f16.s32 %h7, %r0;", {2049}, 0x6800},
         {"cvt.rn.bf16.s32 %h7, %r0;", {257}, 0x4380},
         {"cvt.rzi.s32.f32 %r7, %r0;", {0xbfc00000}, 0xffffffff},
         {"cvt.rni.s32.f32 %r7, %r0;", {0x40200000}, 2}, // 2.5
         {"cvt.rmi.s32.f32 %r7, %r0;", {0xbfc00000}, 0xfffffffe},
         {"cvt.rpi.s32.f32 %r7, %r0;", {0x3f800001}, 2},
         {"cvt.rzi.s32.f32 %r7, %r0;", {0x7fc00000}, 0},
         {"cvt.rzi.s32.f32 %r7, %r0;", {0x7f800000}, 0x7fffffff},
         {"cvt.rzi.u32.f32 %r7, %r0;", {0xbf800000}, 0},
         {"cvt.rzi.u32.f32 %r7, %r0;", {0x4f800000}, 0xffffffff},
         {"cvt.rzi.s64.f64 %d7, %d0;", {0xc3e0000000000001}, uint64_t(1) << 63},
         {"cvt.rzi.u64.f64 %d7, %d0;", {0x43e0000000000000}, uint64_t(1) << 63},
         {"cvt.rzi.u16.f32 %h7, %r0;", {0x47800000}, 0xffff},
         {"cvt.rzi.s64.f32 %d7, %r0;", {0xc0400000}, all64 - 2},
         {"cvt.rni.f32.f32 %r7, %r0;", {0x3fc00000}, 0x40000000},
         {"cvt.rmi.f32.f32 %r7, %r0;", {0xbf000000}, 0xbf800000},
         {"cvt.rpi.f64.f64 %d7, %d0;", {0x3fe0000000000000}, 0x3ff0000000000000},
         {"cvt.rzi.f32.f32 %r7, %r0;", {0xbf000000}, 0x80000000},
         {"cvt.sat.f32.f32 %r7, %r0;", {0x40000000}, 0x3f800000},
         {"cvt.sat.f32.f32 %r7, %r0;", {0x7fc00000}, 0},
         {"cvt.f64.f32 %d7, %r0;", {0x40533333}, 0x400a666660000000},
         {"cvt.rn.f32.f64 %r7, %d0;", {0x400a666666666666}, 0x40533333},
         {"cvt.rz.f32.f64 %r7, %d0;", {0x3ff00000ffffffff}, 0x3f800007},
         {"cvt.rp.f32.f64 %r7, %d0;", {0x3ff0000000000001}, 0x3f800001},
         {"cvt.rm.f32.f64 %r7, %d0;", {0xbff0000000000001}, 0xbf800001},
         {"cvt.rn.f32.f64 %r7, %d0;", {0x7fefffffffffffff}, 0x7f800000},
         {"cvt.rz.f32.f64 %r7, %d0;", {0x7fefffffffffffff}, 0x7f7fffff},
         {"cvt.rn.f32.f64 %r7, %d0;", {0x36a0000000000000}, 0x00000001}, // 2^-149
         {"cvt.rn.ftz.f32.f64 %r7, %d0;", {0x36a0000000000000}, 0},
         {"cvt.rn.f16.f32 %h7, %r0;", {0x3f801000}, 0x3c00}, // 1 + 2^-11
         {"cvt.rn.f16.f32 %h7, %r0;", {0x3f803000}, 0x3c02}, // 1 + 3 * 2^-11
         {"cvt.rn.f16.f32 %h7, %r0;", {0x477fefff}, 0x7bff},
         {"cvt.rn.f16.f32 %h7, %r0;", {0x477ff000}, 0x7c00}, // 65520
         {"cvt.rn.f16.f32 %h7, %r0;", {0x33000000}, 0},      // 2^-25
         {"cvt.rn.f16.f32 %h7, %r0;", {0x33000001}, 1},
         {"cvt.rn.f16.f32 %h7, %r0;", {0x387fffff}, 0x0400}, // to the smallest normal number
         {"cvt.rn.f16.f32 %h7, %r0;", {0x7fc00000}, 0x7fff},
         {"cvt.rn.f16.f64 %h7, %d0;", {0x3ff0020000000001}, 0x3c01},
         {"cvt.rn.bf16.f32 %h7, %r0;", {0x3f808000}, 0x3f80},
         {"cvt.rn.bf16.f32 %h7, %r0;", {0x3f808001}, 0x3f81},
         {"cvt.rn.bf16.f32 %h7, %r0;", {0x80000001}, 0x8000},
         {"cvt.f32.f16 %r7, %h0;", {0x0001}, 0x33800000},
         {"cvt.f32.f16 %r7, %h0;", {0xfc00}, 0xff800000},
         {"cvt.f32.bf16 %r7, %h0;", {0x3fc0}, 0x3fc00000},
         {"cvt.f64.f16 %d7, %h0;", {0x3c00}, 0x3ff0000000000000}});
}

} // namespace
