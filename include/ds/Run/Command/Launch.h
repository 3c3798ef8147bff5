//===- Launch.h - The ranks of one host as processes ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `ds-run --launch N --max-restarts R ..` starts N processes of itself, forwards signals to them,
// and restarts the job from its newest checkpoint when a rank dies.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_COMMAND_LAUNCH_H
#define DS_RUN_COMMAND_LAUNCH_H

#include "ds/Run/Options/Options.h"

namespace ds {

/// Runs the job with `arguments`, without those of --launch. Returns the exit code.
llvm::Expected<int> launch(const RunOptions &options, const std::vector<std::string> &arguments);

} // namespace ds

#endif // DS_RUN_COMMAND_LAUNCH_H
