//===- Fleet.cpp - The ranks that a conformance test runs on ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Fleet.h"

#include <cstdio>
#include <cstdlib>
#include <fnmatch.h>
#include <thread>

namespace dsrt::cts {

// What no backend can do; a backend with further gaps gets a list of its own beside this one.
static const Unsupported everywhere[] = {
    {"*.mean.i*", "an integer mean would have to round"},
    {"*.mean.ui*", "an integer mean would have to round"},
    {"*.and.*f*", "bits of floats have no meaning to a step"},
    {"*.or.*f*", "bits of floats have no meaning to a step"},
    {"*.sum.i1", "a sum of booleans would need a wider type"},
    {"*.prod.i1", "and is the product of booleans"},
};

Fleet &Fleet::instance() {
  static Fleet fleet;
  return fleet;
}

void Fleet::addMode(const char *name, bool inRankOrder, bool smallOnly,
                    const dsrt_options &options) {
  Mode mode = {name, inRankOrder, smallOnly, {}};
  dsrt_status status;
  if (backendName == "local") {
    mode.contexts.resize(ranks);
    status = dsrt_local_world_create(ranks, &options, mode.contexts.data());
  } else {
    mode.contexts.resize(1);
    status = dsrt_init(backendName.c_str(), &options, mode.contexts.data());
  }
  if (status != DSRT_OK) {
    std::fprintf(stderr, "dsrt-cts: %s\n", dsrt_last_error(nullptr));
    std::exit(2);
  }
  if (dsrt_num_ranks(mode.contexts[0]) != ranks) {
    std::fprintf(stderr,
                 "dsrt-cts: the world has %d ranks, expected %d; start it with the launcher\n",
                 dsrt_num_ranks(mode.contexts[0]), ranks);
    std::exit(2);
  }
  allModes.push_back(mode);
}

void Fleet::open(const std::string &backend, int32_t numRanks) {
  backendName = backend;
  ranks = numRanks;
  dsrt_options options;
  dsrt_options_init(&options);
  options.timeout_ms = 120000;
  addMode("in-order", true, false, options);
  if (backend == "mpi") {
    options.chunk_bytes = 520;
    addMode("in-order-chunked", true, true, options);
    options.deterministic = 0;
    addMode("any-order-chunked", false, true, options);
    options.chunk_bytes = 0;
    addMode("any-order", false, false, options);
  }
  reporter = backend == "local" || dsrt_rank(allModes[0].contexts[0]) == 0;
}

bool Fleet::close() {
  bool healthy = true;
  for (Mode &mode : allModes) {
    for (dsrt_context *context : mode.contexts) {
      if (dsrt_failed(context)) {
        std::fprintf(stderr, "dsrt-cts: %s: %s\n", mode.name.c_str(), dsrt_last_error(context));
        healthy = false;
      }
      if (dsrt_shutdown(context) != DSRT_OK) {
        std::fprintf(stderr, "dsrt-cts: %s\n", dsrt_last_error(nullptr));
        healthy = false;
      }
    }
  }
  return healthy;
}

void Fleet::run(Mode &mode, const std::function<void(const Seat &)> &body) {
  auto seatOf = [&](dsrt_context *context) {
    return Seat{context, dsrt_rank(context), dsrt_num_ranks(context)};
  };
  if (mode.contexts.size() == 1) {
    dsrt_flush_denormals();
    return body(seatOf(mode.contexts[0]));
  }
  std::vector<std::thread> threads;
  for (dsrt_context *context : mode.contexts) {
    threads.emplace_back([&, context] {
      dsrt_flush_denormals();
      body(seatOf(context));
    });
  }
  for (std::thread &thread : threads)
    thread.join();
}

const char *Fleet::unsupportedReason(const std::string &testCase) const {
  for (const Unsupported &entry : everywhere)
    if (fnmatch(entry.pattern, testCase.c_str(), 0) == 0)
      return entry.reason;
  return nullptr;
}

} // namespace dsrt::cts
