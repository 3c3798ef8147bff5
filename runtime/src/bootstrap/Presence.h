//===- Presence.h - Which ranks of a machine have come ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MPI does not name the ranks it waits for. Each rank therefore sets a mark before it begins: a
// socket with a name but without a file, which the system removes with the process. Other ranks of
// the same job, user and machine can see it. The mark serves an error message alone: any process
// could forge it.
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BOOTSTRAP_PRESENCE_H
#define DSRT_SRC_BOOTSTRAP_PRESENCE_H

#include "Launch.h"
#include "Socket.h"

namespace dsrt::bootstrap {

class Presence {
public:
  /// Sets the mark of this process, under the rank that its launcher gave it.
  explicit Presence(const Launch &launch);
  /// Appends to `error`, which states in what this rank has waited for too long, the ranks that
  /// have not come there, as far as that can be known.
  void explain(dsrt_error *error) const;

private:
  /// Returns a datagram socket that is bound to the mark of a rank (`own`), or connected to it; not
  /// open if that fails.
  Socket markOf(int32_t rank, bool own) const;

  int32_t rank, numRanks, localSize;
  std::string job;
  Socket mark;
};

} // namespace dsrt::bootstrap

#endif // DSRT_SRC_BOOTSTRAP_PRESENCE_H
