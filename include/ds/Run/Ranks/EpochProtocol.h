//===- EpochProtocol.h - A training that another program leads --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --wait-after-epoch: between two epochs rank 0 has written the values, says so, and waits for a
// line of standard input. `fit` of the Python package lets callbacks and validation run meanwhile,
// and the step is compiled once for all epochs.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_RANKS_EPOCHPROTOCOL_H
#define DS_RUN_RANKS_EPOCHPROTOCOL_H

#include "ds/Run/Ranks/Answer.h"
#include "ds/Run/Ranks/Rank.h"

namespace ds {

enum class Steered { goOn, end, interrupted, requeue };

/// Collective: rank 0 waits, and all learn what comes next. Meanwhile the ranks meet five times a
/// second, so that nobody takes another for late. What `wanted` says on any rank, a signal for one,
/// comes before every answer.
llvm::Expected<Steered> awaitAnswer(Rank &rank, const Manifest &manifest, AnswerReader &reader,
                                    uint64_t seed, llvm::function_ref<Steered()> wanted);

} // namespace ds

#endif // DS_RUN_RANKS_EPOCHPROTOCOL_H
