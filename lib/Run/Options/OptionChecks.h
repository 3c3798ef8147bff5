//===- OptionChecks.h - Options with values of their own, and together --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For Options.cpp alone. Each mistake is one sentence.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_OPTIONS_OPTIONCHECKS_H
#define DS_RUN_OPTIONS_OPTIONCHECKS_H

#include "ds/Run/Options/Options.h"

#include "llvm/ADT/StringRef.h"

namespace ds {

/// `500`, `500steps` or `1epochs`.
llvm::Error readSaveEvery(llvm::StringRef text, RunOptions &options);
/// `lr=0.1` or `lr=0.1@0,0.01@10` of --arg.
llvm::Error addArgument(llvm::StringRef text, RunOptions &options);
/// `loss`, `accuracy` or `loss:max`.
llvm::Error readKeepBest(llvm::StringRef text, RunOptions &options);
/// What needs another option, or cannot be given with it.
llvm::Error checkCombinations(const RunOptions &options);

} // namespace ds

#endif // DS_RUN_OPTIONS_OPTIONCHECKS_H
