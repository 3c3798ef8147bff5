//===- StorePart.h - A store as some of its ranks see it --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BOOTSTRAP_STOREPART_H
#define DSRT_SRC_BOOTSTRAP_STOREPART_H

#include "Store.h"

#include <algorithm>

namespace dsrt::bootstrap {

/// Some ranks of a store, counted from 0, with keys of their own. A failure is that of all ranks.
class StorePart final : public Store {
public:
  /// `ranks`: of the store, that of the caller included; `name`: of the part.
  StorePart(Store &whole, std::vector<int32_t> ranks, std::string name)
      : whole(whole), ranks(std::move(ranks)), prefix(std::move(name) + ".") {}

  int32_t rank() const override {
    return static_cast<int32_t>(std::find(ranks.begin(), ranks.end(), whole.rank()) -
                                ranks.begin());
  }
  int32_t numRanks() const override { return static_cast<int32_t>(ranks.size()); }
  std::string ownAddress() const override { return whole.ownAddress(); }
  bool acrossProcesses() const override { return whole.acrossProcesses(); }
  std::string keyFor(const std::string &purpose) const override {
    return whole.keyFor(prefix + purpose);
  }
  dsrt_status set(const std::string &key, const std::string &value, int64_t timeoutMs,
                  dsrt_error *error) override {
    return whole.set(prefix + key, value, timeoutMs, error);
  }
  dsrt_status get(const std::string &key, int64_t timeoutMs, std::string &outValue,
                  dsrt_error *error) override {
    return whole.get(prefix + key, timeoutMs, outValue, error);
  }
  dsrt_status add(const std::string &key, int64_t amount, int64_t timeoutMs, int64_t &outSum,
                  dsrt_error *error) override {
    return whole.add(prefix + key, amount, timeoutMs, outSum, error);
  }
  dsrt_status erase(const std::string &key, int64_t timeoutMs, dsrt_error *error) override {
    return whole.erase(prefix + key, timeoutMs, error);
  }
  dsrt_status exchange(const std::string &name, const std::vector<int32_t> &members, int32_t index,
                       const std::string &value, int64_t timeoutMs,
                       std::vector<std::string> &outValues, dsrt_error *error) override {
    std::vector<int32_t> inWhole;
    for (int32_t member : members)
      inWhole.push_back(ranks[member]);
    return whole.exchange(prefix + name, inWhole, index, value, timeoutMs, outValues, error);
  }
  void fail(dsrt_status status, const std::string &text) override { whole.fail(status, text); }
  dsrt_status poll(int64_t timeoutMs, dsrt_error *error) override {
    return whole.poll(timeoutMs, error);
  }
  void leave(int64_t) override {}

private:
  Store &whole;
  const std::vector<int32_t> ranks;
  const std::string prefix;
};

} // namespace dsrt::bootstrap

#endif // DSRT_SRC_BOOTSTRAP_STOREPART_H
