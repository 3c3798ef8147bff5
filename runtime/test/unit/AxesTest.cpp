//===- AxesTest.cpp - Errors tell where in the mesh a rank is ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dsrt/dsrt.h"

#include <gtest/gtest.h>
#include <string>
#include <thread>
#include <vector>

namespace {

class Axes : public testing::Test {
protected:
  void SetUp() override {
    dsrt_options options;
    dsrt_options_init(&options);
    options.timeout_ms = 200;
    ASSERT_EQ(dsrt_local_world_create(6, &options, contexts), DSRT_OK);
  }
  void TearDown() override {
    for (dsrt_context *context : contexts)
      EXPECT_EQ(dsrt_shutdown(context), DSRT_OK);
  }
  /// Why rank 0 cannot have these axes; the context is of no further use.
  std::string why(std::vector<const char *> names, std::vector<int32_t> sizes) {
    EXPECT_EQ(
        dsrt_name_axes(contexts[0], static_cast<int32_t>(names.size()), names.data(), sizes.data()),
        DSRT_INVALID_ARGUMENT);
    return dsrt_last_error(contexts[0]);
  }
  dsrt_context *contexts[6] = {};
};

dsrt_status exchangeOverRow(dsrt_context *context, int32_t row) {
  const int32_t ranks[] = {3 * row, 3 * row + 1, 3 * row + 2};
  dsrt_group group;
  if (dsrt_status status = dsrt_group_create(context, 3, ranks, &group); status != DSRT_OK)
    return status;
  float from[3] = {}, to[3] = {};
  const void *in = from;
  void *out = to;
  const int64_t one = 1;
  return dsrt_all_to_all(context, 1, &in, &out, &one, DSRT_F32, group);
}

TEST_F(Axes, ALateRankOfAGroupIsNamedWithItsCoordinates) {
  const char *names[] = {"dp", "tp"};
  const int32_t sizes[] = {2, 3};
  std::vector<std::thread> threads;
  for (int32_t rank = 0; rank < 6; ++rank)
    threads.emplace_back([&, rank] {
      EXPECT_EQ(dsrt_name_axes(contexts[rank], 2, names, sizes), DSRT_OK);
      if (rank != 5)
        (void)exchangeOverRow(contexts[rank], rank / 3);
    });
  for (std::thread &thread : threads)
    thread.join();
  for (int32_t rank : {3, 4}) {
    const std::string error = dsrt_last_error(contexts[rank]), where = "; rank 5 is dp=1, tp=2";
    EXPECT_NE(error.find("waiting for rank 5; rank 5 is dp=1, tp=2"), std::string::npos) << error;
    EXPECT_EQ(error.find(where), error.rfind(where)) << "said once: " << error;
  }
}

TEST_F(Axes, WithoutAxesThereAreNoCoordinates) {
  EXPECT_EQ(dsrt_name_axes(contexts[0], 0, nullptr, nullptr), DSRT_OK);
  EXPECT_EQ(dsrt_barrier(contexts[0], DSRT_WORLD), DSRT_TIMEOUT);
  const std::string error = dsrt_last_error(contexts[0]);
  EXPECT_NE(error.find("waiting for ranks 1, 2, 3, 4, 5"), std::string::npos) << error;
  EXPECT_EQ(error.find(" is "), std::string::npos) << error;
}

TEST_F(Axes, OfManyLateRanksFourAreToldApart) {
  const char *names[] = {"dp", "tp"};
  const int32_t sizes[] = {3, 2};
  EXPECT_EQ(dsrt_name_axes(contexts[0], 2, names, sizes), DSRT_OK);
  EXPECT_EQ(dsrt_barrier(contexts[0], DSRT_WORLD), DSRT_TIMEOUT);
  const std::string error = dsrt_last_error(contexts[0]);
  EXPECT_NE(error.find("rank 1 is dp=0, tp=1; rank 2 is dp=1, tp=0"), std::string::npos) << error;
  EXPECT_NE(error.find("rank 4 is dp=2, tp=0"), std::string::npos) << error;
  EXPECT_EQ(error.find("rank 5 is"), std::string::npos) << error;
}

TEST_F(Axes, OtherNumbersOfRanksAreRefused) {
  EXPECT_EQ(why({"dp", "tp"}, {2, 2}),
            "dsrt_name_axes on rank 0: the axes are of 4 ranks, but the world has 6");
}

TEST_F(Axes, EmptyNamesAreRefused) {
  EXPECT_EQ(why({"dp", ""}, {2, 3}), "dsrt_name_axes on rank 0: the name of axis 1 is empty");
}

TEST_F(Axes, TheSameNameTwiceIsRefused) {
  EXPECT_EQ(why({"dp", "dp"}, {2, 3}), "dsrt_name_axes on rank 0: two axes have the name 'dp'");
}

TEST_F(Axes, ASizeBelowOneIsRefused) {
  EXPECT_EQ(why({"dp", "tp"}, {-2, -3}),
            "dsrt_name_axes on rank 0: axis 'dp' has size -2, expected 1 or more");
}

TEST_F(Axes, NullIsRefused) {
  EXPECT_EQ(dsrt_name_axes(nullptr, 0, nullptr, nullptr), DSRT_INVALID_ARGUMENT);
  EXPECT_EQ(dsrt_name_axes(contexts[0], 1, nullptr, nullptr), DSRT_INVALID_ARGUMENT);
  EXPECT_STREQ(dsrt_last_error(contexts[0]),
               "dsrt_name_axes on rank 0: null names or sizes, or 1 axes");
}

} // namespace
