//===- Loader.h - The samples of the next step, loaded beside this one --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// While a step computes, a thread loads the rows of the next one into the other memory of each
// batch argument; between two steps the memories change places, and nothing is copied; for a GPU
// the memory is pinned, and its copy to the device is beside the step as well. What is wrong with a
// row is an error of the step that takes it, as without the thread.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_FEED_LOADER_H
#define DS_RUN_FEED_LOADER_H

#include "ds/Run/Ranks/Rank.h"
#include "ds/Run/Ranks/World.h"

#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

namespace ds {

/// Of one rank.
class Loader {
public:
  /// Loads ahead where a core is left for it beside the ranks of this process, and the samples of a
  /// step are worth it. `end`: no step is loaded ahead from there on.
  Loader(Rank &rank, const Dataset &data, const Sampler &sampler, const World &world, int64_t end);
  ~Loader();
  Loader(const Loader &) = delete;

  /// Gives the batch arguments the rows of a step, counted across epochs, and returns these.
  llvm::Expected<StepRows> load(int64_t step);

private:
  struct Loaded {
    int64_t step;
    StepRows rows;
    std::string mistake; // empty: there is none
  };
  Loaded prepare(int64_t step);
  void loop();

  Rank &rank;
  const Dataset &data;
  const Sampler &sampler;
  const int64_t end;
  const bool checks;  // rows, before they are loaded
  std::thread thread; // none: rows are loaded when they are asked for
  std::mutex mutex;
  std::condition_variable changed;
  std::optional<int64_t> wanted; // by the thread, which has not loaded it yet
  std::optional<Loaded> ready;   // in the spare memory
  bool stop = false;
};

} // namespace ds

#endif // DS_RUN_FEED_LOADER_H
