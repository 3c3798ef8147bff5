//===- TcpJoin.h - Between joining a store and using it ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BOOTSTRAP_TCPJOIN_H
#define DSRT_SRC_BOOTSTRAP_TCPJOIN_H

#include "Socket.h"
#include "TcpStore.h"
#include "Threads.h"

#include <algorithm>

namespace dsrt::bootstrap {

constexpr uint64_t millisecond = 1000000;

inline uint64_t after(int64_t ms) {
  constexpr int64_t longest = int64_t(1) << 40; // keeps the sum in range
  return now() + static_cast<uint64_t>(std::clamp<int64_t>(ms, 0, longest)) * millisecond;
}
inline int64_t msUntil(uint64_t deadline) {
  const uint64_t time = now();
  return time >= deadline ? 0 : static_cast<int64_t>((deadline - time + 999999) / millisecond);
}

/// The store of a connection that has joined; rank 0's owns the server.
std::shared_ptr<Store> makeTcpStore(const TcpOptions &options, Socket socket,
                                    std::unique_ptr<TcpServer> server);

} // namespace dsrt::bootstrap

#endif // DSRT_SRC_BOOTSTRAP_TCPJOIN_H
