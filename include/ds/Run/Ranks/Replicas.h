//===- Replicas.h - Whether all ranks hold the same values ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters and states are replicated: every rank computes its own copy, and only the all-reduces
// keep the copies equal. After a bit flip in one copy, the training would continue without notice.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_RANKS_REPLICAS_H
#define DS_RUN_RANKS_REPLICAS_H

#include "ds/Run/Ranks/Rank.h"

namespace ds {

/// Compares hashes of all parameters and states except rank-local ones. `steps` is the number of
/// steps done. Rank 0 fails with the first difference, the ranks, and their hashes; the other ranks
/// fail as after any failed rank. Collective.
llvm::Error compareReplicas(Rank &rank, const Manifest &manifest, int64_t numRanks, int64_t steps);

} // namespace ds

#endif // DS_RUN_RANKS_REPLICAS_H
