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
#include <cstring>
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

static const Unsupported withNccl[] = {
    {"*.@(and|or).?(u)i@(8|16|32|64)", "NCCL has no bitwise operations"},
    {"*.@(sum|max|min|prod).?(u)i16", "NCCL has no sixteen-bit integers; it moves them as bytes"},
};

static const Unsupported withHccl[] = {
    {"*.@(and|or).?(u)i@(8|16|32|64)", "HCCL has no bitwise operations"},
    {"*.@(sum|max|min|prod).ui*", "HCCL does not reduce unsigned integers on A2 and A3"},
    {"*.@(sum|mean|max|min|prod).f64", "HCCL does not reduce f64 on A2 and A3"},
    {"*.prod.@(i16|bf16)", "HCCL has no product of int16 and bfp16"},
};

Fleet &Fleet::instance() {
  static Fleet fleet;
  return fleet;
}

void Fleet::addMode(const char *name, const dsrt_options &options, bool inRankOrder, bool smallOnly,
                    bool onDevice) {
  Mode mode = {name, inRankOrder, smallOnly, onDevice, {}, nullptr};
  dsrt_status status;
  if (!processes) {
    mode.contexts.resize(ranks);
    status = dsrt_world_create(backendName.c_str(), ranks, &options, mode.contexts.data());
  } else {
    mode.contexts.resize(1);
    status = dsrt_init(backendName.c_str(), &options, mode.contexts.data());
  }
  if (shares && status == DSRT_OK) {
    mode.processes = mode.contexts[0];
    mode.contexts.resize(static_cast<size_t>(ranks));
    int32_t count = 0;
    status = dsrt_ranks_create(mode.processes, ranks, ranks, mode.contexts.data(), &count);
    mode.contexts.resize(static_cast<size_t>(count));
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
  const size_t dash = backend.find('-');
  const std::string how = dash == std::string::npos ? "" : backend.substr(dash);
  backendName = backend.substr(0, dash);
  const bool inPieces = how == "-hybrid-chunked"; // a job of processes has one mode
  shares = how == "-hybrid" || inPieces;
  processes = shares || how == "-processes" || backend == "mpi";
  ranks = numRanks;
  dsrt_options options;
  dsrt_options_init(&options);
  options.timeout_ms = 120000;
  if (backendName == "nccl" || backendName == "hccl") {
    openDeviceModes(options);
  } else {
    options.chunk_bytes = inPieces ? 520 : 0;
    addMode(inPieces ? "in-order-chunked" : "in-order", options, true, inPieces);
    if (backend == "mpi" || backend == "tcp") {
      options.chunk_bytes = 520;
      addMode("in-order-chunked", options, true, true);
      options.deterministic = 0; // any order would do; there is no faster one
      addMode("any-order-chunked", options, true, true);
    }
  }
  reporter = !processes || dsrt_rank(allModes[0].contexts[0]) == 0;
}

bool Fleet::onFakes() const {
  for (const char *variable : {"DS_NCCL_LIBRARY", "DS_HCCL_LIBRARY"})
    if (const char *file = std::getenv(variable); file && std::strstr(file, "libfake_"))
      return true;
  return false;
}

void Fleet::openDeviceModes(dsrt_options options) {
  addMode("staged", options, false);
  if (processes)
    return; // a job of processes has one store, and that serves one world
  addMode("device", options, false, false, true);
  options.chunk_bytes = 520;
  addMode("staged-chunked", options, false, true);
  options.chunk_bytes = 0;
  options.deterministic = 0;
  options.check_calls = 0;
  addMode("own-mean-unchecked", options, false, true);
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
    healthy = dsrt_shutdown(mode.processes) == DSRT_OK && healthy;
  }
  return healthy;
}

void Fleet::run(Mode &mode, const std::function<void(const Seat &)> &body) {
  auto seatOf = [&](dsrt_context *context) {
    return Seat{context, dsrt_rank(context), dsrt_num_ranks(context), mode.onDevice};
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
  auto find = [&](const auto &list) -> const char * {
    for (const Unsupported &entry : list)
      if (fnmatch(entry.pattern, testCase.c_str(), FNM_EXTMATCH) == 0)
        return entry.reason;
    return nullptr;
  };
  if (const char *reason = find(everywhere))
    return reason;
  if (backendName == "nccl")
    return find(withNccl);
  if (backendName == "hccl")
    return find(withHccl);
  return nullptr;
}

void onAllRanks(const std::function<void(const Seat &, const Mode &)> &body) {
  Fleet &fleet = Fleet::instance();
  for (Mode &mode : fleet.modes())
    fleet.run(mode, [&](const Seat &seat) { body(seat, mode); });
}

} // namespace dsrt::cts
