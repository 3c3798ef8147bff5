//===- Replicas.h - Whether all ranks hold the same values ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters and states are replicated: every rank computes its own copy, and nothing but the
// all-reduces keeps the copies alike. A bit that flips in one of them would train on in silence.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_RANKS_REPLICAS_H
#define DS_RUN_RANKS_REPLICAS_H

#include "ds/Run/Ranks/Rank.h"

namespace ds {

/// Collective: compares hashes of all parameters and states but those that are each rank's own.
/// `steps` is the number of steps that are done. Rank 0 fails with the first that differs, the
/// ranks, and their hashes; the others learn it as from any failed rank.
llvm::Error compareReplicas(Rank &rank, const Manifest &manifest, int64_t numRanks, int64_t steps);

} // namespace ds

#endif // DS_RUN_RANKS_REPLICAS_H
