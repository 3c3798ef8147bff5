//===- TcpCollectives.h - Where the bytes of each collective go -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BACKENDS_TCP_TCPCOLLECTIVES_H
#define DSRT_SRC_BACKENDS_TCP_TCPCOLLECTIVES_H

#include "Pump.h"

namespace dsrt::tcp {

/// Runs a call of this member to its end.
dsrt_status runCollective(Rank &rank, const Members &members, const dsrt_call &call,
                          dsrt_error *error);

} // namespace dsrt::tcp

#endif // DSRT_SRC_BACKENDS_TCP_TCPCOLLECTIVES_H
