//===- LocalMoves.h - A choice made better step by step ---------*- C++ -*-===//
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

/// Better labels for one variable after another, and for forests of variables between which there
/// is no circle, each solved exactly while the others stay, until neither helps.
/// Stops after so many rounds in a row that made nothing better.
void improve(const StrategyModel &model, std::vector<unsigned> &labels, unsigned roundsInVain);

} // namespace ds

#endif // DS_LIB_PLAN_LOCALMOVES_H
