//===- ParserTest.cpp - Texts that the interpreter refuses ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "PtxFixture.h"

#include <gtest/gtest.h>

#include <random>

using namespace fake::ptx;

namespace {

std::string refused(const std::string &text) {
  try {
    Module::parse(text);
  } catch (const ParseError &error) {
    return error.what();
  }
  return "";
}

/// Of a kernel with one instruction, in line 8.
std::string refusedCode(const std::string &code) { return refused(kernelText(1, code)); }

TEST(Parser, knows_kernels_and_parameters) {
  auto module = Module::parse(".version 8.0\n.target sm_90, debug\n.address_size 64\n"
                              "/* a\ncomment */ // another\n"
                              ".visible .entry first(.param .u64 .ptr .global .align 16 a,\n"
                              ".param .align 4 .b8 b[12], .param .u32 c)\n.maxntid 256, 1, 1\n"
                              ".minnctapersm 2\n{ .pragma \"nounroll\"; ret; }\n"
                              ".entry second() { ret; }");
  EXPECT_EQ(module->kernels(), (std::vector<std::string>{"first", "second"}));
  EXPECT_EQ(parameterSizes(*module->kernel("first")), (std::vector<size_t>{8, 12, 4}));
  EXPECT_EQ(maxThreads(*module->kernel("first")), 256u);
  EXPECT_EQ(maxThreads(*module->kernel("second")), 0u);
  EXPECT_EQ(module->kernel("third"), nullptr);
}

TEST(Parser, refuses_what_has_the_devices_own_bits) {
  EXPECT_EQ(refusedCode("ex2.approx.ftz.f32 %r0, %r1;"),
            "line 8: '.approx' has bits that are the device's own ('ex2.approx.ftz.f32')");
  EXPECT_EQ(refusedCode("div.full.f32 %r0, %r1, %r2;"),
            "line 8: '.full' has bits that are the device's own ('div.full.f32')");
  EXPECT_EQ(
      refusedCode("add.f32 %r0, %r1, %r2;"),
      "line 8: only '.rn' is known: without it, an assembler may fuse operations ('add.f32')");
  EXPECT_NE(refusedCode("mul.f64 %d0, %d1, %d2;"), "");
  EXPECT_NE(refusedCode("fma.rz.f32 %r0, %r1, %r2, %r3;"), "");
  EXPECT_NE(refusedCode("sqrt.approx.f32 %r0, %r1;"), "");
  EXPECT_NE(refusedCode("rsqrt.rn.f32 %r0, %r1;"), "");
}

TEST(Parser, refuses_what_kernels_of_ds_do_not_have) {
  EXPECT_EQ(refusedCode("atom.global.add.f32 %r0, [%d0], %r1;"),
            "line 8: an instruction that the interpreter does not know ('atom.global.add.f32')");
  EXPECT_EQ(refusedCode(".local .align 8 .b8 depot[16];"),
            "line 8: memory of a thread (.local) is not known here: no kernel of ds has it");
  EXPECT_EQ(refused(".version 8.0\n.extern .func f;"),
            "line 2: '.extern': kernels call no functions and share no dynamic memory here");
  EXPECT_NE(refusedCode("st.local.b32 [%d0], %r0;"), "");
  EXPECT_NE(refusedCode("ld.volatile.global.b32 %r0, [%d0];"), "");
  EXPECT_NE(refusedCode("bar.sync 1;"), "");
  EXPECT_NE(refusedCode("bar.sync 0, 32;"), "");
  EXPECT_NE(refusedCode("cvta.shared.u64 %d0, %d1;"), "");
}

TEST(Parser, refuses_operands_that_do_not_fit) {
  EXPECT_EQ(refusedCode("add.s32 %r0, %d1, %r2;"),
            "line 8: a register of 8 bytes for an operand of 4 ('add.s32')");
  EXPECT_EQ(refusedCode("add.s32 %d0, %r1, %r2;"),
            "line 8: a register of 8 bytes for a result of 4 ('add.s32')");
  EXPECT_EQ(refusedCode("add.s32 %r0, %r1;"), "line 8: 3 operands expected, not 2 ('add.s32')");
  EXPECT_EQ(refusedCode("add.s32.wrong %r0, %r1, %r2;"),
            "line 8: '.wrong' is not known here ('add.s32.wrong')");
  EXPECT_EQ(refusedCode("add.s32 %r0, %r1, %q2;"), "line 8: no register '%q2'");
  EXPECT_EQ(refusedCode("bra $nowhere;"), "line 8: no label '$nowhere'");
  EXPECT_EQ(refusedCode("@%r0 bra $a; $a:"), "line 8: a predicate expected");
  EXPECT_EQ(refusedCode("ld.global.b32 %r0, [%r1];"),
            "line 8: an address of 32 bits ('ld.global.b32')");
  EXPECT_EQ(refusedCode("ld.shared.b32 %r0, [p0];"),
            "line 8: 'p0' lies in another kind of memory ('ld.shared.b32')");
  for (const char *code : {"add.s32 1, %r1, %r2;",
                           "add.s32 %r0, %r1, 5000000000;",
                           "add.rn.f64 %d0, %d1, 0f3F800000;",
                           "mov.u32 %tid.x, %r0;",
                           "mul.s32 %r0, %r1, %r2;",
                           "mul.wide.s64 %d0, %d1, %d2;",
                           "cvt.f32.f64 %r0, %d0;",
                           "cvt.s32.f32 %r0, %r1;",
                           "cvt.rn.f64.f32 %d0, %r0;",
                           "setp.lt.b8 %p0, %h0, %h1;",
                           "setp.equ.s32 %p0, %r0, %r1;",
                           "setp.lt.s32 %r0, %r0, %r1;",
                           "ld.global.v4.b32 {%r0, %r1}, [%d0];",
                           "ld.global.v4.b64 %d1, [%d0];",
                           "ld.global.b32 %h0, [%d0];",
                           "st.global.b32 %r0, [%d0];",
                           "mov.b32 %r0, {%h0, %h1, %h2};",
                           "shfl.sync.bfly.b32 %d0, %r1, 1, 31, -1;",
                           "abs.u32 %r0, %r1;",
                           "add.ftz.s32 %r0, %r1, %r2;",
                           "st.param.b32 [p0], %r0;",
                           "selp.b32 %r0, %r1, %r2, %r3;",
                           "mov.b32 %r0, {%r1, {%r2}};",
                           "ld.global.b32 %r0, [[%d0]];",
                           "add.s32 %r0, %r1, %r2",
                           "add.s32 %r0, %r1, 0f3F8;",
                           ".reg .b32 %q<99999999>;",
                           ".shared .b8 huge[9999999];",
                           "$a: $a: ret;",
                           "@%p0 $b: ret;"})
    EXPECT_NE(refusedCode(code), "") << code;
  for (const char *text :
       {".address_size 32", ".entry k() { ret; } .entry k() { ret; }", ".entry k() { ret;",
        "\"text", "/* comment", ".global .b32 a[2] = {1, 2, 3};"})
    EXPECT_NE(refused(std::string(".version 8.0\n") + text), "") << text;
  EXPECT_EQ(refused(".entry k() { ret; }"), "line 1: a module begins with its .version");
}

/// A kernel with so many addresses as parameters.
std::string withParameters(const char *version, int count) {
  std::string text = ".version " + std::string(version) + "\n.entry k(";
  for (int i = 0; i < count; ++i)
    text += (i ? ", .param .u64 p" : ".param .u64 p") + std::to_string(i);
  return text + ") { ret; }";
}

// The limits of ptxas, which refuses more ("too much parameter space (0x1108 bytes, 0x1100 max)").
TEST(Parser, refuses_more_memory_than_a_launch_or_a_block_has) {
  EXPECT_EQ(refused(withParameters("8.0", 544)), "");
  EXPECT_EQ(
      refused(withParameters("8.0", 545)),
      "line 2: parameters of more than 4352 bytes, which a launch of this version of PTX takes");
  EXPECT_EQ(refused(withParameters("7.8", 545)), refused(withParameters("8.0", 545)));
  EXPECT_EQ(refused(withParameters("8.1", 4095)), "");
  EXPECT_NE(refused(withParameters("8.1", 4096)), "");
  EXPECT_EQ(refusedCode(".shared .b8 most[49152];"), "");
  EXPECT_EQ(refusedCode(".shared .b8 more[49153];"),
            "line 8: more shared memory than a block has: 49153 bytes");
}

// Whatever a text is made into, it is refused, or its launch ends or is a finding.
TEST(Parser, mutated_texts_do_no_harm) {
  const std::string text = kernelText(2, R"(
    .shared .align 4 .b8 sums[256];
    mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mad.lo.s32 %r2, %r1, 64, %r0;
    mul.wide.u32 %d2, %r2, 4; add.s64 %d3, %d0, %d2; ld.global.nc.b32 %r3, [%d3];
    mov.b32 %r4, 0f00000000;
    $loop: fma.rn.f32 %r4, %r3, %r3, %r4; add.s32 %r2, %r2, 256; setp.lt.u32 %p0, %r2, 1024;
    @%p0 bra $loop;
    shfl.sync.bfly.b32 %r5, %r4, 16, 31, -1; add.rn.f32 %r4, %r4, %r5;
    mov.u32 %r6, sums; shl.b32 %r7, %r0, 2; add.s32 %r8, %r6, %r7; st.shared.b32 [%r8], %r4;
    bar.sync 0; ld.shared.b32 %r9, [%r8]; add.s64 %d4, %d1, %d2; st.global.b32 [%d4], %r9;)");
  const char *seeds = std::getenv("DS_FUZZ_COUNT");
  const int count = seeds ? std::atoi(seeds) : 400;
  int parsed = 0;
  for (int seed = 0; seed < count; ++seed) {
    std::mt19937 random(static_cast<unsigned>(seed));
    std::string mutated = text;
    for (unsigned change = 0, changes = 1 + random() % 3; change < changes; ++change) {
      const size_t at = random() % mutated.size(), other = random() % mutated.size();
      switch (random() % 4) {
      case 0:
        mutated[at] = static_cast<char>(random());
        break;
      case 1:
        mutated[at] = mutated[other];
        break;
      case 2:
        mutated.erase(at, random() % 8);
        break;
      case 3:
        mutated.insert(at, mutated.substr(other, random() % 12));
        break;
      }
    }
    try {
      auto module = Module::parse(mutated);
      TestMemory memory;
      const uint64_t in = memory.add(std::vector<float>(256, 1.5f)), out = memory.add(1024);
      for (const std::string &name : module->kernels()) {
        const std::vector<size_t> sizes = parameterSizes(*module->kernel(name));
        Launch launch{{4, 1, 1}, {64, 1, 1}, {argument(in), argument(out)}, 0, 1 << 16};
        run(*module->kernel(name), launch, memory);
      }
      ++parsed;
    } catch (const ParseError &) {
    } catch (const Finding &) {
    }
  }
  EXPECT_GT(parsed, count / 100); // else the mutations are too wild to say anything
}

} // namespace
