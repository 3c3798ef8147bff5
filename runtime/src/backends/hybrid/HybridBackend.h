//===- HybridBackend.h - Ranks that share processes -------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A world of processes, each of which holds several ranks as threads. Inside of a process they
// exchange as those of `local`; between processes the first rank of a group speaks for the others,
// over the backend by which the processes have joined.
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BACKENDS_HYBRID_HYBRIDBACKEND_H
#define DSRT_SRC_BACKENDS_HYBRID_HYBRIDBACKEND_H

#include "Placement.h"
#include "dsrt/backend.h"

#include <vector>

namespace dsrt::hybrid {

const dsrt_backend *backend();

/// Makes the states of this process's ranks; `state` of `between` must outlive them. Throws
/// std::bad_alloc.
std::vector<void *> createRanks(const Placement &placement, int32_t process,
                                const dsrt_backend *between, void *state,
                                const dsrt_options &options);

} // namespace dsrt::hybrid

#endif // DSRT_SRC_BACKENDS_HYBRID_HYBRIDBACKEND_H
