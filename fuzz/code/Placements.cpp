//===- Placements.cpp - Ranks of several processes --------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each process is a rank of a world of tcp; dsrt_ranks_create makes its ranks, a thread for each.
// Nothing in the runtime knows that the processes share one.
//
//===----------------------------------------------------------------------===//
#include "Placements.h"

#include "ds/Target/OpenMPThreads.h"

#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace ds::fuzz {
namespace {

class Job {
public:
  ~Job() {
    for (auto *all : {&ranks, &processes})
      for (dsrt_context *context : *all)
        (void)dsrt_shutdown(context);
  }

  llvm::Error make(int32_t numProcesses, int32_t numRanks) {
    dsrt_options options;
    dsrt_options_init(&options);
    options.timeout_ms = 120000;
    processes.resize(numProcesses);
    if (dsrt_world_create("tcp", numProcesses, &options, processes.data()) != DSRT_OK)
      return llvm::createStringError(dsrt_last_error(nullptr));
    std::vector<std::vector<dsrt_context *>> made(numProcesses,
                                                  std::vector<dsrt_context *>(numRanks));
    onEach(numProcesses, [&](int32_t p) -> std::string {
      int32_t count = 0;
      const bool good =
          dsrt_ranks_create(processes[p], numRanks, numRanks, made[p].data(), &count) == DSRT_OK;
      made[p].resize(count);
      return good ? "" : dsrt_last_error(nullptr);
    });
    for (const std::vector<dsrt_context *> &ofProcess : made)
      ranks.insert(ranks.end(), ofProcess.begin(), ofProcess.end());
    return takeError();
  }

  llvm::Error run(llvm::function_ref<llvm::Error(int64_t, dsrt_context *)> body) {
    onEach(static_cast<int32_t>(ranks.size()), [&](int32_t rank) -> std::string {
      dsrt_flush_denormals();
      omp_set_num_threads(1);
      llvm::Error error = body(rank, ranks[rank]);
      if (!error)
        return "";
      std::string text = llvm::toString(std::move(error));
      dsrt_abort(ranks[rank], text.c_str());
      return text;
    });
    return takeError();
  }

private:
  void onEach(int32_t count, llvm::function_ref<std::string(int32_t)> work) {
    std::vector<std::thread> threads;
    for (int32_t i = 0; i < count; ++i)
      threads.emplace_back([&, i] {
        std::string error = work(i);
        std::lock_guard<std::mutex> lock(mutex);
        if (first.empty())
          first = std::move(error);
      });
    for (std::thread &thread : threads)
      thread.join();
  }
  llvm::Error takeError() const {
    return first.empty() ? llvm::Error::success() : llvm::createStringError(first);
  }

  std::vector<dsrt_context *> processes, ranks;
  std::mutex mutex;
  std::string first; // error
};

} // namespace

llvm::Error runOnProcesses(int32_t processes, int32_t numRanks,
                           llvm::function_ref<llvm::Error(int64_t rank, dsrt_context *)> body) {
  Job job;
  if (llvm::Error error = job.make(processes, numRanks))
    return error;
  return job.run(body);
}

} // namespace ds::fuzz
