//===- ContractionLoops.cpp - Loops of a contraction by class ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Heads and their elements, samples and positions, windows and channels: two dimensions of a
// program are often one in memory. Two loops are one if the outer stride is the inner size times
// the inner stride in every operand.
//
//===----------------------------------------------------------------------===//
#include "ContractionLoops.h"

#include <algorithm>

using namespace ds;

LoopClass ds::classOf(const Loop &loop) {
  if (loop.out == 0)
    return depth;
  if (loop.lhs != 0 && loop.rhs != 0)
    return batch;
  return loop.rhs != 0 ? columns : rows;
}

static void merge(std::vector<Loop> &loops) {
  std::stable_sort(loops.begin(), loops.end(), [](const Loop &a, const Loop &b) {
    return std::max({a.out, a.lhs, a.rhs}) > std::max({b.out, b.lhs, b.rhs});
  });
  for (size_t i = 0; i + 1 < loops.size();) {
    Loop &outer = loops[i], &inner = loops[i + 1];
    if (outer.lhs == inner.size * inner.lhs && outer.rhs == inner.size * inner.rhs &&
        outer.out == inner.size * inner.out) {
      inner.size *= outer.size;
      loops.erase(loops.begin() + i);
      i = i > 0 ? i - 1 : 0;
    } else {
      ++i;
    }
  }
}

ClassedLoops ds::classify(const StridedContraction &contraction) {
  ClassedLoops loops;
  for (size_t i = 0; i < contraction.sizes.size(); ++i) {
    Loop loop{contraction.sizes[i], contraction.lhs[i], contraction.rhs[i], contraction.out[i]};
    if (loop.size != 1)
      loops[classOf(loop)].push_back(loop);
  }
  for (std::vector<Loop> &members : loops)
    merge(members);
  return loops;
}
