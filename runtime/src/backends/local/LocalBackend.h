//===- LocalBackend.h - Ranks as threads of one process ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BACKENDS_LOCAL_LOCALBACKEND_H
#define DSRT_SRC_BACKENDS_LOCAL_LOCALBACKEND_H

#include "dsrt/backend.h"

namespace dsrt::local {

const dsrt_backend *backend();

/// Makes a world and writes the backend state of each rank. Throws std::bad_alloc.
void createWorld(int32_t numRanks, const dsrt_options &options, void **outStates);

} // namespace dsrt::local

#endif // DSRT_SRC_BACKENDS_LOCAL_LOCALBACKEND_H
