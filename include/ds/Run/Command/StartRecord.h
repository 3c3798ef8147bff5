//===- StartRecord.h - What a run of ds-run depends on ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_COMMAND_STARTRECORD_H
#define DS_RUN_COMMAND_STARTRECORD_H

#include "ds/Run/Options/Options.h"
#include "ds/Run/Program/Program.h"
#include "ds/Run/Ranks/Agreement.h"

namespace ds {

/// Describes builds and machine, options, configuration, and the compiled step. Leaves out the
/// files that rank 0 alone writes, and its evaluation.
StartRecord describeStart(const RunOptions &options, const Program &program,
                          const Manifest &manifest);

} // namespace ds

#endif // DS_RUN_COMMAND_STARTRECORD_H
