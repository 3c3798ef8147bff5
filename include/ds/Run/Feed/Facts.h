//===- Facts.h - What a checkpoint says of its training ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_FEED_FACTS_H
#define DS_RUN_FEED_FACTS_H

#include "ds/Run/Feed/Checkpoints.h"
#include "ds/Run/Report/Report.h"
#include "ds/Step/Manifest.h"

#include <map>
#include <string>

namespace ds {

/// What ranks hold of each argument, as a hash.
std::string layoutsHash(const Manifest &manifest);

/// Fails where ranks have something for themselves, which is in no file: rank 0 writes its own.
llvm::Error checkIsWhole(const Manifest &manifest, int64_t numRanks);

/// Whether --resume goes on with what was found. `facts` are those of this run, by metadata key.
llvm::Error checkFacts(const FoundCheckpoint &found,
                       const std::map<std::string, std::string> &facts, bool global,
                       Report &report);

} // namespace ds

#endif // DS_RUN_FEED_FACTS_H
