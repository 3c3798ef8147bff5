//===- HcclBackend.h - Ranks as Ascend devices ------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BACKENDS_HCCL_HCCLBACKEND_H
#define DSRT_SRC_BACKENDS_HCCL_HCCLBACKEND_H

#include "dsrt/backend.h"

namespace dsrt::hccl {

const dsrt_backend *backend();

} // namespace dsrt::hccl

#endif // DSRT_SRC_BACKENDS_HCCL_HCCLBACKEND_H
