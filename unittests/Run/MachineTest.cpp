//===- MachineTest.cpp - What the bits of a step depend on beside it --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Ranks/Machine.h"

#include "TestSupport.h"
#include "ds/Target/TargetCpu.h"

#include <cstdlib>

namespace ds {
namespace {

StartRecord machine(llvm::StringRef cpu) {
  StartRecord record;
  addMachine(cpu, record);
  return record;
}

TEST(Machine, IsAlikeWithItself) {
  EXPECT_EQ(machine("native"), machine("native"));
  EXPECT_EQ(errorOf(compareRecords({machine("native"), machine("native")})), "(no error)");
}

TEST(Machine, BuildsHaveTheIdsOfTheLinker) {
  std::string ours = buildIdOf(reinterpret_cast<const void *>(&machine));
  std::string ofLibrary = buildIdOf(reinterpret_cast<const void *>(&abort));
  EXPECT_EQ(ours.size(), 40u) << "is the program linked with --build-id?";
  EXPECT_NE(ours, ofLibrary);
  EXPECT_EQ(buildIdOf(nullptr), "");
}

/// Two CPUs of other names are alike where code for them may hold the same instructions.
TEST(Machine, AnInstructionSetThatOneCpuLacksIsToldByName) {
  StartRecord has = machine("native"), lacks;
  std::string feature = generatedFeatures("native").front();
  for (const auto &item : has)
    if (item.first != "the instruction set '" + feature + "' of the CPU")
      lacks.push_back(item);
  EXPECT_EQ(errorOf(compareRecords({has, lacks})),
            "the ranks do not start alike: the instruction set '" + feature +
                "' of the CPU is not there on rank 1, but there on rank 0");
  EXPECT_TRUE(generatedFeatures("x86-64-v3").empty());
}

} // namespace
} // namespace ds
