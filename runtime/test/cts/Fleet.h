//===- Fleet.h - The ranks that a conformance test runs on ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A test body runs once per rank: on n threads for `local`, `nccl` and `hccl`; on this process for
// `mpi`, `nccl-processes` and `hccl-processes`, whose other ranks run the same tests in the same
// order in their own processes. A body must therefore not
// leave early on one rank alone: it uses EXPECT, never ASSERT.
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_TEST_CTS_FLEET_H
#define DSRT_TEST_CTS_FLEET_H

#include "dsrt/dsrt.h"

#include <functional>
#include <string>
#include <vector>

namespace dsrt::cts {

/// One rank in one mode.
struct Seat {
  dsrt_context *context;
  int32_t rank;
  int32_t numRanks;
  bool onDevice;
  // Of a seat in a group: rank and number of ranks are those in it.
  dsrt_group group = DSRT_WORLD;
  bool starts = false;           // calls are started and waited for
  int32_t first = 0, stride = 1; // the world's ranks of its members

  int32_t ofWorld(int32_t member) const { return first + member * stride; }
};

/// A way to set up the backend; every test runs in each.
struct Mode {
  std::string name;
  bool inRankOrder; // results must be bit-equal to the reduction in rank order
  bool smallOnly;   // chunks are tiny: large sizes would take long and show nothing new
  bool onDevice;    // buffers of the matrix are device memory
  std::vector<dsrt_context *> contexts; // of the ranks in this process
  dsrt_context *processes;              // over which they were made, or null
};

/// {pattern, reason}: `*` matches anything. A case "op.reduction.dtype" on the list must be refused
/// by dsrt_supports, and every other case must work.
struct Unsupported {
  const char *pattern;
  const char *reason;
};

class Fleet {
public:
  static Fleet &instance();

  /// Makes the contexts; exits with a message if that fails.
  void open(const std::string &backend, int32_t ranks);
  /// Shuts down; returns false if a context failed on the way.
  bool close();

  int32_t numRanks() const { return ranks; }
  bool isReporter() const { return reporter; } // prints the results
  const std::string &backend() const { return backendName; }
  bool onFakes() const; // the vendor library is one of runtime/test/fakes
  std::vector<Mode> &modes() { return allModes; }

  /// Runs `body` on every rank of this process in one mode.
  void run(Mode &mode, const std::function<void(const Seat &)> &body);
  /// The reason why a case is on the unsupported list, or null.
  const char *unsupportedReason(const std::string &testCase) const;

private:
  void addMode(const char *name, const dsrt_options &options, bool inRankOrder,
               bool smallOnly = false, bool onDevice = false);
  void openDeviceModes(dsrt_options options);

  std::string backendName;
  bool processes = false; // this process is one rank
  int32_t ranks = 0;
  bool reporter = true;
  std::vector<Mode> allModes;
  bool shares = false; // this process holds several ranks, of a job of processes
};

/// Runs `body` on every rank of this process, in one mode after another.
void onAllRanks(const std::function<void(const Seat &, const Mode &)> &body);

#define EXPECT_OK(seat, call) EXPECT_EQ((call), DSRT_OK) << dsrt_last_error((seat).context)

} // namespace dsrt::cts

#endif // DSRT_TEST_CTS_FLEET_H
