//===- ContractionLoops.h - Loops of a contraction by class -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_TARGET_CPU_LIBRARY_CONTRACTIONLOOPS_H
#define DS_LIB_TARGET_CPU_LIBRARY_CONTRACTIONLOOPS_H

#include "LibraryPlan.h"

#include <array>

namespace ds {

struct Loop {
  int64_t size = 1, lhs = 0, rhs = 0, out = 0;
};

/// A class is named by the operands that a loop moves: all, lhs and out, rhs and out, lhs and rhs.
enum LoopClass { batch, rows, columns, depth, numClasses };

LoopClass classOf(const Loop &loop);

using ClassedLoops = std::array<std::vector<Loop>, numClasses>;

/// Classifies loops. Those of size 1 vanish; neighbours of a class, outermost first, merge where
/// they walk memory as one loop.
ClassedLoops classify(const StridedContraction &contraction);

} // namespace ds

#endif // DS_LIB_TARGET_CPU_LIBRARY_CONTRACTIONLOOPS_H
