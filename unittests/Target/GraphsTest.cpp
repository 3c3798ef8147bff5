//===- GraphsTest.cpp - Recorded steps give the recorded results -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two consecutive steps of real exports against what the framework itself computed. Parameters and
// states of step 2 are the results of step 1, which lie in place.
//
//===----------------------------------------------------------------------===//
#include "StepFixture.h"

#include "ds/Data/Npy.h"

#include <cmath>
#include <cstring>

using namespace ds;

namespace {

constexpr double rtol = 2e-4, atol = 2e-5;

std::string inputs() {
  const char *folder = std::getenv("DS_TEST_GRAPHS");
  return folder ? folder : DS_TEST_INPUTS;
}

/// max |got - want| / (atol + rtol |want|)
double error(const Array &want, const void *got) {
  double worst = 0;
  for (int64_t i = 0; i < want.elements(); ++i) {
    double a, b;
    if (want.type == DataType::f32) {
      a = reinterpret_cast<const float *>(want.data)[i];
      b = static_cast<const float *>(got)[i];
    } else {
      EXPECT_EQ(want.type, DataType::i32);
      a = reinterpret_cast<const int32_t *>(want.data)[i];
      b = static_cast<const int32_t *>(got)[i];
    }
    double e = std::abs(a - b) / (atol + rtol * std::abs(a));
    worst = std::isnan(e) ? 1e30 : std::max(worst, e);
  }
  return worst;
}

class Graphs : public testing::TestWithParam<const char *> {};

TEST_P(Graphs, TwoStepsGiveTheRecordedResults) {
  std::string path = inputs() + "/" + GetParam();
  auto recording = NpzReader::open(path + ".npz");
  ASSERT_TRUE(bool(recording)) << llvm::toString(recording.takeError());
  auto step = compileFile(path + ".mlir");
  ASSERT_TRUE(step);
  auto instance = step->instantiate();
  const Manifest &manifest = step->manifest();
  for (int number : {1, 2}) {
    std::string prefix = "step" + std::to_string(number);
    for (size_t i = 0; i < manifest.arguments.size(); ++i) {
      std::string name = prefix + "_arg" + std::to_string(i);
      if (!(*recording)->contains(name))
        continue;
      auto array = (*recording)->read(name);
      ASSERT_TRUE(bool(array)) << llvm::toString(array.takeError());
      ASSERT_EQ(array->shape, manifest.arguments[i].shape) << name;
      instance->write(i, [&](char *bytes) { std::memcpy(bytes, array->data, array->bytes()); });
    }
    instance->run(nullptr);
    int compared = 0;
    for (size_t i = 0; i < manifest.results.size(); ++i) {
      std::string name = prefix + "_res" + std::to_string(i);
      if (!(*recording)->contains(name))
        continue;
      auto array = (*recording)->read(name);
      ASSERT_TRUE(bool(array)) << llvm::toString(array.takeError());
      EXPECT_LE(error(*array, instance->readResult(i).get()), 1.0)
          << name << " (" << manifest.results[i].name << ")";
      ++compared;
    }
    EXPECT_GT(compared, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Recorded, Graphs,
                         testing::Values("jax_mlp_sgd", "jax_mlp_momentum_wd", "jax_cnn_adam",
                                         "jax_gpt_adamw_clip", "jax_resnet_bn_momentum",
                                         "torch_mlp_sgd"),
                         [](const auto &info) { return std::string(info.param); });

} // namespace
