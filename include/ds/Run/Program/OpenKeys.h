//===- OpenKeys.h - What the world says where a user does not ---*- C++ -*-===//
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

/// Fills keys that are not set by what ranks meet over: the largest message of the backend, the
/// link that is modelled, whether exchanges can hide behind work, and whether ranks can share
/// memory. Fails where they shall and cannot. Collective over processes.
llvm::Error fillOpenKeys(Program &program, World &world, const RunOptions &options);

/// The same for a link, or none, and for a profile: each gradient is exchanged for itself, whatever
/// the configuration says.
void fillLink(Config &config, llvm::StringRef link, bool overlaps);
void startEachGradient(Config &config);

/// Whether ranks that can share memory do, where the configuration leaves it open: if they hold
/// enough that it pays.
void fillSharing(Program &program, bool canShare);

} // namespace ds

#endif // DS_RUN_PROGRAM_OPENKEYS_H
