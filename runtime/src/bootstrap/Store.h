//===- Store.h - The exchange of data that ranks start from -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A backend without a launcher of its own (tcp, nccl, hccl) ships its addresses or unique ids
// through a store and learns which rank has failed; device backends also compare the calls that
// ranks are about to make. Every rank holds one Store. Ranks that are threads share a table in
// memory (makeProcessStores); ranks that are processes talk TCP to a server in rank 0 (TcpStore.h).
//
// Every call has a timeout, and ends at once with DSRT_PEER_FAILED when a rank has called fail() or
// its connection was lost. Errors name the late or lost ranks in text and in error->late. A Store
// may be used from several threads: a call that waits does not keep the others out.
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BOOTSTRAP_STORE_H
#define DSRT_SRC_BOOTSTRAP_STORE_H

#include "dsrt/backend.h"

#include <memory>
#include <string>
#include <vector>

namespace dsrt::bootstrap {

class Store {
public:
  virtual ~Store() = default;

  virtual int32_t rank() const = 0;
  virtual int32_t numRanks() const = 0;
  /// Returns an address by which the other ranks reach this one: a name or number of this machine.
  virtual std::string ownAddress() const { return "127.0.0.1"; }
  /// False if all ranks are threads of this process.
  virtual bool acrossProcesses() const { return true; }
  /// Returns a key that only ranks of the job have, another one for each purpose.
  virtual std::string keyFor(const std::string &purpose) const = 0;

  /// Keys are up to 4096 bytes, values up to 64 MiB, both any bytes. A later set replaces the
  /// value.
  [[nodiscard]] virtual dsrt_status set(const std::string &key, const std::string &value,
                                        int64_t timeoutMs, dsrt_error *error) = 0;
  /// Waits until the key exists.
  [[nodiscard]] virtual dsrt_status get(const std::string &key, int64_t timeoutMs,
                                        std::string &outValue, dsrt_error *error) = 0;
  /// Adds to a counter that starts at zero and returns its new value.
  [[nodiscard]] virtual dsrt_status add(const std::string &key, int64_t amount, int64_t timeoutMs,
                                        int64_t &outSum, dsrt_error *error) = 0;
  /// Erases a value or counter.
  [[nodiscard]] virtual dsrt_status erase(const std::string &key, int64_t timeoutMs,
                                          dsrt_error *error) = 0;

  /// Every member gives a value and gets those of all, in the order of `members` (ranks of the
  /// world, the caller's own at `index`). The same name may be used again and again by the same
  /// members; the store keeps nothing of it. Ranks that do not come are named.
  [[nodiscard]] virtual dsrt_status exchange(const std::string &name,
                                             const std::vector<int32_t> &members, int32_t index,
                                             const std::string &value, int64_t timeoutMs,
                                             std::vector<std::string> &outValues,
                                             dsrt_error *error) = 0;
  [[nodiscard]] dsrt_status barrier(const std::string &name, const std::vector<int32_t> &members,
                                    int32_t index, int64_t timeoutMs, dsrt_error *error) {
    std::vector<std::string> ignored;
    return exchange(name, members, index, "", timeoutMs, ignored, error);
  }

  /// Reports to every rank that this one has failed; all calls of all ranks end with `text`. The
  /// first failure counts. Does not wait for other ranks.
  virtual void fail(dsrt_status status, const std::string &text) = 0;
  /// Returns DSRT_OK, or DSRT_PEER_FAILED (DSRT_ABORTED if that was the status) with the text of
  /// fail() or the connection that was lost. Cheap: asks the server at most every 50 ms.
  /// DSRT_TIMEOUT if the server does not answer: rank 0 may be stopped for a while.
  [[nodiscard]] virtual dsrt_status poll(int64_t timeoutMs, dsrt_error *error) = 0;
  /// Announces the end, so that the end of the connection is no failure. On rank 0 of a TCP store:
  /// waits until all others have left, at most `timeoutMs`, because the server ends with it.
  virtual void leave(int64_t timeoutMs) = 0;
};

/// Makes one store per rank, for ranks that are threads of this process.
std::vector<std::shared_ptr<Store>> makeProcessStores(int32_t numRanks);

} // namespace dsrt::bootstrap

#endif // DSRT_SRC_BOOTSTRAP_STORE_H
