//===- InitialInputs.h - The values that a training begins with -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_FEED_INITIALINPUTS_H
#define DS_RUN_FEED_INITIALINPUTS_H

#include "ds/Run/Feed/Inputs.h"

namespace ds {

/// Loads the newest checkpoint of --resume, else that of --init. With `fromRoot`, rank 0 sends the
/// replicated values later, so this rank need not have its files.
llvm::Error loadInitial(const RunOptions &options, const Manifest &manifest, const RanksHere &ranks,
                        bool fromRoot, Report &report, Inputs &inputs);

} // namespace ds

#endif // DS_RUN_FEED_INITIALINPUTS_H
