//===- GpuFixture.h - Steps on a GPU beside steps on a CPU ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_UNITTESTS_TARGET_GPUFIXTURE_H
#define DS_UNITTESTS_TARGET_GPUFIXTURE_H

#include "StepFixture.h"
#include "dsrt/dsrt.h"

#include <cmath>
#include <cstdlib>
#include <random>

namespace ds {

/// Runs steps on a CPU and on the tests' driver of CUDA.
class Gpu : public testing::Test {
protected:
  static void SetUpTestSuite() {
    setenv("DS_CUDA_LIBRARY", DS_FAKES "/libfake_cuda.so", 1);
    setenv("DS_CUBLASLT_LIBRARY", DS_FAKES "/libfake_cublaslt.so", 1);
    setenv("DS_CUDNN_LIBRARY", DS_FAKES "/libfake_cudnn.so", 1);
    dsrt_flush_denormals(); // as ranks do
  }
  /// The only result of the step on a target.
  template <typename T>
  static std::vector<T> run(const std::string &text, const std::string &target,
                            const std::vector<std::vector<T>> &inputs, size_t count) {
    CompileOptions options = defaultOptions();
    options.target = target;
    auto step = compileText(text, options);
    if (!step)
      return {};
    auto instance = step->instantiate();
    for (size_t i = 0; i < inputs.size(); ++i)
      set<T>(*instance, i, inputs[i]);
    instance->run(nullptr);
    return result<T>(*instance, 0, count);
  }
  template <typename T>
  static void expectSame(const std::string &text, const std::vector<std::vector<T>> &inputs,
                         size_t count) {
    std::vector<T> cpu = run(text, "cpu", inputs, count),
                   gpu = run(text, "cuda:sm_90", inputs, count);
    ASSERT_EQ(gpu.size(), cpu.size());
    for (size_t i = 0; i < cpu.size(); ++i) {
      if constexpr (std::is_floating_point_v<T>)
        if (std::isnan(cpu[i]) && std::isnan(gpu[i]))
          continue;
      ASSERT_EQ(gpu[i], cpu[i]) << "element " << i << " of " << text.substr(0, 3000);
    }
  }
};

/// From -4 to 4.
template <typename T> std::vector<T> integers(size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<T> values(count);
  for (T &value : values)
    value = static_cast<T>(static_cast<int>(random() % 9) - 4);
  return values;
}

} // namespace ds

#endif // DS_UNITTESTS_TARGET_GPUFIXTURE_H
