//===- ImagesTest.cpp - What a GPU's driver is handed -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A driver reads as much of a fat binary as its headers say, so these are looked at first.
//
//===----------------------------------------------------------------------===//
#include "../../lib/Target/Gpu/CompleteGpuDriver.h"

#include "ds/Target/Gpu/LinkedGpuStep.h"
#include "ds/Target/TargetCpu.h"

#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>

using namespace ds;

namespace {

constexpr char text[] = ".version 8.0\n.target sm_90\n.address_size 64\n"
                        ".visible .entry k()\n{\n  ret;\n}\n";
constexpr size_t headerBytes = 16, entryBytes = 64;

/// A fat binary of one text.
std::string fatBinary() {
  const uint32_t magic = 0xba55ed50, entry = entryBytes;
  const uint16_t version = 1, header = headerBytes, kind = 1;
  const uint64_t bytes = sizeof text, behind = entryBytes + sizeof text;
  std::string image(headerBytes + behind, '\0');
  auto put = [&](size_t at, const auto &value) { memcpy(&image[at], &value, sizeof value); };
  put(0, magic);
  put(4, version);
  put(6, header);
  put(8, behind);
  put(headerBytes, kind);
  put(headerBytes + 4, entry);
  put(headerBytes + 8, bytes);
  memcpy(&image[headerBytes + entryBytes], text, sizeof text);
  return image;
}

void neverRun(void **) { std::abort(); }

/// Empty where the image is loaded.
std::string mistakeOf(std::string image) {
  setenv("DS_CUDA_LIBRARY", DS_FAKES "/libfake_cuda.so", 1);
  static const char *const noMessages[] = {nullptr};
  static const gpu::LaunchRecord launches[] = {{"k", "flat1", "", 1, 32, 1}, {}};
  static const gpu::ConstantRecord constants[] = {{}};
  static const gpu::AssertionRecord assertions = {0, 0, noMessages};
  static const gpu::ImportRecord imports[] = {{}};
  static const gpu::DeviceTables tables = {launches, constants, &assertions, imports};
  Executable executable;
  executable.target = "cuda:sm_90";
  executable.manifest.entry = "step";
  executable.objects = {"", std::move(image)};
  auto step = useLinkedGpuStep(std::move(executable), neverRun, &tables,
                               requiredFeatures(defaultTargetCpu()));
  return step ? "" : llvm::toString(step.takeError());
}

template <typename Number> std::string changed(size_t at, Number value) {
  std::string image = fatBinary();
  memcpy(&image[at], &value, sizeof value);
  return mistakeOf(std::move(image));
}

constexpr char notWhole[] = "the kernels cannot be loaded: their fat binary is not whole";

TEST(Images, text_and_fat_binaries_are_loaded) {
  EXPECT_EQ(mistakeOf(text), "");
  EXPECT_EQ(mistakeOf(fatBinary()), "");
}

TEST(Images, every_truncation_is_refused) {
  const std::string image = fatBinary();
  for (size_t size = 4; size < image.size(); ++size)
    ASSERT_EQ(mistakeOf(image.substr(0, size)), notWhole) << size;
}

TEST(Images, sizes_that_lead_outside_are_refused) {
  const uint64_t behind = entryBytes + sizeof text;
  EXPECT_EQ(changed(8, behind + 1), notWhole);
  EXPECT_EQ(changed(8, ~uint64_t(0)), notWhole);
  EXPECT_EQ(changed(6, uint16_t(headerBytes - 1)), notWhole);
  EXPECT_EQ(changed(6, uint16_t(0xffff)), notWhole);
  EXPECT_EQ(changed(headerBytes + 4, uint32_t(0)), notWhole);
  EXPECT_EQ(changed(headerBytes + 4, ~uint32_t(0)), notWhole);
  EXPECT_EQ(changed(headerBytes + 8, uint64_t(sizeof text + 1)), notWhole);
  EXPECT_EQ(changed(headerBytes + 8, ~uint64_t(0)), notWhole);
}

} // namespace
