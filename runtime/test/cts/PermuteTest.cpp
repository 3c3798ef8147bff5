//===- PermuteTest.cpp - Permutations beyond the matrix ---------*- C++ -*-===//
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

const std::vector<int64_t> sizes = {7, 0, 1, 1000};

/// What rank `rank` has in buffer `buffer`; nobody has zeros.
std::vector<int32_t> valuesOf(int32_t rank, size_t buffer) {
  std::vector<int32_t> values(static_cast<size_t>(sizes[buffer]));
  for (size_t i = 0; rank >= 0 && i < values.size(); ++i)
    values[i] = static_cast<int32_t>((buffer * 10 + rank + 1) * 1000 + i);
  return values;
}

Moved buffersOf(int32_t me, int32_t source) {
  Moved buffers;
  for (size_t b = 0; b < sizes.size(); ++b)
    buffers.add(valuesOf(me, b), valuesOf(source, b));
  return buffers;
}

/// A ring the other way round, in which the last but one keeps its own and a third one of four has
/// nobody to receive from.
std::vector<int64_t> sourcesOf(int64_t n) {
  std::vector<int64_t> sources;
  for (int64_t m = 0; m < n; ++m)
    sources.push_back((m + 1) % n);
  if (n > 2) {
    sources[n - 3] = n - 1;
    sources[n - 2] = n - 2;
  }
  if (n > 3)
    sources[n - 1] = -1;
  return sources;
}

TEST(Permute, one_call_moves_many_buffers) {
  onAllRanks([](const Seat &seat, const Mode &) {
    std::vector<int64_t> sources = sourcesOf(seat.numRanks);
    Moved buffers = buffersOf(seat.rank, static_cast<int32_t>(sources[seat.rank]));
    EXPECT_OK(seat, dsrt_collective_permute(seat.context, 4, buffers.inputs.data(),
                                            buffers.outputs.data(), sizes.data(), DSRT_I32,
                                            sources.data(), DSRT_WORLD));
    EXPECT_EQ(buffers.received, buffers.expected);
  });
}

// Sources count within the group: of three, the middle one stays outside.
TEST(Permute, groups_permute_among_their_members) {
  onAllRanks([](const Seat &seat, const Mode &) {
    std::vector<int32_t> ranks;
    for (int32_t r = seat.rank % 2; r < seat.numRanks; r += 2)
      ranks.push_back(r);
    dsrt_group group = -1;
    EXPECT_OK(seat, dsrt_group_create(seat.context, static_cast<int32_t>(ranks.size()),
                                      ranks.data(), &group));
    std::vector<int64_t> sources = sourcesOf(static_cast<int64_t>(ranks.size()));
    const int64_t source = sources[seat.rank / 2];
    Moved buffers = buffersOf(seat.rank, source < 0 ? -1 : ranks[source]);
    EXPECT_OK(seat, dsrt_collective_permute(seat.context, 4, buffers.inputs.data(),
                                            buffers.outputs.data(), sizes.data(), DSRT_I32,
                                            sources.data(), group));
    EXPECT_EQ(buffers.received, buffers.expected);
    EXPECT_OK(seat, dsrt_group_destroy(seat.context, group));
  });
}

// The list of sources is the caller's again when the start returns.
TEST(Permute, can_be_started) {
  onAllRanks([](const Seat &seat, const Mode &) {
    std::vector<int64_t> sources = sourcesOf(seat.numRanks);
    Moved buffers = buffersOf(seat.rank, static_cast<int32_t>(sources[seat.rank]));
    dsrt_pending *pending = nullptr;
    EXPECT_OK(seat, dsrt_collective_permute_start(seat.context, 4, buffers.inputs.data(),
                                                  buffers.outputs.data(), sizes.data(), DSRT_I32,
                                                  sources.data(), DSRT_WORLD, &pending));
    sources.assign(sources.size(), -1);
    EXPECT_OK(seat, dsrt_barrier(seat.context, DSRT_WORLD));
    EXPECT_OK(seat, dsrt_wait(seat.context, pending));
    EXPECT_EQ(buffers.received, buffers.expected);
  });
}

// Nobody sends: all have zeros, on devices, too, which are told nothing.
TEST(Permute, may_have_no_sources) {
  onAllRanks([](const Seat &seat, const Mode &) {
    std::vector<int64_t> sources(seat.numRanks, -1);
    Moved buffers = buffersOf(seat.rank, -1);
    EXPECT_OK(seat, dsrt_collective_permute(seat.context, 4, buffers.inputs.data(),
                                            buffers.outputs.data(), sizes.data(), DSRT_I32,
                                            sources.data(), DSRT_WORLD));
    EXPECT_EQ(buffers.received, buffers.expected);
  });
}

} // namespace
