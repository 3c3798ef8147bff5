//===- WorldOfOptions.h - The options of a world ----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_PROGRAM_WORLDOFOPTIONS_H
#define DS_RUN_PROGRAM_WORLDOFOPTIONS_H

#include "ds/Dialect/IR/Config.h"
#include "ds/Run/Options/Options.h"
#include "ds/Run/Ranks/World.h"

namespace ds {

/// Returns the options of the world for a run. Needs no compiler.
WorldOptions worldOptionsOf(const Config &config, const RunOptions &options);

/// Returns the number of ranks, those of the launcher's world `joined`, if there is one, included.
llvm::Expected<int64_t> countRanks(const Config &config, const RunOptions &options,
                                   const World *joined);
/// Makes a world of threads, or divides the ranks among the processes of the launcher's. Collective
/// over processes.
llvm::Error makeRanks(const Config &config, const RunOptions &options, int64_t numRanks,
                      std::unique_ptr<World> &world);

} // namespace ds

#endif // DS_RUN_PROGRAM_WORLDOFOPTIONS_H
