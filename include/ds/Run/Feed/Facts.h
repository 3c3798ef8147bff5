//===- Facts.h - Whether a checkpoint is of this training -------*- C++ -*-===//
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

/// Returns a hash of the layouts by which ranks hold the arguments.
std::string layoutsHash(const Manifest &manifest);

/// Fails if ranks have values of their own, which would be in no file: rank 0 writes only its own.
llvm::Error checkIsWhole(const Manifest &manifest, int64_t numRanks);

/// Checks whether --resume may continue from the checkpoint. `facts` are those of this run, by
/// metadata key.
llvm::Error checkFacts(const FoundCheckpoint &found,
                       const std::map<std::string, std::string> &facts, bool global,
                       Report &report);

} // namespace ds

#endif // DS_RUN_FEED_FACTS_H
