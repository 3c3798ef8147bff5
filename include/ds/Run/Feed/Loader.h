//===- Loader.h - The samples of the next step, loaded beside this one --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// While a step computes, a thread loads the rows of the next one into the spare memory of each
// batch argument; between two steps the memories are swapped without a copy. For a GPU the memory
// is pinned, and its copy to the device overlaps with the step, too. A mistake in a row is an error
// of the step that takes the row, as it is without the thread.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_FEED_LOADER_H
#define DS_RUN_FEED_LOADER_H

#include "ds/Run/Ranks/Rank.h"
#include "ds/Run/Ranks/World.h"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

namespace ds {

/// The loader of one rank.
class Loader {
public:
  /// Loads ahead if the ranks of this process leave a core for it and the samples of a step are
  /// large enough to pay. No step from `end` on is loaded ahead.
  Loader(Rank &rank, const Dataset &data, const Sampler &sampler, const World &world, int64_t end);
  ~Loader();
  Loader(const Loader &) = delete;

  /// Sets the batch arguments to the rows of a step, counted across epochs, and returns these rows.
  llvm::Expected<std::shared_ptr<const StepRows>> load(int64_t step);

private:
  struct Loaded {
    int64_t step;
    std::shared_ptr<const StepRows> rows;
    std::string mistake; // empty if there is none
  };
  Loaded prepare(int64_t step);
  void loop();

  Rank &rank;
  const Dataset &data;
  const Sampler &sampler;
  const int64_t end;
  const bool checks;  // whether rows are checked before they are loaded
  std::thread thread; // none: rows are loaded on demand
  std::mutex mutex;
  std::condition_variable changed;
  std::optional<int64_t> wanted; // the step that the thread has yet to load
  std::optional<Loaded> ready;   // in the spare memory
  bool stop = false;
};

} // namespace ds

#endif // DS_RUN_FEED_LOADER_H
