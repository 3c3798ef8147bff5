//===- HalfFloatsIRTest.cpp - No sixteen-bit float is left in LLVM IR -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shapes of LLVM IR that steps seldom or never come to: vectors, aggregates, loops, signatures.
//
//===----------------------------------------------------------------------===//
#include "../../lib/Target/Cpu/HalfFloats.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"

#include <gtest/gtest.h>

using namespace llvm;

namespace {

/// What is wrong with the module after the rewriting; empty if nothing is.
std::string rewrite(const std::string &text, bool hasF16) {
  LLVMContext context;
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> module = parseAssemblyString(text, diagnostic, context);
  if (!module)
    return "no IR: " + diagnostic.getMessage().str();
  if (Error error = ds::expandHalfFloats(*module, hasF16))
    return toString(std::move(error));
  std::string problem;
  raw_string_ostream stream(problem);
  if (verifyModule(*module, &stream))
    return problem;
  std::string printed;
  raw_string_ostream(printed) << *module;
  for (Function &function : *module)
    for (Instruction &instruction : instructions(function))
      for (Value *operand : instruction.operands())
        if (operand->getType()->getScalarType()->isBFloatTy() ||
            (!hasF16 && operand->getType()->getScalarType()->isHalfTy()))
          return "left: " + printed;
  return "";
}

void expectRewritten(const std::string &text) {
  for (const char *type : {"half", "bfloat"})
    for (bool hasF16 : {false, true}) {
      std::string own = text;
      for (size_t at; (at = own.find("$H")) != std::string::npos;)
        own.replace(at, 2, type);
      std::string mangled = type == std::string("half") ? "f16" : "bf16";
      for (size_t at; (at = own.find("$M")) != std::string::npos;)
        own.replace(at, 2, mangled);
      EXPECT_EQ(rewrite(own, hasF16), "") << own;
    }
}

TEST(HalfFloatsIR, LoopsCarryBits) {
  expectRewritten(R"(
    define void @f(ptr %p, i64 %n) {
    entry:
      br label %loop
    loop:
      %i = phi i64 [ 0, %entry ], [ %next, %loop ]
      %a = phi $H [ 0.0, %entry ], [ %b, %loop ]
      %b = phi $H [ 1.0, %entry ], [ %s, %loop ]
      %s = fadd $H %a, %b
      %next = add i64 %i, 1
      %more = icmp ult i64 %next, %n
      br i1 %more, label %loop, label %exit
    exit:
      store $H %a, ptr %p
      ret void
    dead:
      %d = fadd $H %s, %s
      br label %dead
    })");
}

TEST(HalfFloatsIR, SignaturesAgreeWithCalls) {
  expectRewritten(R"(
    declare $H @outside($H, i32)
    define $H @inside($H %a, ptr %p) {
      %r = call $H @outside($H %a, i32 1)
      %f = fneg $H %r
      ret $H %f
    }
    define void @f(ptr %p) {
      %a = load $H, ptr %p
      %r = call $H @inside($H %a, ptr %p)
      %s = call $H @inside($H undef, ptr @inside)
      store $H %r, ptr %p
      store $H %s, ptr %p
      ret void
    })");
}

TEST(HalfFloatsIR, VectorsAreRewrittenAsScalarsAre) {
  expectRewritten(R"(
    declare <4 x $H> @llvm.fabs.v4$M(<4 x $H>)
    declare <4 x $H> @llvm.fma.v4$M(<4 x $H>, <4 x $H>, <4 x $H>)
    declare $H @llvm.vector.reduce.fmax.v4$M(<4 x $H>)
    define void @f(ptr %p, <4 x i1> %m, <4 x i64> %i, <4 x float> %x, <4 x double> %y) {
      %a = load <4 x $H>, ptr %p
      %b = call <4 x $H> @llvm.fma.v4$M(<4 x $H> %a, <4 x $H> <$H 1.0, $H poison, $H undef, $H 2.0>, <4 x $H> %a)
      %c = select <4 x i1> %m, <4 x $H> %a, <4 x $H> %b
      %d = sitofp <4 x i64> %i to <4 x $H>
      %e = fptrunc <4 x float> %x to <4 x $H>
      %g = fptrunc <4 x double> %y to <4 x $H>
      %h = shufflevector <4 x $H> %d, <4 x $H> %e, <4 x i32> <i32 0, i32 4, i32 1, i32 5>
      %j = fdiv <4 x $H> %c, %h
      %k = frem <4 x $H> %j, %g
      %l = insertelement <4 x $H> %k, $H 3.0, i32 1
      %n = call $H @llvm.vector.reduce.fmax.v4$M(<4 x $H> %l)
      %o = call <4 x $H> @llvm.fabs.v4$M(<4 x $H> %l)
      %q = extractelement <4 x $H> %o, i32 2
      %r = fadd $H %n, %q
      store $H %r, ptr %p
      %s = bitcast <4 x $H> %o to <2 x i32>
      store <2 x i32> %s, ptr %p
      ret void
    })");
}

TEST(HalfFloatsIR, AggregatesAndIntrinsics) {
  expectRewritten(R"(
    declare { $H, i32 } @llvm.frexp.$M.i32($H)
    declare { $H, $H } @llvm.sincos.$M($H)
    declare $H @llvm.copysign.$M($H, $H)
    declare $H @llvm.powi.$M.i32($H, i32)
    declare i32 @llvm.fptosi.sat.i32.$M($H)
    declare i1 @llvm.is.fpclass.$M($H, i32)
    define void @f(ptr %p, $H %a) {
      %b = call { $H, i32 } @llvm.frexp.$M.i32($H %a)
      %c = extractvalue { $H, i32 } %b, 0
      %d = call { $H, $H } @llvm.sincos.$M($H %c)
      %e = insertvalue { $H, $H } %d, $H 1.0, 1
      %g = insertvalue { $H, [2 x $H] } { $H 1.0, [2 x $H] [$H 2.0, $H 3.0] }, $H %a, 1, 0
      %h = extractvalue { $H, $H } %e, 1
      %i = call $H @llvm.copysign.$M($H %h, $H %a)
      %j = call $H @llvm.powi.$M.i32($H %i, i32 3)
      %k = freeze $H %j
      %l = call i32 @llvm.fptosi.sat.i32.$M($H %k)
      store i32 %l, ptr %p
      %m = call i1 @llvm.is.fpclass.$M($H %k, i32 3)
      store i1 %m, ptr %p
      %n = fpext $H %k to double
      store double %n, ptr %p
      %o = fptoui $H %k to i64
      store i64 %o, ptr %p
      %q = extractvalue { $H, [2 x $H] } %g, 1, 1
      store $H %q, ptr %p
      ret void
    })");
}

TEST(HalfFloatsIR, SaysWhatItCannotRewrite) {
  EXPECT_EQ(rewrite("define void @f(ptr %p) {\n %a = atomicrmw fadd ptr %p, half 1.0 seq_cst\n ret "
                    "void\n}",
                    false),
            "'atomicrmw' of sixteen-bit floats has no code on any CPU");
  EXPECT_EQ(
      rewrite("define half @f(i128 %i) {\n %a = uitofp i128 %i to half\n ret half %a\n}", true),
      "'uitofp' of sixteen-bit floats has no code on any CPU");
  EXPECT_EQ(rewrite("define bfloat @f(fp128 %x) {\n %a = fptrunc fp128 %x to bfloat\n ret bfloat "
                    "%a\n}",
                    true),
            "'fptrunc' of sixteen-bit floats has no code on any CPU");
}

} // namespace
