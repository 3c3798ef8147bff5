//===- TcpJoin.h - Between joining a store and using it ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BOOTSTRAP_TCPJOIN_H
#define DSRT_SRC_BOOTSTRAP_TCPJOIN_H

#include "Seal.h"
#include "Socket.h"
#include "TcpStore.h"

namespace dsrt::bootstrap {

/// Makes the store of a connection that has joined; rank 0's owns the server.
std::shared_ptr<Store> makeTcpStore(const TcpOptions &options, Socket socket, const Seals &seals,
                                    std::unique_ptr<TcpServer> server);

} // namespace dsrt::bootstrap

#endif // DSRT_SRC_BOOTSTRAP_TCPJOIN_H
