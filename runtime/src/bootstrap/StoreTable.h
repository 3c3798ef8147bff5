//===- StoreTable.h - The contents of a store -------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values, counters, exchanges under way, and the first failure. Answers at once or reports "not
// yet"; the owner does the waiting: a condition variable among threads, the loop of the server
// among processes. Not locked.
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BOOTSTRAP_STORETABLE_H
#define DSRT_SRC_BOOTSTRAP_STORETABLE_H

#include "dsrt/backend.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace dsrt::bootstrap {

/// Bounds on what a rank may store, so that a faulty one cannot fill the memory of the server.
constexpr size_t maxKeyBytes = 4096;
constexpr size_t maxValueBytes = size_t(1) << 26;
constexpr size_t maxTableBytes = size_t(1) << 30;

class StoreTable {
public:
  /// False: the table is full.
  bool set(const std::string &key, const std::string &value);
  /// Null: not there yet.
  const std::string *get(const std::string &key) const;
  int64_t add(const std::string &key, int64_t amount);
  void erase(const std::string &key);

  enum class Exchange { pending, done, refused };
  /// Stores member `index`'s value in round `round` of `name`, unless it is stored already, and
  /// returns all values when they are there; every member takes them once. Refused if the number of
  /// members differs from another member's, or the table is full.
  Exchange exchange(const std::string &round, int32_t members, int32_t index,
                    const std::string &value, std::vector<std::string> &outValues);
  /// Returns the indices of the members that have not come.
  std::vector<int32_t> missing(const std::string &round, int32_t members) const;

  /// The first failure stays.
  void fail(int32_t rank, dsrt_status status, const std::string &text);
  bool failed() const { return failedRank >= 0; }
  /// Returns the status and text of the failure for `rank`.
  dsrt_status failure(int32_t rank, dsrt_error *error) const;

private:
  struct Round {
    std::vector<std::string> values;
    std::vector<bool> here, taken;
    int32_t arrived = 0, left = 0;
  };

  std::unordered_map<std::string, std::string> values;
  std::unordered_map<std::string, int64_t> counters;
  std::unordered_map<std::string, Round> rounds;
  size_t bytes = 0;
  int32_t failedRank = -1;
  dsrt_status failedStatus = DSRT_OK;
  std::string failedText;
};

} // namespace dsrt::bootstrap

#endif // DSRT_SRC_BOOTSTRAP_STORETABLE_H
