//===- AllToAllTest.cpp - Exchanges beyond the matrix -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Fleet.h"
#include "Moved.h"

#include <gtest/gtest.h>

using namespace dsrt::cts;

namespace {

/// What rank `from` sends to rank `to` in buffer `buffer`.
int32_t valueOf(int32_t from, int32_t to, int32_t buffer, int64_t element) {
  return ((buffer * 10 + from) * 10 + to) * 1000 + static_cast<int32_t>(element);
}

Moved buffersOf(int32_t me, const std::vector<int32_t> &ranks, const std::vector<int64_t> &parts) {
  Moved buffers;
  for (size_t b = 0; b < parts.size(); ++b) {
    std::vector<int32_t> in, out;
    for (int32_t other : ranks)
      for (int64_t i = 0; i < parts[b]; ++i) {
        in.push_back(valueOf(me, other, static_cast<int32_t>(b), i));
        out.push_back(valueOf(other, me, static_cast<int32_t>(b), i));
      }
    buffers.add(in, out);
  }
  return buffers;
}

std::vector<int32_t> everyone(int32_t n) {
  std::vector<int32_t> ranks;
  for (int32_t r = 0; r < n; ++r)
    ranks.push_back(r);
  return ranks;
}

const std::vector<int64_t> parts = {7, 0, 1, 1000};

TEST(AllToAll, one_call_moves_many_buffers) {
  onAllRanks([](const Seat &seat, const Mode &) {
    Moved buffers = buffersOf(seat.rank, everyone(seat.numRanks), parts);
    EXPECT_OK(seat, dsrt_all_to_all(seat.context, 4, buffers.inputs.data(), buffers.outputs.data(),
                                    parts.data(), DSRT_I32, DSRT_WORLD));
    EXPECT_EQ(buffers.received, buffers.expected);
  });
}

// Members count within the group: of three, the middle one stays outside.
TEST(AllToAll, groups_exchange_among_their_members) {
  onAllRanks([](const Seat &seat, const Mode &) {
    std::vector<int32_t> ranks;
    for (int32_t r = seat.rank % 2; r < seat.numRanks; r += 2)
      ranks.push_back(r);
    dsrt_group group = -1;
    EXPECT_OK(seat, dsrt_group_create(seat.context, static_cast<int32_t>(ranks.size()),
                                      ranks.data(), &group));
    Moved buffers = buffersOf(seat.rank, ranks, parts);
    EXPECT_OK(seat, dsrt_all_to_all(seat.context, 4, buffers.inputs.data(), buffers.outputs.data(),
                                    parts.data(), DSRT_I32, group));
    EXPECT_EQ(buffers.received, buffers.expected);
    EXPECT_OK(seat, dsrt_group_destroy(seat.context, group));
  });
}

TEST(AllToAll, can_be_started) {
  onAllRanks([](const Seat &seat, const Mode &) {
    Moved buffers = buffersOf(seat.rank, everyone(seat.numRanks), parts);
    dsrt_pending *pending = nullptr;
    EXPECT_OK(seat,
              dsrt_all_to_all_start(seat.context, 4, buffers.inputs.data(), buffers.outputs.data(),
                                    parts.data(), DSRT_I32, DSRT_WORLD, &pending));
    EXPECT_OK(seat, dsrt_barrier(seat.context, DSRT_WORLD));
    EXPECT_OK(seat, dsrt_wait(seat.context, pending));
    EXPECT_EQ(buffers.received, buffers.expected);
  });
}

} // namespace
