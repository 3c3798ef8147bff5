//===- MatrixTest.cpp - Every collective, dtype, reduction and size -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One test per (collective, reduction, dtype, size); each runs on all ranks and in all modes of the
// fleet. Results must equal the reference bit by bit, except that floats of a mode without rank
// order may differ by rounding. In device memory each also runs in two groups at once, started and
// waited for.
//
//===----------------------------------------------------------------------===//
#include "Fleet.h"
#include "Values.h"

#include <gtest/gtest.h>
#include <map>
#include <mutex>
#include <numeric>
#include <tuple>

using namespace dsrt::cts;

namespace {

constexpr int64_t smallSizes[] = {0, 1, 3, 1000};
constexpr int64_t largeSize = (1 << 20) + 1;
// A device made of threads is slow; this is still several chunks of its wire.
constexpr int64_t fakeLargeSize = (1 << 17) + 1;

struct Case {
  dsrt_op op;
  dsrt_reduction reduction; // DSRT_SUM where there is none
  dsrt_dtype dtype;
  int64_t elements;

  bool reduces() const { return op == DSRT_OP_ALL_REDUCE || op == DSRT_OP_REDUCE_SCATTER; }
  std::string pattern() const {
    return std::string(dsrt_op_name(op)) +
           (reduces() ? std::string(".") + dsrt_reduction_name(reduction) : "") + "." +
           dsrt_dtype_name(dtype);
  }
};

std::vector<Case> allCases() {
  std::vector<Case> cases;
  for (dsrt_op op : {DSRT_OP_ALL_REDUCE, DSRT_OP_REDUCE_SCATTER, DSRT_OP_ALL_GATHER,
                     DSRT_OP_BROADCAST, DSRT_OP_ALL_TO_ALL, DSRT_OP_COLLECTIVE_PERMUTE}) {
    for (int r = 0; r < DSRT_NUM_REDUCTIONS; ++r) {
      for (int d = 0; d < DSRT_NUM_DTYPES; ++d) {
        Case c = {op, static_cast<dsrt_reduction>(r), static_cast<dsrt_dtype>(d), 0};
        if (!c.reduces() && r > 0)
          continue;
        for (int64_t elements : smallSizes) {
          c.elements = elements;
          cases.push_back(c);
        }
        c.elements = largeSize;
        if (c.dtype == DSRT_F32 || c.dtype == DSRT_BF16 || c.dtype == DSRT_I32)
          cases.push_back(c);
      }
    }
  }
  return cases;
}

class Matrix : public testing::TestWithParam<Case> {};

/// Elements of one member's part when the whole has about `elements`: the small sizes are kept as
/// they are.
int64_t partOf(int64_t elements, int32_t numRanks) {
  return elements < fakeLargeSize ? elements : (elements + numRanks - 1) / numRanks;
}

/// Host bytes and, in a mode that wants it, their copy in device memory, which calls then use.
class Placed {
public:
  Placed(const Seat &seat, Bytes &host) : seat(seat), host(host) {
    if (!seat.onDevice || host.empty())
      return;
    const int64_t bytes = static_cast<int64_t>(host.size());
    EXPECT_EQ(dsrt_memory_alloc(seat.context, bytes, &device), DSRT_OK);
    EXPECT_EQ(dsrt_memory_copy(seat.context, device, host.data(), bytes), DSRT_OK);
  }
  ~Placed() {
    if (device)
      (void)dsrt_memory_free(seat.context, device);
  }
  char *data() { return device ? static_cast<char *>(device) : host.data(); }
  void fetch() {
    if (!device)
      return;
    EXPECT_EQ(
        dsrt_memory_copy(seat.context, host.data(), device, static_cast<int64_t>(host.size())),
        DSRT_OK)
        << dsrt_last_error(seat.context);
  }

private:
  const Seat &seat;
  Bytes &host;
  void *device = nullptr;
};

/// The call, at once or as a start and its wait.
template <typename Now, typename Start> dsrt_status run(const Seat &seat, Now now, Start start) {
  dsrt_pending *pending = nullptr;
  if (!seat.starts)
    return now();
  const dsrt_status status = start(&pending);
  return status == DSRT_OK ? dsrt_wait(seat.context, pending) : status;
}

/// Ranks of one parity among themselves. Made once: contexts outlive the tests.
Seat inGroup(const Seat &seat) {
  std::vector<int32_t> ranks;
  for (int32_t r = seat.rank % 2; r < seat.numRanks; r += 2)
    ranks.push_back(r);
  static std::mutex mutex;
  static auto *groups = new std::map<dsrt_context *, dsrt_group>;
  std::unique_lock<std::mutex> lock(mutex);
  const bool isThere = groups->count(seat.context) != 0;
  lock.unlock();
  dsrt_group group = DSRT_WORLD;
  if (!isThere)
    EXPECT_OK(seat, dsrt_group_create(seat.context, static_cast<int32_t>(ranks.size()),
                                      ranks.data(), &group));
  lock.lock();
  group = groups->try_emplace(seat.context, group).first->second;
  return {seat.context,
          seat.rank / 2,
          static_cast<int32_t>(ranks.size()),
          seat.onDevice,
          group,
          /*starts=*/true,
          /*first=*/seat.rank % 2,
          /*stride=*/2};
}

std::string allReduce(const Seat &seat, const Case &c, const Bytes &expected, bool exact) {
  Bytes buffer = contribution(c.dtype, seat.rank, c.elements);
  Placed placed(seat, buffer);
  void *data = placed.data();
  auto now = [&] {
    return dsrt_all_reduce(seat.context, 1, &data, &c.elements, c.dtype, c.reduction, seat.group);
  };
  auto start = [&](dsrt_pending **pending) {
    return dsrt_all_reduce_start(seat.context, 1, &data, &c.elements, c.dtype, c.reduction,
                                 seat.group, pending);
  };
  if (run(seat, now, start) != DSRT_OK)
    return dsrt_last_error(seat.context);
  placed.fetch();
  return compare(c.dtype, buffer.data(), expected.data(), c.elements, exact, seat.numRanks);
}

std::string reduceScatter(const Seat &seat, const Case &c, const Bytes &expected, bool exact,
                          bool inPlace) {
  const int64_t part = partOf(c.elements, seat.numRanks), bytes = part * dsrt_dtype_size(c.dtype);
  Bytes input = contribution(c.dtype, seat.rank, part * seat.numRanks);
  Bytes separate(static_cast<size_t>(bytes));
  Placed from(seat, input), to(seat, separate);
  const void *in = from.data();
  void *out = inPlace ? from.data() + seat.rank * bytes : to.data();
  auto now = [&] {
    return dsrt_reduce_scatter(seat.context, 1, &in, &out, &part, c.dtype, c.reduction, seat.group);
  };
  auto start = [&](dsrt_pending **pending) {
    return dsrt_reduce_scatter_start(seat.context, 1, &in, &out, &part, c.dtype, c.reduction,
                                     seat.group, pending);
  };
  if (run(seat, now, start) != DSRT_OK)
    return dsrt_last_error(seat.context);
  (inPlace ? from : to).fetch();
  return compare(c.dtype, inPlace ? input.data() + seat.rank * bytes : separate.data(),
                 expected.data() + seat.rank * bytes, part, exact, seat.numRanks);
}

std::string allGather(const Seat &seat, const Case &c, bool inPlace) {
  const int64_t part = partOf(c.elements, seat.numRanks), bytes = part * dsrt_dtype_size(c.dtype);
  Bytes mine = contribution(c.dtype, seat.rank, part);
  Bytes output(static_cast<size_t>(bytes * seat.numRanks));
  if (inPlace)
    std::copy(mine.begin(), mine.end(), output.begin() + seat.rank * bytes);
  Placed from(seat, mine), to(seat, output);
  const void *in = inPlace ? to.data() + seat.rank * bytes : from.data();
  void *out = to.data();
  auto now = [&] {
    return dsrt_all_gather(seat.context, 1, &in, &out, &part, c.dtype, seat.group);
  };
  auto start = [&](dsrt_pending **pending) {
    return dsrt_all_gather_start(seat.context, 1, &in, &out, &part, c.dtype, seat.group, pending);
  };
  if (run(seat, now, start) != DSRT_OK)
    return dsrt_last_error(seat.context);
  to.fetch();
  for (int32_t r = 0; r < seat.numRanks; ++r) {
    Bytes expected = contribution(c.dtype, r, part);
    std::string difference =
        compare(c.dtype, output.data() + r * bytes, expected.data(), part, true, seat.numRanks);
    if (!difference.empty())
      return "part " + std::to_string(r) + ", " + difference;
  }
  return "";
}

std::string allToAll(const Seat &seat, const Case &c) {
  const int64_t part = partOf(c.elements, seat.numRanks), bytes = part * dsrt_dtype_size(c.dtype);
  Bytes input = contribution(c.dtype, seat.rank, part * seat.numRanks), output(input.size());
  Placed from(seat, input), to(seat, output);
  const void *in = from.data();
  void *out = to.data();
  auto now = [&] {
    return dsrt_all_to_all(seat.context, 1, &in, &out, &part, c.dtype, seat.group);
  };
  auto start = [&](dsrt_pending **pending) {
    return dsrt_all_to_all_start(seat.context, 1, &in, &out, &part, c.dtype, seat.group, pending);
  };
  if (run(seat, now, start) != DSRT_OK)
    return dsrt_last_error(seat.context);
  to.fetch();
  for (int32_t r = 0; r < seat.numRanks; ++r) {
    Bytes theirs = contribution(c.dtype, r, part * seat.numRanks);
    std::string difference = compare(c.dtype, output.data() + r * bytes,
                                     theirs.data() + seat.rank * bytes, part, true, seat.numRanks);
    if (!difference.empty())
      return "part " + std::to_string(r) + ", " + difference;
  }
  return "";
}

/// Rank r receives what rank r - 1 has; the first one what the last one has, in a ring, or zeros.
std::string permute(const Seat &seat, const Case &c, bool ring) {
  Bytes input = contribution(c.dtype, seat.rank, c.elements), output(input.size(), 1);
  Placed from(seat, input), to(seat, output);
  const void *in = from.data();
  void *out = to.data();
  std::vector<int64_t> sources(seat.numRanks);
  std::iota(sources.begin(), sources.end(), -1);
  if (ring)
    sources[0] = seat.numRanks - 1;
  auto now = [&] {
    return dsrt_collective_permute(seat.context, 1, &in, &out, &c.elements, c.dtype, sources.data(),
                                   seat.group);
  };
  auto start = [&](dsrt_pending **pending) {
    return dsrt_collective_permute_start(seat.context, 1, &in, &out, &c.elements, c.dtype,
                                         sources.data(), seat.group, pending);
  };
  if (run(seat, now, start) != DSRT_OK)
    return dsrt_last_error(seat.context);
  to.fetch();
  const int64_t source = sources[seat.rank];
  Bytes expected = source < 0 ? Bytes(input.size())
                              : contribution(c.dtype, static_cast<int32_t>(source), c.elements);
  return compare(c.dtype, output.data(), expected.data(), c.elements, true, seat.numRanks);
}

std::string broadcast(const Seat &seat, const Case &c, int32_t root) {
  Bytes buffer = contribution(c.dtype, seat.rank, c.elements);
  Placed placed(seat, buffer);
  void *data = placed.data();
  if (dsrt_broadcast(seat.context, 1, &data, &c.elements, c.dtype, seat.ofWorld(root),
                     seat.group) != DSRT_OK)
    return dsrt_last_error(seat.context);
  placed.fetch();
  Bytes expected = contribution(c.dtype, root, c.elements);
  return compare(c.dtype, buffer.data(), expected.data(), c.elements, true, seat.numRanks);
}

/// The case in all its forms on one rank, against the reference for so many ranks.
void agrees(const Seat &seat, const Case &c, const Bytes &expected, const Mode &mode) {
  auto check = [&](const std::string &difference) {
    EXPECT_EQ(difference, "") << "on rank " << seat.rank << " of " << seat.numRanks
                              << (seat.group == DSRT_WORLD ? ", " : " of a group, ") << mode.name;
  };
  switch (c.op) {
  case DSRT_OP_ALL_REDUCE:
    return check(allReduce(seat, c, expected, mode.inRankOrder));
  case DSRT_OP_REDUCE_SCATTER:
    check(reduceScatter(seat, c, expected, mode.inRankOrder, false));
    return check(reduceScatter(seat, c, expected, mode.inRankOrder, true));
  case DSRT_OP_ALL_GATHER:
    check(allGather(seat, c, false));
    return check(allGather(seat, c, true));
  case DSRT_OP_BROADCAST:
    check(broadcast(seat, c, 0));
    return check(broadcast(seat, c, seat.numRanks - 1));
  case DSRT_OP_ALL_TO_ALL:
    return check(allToAll(seat, c));
  case DSRT_OP_COLLECTIVE_PERMUTE:
    check(permute(seat, c, false));
    return check(permute(seat, c, true));
  case DSRT_OP_BARRIER:
    return;
  }
}

Bytes referenceOf(const Case &c, int32_t n) {
  if (!c.reduces())
    return {};
  std::vector<int32_t> ranks(n);
  std::iota(ranks.begin(), ranks.end(), 0);
  const int64_t whole = c.op == DSRT_OP_REDUCE_SCATTER ? partOf(c.elements, n) * n : c.elements;
  return reduced(c.dtype, c.reduction, ranks, whole);
}

TEST_P(Matrix, agrees_with_the_reference) {
  Fleet &fleet = Fleet::instance();
  Case c = GetParam();
  const bool large = c.elements == largeSize;
  if (large && fleet.onFakes())
    c.elements = fakeLargeSize;
  const int32_t n = fleet.numRanks();
  const char *reason = fleet.unsupportedReason(c.pattern());
  if (reason) {
    RecordProperty("unsupported", reason);
    // An unexpected pass fails: the list must shrink when a backend learns something.
    for (Mode &mode : fleet.modes())
      EXPECT_FALSE(dsrt_supports(mode.contexts[0], c.op, c.dtype, c.reduction))
          << c.pattern() << " is on the unsupported list (" << reason << ") but works";
    return;
  }
  const Bytes expected = referenceOf(c, n);
  const bool inGroups = n > 2;
  Bytes ofGroups[2]; // of the ranks with even numbers, and with odd ones
  if (inGroups) {
    ofGroups[0] = referenceOf(c, (n + 1) / 2);
    ofGroups[1] = referenceOf(c, n / 2);
  }
  for (Mode &mode : fleet.modes()) {
    EXPECT_TRUE(dsrt_supports(mode.contexts[0], c.op, c.dtype, c.reduction)) << c.pattern();
    if (mode.smallOnly && large)
      continue;
    fleet.run(mode, [&](const Seat &seat) {
      agrees(seat, c, expected, mode);
      if (mode.onDevice && inGroups)
        agrees(inGroup(seat), c, ofGroups[seat.rank % 2], mode);
    });
  }
}

INSTANTIATE_TEST_SUITE_P(All, Matrix, testing::ValuesIn(allCases()), [](const auto &info) {
  std::string name = info.param.pattern() + "_" + std::to_string(info.param.elements);
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
});

} // namespace
