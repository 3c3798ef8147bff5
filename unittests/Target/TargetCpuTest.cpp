//===- TargetCpuTest.cpp - What --target-cpu accepts ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Target/TargetCpu.h"

#include "llvm/Support/Regex.h"
#include "llvm/TargetParser/Host.h"

#include <gtest/gtest.h>

#include <cstdlib>

using namespace ds;

namespace {

std::string refusalOf(llvm::StringRef name) { return llvm::toString(checkRunsHere(name)); }

bool isX86() { return llvm::Triple(llvm::sys::getProcessTriple()).isX86(); }

TEST(TargetCpu, NamesBringTheirArchitecture) {
  auto level = findTargetCpu("x86-64-v3");
  ASSERT_TRUE(bool(level));
  EXPECT_EQ(level->triple.getArch(), llvm::Triple::x86_64);
  EXPECT_EQ(level->cpu, "x86-64-v3");
  for (const char *name : {"aarch64", "cortex-a72", "neoverse-n1"}) {
    auto arm = findTargetCpu(name);
    ASSERT_TRUE(bool(arm));
    EXPECT_EQ(arm->triple.getArch(), llvm::Triple::aarch64) << name;
  }
}

TEST(TargetCpu, NativeRunsHere) { EXPECT_EQ(refusalOf("native"), ""); }

TEST(TargetCpu, UnknownNamesGetTheNearestKnown) {
  EXPECT_EQ(refusalOf("x86-64_v3"),
            "target cpu 'x86-64_v3' is not known, did you mean 'x86-64-v3'?");
  EXPECT_EQ(refusalOf("neoverse-n9"),
            "target cpu 'neoverse-n9' is not known, did you mean 'neoverse-n1'?");
  EXPECT_EQ(refusalOf("a toaster that nobody ever made"),
            "target cpu 'a toaster that nobody ever made' is not known, expected native, x86-64, "
            "x86-64-v2, x86-64-v3, x86-64-v4, aarch64 or a CPU that LLVM knows");
  EXPECT_NE(refusalOf(""), "");
}

TEST(TargetCpu, ProcessorsOf32BitsAreNotKnown) {
  EXPECT_TRUE(
      llvm::StringRef(refusalOf("pentium4")).starts_with("target cpu 'pentium4' is not known"));
}

TEST(TargetCpu, AnotherArchitectureDoesNotRunHere) {
  std::string name = isX86() ? "cortex-a72" : "x86-64";
  llvm::Regex expected("^target cpu '" + name +
                       "' is one of [a-z0-9_]+, this machine is [a-z0-9_]+$");
  EXPECT_TRUE(expected.match(refusalOf(name))) << refusalOf(name);
}

TEST(TargetCpu, NamesWhatTheMachineLacks) {
  if (!isX86())
    return; // there AnotherArchitectureDoesNotRunHere speaks of the same names
  // One vendor's XOP and the other's latest: no machine has both.
  auto isRefused = [](llvm::StringRef text, llvm::StringRef name) {
    return text.starts_with(("target cpu '" + name + "' has ").str()) &&
           text.ends_with(", which this machine lacks");
  };
  std::string first = refusalOf("bdver4"), second = refusalOf("diamondrapids");
  EXPECT_TRUE(isRefused(first, "bdver4") || isRefused(second, "diamondrapids")) << first << "\n"
                                                                                << second;
  // Instructions for the system alone do not keep code from running.
  EXPECT_EQ(first.find("xsave") + 1, 0u) << first;
}

TEST(TargetCpu, TheEnvironmentGivesTheDefault) {
  const char *before = getenv("DS_TARGET_CPU");
  std::string kept = before ? before : "";
  setenv("DS_TARGET_CPU", "x86-64-v2", 1);
  EXPECT_EQ(defaultTargetCpu(), "x86-64-v2");
  setenv("DS_TARGET_CPU", "", 1);
  EXPECT_EQ(defaultTargetCpu(), "native");
  unsetenv("DS_TARGET_CPU");
  EXPECT_EQ(defaultTargetCpu(), "native");
  if (before)
    setenv("DS_TARGET_CPU", kept.c_str(), 1);
}

} // namespace
