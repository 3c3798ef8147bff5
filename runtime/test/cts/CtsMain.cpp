//===- CtsMain.cpp - The conformance suite of one backend and rank count -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// dsrt-cts BACKEND RANKS [--table] [gtest flags]: for `mpi` and BACKEND-processes, started by the
// launcher on RANKS processes; for BACKEND-hybrid on any number, which share the ranks, and for
// BACKEND-hybrid-chunked with data in small pieces. One start runs the whole matrix. --table prints
// which reductions the backend has for each dtype, as in docs/Runtime.md, and runs nothing.
//
//===----------------------------------------------------------------------===//
#include "Fleet.h"
#include "StandardStreams.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>

using dsrt::cts::Fleet;

namespace {
/// Prints failures only, with the rank, on the ranks that do not report.
class QuietPrinter : public testing::EmptyTestEventListener {
  void OnTestPartResult(const testing::TestPartResult &result) override {
    if (result.failed())
      std::fprintf(stderr, "%s:%d: %s\n", result.file_name(), result.line_number(),
                   result.message());
  }
};

void printTable(const dsrt_context *context) {
  std::printf("| dtype |");
  for (int r = 0; r < DSRT_NUM_REDUCTIONS; ++r)
    std::printf(" %s |", dsrt_reduction_name(static_cast<dsrt_reduction>(r)));
  std::printf("\n|---|");
  for (int r = 0; r < DSRT_NUM_REDUCTIONS; ++r)
    std::printf("---|");
  std::printf("\n");
  for (int d = 0; d < DSRT_NUM_DTYPES; ++d) {
    std::printf("| %s |", dsrt_dtype_name(static_cast<dsrt_dtype>(d)));
    for (int r = 0; r < DSRT_NUM_REDUCTIONS; ++r) {
      bool has = dsrt_supports(context, DSRT_OP_ALL_REDUCE, static_cast<dsrt_dtype>(d),
                               static_cast<dsrt_reduction>(r));
      std::printf(" %s |", has ? "yes" : "-");
    }
    std::printf("\n");
  }
}
} // namespace

static int run(int argc, char **argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc < 3 || std::atoi(argv[2]) < 1) {
    std::fprintf(stderr, "usage: dsrt-cts BACKEND RANKS [--table]\n");
    return 2;
  }
  Fleet &fleet = Fleet::instance();
  fleet.open(argv[1], std::atoi(argv[2]));
  if (argc > 3 && std::strcmp(argv[3], "--table") == 0) {
    if (fleet.isReporter())
      printTable(fleet.modes()[0].contexts[0]);
    return fleet.close() ? 0 : 1;
  }
  if (!fleet.isReporter()) {
    auto &listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    delete listeners.Release(listeners.default_xml_generator()); // one report, of the first rank
    listeners.Append(new QuietPrinter);
  }
  int result = RUN_ALL_TESTS();
  if (!fleet.close())
    result = 1;
  return result;
}

int main(int argc, char **argv) {
  dsrt::openStandardStreams();
  return dsrt::closeStandardStreams("dsrt-cts", run(argc, argv));
}
