//===- LocalMoves.h - A choice improved step by step ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_PLAN_LOCALMOVES_H
#define DS_LIB_PLAN_LOCALMOVES_H

#include "ds/Plan/StrategySearch.h"

namespace ds {

/// Finds better labels for one variable after another, and for forests of variables without cycles,
/// each solved exactly while the others stay fixed, until neither improves the cost. Stops after
/// `roundsInVain` rounds in a row without improvement.
void improve(const StrategyModel &model, std::vector<unsigned> &labels, unsigned roundsInVain);

} // namespace ds

#endif // DS_LIB_PLAN_LOCALMOVES_H
