//===- Instance.h - A step's state on the ranks of a process ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The place of each rank's part of a whole value is computed once: a step of a small model takes
// less time than that.
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_CAPI_INSTANCE_H
#define DS_LIB_CAPI_INSTANCE_H

#include "Handles.h"

#include "ds/Run/Ranks/Rank.h"
#include "ds/Run/Train/Metrics.h"

#include <map>

struct ds_instance {
  ds_context *context = nullptr;
  ds_world *world = nullptr;
  std::unique_ptr<ds_world> alone; // of a function, which was compiled without a world
  const ds::Manifest *manifest = nullptr;
  std::vector<std::unique_ptr<ds::Rank>> ranks; // of this process
  std::optional<ds::Metrics> metrics;
  ds_instance_options options = {};
  std::string stepHash;
  int64_t memoryBytes = 0;
  uint64_t steps = 0, stepNs = 0;
  uint64_t exchanges = 0;    // ds_step::exchanges
  int64_t openData = 0;      // it uses spare memory
  bool sharesMemory = false; // with another instance, whose steps are on a stream of their own

  llvm::Error create(const ds_step &step);

  size_t numArguments() const { return manifest->arguments.size(); }
  size_t numResults() const { return manifest->results.size(); }

  llvm::Error write(unsigned slot, ds_part part, const void *data, int64_t bytes);
  llvm::Error broadcast();
  llvm::Error readArgument(unsigned slot, void *data, int64_t bytes);
  llvm::Error readResult(unsigned slot, void *data, int64_t bytes);
  llvm::Error readLocal(unsigned slot, void *data, int64_t bytes);
  llvm::Error writeDevice(unsigned slot, ds_part part, const void *data, int64_t bytes,
                          int32_t device);
  /// View of an argument or result.
  void view(ds::Rank &rank, bool isResult, unsigned slot, ds_view &view) const;
  /// `next`: the inputs of the next call, or null.
  llvm::Error run(const void *const *inputs, const void *const *next);
  /// The first failure of ranks whose device could not copy.
  llvm::Error firstFailure() const;
  int64_t resultBytesOfRank(unsigned slot) const { return results[slot].rankBytes; }
  /// Runs `body` on every rank of this process, as one step of the statistics.
  llvm::Error timed(llvm::function_ref<llvm::Error(ds::Rank &rank)> body);
  int64_t resultBytes(unsigned slot) const { return results[slot].whole.bytes; }

private:
  /// A value of several ranks.
  struct Together {
    std::vector<int64_t> shape;
    int64_t bytes = 0;
    std::vector<ds::Positions> ofRank; // of the ranks of this process; empty: each has all of it
  };
  /// How a value is sharded among all ranks, and among those of this process.
  struct Division {
    Together whole, local;
    std::vector<int64_t> strides; // of a rank's part, in elements
    int64_t rankBytes = 0, elementBytes = 1;
    const Together &of(ds_part part) const { return part == DS_LOCAL ? local : whole; }
  };
  template <typename Spec> Division divide(const Spec &spec) const;
  llvm::Error checkLocalParts() const;
  bool hasAllRanks() const { return static_cast<int64_t>(ranks.size()) == numRanks(); }
  int64_t numRanks() const { return world->world->numRanks(); }

  llvm::Expected<std::shared_ptr<ds::SharedMemory>> borrow(const ds_step &step);
  llvm::Error checkBorrowed(const ds_borrowed &borrowed) const;
  llvm::Error checkDevices() const;
  llvm::Error checkBytes(const std::string &name, const Division &division, ds_part part,
                         int64_t bytes) const;
  llvm::Error checkPart(unsigned slot, ds_part part, int64_t bytes) const;
  llvm::Error checkIndicesOnDevice(unsigned slot, ds_part part, const void *data, int64_t bytes);
  llvm::Error checkIndices(unsigned slot, ds_part part, const void *data);
  /// On one rank of this process: its part of a value, and that of an argument.
  void fill(size_t local, unsigned slot, ds_part part, const void *data, char *bytes) const;
  bool isSame(size_t local, unsigned slot, ds_part part, const void *data, const char *bytes) const;
  void take(size_t local, unsigned slot, ds_part part, const void *data);
  /// Copies out a value of which all ranks of this process have a part.
  void put(const Division &division, ds_part part,
           llvm::function_ref<ds::HostView(ds::Rank &)> memory, void *data) const;
  llvm::Error checkAlike(unsigned slot);
  llvm::Error combineHere(unsigned slot, void *data);
  bool isCombined(unsigned slot) const;
  llvm::Error copyMetric(unsigned slot, llvm::ArrayRef<double> values, void *data) const;

  ds_part partOf(unsigned slot) const;
  llvm::Error agreeOnBatch(const void *const *inputs);
  std::vector<unsigned> sentAhead(const void *const *next);

  std::vector<Division> arguments, results;
  std::vector<std::map<unsigned, const void *>> ahead; // by rank: the source of spare memory
};

#endif // DS_LIB_CAPI_INSTANCE_H
