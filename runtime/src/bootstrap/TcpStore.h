//===- TcpStore.h - A store among processes ---------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rank 0 runs a server on one thread; every rank, rank 0 too, holds one connection to it. A process
// joins only with the job's secret. What unauthenticated peers send to the port is cut off at a
// small fixed size and a few seconds, and never reaches the table.
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BOOTSTRAP_TCPSTORE_H
#define DSRT_SRC_BOOTSTRAP_TCPSTORE_H

#include "Roster.h"
#include "Store.h"

#include <optional>

namespace dsrt::bootstrap {

struct TcpOptions {
  std::string address; // host name or number of rank 0's machine
  int32_t port = 0;
  std::string secret; // at least minimumSecretBytes
  std::string job;    // name of the job; ranks of another one are not let in
  int32_t rank = 0, numRanks = 1;
  int64_t timeoutMs = 300000; // for joining
  /// The server keeps a roster: peers are members that come and go, and the end of a connection is
  /// no failure. `numRanks` is the most members, on both sides.
  std::optional<Roster::Rules> roster;
  bool isMember = false; // of a roster; `rank` is the number that it has if that is free, or -1
};
/// The bytes of a secret that cannot be guessed: 128 bits, if they are random.
constexpr size_t minimumSecretBytes = 16;

class TcpServer {
public:
  virtual ~TcpServer() = default; // stops at once
  virtual int32_t port() const = 0;
  /// Returns the address that rank 0 connects to; "" is the machine itself.
  virtual const std::string &address() const = 0;
  /// Returns how many ranks have neither left nor been lost.
  virtual int32_t remainingRanks() const = 0;
  /// True if a roster has refused its members.
  virtual bool isRefused() const = 0;
  /// Sets how long a peer may take to authenticate; for tests.
  virtual void setJoinTimeout(int64_t ms) = 0;
};

/// Listens on `options.port` (0: any free one) of the address if that is a number of this machine,
/// or localhost; else of all addresses of the machine.
dsrt_status startTcpServer(const TcpOptions &options, std::unique_ptr<TcpServer> &outServer,
                           dsrt_error *error);
/// Joins the server, waiting for it to come up.
dsrt_status connectTcpStore(const TcpOptions &options, std::shared_ptr<Store> &outStore,
                            dsrt_error *error);
/// Does both: rank 0 starts the server, which ends with its store.
dsrt_status joinTcpStore(const TcpOptions &options, std::shared_ptr<Store> &outStore,
                         dsrt_error *error);

/// As a member of a roster: waits for its place in the next world. DSRT_UNAVAILABLE: there are too
/// few members.
dsrt_status arriveAt(Store &roster, const Arrival &arrival, RosterPlace &outPlace,
                     dsrt_error *error);
/// The state of a member's world, by the roster.
struct RosterNews {
  bool isAwaited = false, isBroken = false; // see Roster
};
dsrt_status lookAt(Store &roster, int64_t generation, RosterNews &outNews, dsrt_error *error);

/// Returns the port of a store that joinTcpStore or connectTcpStore made.
int32_t portOf(const Store &store);

} // namespace dsrt::bootstrap

#endif // DSRT_SRC_BOOTSTRAP_TCPSTORE_H
