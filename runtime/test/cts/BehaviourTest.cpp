//===- BehaviourTest.cpp - What backends must do beyond the matrix -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Fleet.h"
#include "Values.h"

#include <cstring>
#include <gtest/gtest.h>
#include <numeric>

using namespace dsrt::cts;

namespace {

std::vector<int32_t> everyone(int32_t n) {
  std::vector<int32_t> ranks(n);
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

// More than a rank shows the others at a glance.
const std::vector<int64_t> bucketSizes = {1000, 0, 3, 64, 1, 4099, 17, 5, 130, 2, 33};

TEST(Buckets, one_call_of_many_buffers_equals_many_calls) {
  onAllRanks([](const Seat &seat, const Mode &mode) {
    for (dsrt_dtype dtype : {DSRT_F32, DSRT_BF16, DSRT_F64}) {
      if (!dsrt_supports(seat.context, DSRT_OP_ALL_REDUCE, dtype, DSRT_SUM))
        continue;
      std::vector<Bytes> together, apart;
      std::vector<void *> pointers;
      for (size_t b = 0; b < bucketSizes.size(); ++b)
        together.push_back(
            contribution(dtype, seat.rank, bucketSizes[b], static_cast<uint32_t>(b)));
      apart = together;
      for (Bytes &buffer : together)
        pointers.push_back(buffer.data());
      EXPECT_OK(seat,
                dsrt_all_reduce(seat.context, static_cast<int64_t>(pointers.size()),
                                pointers.data(), bucketSizes.data(), dtype, DSRT_SUM, DSRT_WORLD));
      for (size_t b = 0; b < bucketSizes.size(); ++b) {
        void *data = apart[b].data();
        EXPECT_OK(seat, dsrt_all_reduce(seat.context, 1, &data, &bucketSizes[b], dtype, DSRT_SUM,
                                        DSRT_WORLD));
        EXPECT_EQ(compare(dtype, together[b].data(), apart[b].data(), bucketSizes[b],
                          mode.inRankOrder, seat.numRanks),
                  "")
            << "buffer " << b << " on rank " << seat.rank << ", " << mode.name;
      }
    }
  });
}

/// Slots of 64-byte alignment in one block, as bufferization lays them out.
struct ArenaLayout {
  std::vector<int64_t> offsets;
  int64_t bytes = 0;
  explicit ArenaLayout(int64_t elementSize, int64_t extraGap = 0) {
    for (int64_t elements : bucketSizes) {
      offsets.push_back(bytes);
      bytes = (bytes + elements * elementSize + 63) / 64 * 64 + extraGap;
    }
  }
};

TEST(Buckets, an_arena_gives_the_same_bits_registered_or_not) {
  onAllRanks([](const Seat &seat, const Mode &mode) {
    const ArenaLayout layout(4);
    for (bool registered : {false, true}) {
      std::vector<double> memory(static_cast<size_t>(layout.bytes / 8 + 16), 7.0);
      char *base = reinterpret_cast<char *>(memory.data());
      base += (64 - reinterpret_cast<uintptr_t>(base) % 64) % 64;
      if (registered) {
        EXPECT_OK(seat, dsrt_buffer_register(seat.context, base, layout.bytes));
      }
      std::vector<void *> pointers;
      for (size_t b = 0; b < bucketSizes.size(); ++b) {
        Bytes data = contribution(DSRT_F32, seat.rank, bucketSizes[b], static_cast<uint32_t>(b));
        pointers.push_back(base + layout.offsets[b]);
        std::copy(data.begin(), data.end(), base + layout.offsets[b]);
      }
      EXPECT_OK(seat, dsrt_all_reduce(seat.context, static_cast<int64_t>(pointers.size()),
                                      pointers.data(), bucketSizes.data(), DSRT_F32, DSRT_SUM,
                                      DSRT_WORLD));
      for (size_t b = 0; b < bucketSizes.size(); ++b) {
        Bytes expected = reduced(DSRT_F32, DSRT_SUM, everyone(seat.numRanks), bucketSizes[b],
                                 static_cast<uint32_t>(b));
        EXPECT_EQ(compare(DSRT_F32, base + layout.offsets[b], expected.data(), bucketSizes[b],
                          mode.inRankOrder, seat.numRanks),
                  "")
            << "buffer " << b << " on rank " << seat.rank << (registered ? ", registered" : "");
      }
      if (registered) {
        EXPECT_OK(seat, dsrt_buffer_unregister(seat.context, base));
      }
    }
  });
}

// A bucket may be one span on rank 0 and scattered on the others: ranks must not take different
// roads.
TEST(Buckets, ranks_may_lay_out_the_same_call_differently) {
  onAllRanks([](const Seat &seat, const Mode &mode) {
    const ArenaLayout layout(4, seat.rank == 0 ? 0 : 4096);
    std::vector<double> memory(static_cast<size_t>(layout.bytes / 8 + 1), 3.0);
    char *base = reinterpret_cast<char *>(memory.data());
    EXPECT_OK(seat, dsrt_buffer_register(seat.context, base, layout.bytes));
    std::vector<void *> pointers;
    for (size_t b = 0; b < bucketSizes.size(); ++b) {
      Bytes data = contribution(DSRT_F32, seat.rank, bucketSizes[b], static_cast<uint32_t>(b));
      pointers.push_back(base + layout.offsets[b]);
      std::copy(data.begin(), data.end(), base + layout.offsets[b]);
    }
    EXPECT_OK(seat,
              dsrt_all_reduce(seat.context, static_cast<int64_t>(pointers.size()), pointers.data(),
                              bucketSizes.data(), DSRT_F32, DSRT_SUM, DSRT_WORLD));
    for (size_t b = 0; b < bucketSizes.size(); ++b) {
      Bytes expected = reduced(DSRT_F32, DSRT_SUM, everyone(seat.numRanks), bucketSizes[b],
                               static_cast<uint32_t>(b));
      EXPECT_EQ(compare(DSRT_F32, base + layout.offsets[b], expected.data(), bucketSizes[b],
                        mode.inRankOrder, seat.numRanks),
                "");
    }
    EXPECT_OK(seat, dsrt_buffer_unregister(seat.context, base));
  });
}

TEST(Buckets, memory_between_unregistered_buffers_is_not_touched) {
  onAllRanks([](const Seat &seat, const Mode &) {
    // Two buffers with one foreign element between them, as an allocator's header would lie.
    std::vector<float> memory = {1, 1, 1, -12345.0f, 1, 1, 1};
    void *pointers[] = {memory.data(), memory.data() + 4};
    const int64_t sizes[] = {3, 3};
    EXPECT_OK(seat,
              dsrt_all_reduce(seat.context, 2, pointers, sizes, DSRT_F32, DSRT_SUM, DSRT_WORLD));
    const float n = static_cast<float>(seat.numRanks);
    EXPECT_EQ(memory, (std::vector<float>{n, n, n, -12345.0f, n, n, n}));
  });
}

int64_t power10(int32_t exponent) {
  int64_t value = 1;
  for (int32_t i = 0; i < exponent; ++i)
    value *= 10;
  return value;
}

std::vector<std::vector<int32_t>> groupsOf(int32_t n) {
  std::vector<int32_t> even, odd, ends = {0}, withoutFirst;
  for (int32_t r = 0; r < n; ++r) {
    (r % 2 ? odd : even).push_back(r);
    if (r > 0)
      withoutFirst.push_back(r);
  }
  if (n > 1)
    ends.push_back(n - 1);
  std::vector<std::vector<int32_t>> groups = {even, odd, ends, withoutFirst};
  for (int32_t r = 0; r < n; ++r)
    groups.push_back({r});
  return groups;
}

// Rank r contributes 10^r: each digit of the sum says how often a rank was counted.
TEST(Groups, digits_show_exactly_the_members) {
  onAllRanks([](const Seat &seat, const Mode &) {
    for (const std::vector<int32_t> &ranks : groupsOf(seat.numRanks)) {
      auto place = std::find(ranks.begin(), ranks.end(), seat.rank);
      if (place == ranks.end())
        continue;
      const int64_t size = static_cast<int64_t>(ranks.size()), index = place - ranks.begin();
      dsrt_group group = -1;
      EXPECT_OK(seat,
                dsrt_group_create(seat.context, static_cast<int32_t>(size), ranks.data(), &group));
      int32_t reported = 0;
      EXPECT_OK(seat, dsrt_group_size(seat.context, group, &reported));
      EXPECT_EQ(reported, size);

      int64_t sum = 0;
      for (int32_t r : ranks)
        sum += power10(r);
      int64_t value = power10(seat.rank);
      void *data = &value;
      const int64_t one = 1;
      EXPECT_OK(seat, dsrt_all_reduce(seat.context, 1, &data, &one, DSRT_I64, DSRT_SUM, group));
      EXPECT_EQ(value, sum);

      // Part m of the scatter: (m + 1) times the sum.
      std::vector<int64_t> parts;
      for (int64_t m = 0; m < size; ++m)
        parts.push_back((m + 1) * power10(seat.rank));
      const void *in = parts.data();
      EXPECT_OK(seat,
                dsrt_reduce_scatter(seat.context, 1, &in, &data, &one, DSRT_I64, DSRT_SUM, group));
      EXPECT_EQ(value, (index + 1) * sum);

      std::vector<int64_t> gathered(static_cast<size_t>(size)), expected;
      for (int32_t r : ranks)
        expected.push_back(power10(r));
      value = power10(seat.rank);
      in = &value;
      void *out = gathered.data();
      EXPECT_OK(seat, dsrt_all_gather(seat.context, 1, &in, &out, &one, DSRT_I64, group));
      EXPECT_EQ(gathered, expected);

      for (int32_t root : ranks) {
        value = power10(seat.rank);
        EXPECT_OK(seat, dsrt_broadcast(seat.context, 1, &data, &one, DSRT_I64, root, group));
        EXPECT_EQ(value, power10(root));
      }
      EXPECT_OK(seat, dsrt_barrier(seat.context, group));
      EXPECT_OK(seat, dsrt_group_destroy(seat.context, group));
    }
  });
}

TEST(Groups, the_same_ranks_give_the_same_handle_until_destroyed_as_often) {
  onAllRanks([](const Seat &seat, const Mode &) {
    if (seat.numRanks < 3)
      return;
    if (seat.rank == seat.numRanks - 1) // the group needs a rank outside, or it is the world
      return;
    std::vector<int32_t> ranks = everyone(seat.numRanks - 1);
    const int32_t size = static_cast<int32_t>(ranks.size());
    dsrt_group first = -1, second = -1;
    EXPECT_OK(seat, dsrt_group_create(seat.context, size, ranks.data(), &first));
    EXPECT_OK(seat, dsrt_group_create(seat.context, size, ranks.data(), &second));
    EXPECT_EQ(first, second);
    EXPECT_NE(first, DSRT_WORLD);
    EXPECT_OK(seat, dsrt_group_destroy(seat.context, first));
    EXPECT_OK(seat, dsrt_barrier(seat.context, second));
    EXPECT_OK(seat, dsrt_group_destroy(seat.context, second));
    // A new group in the same place works like the first.
    EXPECT_OK(seat, dsrt_group_create(seat.context, size, ranks.data(), &first));
    EXPECT_OK(seat, dsrt_barrier(seat.context, first));
    EXPECT_OK(seat, dsrt_group_destroy(seat.context, first));
  });
}

TEST(Groups, all_ranks_give_the_world) {
  onAllRanks([](const Seat &seat, const Mode &) {
    std::vector<int32_t> ranks = everyone(seat.numRanks);
    dsrt_group group = -1;
    EXPECT_OK(seat, dsrt_group_create(seat.context, seat.numRanks, ranks.data(), &group));
    EXPECT_EQ(group, DSRT_WORLD);
    EXPECT_OK(seat, dsrt_group_destroy(seat.context, group));
    EXPECT_OK(seat, dsrt_barrier(seat.context, DSRT_WORLD));
  });
}

dsrt_capabilities capabilitiesOf(const Seat &seat) {
  dsrt_capabilities capabilities = {};
  capabilities.struct_size = sizeof capabilities;
  EXPECT_OK(seat, dsrt_get_capabilities(seat.context, &capabilities));
  return capabilities;
}

TEST(Floats, max_and_min_propagate_nan_from_any_rank) {
  onAllRanks([](const Seat &seat, const Mode &mode) {
    for (dsrt_reduction reduction : {DSRT_MAX, DSRT_MIN}) {
      // Element i is NaN on rank i only; the last one nowhere.
      std::vector<float> values(static_cast<size_t>(seat.numRanks + 1),
                                static_cast<float>(seat.rank));
      values[seat.rank] = std::numeric_limits<float>::quiet_NaN();
      void *data = values.data();
      const int64_t elements = seat.numRanks + 1;
      EXPECT_OK(seat, dsrt_all_reduce(seat.context, 1, &data, &elements, DSRT_F32, reduction,
                                      DSRT_WORLD));
      // A backend that loses them must say so.
      for (int32_t i = 0; i < seat.numRanks; ++i)
        EXPECT_EQ(values[i] != values[i], seat.numRanks == 1 || capabilitiesOf(seat).nan_order)
            << mode.name << ", element " << i;
      EXPECT_EQ(values.back(),
                reduction == DSRT_MAX ? static_cast<float>(seat.numRanks - 1) : 0.0f);
    }
  });
}

// 1 + 2^-9 is lost if every addition rounds to bf16, and kept for eight ranks when only the end
// does.
TEST(Floats, sixteen_bit_sums_round_once) {
  onAllRanks([](const Seat &seat, const Mode &mode) {
    if (!mode.inRankOrder)
      return;
    uint16_t value = doubleToBfloat(seat.rank == 0 ? 1.0 : 0x1p-9);
    void *data = &value;
    const int64_t one = 1;
    EXPECT_OK(seat, dsrt_all_reduce(seat.context, 1, &data, &one, DSRT_BF16, DSRT_SUM, DSRT_WORLD));
    EXPECT_EQ(value, doubleToBfloat(1.0 + (seat.numRanks - 1) * 0x1p-9));
  });
}

TEST(Statistics, count_calls_and_bytes) {
  onAllRanks([](const Seat &seat, const Mode &) {
    dsrt_statistics before = {}, after = {};
    before.struct_size = after.struct_size = sizeof(dsrt_statistics);
    EXPECT_OK(seat, dsrt_get_statistics(seat.context, &before));
    std::vector<int32_t> values(10);
    void *data = values.data();
    const int64_t elements = 10;
    EXPECT_OK(seat,
              dsrt_all_reduce(seat.context, 1, &data, &elements, DSRT_I32, DSRT_SUM, DSRT_WORLD));
    EXPECT_OK(seat, dsrt_barrier(seat.context, DSRT_WORLD));
    EXPECT_OK(seat, dsrt_get_statistics(seat.context, &after));
    EXPECT_EQ(after.calls, before.calls + 2);
    EXPECT_EQ(after.bytes, before.bytes + 40);
    EXPECT_GE(after.total_ns, after.waiting_ns);
    EXPECT_GT(after.exposed_ns, before.exposed_ns);
  });
}

TEST(Capabilities, name_the_backend_and_its_dtypes) {
  onAllRanks([](const Seat &seat, const Mode &mode) {
    const dsrt_capabilities capabilities = capabilitiesOf(seat);
    EXPECT_EQ(capabilities.backend, Fleet::instance().backend());
    EXPECT_EQ(capabilities.dtypes, (1u << DSRT_NUM_DTYPES) - 1);
    EXPECT_EQ(capabilities.deterministic, mode.inRankOrder ? 1u : 0u);
    EXPECT_EQ(capabilities.async, 1u);
  });
}

} // namespace
