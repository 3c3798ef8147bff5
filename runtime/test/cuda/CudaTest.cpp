//===- CudaTest.cpp - Kernels on the fake driver, and faults ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CudaFixture.h"

#include "fakes/cuda/FatBinary.h"
#include "fakes/ptx/Ptx.h"

#include <chrono>
#include <random>
#include <thread>

using namespace cuda;

namespace {

TEST_F(Cuda, runs_kernels_in_the_order_of_a_stream) {
  const uint64_t x = upload(std::vector<float>(1000, 2)), y = upload(std::vector<float>(1000, 1));
  for (int times = 0; times < 3; ++times)
    ASSERT_EQ(saxpy(stream, x, y, 0.5f, 1000), 0);
  ASSERT_EQ(cuStreamSynchronize(stream), 0);
  EXPECT_EQ(download(y, 1000), std::vector<float>(1000, 4));
}

TEST_F(Cuda, takes_the_ptx_of_a_fat_binary) {
  const std::string cubin(100, '\x7f'), text = kernels;
  std::string newer = text;
  newer.replace(newer.find("sm_90"), 5, "sm_99");
  std::string older = "// the other one\n" + text;
  older.replace(older.find("sm_90"), 5, "sm_80");
  void *module = nullptr, *function = nullptr;
  const std::string image = fatBinary({{2, cubin}, {1, newer}, {1, older}});
  ASSERT_EQ(cuModuleLoadData(&module, image.data()), 0);
  EXPECT_EQ(cuModuleGetFunction(&function, module, "saxpy"), 0);
  EXPECT_EQ(cuFuncLoad(function), 0);
  EXPECT_EQ(cuModuleGetFunction(&function, module, "nothing"), 500);
  EXPECT_EQ(fake::ptxOf(image.data(), image.size(), 90).substr(0, 16), "// the other one");
  EXPECT_EQ(cuModuleUnload(module), 0);
  EXPECT_EQ(cuModuleUnload(module), 400);
  EXPECT_EQ(cuModuleLoadData(&module, fatBinary({{2, cubin}}).data()), 209);
  EXPECT_EQ(cuModuleLoadData(&module, fatBinary({{1, newer}}).data()), 209);
  EXPECT_EQ(cuModuleLoadData(&module, fatBinary({{1, cubin}}).data()), 200);
  EXPECT_EQ(cuModuleLoadData(&module, "no code"), 200);
  setenv("DS_FAKE_CUDA_CAPABILITY", "80", 1);
  EXPECT_EQ(cuModuleLoadData(&module, kernels), 209);
  int major = 0;
  EXPECT_EQ(cuDeviceGetAttribute(&major, 75, device), 0);
  EXPECT_EQ(major, 8);
}

TEST_F(Cuda, says_what_is_wrong_with_a_text) {
  char log[200] = {};
  const int options[] = {5, 6};
  void *const values[] = {log, reinterpret_cast<void *>(sizeof log)};
  void *module = nullptr;
  EXPECT_EQ(
      cuModuleLoadDataEx(&module, ".version 8.0\n.target sm_90\nnonsense", 2u, options, values),
      218);
  EXPECT_STREQ(log, "line 3: unknown directive 'nonsense'");
}

// As on a device, what goes wrong is seen later, and by every call from then on.
TEST_F(Cuda, a_finding_is_an_error_of_the_context) {
  const uint64_t x = upload(std::vector<float>(100, 2)), y = upload(std::vector<float>(100, 1));
  ASSERT_EQ(saxpy(stream, x, y, 1, 128), 0);
  EXPECT_EQ(cuStreamSynchronize(stream), 700);
  uint64_t more = 0;
  EXPECT_EQ(cuMemAlloc_v2(&more, 16), 700);
  EXPECT_NE(finding().find("kernel 'saxpy', line 13"), std::string::npos) << finding();
  EXPECT_NE(finding().find(
                "reads 4 bytes outside of every allocation, 0 behind the end of one of 400 bytes"),
            std::string::npos)
      << finding();
}

TEST_F(Cuda, memory_is_known_to_be_written) {
  const uint64_t x = allocate(512), y = allocate(512);
  ASSERT_EQ(cuMemsetD8Async(x, 0, 256, stream), 0);
  ASSERT_EQ(cuMemcpyDtoDAsync_v2(y, x, 512, stream), 0);
  ASSERT_EQ(copy(stream, y, x, 64), 0);
  ASSERT_EQ(cuStreamSynchronize(stream), 0);
  ASSERT_EQ(copy(stream, y, x, 128), 0);
  EXPECT_EQ(cuStreamSynchronize(stream), 719);
  EXPECT_NE(finding().find("block (1, 0, 0), thread (0, 0, 0): stores a value that nothing has "
                           "written"),
            std::string::npos)
      << finding();
}

TEST_F(Cuda, refuses_launches_that_do_not_fit) {
  uint64_t x = allocate(512), y = allocate(512);
  void *parameters[] = {&x, &y};
  void **none = nullptr;
  EXPECT_EQ(cuLaunchKernel(saxpyKernel, 1u, 1u, 1u, 65u, 1u, 1u, 0u, stream, parameters, none), 1);
  EXPECT_EQ(cuLaunchKernel(copyKernel, 0u, 1u, 1u, 64u, 1u, 1u, 0u, stream, parameters, none), 1);
  EXPECT_EQ(cuLaunchKernel(copyKernel, 1u, 1u, 1u, 64u, 1u, 1u, 16u, stream, parameters, none), 1);
  EXPECT_EQ(cuLaunchKernel(copyKernel, 1u, 1u, 1u, 64u, 1u, 1u, 0u, &x, parameters, none), 400);
  EXPECT_EQ(cuLaunchKernel(copyKernel, 1u << 31, 1u, 1u, 64u, 1u, 1u, 0u, stream, parameters, none),
            1);
  EXPECT_EQ(cuLaunchKernel(copyKernel, 1u, 65536u, 1u, 64u, 1u, 1u, 0u, stream, parameters, none),
            1);
  EXPECT_EQ(cuLaunchKernel(copyKernel, 1u, 1u, 65536u, 64u, 1u, 1u, 0u, stream, parameters, none),
            1);
  EXPECT_EQ(cuLaunchKernel(copyKernel, 1u, 1u, 1u, 1u, 1u, 65u, 0u, stream, parameters, none), 1);
  EXPECT_EQ(cuLaunchKernel(&x, 1u, 1u, 1u, 64u, 1u, 1u, 0u, stream, parameters, none), 400);
  EXPECT_EQ(cuLaunchKernel(copyKernel, 1u, 1u, 1u, 64u, 1u, 1u, 0u, stream, none, none), 1);
}

TEST_F(Cuda, events_are_points_of_a_stream) {
  void *begin = makeEvent(), *end = makeEvent();
  const uint64_t x = upload(std::vector<float>(64, 1)), y = allocate(256);
  EXPECT_EQ(cuEventRecord(begin, stream), 0);
  EXPECT_EQ(copy(stream, x, y, 64), 0);
  EXPECT_EQ(cuEventRecord(end, stream), 0);
  EXPECT_EQ(cuEventSynchronize(end), 0);
  EXPECT_EQ(cuEventQuery(end), 0);
  float milliseconds = -1;
  EXPECT_EQ(cuEventElapsedTime(&milliseconds, begin, end), 0);
  EXPECT_GE(milliseconds, 0);
}

//===----------------------------------------------------------------------===//
// Faults.
//===----------------------------------------------------------------------===//

TEST_F(Cuda, faults_come_at_the_planned_call) {
  const uint64_t x = upload(std::vector<float>(64, 1)), y = upload(std::vector<float>(64, 1));
  const std::string here = "device=" + std::to_string(device);
  setenv("DS_FAKE_CUDA_FAULTS",
         (here + ",launch=2,do=error;" + here + ",launch=4,do=fail; " + here + ",alloc=2,do=error")
             .c_str(),
         1);
  EXPECT_EQ(saxpy(stream, x, y, 1, 64), 0);
  EXPECT_EQ(saxpy(stream, x, y, 1, 64), 701);
  EXPECT_EQ(saxpy(stream, x, y, 1, 64), 0);
  EXPECT_EQ(cuStreamSynchronize(stream), 0);
  EXPECT_EQ(download(y, 64), std::vector<float>(64, 3));
  uint64_t data = 0;
  EXPECT_EQ(cuMemAlloc_v2(&data, 64), 0);
  EXPECT_EQ(cuMemAlloc_v2(&data, 64), 2);
  EXPECT_EQ(saxpy(stream, x, y, 1, 64), 0);
  EXPECT_EQ(cuStreamSynchronize(stream), 700);
  EXPECT_EQ(finding(), "a planned fault of the device");
}

TEST_F(Cuda, a_launch_that_hangs_never_ends) {
  setenv("DS_FAKE_CUDA_FAULTS", ("device=" + std::to_string(device) + ",launch=1,do=hang").c_str(),
         1);
  const uint64_t x = upload(std::vector<float>(64, 1)), y = upload(std::vector<float>(64, 1));
  EXPECT_EQ(saxpy(stream, x, y, 1, 64), 0);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_EQ(cuStreamQuery(stream), 600);
}

TEST_F(Cuda, memory_ends_where_it_is_set) {
  size_t before = 0, total = 0, after = 0;
  ASSERT_EQ(cuMemGetInfo_v2(&before, &total), 0);
  const uint64_t data = allocate(1 << 20);
  ASSERT_EQ(cuMemGetInfo_v2(&after, &total), 0);
  EXPECT_EQ(before - after, size_t(1) << 20);
  setenv("DS_FAKE_CUDA_MEMORY", std::to_string(total - after + 100).c_str(), 1);
  uint64_t more = 0;
  EXPECT_EQ(cuMemAlloc_v2(&more, 101), 2);
  EXPECT_EQ(cuMemAlloc_v2(&more, 100), 0);
  EXPECT_EQ(cuMemFree_v2(data), 0);
}

//===----------------------------------------------------------------------===//
// Broken images.
//===----------------------------------------------------------------------===//

// Every image is cut to its size in memory of its own, so reading behind it would be seen.
TEST(FatBinary, mutated_images_do_no_harm) {
  const std::string image = fatBinary({{2, std::string(300, '\x7f')}, {1, kernels}});
  const char *set = std::getenv("DS_FUZZ_COUNT");
  const int count = set ? std::atoi(set) : 400;
  int loaded = 0;
  for (int seed = 0; seed < count; ++seed) {
    std::mt19937 random(static_cast<unsigned>(seed));
    std::vector<char> mutated(image.begin(), image.end());
    for (unsigned change = 0, changes = random() % 3; change <= changes; ++change)
      // Mostly the headers; the text has a test of its own.
      mutated[random() % (random() % 4 ? 460 : mutated.size())] = static_cast<char>(random());
    if (random() % 3 == 0)
      mutated.resize(random() % mutated.size());
    mutated.shrink_to_fit();
    try {
      fake::ptx::Module::parse(fake::ptxOf(mutated.data(), mutated.size(), 90));
      ++loaded;
    } catch (const fake::ImageError &) {
    } catch (const fake::ptx::ParseError &) {
    }
  }
  EXPECT_GT(loaded, count / 10);
}

TEST(FatBinary, every_truncation_is_refused) {
  const std::string image = fatBinary({{1, kernels}});
  for (size_t size = 4; size < image.size(); ++size) {
    std::vector<char> cut(image.begin(), image.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_THROW(fake::ptxOf(cut.data(), cut.size(), 90), fake::ImageError) << size;
  }
}

} // namespace
