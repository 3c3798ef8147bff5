//===- ProcessStore.cpp - A store among threads -----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One table, guarded by one mutex; a waiting call sleeps on a condition variable that every change
// wakes.
//
//===----------------------------------------------------------------------===//
#include "Store.h"
#include "StoreTable.h"
#include "Wire.h"
#include "base/Deadline.h"
#include "base/Messages.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>

namespace dsrt::bootstrap {
namespace {

struct Shared {
  const std::string secret = randomBytes(macBytes);
  std::mutex mutex;
  std::condition_variable changed;
  StoreTable table;
};

class ProcessStore final : public Store {
public:
  ProcessStore(std::shared_ptr<Shared> shared, int32_t rank, int32_t numRanks)
      : shared(std::move(shared)), ownRank(rank), size(numRanks) {}

  int32_t rank() const override { return ownRank; }
  int32_t numRanks() const override { return size; }
  bool acrossProcesses() const override { return false; }
  std::string keyFor(const std::string &purpose) const override {
    return keyOf(shared->secret, "", purpose);
  }

  dsrt_status set(const std::string &key, const std::string &value, int64_t,
                  dsrt_error *error) override {
    if (dsrt_status status = checkSizes(key, value, error); status != DSRT_OK)
      return status;
    std::lock_guard<std::mutex> lock(shared->mutex);
    if (shared->table.failed())
      return shared->table.failure(ownRank, error);
    if (!shared->table.set(key, value))
      return failWith(error, DSRT_OUT_OF_MEMORY, "the store is full");
    shared->changed.notify_all();
    return DSRT_OK;
  }

  dsrt_status get(const std::string &key, int64_t timeoutMs, std::string &outValue,
                  dsrt_error *error) override {
    auto look = [&] {
      const std::string *value = shared->table.get(key);
      if (value)
        outValue = *value;
      return value != nullptr;
    };
    std::unique_lock<std::mutex> lock(shared->mutex);
    if (waitUntil(lock, timeoutMs, look))
      return DSRT_OK;
    if (shared->table.failed())
      return shared->table.failure(ownRank, error);
    return failWith(error, DSRT_TIMEOUT,
                    "timed out after %lld ms waiting for the key '%.200s' of the store",
                    static_cast<long long>(timeoutMs), key.c_str());
  }

  dsrt_status add(const std::string &key, int64_t amount, int64_t, int64_t &outSum,
                  dsrt_error *error) override {
    if (dsrt_status status = checkSizes(key, "", error); status != DSRT_OK)
      return status;
    std::lock_guard<std::mutex> lock(shared->mutex);
    if (shared->table.failed())
      return shared->table.failure(ownRank, error);
    outSum = shared->table.add(key, amount);
    return DSRT_OK;
  }

  dsrt_status erase(const std::string &key, int64_t, dsrt_error *error) override {
    std::lock_guard<std::mutex> lock(shared->mutex);
    if (shared->table.failed())
      return shared->table.failure(ownRank, error);
    shared->table.erase(key);
    return DSRT_OK;
  }

  dsrt_status exchange(const std::string &name, const std::vector<int32_t> &members, int32_t index,
                       const std::string &value, int64_t timeoutMs,
                       std::vector<std::string> &outValues, dsrt_error *error) override {
    if (dsrt_status status = checkSizes(name, value, error); status != DSRT_OK)
      return status;
    const int32_t count = static_cast<int32_t>(members.size());
    std::unique_lock<std::mutex> lock(shared->mutex);
    const std::string round = name + '#' + std::to_string(++rounds[name]);
    auto outcome = StoreTable::Exchange::pending;
    auto look = [&] {
      outcome = shared->table.exchange(round, count, index, value, outValues);
      if (outcome == StoreTable::Exchange::done)
        shared->changed.notify_all();
      return outcome != StoreTable::Exchange::pending;
    };
    if (waitUntil(lock, timeoutMs, look)) {
      if (outcome == StoreTable::Exchange::done)
        return DSRT_OK;
      return failWith(error, DSRT_MISMATCH,
                      "ranks disagree on the members of '%.200s', or the store is full",
                      name.c_str());
    }
    if (shared->table.failed())
      return shared->table.failure(ownRank, error);
    std::vector<int32_t> late;
    for (int32_t m : shared->table.missing(round, count))
      late.push_back(members[m]);
    setLate(error, timeoutMs, late);
    return DSRT_TIMEOUT;
  }

  void fail(dsrt_status status, const std::string &text) override {
    std::lock_guard<std::mutex> lock(shared->mutex);
    shared->table.fail(ownRank, status, text);
    shared->changed.notify_all();
  }

  dsrt_status poll(int64_t, dsrt_error *error) override {
    std::lock_guard<std::mutex> lock(shared->mutex);
    return shared->table.failure(ownRank, error);
  }

  void leave(int64_t) override {}

private:
  dsrt_status checkSizes(const std::string &key, const std::string &value, dsrt_error *error) {
    if (key.size() <= maxKeyBytes && value.size() <= maxValueBytes)
      return DSRT_OK;
    return failWith(error, DSRT_INVALID_ARGUMENT,
                    "a key of %zu and a value of %zu bytes exceed the store's %zu and %zu",
                    key.size(), value.size(), maxKeyBytes, maxValueBytes);
  }

  /// Waits until `look` is true. False: timed out, or a rank has failed.
  template <typename Look>
  bool waitUntil(std::unique_lock<std::mutex> &lock, int64_t timeoutMs, Look look) {
    const Deadline deadline = Deadline::in(timeoutMs);
    while (true) {
      if (shared->table.failed())
        return false;
      if (look())
        return true;
      shared->changed.wait_for(lock, std::chrono::milliseconds(deadline.sliceMs()));
      if (deadline.passed())
        return !shared->table.failed() && look();
    }
  }

  std::shared_ptr<Shared> shared;
  const int32_t ownRank, size;
  std::unordered_map<std::string, uint64_t> rounds; // of every name, under the mutex
};

} // namespace

std::vector<std::shared_ptr<Store>> makeProcessStores(int32_t numRanks) {
  auto shared = std::make_shared<Shared>();
  std::vector<std::shared_ptr<Store>> stores;
  for (int32_t r = 0; r < numRanks; ++r)
    stores.push_back(std::make_shared<ProcessStore>(shared, r, numRanks));
  return stores;
}

} // namespace dsrt::bootstrap
