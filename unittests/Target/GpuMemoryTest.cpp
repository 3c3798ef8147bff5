//===- GpuMemoryTest.cpp - What steps take of a GPU's memory ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "GpuFixture.h"

#include <dlfcn.h>

using namespace ds;

namespace {

/// Two ranks, of 64 KiB of samples and 4 KiB of a parameter each.
const char *const wideStep = R"(
#matrix = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>
module attributes {ds.config = #ds.config<device_num = 2>} {
func.func @step(%w: tensor<1024xf32> {ds.param = "w"}, %x: tensor<16x1024xf32> {ds.batch = 0 : i64, ds.name = "x"})
    -> (tensor<1024xf32> {ds.updates = "w"}) {
  %new = linalg.generic {indexing_maps = [#matrix, #row], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<16x1024xf32>) outs(%w : tensor<1024xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %r = arith.addf %acc, %a : f32
    linalg.yield %r : f32
  } -> tensor<1024xf32>
  return %new : tensor<1024xf32>
}
})";

class GpuMemory : public Gpu {
protected:
  void SetUp() override {
    setenv("DS_FAKE_DEVICES", "1", 1);
    CompileOptions options = defaultOptions();
    options.target = "cuda:sm_90";
    step = compileText(wideStep, options);
    ASSERT_TRUE(step);
  }
  void TearDown() override {
    unsetenv("DS_FAKE_DEVICES");
    unsetenv("DS_FAKE_CUDA_MEMORY");
  }
  /// So many bytes of the device are free.
  static void leave(int64_t bytes) {
    unsetenv("DS_FAKE_CUDA_MEMORY");
    auto *ask = reinterpret_cast<int (*)(size_t *, size_t *)>(
        dlsym(dlopen(DS_FAKES "/libfake_cuda.so", RTLD_NOW), "cuMemGetInfo_v2"));
    size_t free = 0, total = 0;
    ASSERT_EQ(ask(&free, &total), 0);
    setenv("DS_FAKE_CUDA_MEMORY", std::to_string(total - free + bytes).c_str(), 1);
  }

  std::unique_ptr<CompiledStep> step;
};

// The first rank asks for its second buffer before the other one has any memory.
TEST_F(GpuMemory, second_buffers_leave_room_for_every_rank) {
  const int64_t all = step->memoryBytes(), samples = 16 * 1024 * sizeof(float);
  ASSERT_GT(all, samples);
  for (auto [bytes, isTaken] :
       {std::pair(2 * all, false), {2 * all + samples, false}, {2 * (all + samples), true}}) {
    leave(bytes);
    auto first = step->instantiate(nullptr, 0);
    EXPECT_EQ(first->spareMemory(1) != nullptr, isTaken) << bytes;
    auto second = step->instantiate(nullptr, 1);
    EXPECT_EQ(argument<float>(*second, 0, 1024), std::vector<float>(1024)) << bytes;
  }
}

} // namespace
