//===- DeviceFixture.h - Ranks as threads on a fake vendor ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every test runs on nccl and on hccl, on the fakes that the environment names.
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_TEST_DEVICE_DEVICEFIXTURE_H
#define DSRT_TEST_DEVICE_DEVICEFIXTURE_H

#include "dsrt/dsrt.h"

#include <cstdlib>
#include <functional>
#include <gtest/gtest.h>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace dsrt::test {

class DeviceTest : public testing::TestWithParam<const char *> {
protected:
  void open(int32_t ranks, const char *faults = "") {
    setenv("DS_FAKE_FAULTS", faults, 1);
    contexts.resize(static_cast<size_t>(ranks));
    if (dsrt_world_create(GetParam(), ranks, &options, contexts.data()) != DSRT_OK)
      throw std::runtime_error(dsrt_last_error(nullptr)); // ends the test
  }
  void SetUp() override {
    dsrt_options_init(&options);
    options.timeout_ms = 20000;
  }
  void TearDown() override {
    for (dsrt_context *context : contexts)
      (void)dsrt_shutdown(context);
    unsetenv("DS_FAKE_FAULTS");
  }

  void onAll(const std::function<void(dsrt_context *, int32_t)> &body) {
    std::vector<std::thread> threads;
    for (dsrt_context *context : contexts)
      threads.emplace_back([&, context] { body(context, dsrt_rank(context)); });
    for (std::thread &thread : threads)
      thread.join();
  }
  static dsrt_status sum(dsrt_context *context, void *data, int64_t elements = 100) {
    return dsrt_all_reduce(context, 1, &data, &elements, DSRT_F32, DSRT_SUM, DSRT_WORLD);
  }
  /// All ranks add up once; their statuses and errors are kept.
  void sumOnAll() {
    statuses.assign(contexts.size(), DSRT_OK);
    errors.assign(contexts.size(), "");
    onAll([&](dsrt_context *context, int32_t rank) {
      std::vector<float> values(100, 1.0f);
      statuses[rank] = sum(context, values.data());
      errors[rank] = dsrt_last_error(context);
    });
  }
  bool isNccl() const { return std::string(GetParam()) == "nccl"; }
  static bool has(const std::string &text, const std::string &part) {
    return text.find(part) != std::string::npos;
  }

  dsrt_options options;
  std::vector<dsrt_context *> contexts;
  std::vector<dsrt_status> statuses;
  std::vector<std::string> errors;
};

} // namespace dsrt::test

#endif // DSRT_TEST_DEVICE_DEVICEFIXTURE_H
