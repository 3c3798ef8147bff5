//===- Ranks.h - How many ranks, and which ones --------------- -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_PROGRAM_RANKS_H
#define DS_RUN_PROGRAM_RANKS_H

#include "ds/Dialect/IR/Config.h"

#include "llvm/Support/Error.h"

namespace ds {

/// Returns n: device_num or --ranks, which must agree; else the number of the launcher's processes,
/// each of which holds one rank at least; else 1.
llvm::Expected<int64_t> resolveRanks(const Config &config, std::optional<int64_t> ranksOption,
                                     std::optional<int64_t> processes);
/// Checks that global_rank, if set, is the rank of this process.
llvm::Error checkGlobalRank(const Config &config, int64_t firstRank, int64_t numLocalRanks);

} // namespace ds

#endif // DS_RUN_PROGRAM_RANKS_H
