//===- NcclBackend.h - Ranks as GPUs ----------------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BACKENDS_NCCL_NCCLBACKEND_H
#define DSRT_SRC_BACKENDS_NCCL_NCCLBACKEND_H

#include "dsrt/backend.h"

namespace dsrt::nccl {

const dsrt_backend *backend();

} // namespace dsrt::nccl

#endif // DSRT_SRC_BACKENDS_NCCL_NCCLBACKEND_H
