//===- OpenKeys.h - Keys that follow from the world -------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_PROGRAM_OPENKEYS_H
#define DS_RUN_PROGRAM_OPENKEYS_H

#include "ds/Run/Program/Program.h"
#include "ds/Run/Program/WorldOfOptions.h"

namespace ds {

/// Sets the keys that the user left open by facts about the world: the largest message of the
/// backend, the modelled link, whether exchanges can overlap with computation, and whether ranks
/// can share memory. Fails if ranks shall share memory and cannot. Collective over processes.
llvm::Error fillOpenKeys(Program &program, World &world, const RunOptions &options);

/// The same for the link, if there is one; and for a profile, which exchanges each gradient by
/// itself, whatever the configuration asks for.
void fillLink(Config &config, llvm::StringRef link, bool overlaps);
void startEachGradient(Config &config);

/// Decides whether ranks that can share memory do, if the configuration leaves it open: they do if
/// they hold enough values for it to pay. `sharingRanks`: how many can, 1 if none.
void fillSharing(Program &program, int64_t sharingRanks);

} // namespace ds

#endif // DS_RUN_PROGRAM_OPENKEYS_H
