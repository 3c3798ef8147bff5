//===- OutOfRange.h - Labels beyond what a step indexes ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks the indices in data and recordings, as --on-index asks.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_FEED_OUTOFRANGE_H
#define DS_RUN_FEED_OUTOFRANGE_H

#include "ds/Data/Dataset.h"
#include "ds/Run/Options/Options.h"
#include "ds/Run/Ranks/Recording.h"
#include "ds/Run/Report/Report.h"

namespace ds {

/// Returns "stop", "warn" or "off".
const char *textOf(OnIndex policy);

/// Returns an error, or reports warnings, if the data holds an integer that its argument cannot
/// index with.
llvm::Error checkIndices(Dataset &data, llvm::ArrayRef<ArgumentSpec> columns, OnIndex policy,
                         Report &report);
llvm::Error checkIndices(llvm::ArrayRef<RecordedStep> recording, const Manifest &manifest,
                         OnIndex policy, Report &report);

} // namespace ds

#endif // DS_RUN_FEED_OUTOFRANGE_H
