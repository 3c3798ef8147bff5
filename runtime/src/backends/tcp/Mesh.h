//===- Mesh.h - A connection between each two ranks -------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every rank listens, publishes its address and a token through the store, connects to the ranks
// below it and is connected to by those above it. Both sides of a connection show that they know
// the tokens and the job's key (Hello.h). Ranks of one host connect by a socket of their machine,
// and share memory.
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BACKENDS_TCP_MESH_H
#define DSRT_SRC_BACKENDS_TCP_MESH_H

#include "Channel.h"
#include "bootstrap/Store.h"

#include <vector>

namespace dsrt::tcp {

struct Mesh {
  /// To all ranks; not open at the rank's own index.
  std::vector<Channel> channels;
  /// A number for each rank's host. Neighbours whose places on their host count on from 0 share
  /// one, because launchers fill hosts in that order.
  std::vector<int32_t> hostOf;
};

/// `placeOnHost`: this rank's number among those of its host. Ranks that do not come within the
/// timeout are named.
dsrt_status connectMesh(bootstrap::Store &store, int32_t placeOnHost, int64_t timeoutMs,
                        Mesh &outMesh, dsrt_error *error);

} // namespace dsrt::tcp

#endif // DSRT_SRC_BACKENDS_TCP_MESH_H
