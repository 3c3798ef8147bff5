//===- TcpBackend.h - Ranks as processes that talk TCP ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BACKENDS_TCP_TCPBACKEND_H
#define DSRT_SRC_BACKENDS_TCP_TCPBACKEND_H

#include "dsrt/backend.h"

namespace dsrt::tcp {

const dsrt_backend *backend();

} // namespace dsrt::tcp

#endif // DSRT_SRC_BACKENDS_TCP_TCPBACKEND_H
