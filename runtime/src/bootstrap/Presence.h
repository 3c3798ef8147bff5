//===- Presence.h - Which ranks of a machine have come ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MPI names nobody while it waits for its ranks. Each therefore hangs out a mark before it begins:
// a socket with a name but without a file, which the system takes away with the process. Others of
// the same job, user and machine can see it. It is for an error message alone: anybody could forge
// it.
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BOOTSTRAP_PRESENCE_H
#define DSRT_SRC_BOOTSTRAP_PRESENCE_H

#include "Launch.h"
#include "Socket.h"

namespace dsrt::bootstrap {

class Presence {
public:
  /// Hangs out the mark of this process, as the launcher has numbered it.
  explicit Presence(const Launch &launch);
  /// Appends to `error`, which says in what this rank has waited for too long, who has not come
  /// there, as far as that can be known.
  void explain(dsrt_error *error) const;

private:
  /// A datagram socket that is bound to the mark of a rank, or connected to it; none: it cannot be.
  Socket markOf(int32_t rank, bool own) const;

  int32_t rank, numRanks, localSize;
  std::string job;
  Socket mark;
};

} // namespace dsrt::bootstrap

#endif // DSRT_SRC_BOOTSTRAP_PRESENCE_H
