//===- KernelTest.cpp - The kernels of every instruction set agree bit by bit -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../cts/Values.h"
#include "base/Kernels.h"
#include "base/Threads.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>

using namespace dsrt;
using namespace dsrt::cts;

namespace {

std::vector<const KernelTable *> tablesOfThisMachine() {
  std::vector<const KernelTable *> tables = {&kernels_baseline()};
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("x86-64-v3"))
    tables.push_back(&kernels_x86_64_v3());
  if (__builtin_cpu_supports("x86-64-v4"))
    tables.push_back(&kernels_x86_64_v4());
#endif
  return tables;
}

TEST(Kernels, are_present_exactly_where_a_reduction_is_defined) {
  for (const KernelTable *table : tablesOfThisMachine()) {
    for (int d = 0; d < DSRT_NUM_DTYPES; ++d) {
      const bool widened = table->widen[d] != nullptr;
      EXPECT_EQ(widened, d == DSRT_F16 || d == DSRT_BF16);
      EXPECT_EQ(widened, table->narrow[d] != nullptr);
      for (int r = 0; r < DSRT_NUM_REDUCTIONS; ++r) {
        const bool defined = (definedReductions(static_cast<dsrt_dtype>(d)) >> r) & 1u;
        const int carrier = widened ? DSRT_F32 : d;
        if (defined) {
          EXPECT_TRUE(table->first[carrier][r]) << d << ' ' << r;
          EXPECT_TRUE(table->next[carrier][r]) << d << ' ' << r;
        } else if (!widened) {
          EXPECT_FALSE(table->first[d][r]) << d << ' ' << r;
        }
      }
    }
  }
}

TEST(Kernels, widen_every_half_and_bfloat) {
  for (const KernelTable *table : tablesOfThisMachine()) {
    for (uint32_t bits = 0; bits < 65536; ++bits) {
      const uint16_t value = static_cast<uint16_t>(bits);
      float half, bfloat;
      table->widen[DSRT_F16](&half, &value, 1);
      table->widen[DSRT_BF16](&bfloat, &value, 1);
      const double expectedHalf = halfToDouble(value), expectedBfloat = bfloatToDouble(value);
      ASSERT_TRUE(half == expectedHalf || (std::isnan(half) && std::isnan(expectedHalf))) << bits;
      ASSERT_TRUE(bfloat == expectedBfloat || (std::isnan(bfloat) && std::isnan(expectedBfloat)))
          << bits;
    }
  }
}

TEST(Kernels, half_denormals_survive_on_a_thread_that_flushes) {
  FlushDenormalsScope flush;
  for (const KernelTable *table : tablesOfThisMachine()) {
    for (uint32_t bits = 0; bits < 0x400; ++bits) {
      const uint16_t value = static_cast<uint16_t>(bits);
      float widened;
      uint16_t back;
      table->widen[DSRT_F16](&widened, &value, 1);
      EXPECT_EQ(widened, static_cast<float>(bits) * 0x1p-24f);
      table->narrow[DSRT_F16](&back, &widened, 1);
      ASSERT_EQ(back, value);
    }
  }
}

// Around every boundary of two neighbouring halves: just below, at, and just above the middle
// between them.
TEST(Kernels, narrow_to_nearest_even) {
  for (const KernelTable *table : tablesOfThisMachine()) {
    for (uint32_t bits = 0; bits < 0x7c00; ++bits) {
      const double low = halfToDouble(static_cast<uint16_t>(bits));
      const double high = bits == 0x7bff ? 65536.0 : halfToDouble(static_cast<uint16_t>(bits + 1));
      const float middle = static_cast<float>((low + high) / 2);
      for (float value :
           {std::nextafter(middle, 0.0f), middle, std::nextafter(middle, 1e9f), -middle}) {
        uint16_t got;
        table->narrow[DSRT_F16](&got, &value, 1);
        ASSERT_EQ(got, doubleToHalf(value)) << value;
      }
    }
    for (uint32_t bits = 0x80; bits < 0x7f80; ++bits) {
      uint32_t middleBits = (bits << 16) | 0x8000u;
      for (uint32_t candidate :
           {middleBits - 1, middleBits, middleBits + 1, middleBits | 0x80000000u}) {
        float value;
        std::memcpy(&value, &candidate, sizeof value);
        uint16_t got;
        table->narrow[DSRT_BF16](&got, &value, 1);
        ASSERT_EQ(got, doubleToBfloat(value)) << value;
      }
    }
  }
}

TEST(Kernels, narrow_keeps_nan_and_infinity) {
  const float inputs[] = {std::numeric_limits<float>::quiet_NaN(),
                          std::numeric_limits<float>::infinity(),
                          -std::numeric_limits<float>::infinity(), 1e9f};
  for (const KernelTable *table : tablesOfThisMachine()) {
    uint16_t half[4], bfloat[4];
    table->narrow[DSRT_F16](half, inputs, 4);
    table->narrow[DSRT_BF16](bfloat, inputs, 4);
    EXPECT_TRUE(std::isnan(halfToDouble(half[0])));
    EXPECT_TRUE(std::isnan(bfloatToDouble(bfloat[0])));
    EXPECT_EQ(half[1], 0x7c00);
    EXPECT_EQ(half[2], 0xfc00);
    EXPECT_EQ(half[3], 0x7c00);
    EXPECT_EQ(bfloat[1], 0x7f80);
    EXPECT_EQ(bfloat[2], 0xff80);
  }
}

TEST(Kernels, all_instruction_sets_give_the_same_bits) {
  constexpr int64_t n = 1003;
  for (int d = 0; d < DSRT_NUM_DTYPES; ++d) {
    const dsrt_dtype dtype = static_cast<dsrt_dtype>(d);
    for (int r = 0; r < DSRT_NUM_REDUCTIONS; ++r) {
      if (!kernels_baseline().first[d][r])
        continue;
      const Bytes a = contribution(dtype, 0, n), b = contribution(dtype, 1, n),
                  c = contribution(dtype, 2, n);
      std::vector<Bytes> results;
      for (const KernelTable *table : tablesOfThisMachine()) {
        Bytes out(a.size());
        table->first[d][r](out.data(), a.data(), b.data(), n);
        table->next[d][r](out.data(), c.data(), n);
        results.push_back(out);
      }
      for (const Bytes &result : results)
        EXPECT_EQ(result, results[0]) << dsrt_dtype_name(dtype) << ' ' << r;
    }
  }
}

TEST(Kernels, do_not_depend_on_where_a_share_begins) {
  constexpr int64_t n = 5000;
  const Bytes parts[] = {contribution(DSRT_BF16, 0, n), contribution(DSRT_BF16, 1, n),
                         contribution(DSRT_BF16, 2, n)};
  Bytes whole(parts[0].size()), pieces(parts[0].size());
  auto reduce = [&](int64_t begin, int64_t end, Bytes &out) {
    const void *sources[3];
    for (int s = 0; s < 3; ++s)
      sources[s] = parts[s].data() + begin * 2;
    void *output = out.data() + begin * 2;
    reduceInRankOrder(DSRT_BF16, DSRT_MEAN, 3, sources, end - begin, 1, &output);
  };
  reduce(0, n, whole);
  for (int64_t begin = 0; begin < n; begin += 77)
    reduce(begin, std::min(n, begin + 77), pieces);
  EXPECT_EQ(whole, pieces);
}

// A mean is the sum times 1/n in the type that carries it, beyond the first block of 2048, too.
TEST(Kernels, a_mean_is_the_scaled_sum_in_every_block) {
  const int64_t n = 2 * 2048 + 5, ranks = 3;
  for (dsrt_dtype dtype : {DSRT_F64, DSRT_F32, DSRT_F16, DSRT_BF16}) {
    const int64_t bytes = n * dsrt_dtype_size(dtype);
    std::vector<std::vector<char>> inputs(ranks, std::vector<char>(bytes));
    const void *sources[ranks];
    for (int64_t r = 0; r < ranks; ++r) {
      for (int64_t i = 0; i < n; ++i) {
        const float value = static_cast<float>((i % 13 + r) * (i % 2 ? 1 : -1));
        char *at = inputs[r].data() + i * dsrt_dtype_size(dtype);
        const KernelTable &table = kernels_baseline();
        const double wide = value;
        if (table.narrow[dtype])
          table.narrow[dtype](at, &value, 1);
        else if (dtype == DSRT_F64)
          std::memcpy(at, &wide, sizeof wide);
        else
          std::memcpy(at, &value, sizeof value);
      }
      sources[r] = inputs[r].data();
    }
    std::vector<char> sum(bytes), mean(bytes);
    void *sumData = sum.data(), *meanData = mean.data();
    reduceInRankOrder(dtype, DSRT_SUM, ranks, sources, n, 1, &sumData);
    reduceInRankOrder(dtype, DSRT_MEAN, ranks, sources, n, 1, &meanData);
    // These sums are exact in every type, so only the product is rounded.
    scaleToMean(dtype, ranks, n, sum.data());
    EXPECT_EQ(sum, mean) << "dtype " << dtype;
  }
}

// A chain of processes passes the reduction so far on.
TEST(Kernels, a_reduction_in_parts_has_the_bits_of_one) {
  constexpr int64_t ranks = 5, n = 5003;
  for (int d = 0; d < DSRT_NUM_DTYPES; ++d)
    for (int r = 0; r < DSRT_NUM_REDUCTIONS; ++r) {
      const auto dtype = static_cast<dsrt_dtype>(d);
      const auto reduction = static_cast<dsrt_reduction>(r);
      if (!((definedReductions(dtype) >> r) & 1u))
        continue;
      const int64_t size = dsrt_dtype_size(dtype);
      std::vector<Bytes> inputs;
      std::vector<const void *> sources;
      for (int32_t rank = 0; rank < ranks; ++rank)
        inputs.push_back(contribution(dtype, rank, n, 7));
      for (const Bytes &input : inputs)
        sources.push_back(input.data());
      std::vector<char> whole(n * size), parts(n * size),
          carried(n * dsrt_dtype_size(carrierOf(dtype)));
      void *output = whole.data();
      reduceInRankOrder(dtype, reduction, ranks, sources.data(), n, 1, &output);
      const dsrt_reduction step = reduction == DSRT_MEAN ? DSRT_SUM : reduction;
      for (int64_t cut : {1, 2, 4}) {
        continueReduction(dtype, step, nullptr, cut, sources.data(), n, carried.data());
        continueReduction(dtype, step, carried.data(), ranks - cut, sources.data() + cut, n,
                          carried.data());
        endReduction(dtype, reduction, ranks, carried.data(), n, parts.data());
        EXPECT_EQ(whole, parts) << dsrt_dtype_name(dtype) << ' ' << dsrt_reduction_name(reduction);
      }
    }
}

TEST(Threads, the_flush_scope_restores_what_was_there) {
  volatile float tiny = std::numeric_limits<float>::denorm_min();
  EXPECT_NE(tiny * 1.0f, 0.0f);
  {
    FlushDenormalsScope flush;
    EXPECT_EQ(tiny * 1.0f, 0.0f);
  }
  EXPECT_NE(tiny * 1.0f, 0.0f);
}

} // namespace
