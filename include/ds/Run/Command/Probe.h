//===- Probe.h - The cost of all-reduces between ranks ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_COMMAND_PROBE_H
#define DS_RUN_COMMAND_PROBE_H

#include "ds/Run/Options/Options.h"
#include "ds/Run/Report/Report.h"

namespace ds {

/// Measures all-reduces in the world of the options, and writes their costs to options.probeLink,
/// for the key `comm_costs`. Returns the exit code.
llvm::Expected<int> probeLink(const RunOptions &options, Report &report);

} // namespace ds

#endif // DS_RUN_COMMAND_PROBE_H
